//! A short notation for ground games, for unit tests.

use crate::ground::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};
use gdl_parse::GroundTerm;

/// Number of facts in every game.
const FACTS: u32 = 8;

/// A builder for a game with a given number of moves for each role.
pub(crate) struct Sketch {
    game: GroundGame,
}

fn constant(name: String) -> GroundTerm {
    GroundTerm::Constant(name.into())
}

impl Sketch {
    /// Creates a game with these numbers of moves and no rules.
    pub(crate) fn new(moves: &[usize]) -> Self {
        let mut game = GroundGame {
            roles: (0..moves.len())
                .map(|r| constant(format!("r{r}")))
                .collect(),
            facts: (0..FACTS).map(|f| constant(format!("f{f}"))).collect(),
            moves: moves
                .iter()
                .map(|&n| (0..n).map(|m| constant(format!("m{m}"))).collect())
                .collect(),
            ..GroundGame::default()
        };
        for fact in 0..FACTS {
            game.atoms.push(AtomKind::True { fact });
            game.atoms.push(AtomKind::Next { fact });
        }
        for (role, &moves) in (0..).zip(moves) {
            for mv in 0..moves as u32 {
                game.atoms.push(AtomKind::Does { role, mv });
                game.atoms.push(AtomKind::Legal { role, mv });
            }
        }
        game.atoms.push(AtomKind::Terminal);
        game.view_names = vec![String::new(); game.atoms.len()];
        Sketch { game }
    }

    /// The game with rules such as `next0 <= true1 -does0.2 [view]`, grouped by head.
    pub(crate) fn game(mut self, rules: &[&str]) -> GroundGame {
        for rule in rules {
            let (head, body) = rule.split_once("<=").expect("a rule has an arrow");
            let head = self.atom(head.trim());
            let mut body: Vec<GroundLiteral> = body
                .split_whitespace()
                .map(|literal| GroundLiteral {
                    atom: self.atom(literal.trim_start_matches('-')),
                    negated: literal.starts_with('-'),
                })
                .collect();
            body.sort_unstable();
            self.game.rules.push(GroundRule {
                head,
                body: body.into(),
            });
        }
        self.game.rules.sort_by_key(|rule| rule.head);
        self.game
    }

    fn atom(&mut self, text: &str) -> AtomId {
        let count = self.game.atoms.len() as u32;
        let known = (0..count).find(|&atom| name(&self.game, AtomId(atom)) == text);
        let atom = known.unwrap_or_else(|| {
            let view = text.trim_matches(['[', ']']);
            assert_ne!(view, text, "an unknown atom");
            self.game.atoms.push(AtomKind::View);
            self.game.view_names.push(view.to_owned());
            count
        });
        AtomId(atom)
    }
}

fn name(game: &GroundGame, atom: AtomId) -> String {
    match game.atoms[atom.index()] {
        AtomKind::True { fact } => format!("true{fact}"),
        AtomKind::Next { fact } => format!("next{fact}"),
        AtomKind::Does { role, mv } => format!("does{role}.{mv}"),
        AtomKind::Legal { role, mv } => format!("legal{role}.{mv}"),
        AtomKind::Goal { role, value } => format!("goal{role}.{value}"),
        AtomKind::Terminal => "terminal".to_owned(),
        AtomKind::View => format!("[{}]", game.view_names[atom.index()]),
    }
}

/// The rules in the notation of [`Sketch::game`].
pub(crate) fn rules_of(game: &GroundGame) -> Vec<String> {
    let literal = |literal: &GroundLiteral| {
        let sign = if literal.negated { "-" } else { "" };
        format!(" {sign}{}", name(game, literal.atom))
    };
    let rule = |rule: &GroundRule| {
        let body: String = rule.body.iter().map(literal).collect();
        format!("{} <={body}", name(game, rule.head))
    };
    game.rules.iter().map(rule).collect()
}
