//! Specifications of players: `NAME` or `NAME:option,option,...`.

use crate::baseline::baseline;
use crate::default::{EXTRAS, FEATURES, default};
use crate::graph_player::GraphPlayer;
use crate::tree_player::TreePlayer;
use crate::{Archive, Legal, PROFILES, Player, Random};
use metagame::Switches;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A player and its options: `baseline`, `default:no-reuse,nodes=2000`.
///
/// Options of `baseline` and `default`:
///
/// - `playouts=N`: at most N playouts for each move, and for the start clock
/// - `nodes=N`: at most N states visited, likewise; see [`mcts::Limits`]
///
/// Options of `default` alone:
///
/// - `no-FEATURE`: plays without one of [`FEATURES`]
/// - `EXTRA`: plays with one of [`EXTRAS`]
/// - `per-leaf=N`: N playouts from each leaf, in lanes
/// - `leaves=N`: at most N leaves before playouts are made from all of them, in lanes
/// - `early=N`: answers early once the lead of the best move exceeds N percent of the visits
///   that the next one could still get at the present rate; quicker, but without what the rest
///   of the time would have taught
/// - `learn-games=N`: at most N games of self-play in the start clock; needed for learning where
///   play has to repeat
/// - `learning=N`: N virtual visits of the learnt prior for an untried move, if it predicts
///   half of the variance of results
/// - `children=N`: at most N moves of a node become leaves at once
/// - `exploration=N`: N percent of the usual weight of exploration
/// - `proofs=N`: N states are generated in proof search for each hundred visits of a node,
///   whenever the visits have doubled
/// - `proof-time=N`: at most N percent of the time go into proofs below the root
/// - `question-moves=N`: so many moves of the root are questioned, the most visited first
/// - `question-time=N`: at most N percent of the time go into questions about the root
/// - `threads=N`: searches with N threads, 256 at most, whatever it is given
/// - `tune=N`: N percent of the start clock are for tuning, by racing settings; for long
///   clocks, and plans that are stored
///
/// Printing and parsing a specification are inverse. Options are printed in a fixed order, so
/// that equal players have equal names.
///
/// ```
/// use players::Spec;
///
/// let spec: Spec = "default:playouts=300,no-reuse".parse()?;
/// assert_eq!(spec.to_string(), "default:no-reuse,playouts=300");
/// assert!(spec.repeats());
/// assert_eq!(spec.build().name(), spec.to_string());
///
/// let error = "default:no-luck".parse::<Spec>().unwrap_err();
/// assert!(error.to_string().contains("no-reuse"));
/// # Ok::<(), players::SpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spec {
    /// One of [`PROFILES`].
    profile: &'static str,
    /// The positions in [`FEATURES`] of the features switched off.
    without: BTreeSet<usize>,
    /// The positions in [`EXTRAS`] of the extras switched on.
    with: BTreeSet<usize>,
    /// Values of [`NUMBERS`], by name.
    numbers: BTreeMap<&'static str, u64>,
}

/// Options that take a number, and whether only `default` has them.
const NUMBERS: [(&str, bool); 15] = [
    ("early", true),
    ("children", true),
    ("exploration", true),
    ("learning", true),
    ("learn-games", true),
    ("leaves", true),
    ("nodes", false),
    ("per-leaf", true),
    ("playouts", false),
    ("proof-time", true),
    ("proofs", true),
    ("question-moves", true),
    ("question-time", true),
    ("threads", true),
    ("tune", true),
];

/// The most threads; a greater number is taken for a mistake.
const THREADS: u64 = 256;

/// An error in a specification, with the valid alternatives.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// There is no profile with this name.
    #[error("no player is called `{name}`; there are {}", PROFILES.join(", "))]
    Profile {
        /// What was given.
        name: String,
    },
    /// The profile has no such option.
    #[error("`{profile}` has no option `{option}`; {}", options(profile))]
    Option {
        /// The profile.
        profile: &'static str,
        /// What was given.
        option: String,
    },
    /// An option's value is no valid number.
    #[error("`{option}` must be a whole number of at least 1, not `{value}`")]
    Value {
        /// The option.
        option: &'static str,
        /// What was given.
        value: String,
    },
    /// An option is given more than once.
    #[error("`{option}` is given twice")]
    Twice {
        /// The option.
        option: String,
    },
}

/// The options of a profile, as text for error messages.
fn options(profile: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    if profile == "default" {
        all.extend(
            FEATURES
                .iter()
                .map(|feature| format!("no-{}", feature.name)),
        );
        all.extend(EXTRAS.iter().map(|extra| extra.name.to_string()));
    }
    if searches(profile) {
        let theirs = NUMBERS.iter().filter(|number| has(profile, number));
        all.extend(theirs.map(|(name, _)| format!("{name}=N")));
    }
    match all.is_empty() {
        true => "it has none".to_string(),
        false => format!("it has {}", all.join(", ")),
    }
}

fn searches(profile: &str) -> bool {
    matches!(profile, "baseline" | "default")
}

/// Whether a profile has an option of [`NUMBERS`].
fn has(profile: &str, (_, default_alone): &(&str, bool)) -> bool {
    profile == "default" || searches(profile) && !default_alone
}

impl Spec {
    /// A player without options.
    ///
    /// # Errors
    /// If there is no profile with this name.
    pub fn plain(profile: &str) -> Result<Self, SpecError> {
        let known = PROFILES.iter().find(|known| **known == profile);
        let profile = known.ok_or_else(|| SpecError::Profile {
            name: profile.to_string(),
        })?;
        Ok(Spec {
            profile,
            without: BTreeSet::new(),
            with: BTreeSet::new(),
            numbers: BTreeMap::new(),
        })
    }

    /// The profile, one of [`PROFILES`].
    pub fn profile(&self) -> &'static str {
        self.profile
    }

    /// The same with one more option, as it is written after the colon.
    ///
    /// # Errors
    /// If the profile has no such option, or it was already given.
    pub fn with(mut self, option: &str) -> Result<Self, SpecError> {
        let unknown = SpecError::Option {
            profile: self.profile,
            option: option.to_string(),
        };
        let new = match option.split_once('=') {
            Some((name, value)) => {
                let mut known = NUMBERS.iter();
                let known = known.find(|number| number.0 == name && has(self.profile, number));
                let (name, _) = known.ok_or(unknown)?;
                self.numbers.insert(name, number(name, value)?).is_none()
            }
            None if self.profile == "default" => {
                let extra = EXTRAS.iter().position(|extra| extra.name == option);
                let feature = || {
                    let name = option.strip_prefix("no-")?;
                    FEATURES.iter().position(|feature| feature.name == name)
                };
                match extra {
                    Some(extra) => self.with.insert(extra),
                    None => self.without.insert(feature().ok_or(unknown)?),
                }
            }
            None => return Err(unknown),
        };
        let name = option.split('=').next().unwrap_or(option);
        match new {
            true => Ok(self),
            false => Err(SpecError::Twice {
                option: name.to_string(),
            }),
        }
    }

    /// The same player without what it would learn before play.
    pub fn without_knowledge(mut self) -> Self {
        let knowledge = FEATURES.iter().position(|one| one.name == "knowledge");
        if self.profile == "default" {
            self.without.extend(knowledge);
        }
        self
    }

    /// Whether it searches, so that time, threads and memory matter to it.
    pub fn searches(&self) -> bool {
        searches(self.profile)
    }

    /// Whether it plays the same on every run, however much time there is.
    ///
    /// That requires one thread, a fixed engine (the fastest one can differ from run to run),
    /// and enough time.
    pub fn repeats(&self) -> bool {
        let alone = self.threads().is_none_or(|threads| threads == 1);
        !searches(self.profile) || self.is_bounded() && alone
    }

    /// The number of threads that it searches with. `None` if it uses as many as it is given.
    pub fn threads(&self) -> Option<usize> {
        let threads = self.numbers.get("threads");
        threads.map(|&threads| threads.min(THREADS) as usize)
    }

    /// Whether playouts or nodes bound its search, besides time.
    fn is_bounded(&self) -> bool {
        let bounds = ["playouts", "nodes"];
        bounds.iter().any(|name| self.numbers.contains_key(name))
    }

    /// The player, ready for [`Player::start`]. Its name is the specification.
    pub fn build(&self) -> Box<dyn Player> {
        self.build_with(None)
    }

    /// Like [`Spec::build`], with what is kept from one match to the next.
    ///
    /// Play that must repeat uses nothing that is kept.
    pub fn build_with(&self, archive: Option<Arc<dyn Archive>>) -> Box<dyn Player> {
        let number = |name: &str| self.numbers.get(name).copied();
        let [playouts, nodes] = ["playouts", "nodes"].map(|name| number(name).unwrap_or(u64::MAX));
        match self.profile {
            "legal" => Box::new(Legal::default()),
            "random" => Box::new(Random::default()),
            "baseline" => {
                let limits = yardstick::Limits { playouts, nodes };
                Box::new(TreePlayer::new(self.to_string(), baseline(), limits))
            }
            _ => {
                let limits = mcts::Limits { playouts, nodes };
                // Results that depend on what is kept would not repeat.
                let archive = archive.filter(|_| !self.is_bounded());
                let name = self.to_string();
                Box::new(GraphPlayer::new(name, self.switches(), limits, archive))
            }
        }
    }

    /// The switches of `default` with these options.
    pub fn switches(&self) -> Switches {
        let number = |name: &str| self.numbers.get(name).copied();
        let mut profile = default();
        for &feature in &self.without {
            (FEATURES[feature].off)(&mut profile);
        }
        for &extra in &self.with {
            (EXTRAS[extra].on)(&mut profile);
        }
        let small = |name: &str| number(name).map(|number| number.min(u64::from(u32::MAX)) as u32);
        profile.per_leaf = small("per-leaf").unwrap_or(profile.per_leaf);
        profile.leaves = small("leaves").unwrap_or(profile.leaves);
        profile.config.early = small("early").map(|percent| f64::from(percent) / 100.0);
        if let Some(visits) = small("learning") {
            profile.config.learning.visits = f64::from(visits);
        }
        if let Some(percent) = small("proofs") {
            profile.config.proofs.states = f64::from(percent) / 100.0;
        }
        if let Some(percent) = small("proof-time") {
            profile.config.proofs.time = f64::from(percent) / 100.0;
        }
        if let Some(percent) = small("question-time") {
            profile.config.questions.time = f64::from(percent) / 100.0;
        }
        if let Some(children) = small("children") {
            profile.config.children = children;
        }
        if let Some(moves) = small("question-moves") {
            profile.config.questions.moves = moves as usize;
        }
        if let Some(percent) = small("exploration") {
            profile.config.exploration *= f64::from(percent) / 100.0;
        }
        profile.threads = self.threads();
        // Results that depend on the clock would not repeat.
        let free = !self.is_bounded();
        profile.lanes &= free;
        profile.fans &= free;
        profile.sum &= free;
        profile.ranges &= free;
        profile.factors &= free;
        profile.puzzles &= free;
        profile.provers &= free;
        profile.learn_games = number("learn-games");
        if !free {
            profile.knowledge &= profile.learn_games.is_some();
            profile.method = profile.method.or(Some(metagame::Method::Mixed));
        }
        profile.tune = small("tune").filter(|_| free);
        profile
    }
}

fn number(option: &'static str, value: &str) -> Result<u64, SpecError> {
    // Only digits: Rust would accept a sign, too.
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse().ok().filter(|&number| digits && number > 0);
    number.ok_or_else(|| SpecError::Value {
        option,
        value: value.to_string(),
    })
}

/// `default`: the player used unless another one is requested.
impl Default for Spec {
    fn default() -> Self {
        Spec {
            profile: "default",
            without: BTreeSet::new(),
            with: BTreeSet::new(),
            numbers: BTreeMap::new(),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let off = self
            .without
            .iter()
            .map(|&at| format!("no-{}", FEATURES[at].name));
        let on = self.with.iter().map(|&at| EXTRAS[at].name.to_string());
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|(name, number)| format!("{name}={number}"));
        let options: Vec<String> = off.chain(on).chain(numbers).collect();
        f.write_str(self.profile)?;
        match options.is_empty() {
            true => Ok(()),
            false => write!(f, ":{}", options.join(",")),
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (profile, options) = match text.split_once(':') {
            Some((profile, options)) => (profile, Some(options)),
            None => (text, None),
        };
        let mut spec = Spec::plain(profile)?;
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            spec = spec.with(option)?;
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spec() -> impl Strategy<Value = Spec> {
        let features = proptest::collection::btree_set(0..FEATURES.len(), 0..=FEATURES.len());
        let extras = proptest::collection::btree_set(0..EXTRAS.len(), 0..=EXTRAS.len());
        let numbers = proptest::collection::btree_map(0..NUMBERS.len(), 1u64.., 0..=NUMBERS.len());
        let fields = (0..PROFILES.len(), features, extras, numbers);
        fields.prop_map(|(profile, without, with, numbers)| {
            let profile = PROFILES[profile];
            let numbers = numbers.into_iter().map(|(at, value)| (&NUMBERS[at], value));
            let theirs = numbers.filter(|(number, _)| has(profile, number));
            Spec {
                profile,
                without: if profile == "default" {
                    without
                } else {
                    BTreeSet::new()
                },
                with: if profile == "default" {
                    with
                } else {
                    BTreeSet::new()
                },
                numbers: theirs.map(|(number, value)| (number.0, value)).collect(),
            }
        })
    }

    proptest! {
        #[test]
        fn printed_specifications_can_be_parsed(spec in spec()) {
            let text = spec.to_string();
            prop_assert_eq!(text.parse::<Spec>(), Ok(spec.clone()));
            let player = spec.build();
            prop_assert_eq!(player.name(), text);
        }

        #[test]
        fn the_order_of_options_does_not_matter(spec in spec(), seed in any::<u64>()) {
            let text = spec.to_string();
            let (name, options) = text.split_once(':').unwrap_or((&text, ""));
            let mut options: Vec<&str> = options.split(',').filter(|o| !o.is_empty()).collect();
            let turn = seed as usize % options.len().max(1);
            options.rotate_left(turn);
            let turned = options
                .iter()
                .try_fold(Spec::plain(name).unwrap(), |spec, option| spec.with(option));
            prop_assert_eq!(turned, Ok(spec));
        }

        #[test]
        fn nonsense_does_not_panic(text in "[a-z:=,0-9-]{0,20}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }
    }

    #[test]
    fn errors_say_what_there_is() {
        let texts = [
            "",
            "clever",
            "Default",
            "default:",
            "default:no-luck",
            "default:reuse",
            "default:no-reuse,no-reuse",
            "default:playouts",
            "default:playouts=0",
            "default:nodes=-1",
            "default:nodes=+1",
            "default:nodes=5,nodes=5",
            "default:no-reuse=1",
            "baseline:no-reuse",
            "random:playouts=3",
            "default:playouts=99999999999999999999",
        ];
        let shown = texts.map(|text| {
            let error = text.parse::<Spec>().unwrap_err();
            format!("{text:<26} {error}")
        });
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn bounded_single_threaded_players_repeat() {
        for (text, repeats) in [
            ("legal", true),
            ("random", true),
            ("baseline", false),
            ("default:no-reuse", false),
            ("default:nodes=9", true),
            ("baseline:playouts=9", true),
            ("default:nodes=9,threads=1", true),
            ("default:nodes=9,threads=2", false),
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().repeats(), repeats, "{text}");
        }
        assert_eq!(Spec::default().to_string(), "default");
        assert_eq!(Spec::default().threads(), None);
        let many: Spec = "default:threads=1000".parse().unwrap();
        assert_eq!(many.threads(), Some(256));
    }
}
