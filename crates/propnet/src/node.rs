//! The nodes of a network.

/// A node of the network.
///
/// Roles, facts and moves are positions in the lists of the network's
/// [`Vocabulary`](crate::Vocabulary). A node takes eight bytes, because large games have
/// millions of them.
///
/// Sources ([`Node::is_source`]) have no inputs. Gates have any number: an and-gate without
/// inputs is always true, an or-gate without inputs always false. All other nodes repeat their
/// one input, and are false without an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// A constant value.
    Constant(bool),
    /// Base proposition: the fact holds in the current state.
    Base {
        /// The fact.
        fact: u32,
    },
    /// Input proposition: the role plays the move.
    Does {
        /// The role.
        role: u16,
        /// The number of the move within the role's moves.
        mv: u32,
    },
    /// True if all inputs are true.
    And,
    /// True if any input is true.
    Or,
    /// True if its one input is false.
    Not,
    /// A relation of the rulesheet without a meaning of its own in play.
    View {
        /// The position of its name in the vocabulary.
        name: u32,
    },
    /// The fact holds in the next state.
    Transition {
        /// The fact.
        fact: u32,
    },
    /// The move is legal for the role.
    Legal {
        /// The role.
        role: u16,
        /// The number of the move within the role's moves.
        mv: u32,
    },
    /// The role's goal value is this value.
    Goal {
        /// The role.
        role: u16,
        /// The value, 0 to 100.
        value: u8,
    },
    /// The state is terminal.
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

    /// Whether play reads the node: transitions, legality, goals and terminality.
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
