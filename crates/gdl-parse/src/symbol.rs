//! Interned names.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An interned name. Compare it with `==` and read it with [`Symbols::name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

impl Symbol {
    /// A dense number, in order of first interning.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The keyword that this symbol denotes, if any.
    pub fn keyword(self) -> Option<Keyword> {
        Keyword::ALL.get(self.index()).copied()
    }
}

macro_rules! keywords {
    ($($variant:ident $name:literal $doc:literal,)*) => {
        /// The words that have a meaning in GDL.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Keyword { $(#[doc = $doc] $variant,)* }

        impl Keyword {
            /// All keywords. Their positions are the indices of their symbols in every table.
            pub const ALL: &'static [Keyword] = &[$(Keyword::$variant,)*];

            /// The keyword in lower case, as it is printed.
            pub fn name(self) -> &'static str {
                match self { $(Keyword::$variant => $name,)* }
            }
        }
    };
}

keywords! {
    Role "role" "`(role r)`: r plays.",
    Init "init" "`(init f)`: f holds at the start.",
    True "true" "`(true f)`: f holds now.",
    Does "does" "`(does r m)`: r plays m now.",
    Next "next" "`(next f)`: f holds in the next state.",
    Legal "legal" "`(legal r m)`: r may play m now.",
    Goal "goal" "`(goal r v)`: r's result is v.",
    Terminal "terminal" "`terminal`: play has ended.",
    Base "base" "`(base f)`: f may ever hold.",
    Input "input" "`(input r m)`: m may ever be legal for r.",
    Distinct "distinct" "`(distinct a b)`: a and b are different terms.",
    Not "not" "`(not l)`: l does not hold.",
    Or "or" "`(or l ...)`: one of them holds.",
    And "and" "`(and l ...)`: all of them hold.",
    If "<=" "`(<= head body ...)`: a rule.",
}

impl Keyword {
    /// The keyword's symbol. It is the same in every table.
    pub fn symbol(self) -> Symbol {
        Symbol(self as u32)
    }

    /// The keyword with this name, in any case.
    pub fn from_name(name: &str) -> Option<Keyword> {
        Keyword::ALL
            .iter()
            .copied()
            .find(|k| k.name().eq_ignore_ascii_case(name))
    }

    /// The number of arguments as a relation. `None` for the connectives, which are not
    /// relations.
    pub fn arity(self) -> Option<usize> {
        match self {
            Keyword::Terminal => Some(0),
            Keyword::Role | Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => {
                Some(1)
            }
            Keyword::Does | Keyword::Legal | Keyword::Goal | Keyword::Input | Keyword::Distinct => {
                Some(2)
            }
            Keyword::Not | Keyword::Or | Keyword::And | Keyword::If => None,
        }
    }
}

/// A table of interned names. Every table begins with the keywords.
#[derive(Debug, Clone)]
pub struct Symbols {
    names: Vec<Arc<str>>,
    by_name: FxHashMap<Arc<str>, Symbol>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Symbols {
            names: Vec::new(),
            by_name: FxHashMap::default(),
        };
        for keyword in Keyword::ALL {
            symbols.intern(keyword.name());
        }
        symbols
    }
}

impl Symbols {
    /// Returns the symbol of `name`, added if it is new. Names are case-sensitive.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.by_name.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.by_name.insert(name, symbol);
        symbol
    }

    /// The symbol of `name`, if it has one.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(name).copied()
    }

    /// The name of `symbol`, which must come from this table.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Always false, because the keywords are always present.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All symbols in order of interning.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &str)> {
        self.names
            .iter()
            .enumerate()
            .map(|(i, n)| (Symbol(i as u32), &**n))
    }
}
