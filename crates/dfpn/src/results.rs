//! The results that a role can have.

/// A set of results, 0 to 100.
///
/// Between two of them questions have the same answer: where a role wins or loses, "at least 1" is
/// "at least 100".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Results(u128);

impl Results {
    /// All results, where nothing is known.
    pub const ALL: Results = Results((1 << 101) - 1);

    /// The least of them that is at least this result; the result itself if there is none, since
    /// the answer is no then.
    pub fn at_least(self, result: u8) -> u8 {
        let result = result.min(100);
        match self.0 >> result {
            0 => result,
            rest => result + rest.trailing_zeros() as u8,
        }
    }
}

impl FromIterator<u8> for Results {
    fn from_iter<I: IntoIterator<Item = u8>>(results: I) -> Self {
        let results = results.into_iter().map(|result| 1 << result.min(100));
        Results(results.fold(0, |all, one: u128| all | one))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProofSearch;
    use crate::tests::{agrees, prover};
    use budget::Budget;
    use game::Engine;
    use testkit::toys::TakeAway;

    #[test]
    fn questions_are_about_the_next_result_that_there_is() {
        let results: Results = [0, 50, 100].into_iter().collect();
        let asked = [0, 1, 50, 51, 100, 255].map(|result| results.at_least(result));
        assert_eq!(asked, [0, 50, 50, 100, 100, 100]);
        let low: Results = [0, 30].into_iter().collect();
        assert_eq!([1, 30, 31].map(|result| low.at_least(result)), [30, 30, 31]);
        for result in 0..=100 {
            assert_eq!(Results::ALL.at_least(result), result);
        }
    }

    #[test]
    fn a_question_about_a_result_that_there_is_not_was_answered_before() {
        let game = TakeAway::new(2, 21, 3);
        let state = game.initial();
        let states_of_second = |results: Results| {
            let mut prover = prover(&game, 0, 1 << 16);
            prover.subject.judge.results = results;
            let mut ask = |asked| {
                prover
                    .ask(&state, asked, 100_000, &Budget::system())
                    .unwrap()
            };
            let answers = [ask(100), ask(1)];
            assert!(
                answers.iter().all(|&answer| agrees(answer, 100, 100)),
                "{answers:?}"
            );
            let all = prover.states();
            prover.ask(&state, 1, 100_000, &Budget::system()).unwrap();
            // Where it is the same question, only the moves of the state were generated for it.
            (all, prover.states() - all)
        };
        let (any, again) = states_of_second(Results::ALL);
        let (two, _) = states_of_second([0, 100].into_iter().collect());
        assert!(again <= 3 && two < any * 2 / 3, "{any} {two} {again}");
    }
}
