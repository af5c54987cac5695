//! Games with the analysis of their goals, for tests.

use crate::shared::{self, sheet};
use crate::states::states;
use analysis::goals::{Condition, Emulated, Goals, Scope};
use budget::Budget;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use invariants::{Groups, Play};
use netlist::{GameLogic, Lit, Source};
use std::sync::LazyLock;
use std::time::Duration;

/// The logic; `None` if it is not built within 20 seconds.
pub fn build(sheet: &Rulesheet) -> Option<GameLogic> {
    shared::build(sheet).map(|(_, logic)| logic)
}

/// All fixtures with their goals, computed once for all tests. The short budget cuts some
/// searches; the results must still be sound.
pub fn fixtures() -> &'static [(String, Found)] {
    static FOUND: LazyLock<Vec<(String, Found)>> = LazyLock::new(|| {
        let found = testkit::fixtures().into_iter().filter_map(|path| {
            let rules = std::fs::read_to_string(&path).unwrap();
            let logic = build(&parse(&rules, &ParseOptions::default()).sheet)?;
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            Some((name, Found::of(logic, Duration::from_millis(300))))
        });
        found.collect()
    });
    &FOUND
}

/// A game with the analysis of its goals.
pub struct Found {
    pub logic: GameLogic,
    pub goals: Goals,
    pub emulated: Option<Emulated>,
}

impl Found {
    /// Analyses a game, with `time` for groups and as much for goals.
    pub fn of(logic: GameLogic, time: Duration) -> Found {
        let groups = Groups::find(&logic, 1, &Budget::system().with_timeout(time));
        let goals = Goals::find(&logic, &groups, &Budget::system().with_timeout(time));
        let emulated = goals.emulated(&logic);
        Found {
            logic,
            goals,
            emulated,
        }
    }

    pub fn fixture(name: &str) -> Found {
        Found::of(build(&sheet(name)).unwrap(), Duration::from_secs(60))
    }

    /// The conditions of all goals, with the signals that they describe.
    pub fn conditions(&self) -> impl Iterator<Item = (Lit, &Condition)> {
        let found = self.goals.goals.iter().flatten();
        let found = self.logic.goal_roots().zip(found);
        found.filter_map(|(lit, (_, condition))| Some((lit, condition.as_ref()?)))
    }
}

/// The values of all nodes of a netlist with the same inputs as that of the game played.
pub fn values(logic: &GameLogic, played: &GameLogic, play: &Play<'_>) -> Vec<u64> {
    let inputs = played.sources.iter().map(|source| match *source {
        Source::Fact(fact) => play.word(played.facts[fact as usize]),
        Source::Does { .. } => 0,
        Source::Fix(fix) => play.word(played.fixes[fix as usize].input),
    });
    logic.net.evaluate(&inputs.collect::<Vec<_>>())
}

/// The first goal that differs from the rules in random play, if any, and the number of terminal
/// states in which goals were compared.
pub fn wrong(found: &Found, steps: usize, seed: u64) -> (Option<String>, u32) {
    let logic = &found.logic;
    let mut play = Play::new(logic, seed);
    let mut finals = 0;
    for step in 0..steps {
        let terminal = play.word(logic.terminal);
        if terminal == 0 && step % 8 != 0 {
            play.step();
            continue;
        }
        finals += terminal.count_ones();
        let now = values(logic, logic, &play);
        let where_asked = |scope: Scope| match scope {
            Scope::Everywhere => u64::MAX,
            Scope::Terminal => terminal,
        };
        if let Some(emulated) = &found.emulated {
            let other = values(&emulated.logic, logic, &play);
            let pairs = logic.goal_roots().zip(emulated.logic.goal_roots());
            for (number, (mine, theirs)) in pairs.enumerate() {
                let differ = netlist::word(&now, mine) ^ netlist::word(&other, theirs);
                if differ & where_asked(emulated.scope) != 0 {
                    return (
                        Some(format!("goal {number} as emulated, step {step}")),
                        finals,
                    );
                }
            }
        }
        let states = states(logic, &play);
        let terminal = found.goals.terminal.iter();
        let terminal = terminal.map(|condition| (logic.terminal, condition));
        for (lit, condition) in found.conditions().chain(terminal) {
            if !condition.formula.is_of_facts() {
                continue;
            }
            let (word, asked) = (netlist::word(&now, lit), where_asked(condition.scope));
            // All lanes test the same formulas, so some of them are enough.
            for lane in (step % 7..64)
                .step_by(7)
                .filter(|lane| asked >> lane & 1 == 1)
            {
                let holds = condition.formula.of(&states[lane]);
                if holds != Some(word >> lane & 1 == 1) {
                    return (Some(format!("{holds:?} for {lit:?}, step {step}")), finals);
                }
            }
        }
        play.step();
    }
    (None, finals)
}
