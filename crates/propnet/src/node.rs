//! What a node of the network is.

/// What a node of the network is. Roles, facts and moves are positions in the lists of the
/// network's [`Vocabulary`](crate::Vocabulary). Eight bytes, because large games have millions.
///
/// Sources ([`Node::is_source`]) have no inputs. Gates have any number; an and-gate without inputs
/// is always true, an or-gate without inputs always false. All others repeat their one input, and
/// are false without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// Always the same.
    Constant(bool),
    /// Base proposition: the fact holds in the current state.
    Base {
        /// Which fact.
        fact: u32,
    },
    /// Input proposition: the role makes the move.
    Does {
        /// Which role.
        role: u16,
        /// Which of its moves.
        mv: u32,
    },
    /// True if all inputs are.
    And,
    /// True if any input is.
    Or,
    /// True if its one input is false.
    Not,
    /// A relation of the rulesheet that says nothing about play by itself.
    View {
        /// The position of its name in the vocabulary.
        name: u32,
    },
    /// The fact holds in the next state.
    Transition {
        /// Which fact.
        fact: u32,
    },
    /// The role may make the move.
    Legal {
        /// Which role.
        role: u16,
        /// Which of its moves.
        mv: u32,
    },
    /// The role's result is the value.
    Goal {
        /// Which role.
        role: u16,
        /// The value, 0 to 100.
        value: u8,
    },
    /// Play has ended.
    Terminal,
}

const _: () = assert!(size_of::<Node>() == 8);

impl Node {
    /// Whether the node's value comes from outside the logic: constants, bases and moves.
    pub fn is_source(self) -> bool {
        matches!(
            self,
            Node::Constant(_) | Node::Base { .. } | Node::Does { .. }
        )
    }

    /// Whether play reads the node: transitions, legality, goals, terminality.
    pub fn is_output(self) -> bool {
        matches!(
            self,
            Node::Transition { .. } | Node::Legal { .. } | Node::Goal { .. } | Node::Terminal
        )
    }

    /// Whether the node repeats its one input: outputs and views.
    pub fn is_repeater(self) -> bool {
        self.is_output() || matches!(self, Node::View { .. })
    }
}
