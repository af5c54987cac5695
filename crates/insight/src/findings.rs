//! Findings: which subjects go with results, beyond chance.

use crate::candidates::{Candidates, Known};
use crate::fit::{Fit, fit};
use crate::judge::{Effect, Judge};
use crate::learnt::{self, Learnt};
use crate::look::Looks;
use crate::moments::Moments;
use crate::worth::worth;
use crate::{Finding, Insight, Source};
use budget::{Budget, Exhausted};
use heuristics::Outputs;

/// The probability that anything at all is reported that is chance.
pub const LEVEL: f64 = 0.01;

/// What subjects are judged by.
struct Evidence<'a> {
    judge: Judge,
    moments: &'a Moments,
    /// For each subject a number for each moment.
    numbers: Vec<Option<Vec<f32>>>,
    /// The number of outputs. The judge has the results of each; if a value was learnt, after
    /// them what it expects of each, and by how much the results are more than that.
    outputs: usize,
}

impl Insight {
    /// Judges all candidates, and finds what pieces are worth.
    pub(crate) fn judge(
        &mut self,
        candidates: &Candidates,
        known: &Known<'_>,
        random: &Moments,
        learnt: Option<&Learnt>,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let evidence = Evidence::new(known, candidates, random, &[], budget)?;
        let mut sources = vec![(Source::Random, evidence)];
        let value = learnt.and_then(|learnt| learnt.value.as_ref());
        let wanted = match value {
            Some((value, moments)) => {
                let expected = learnt::expected(value, moments);
                let evidence = Evidence::new(known, candidates, moments, &expected, budget)?;
                sources.push((Source::Learnt, evidence));
                self.by = Source::Value;
                expected
            }
            None => results(random),
        };
        let (_, best) = &sources[sources.len() - 1];
        self.worth(best, &wanted, known, candidates, budget);
        let mut findings = Vec::new();
        let mut ended = Ok(());
        for (number, subject) in candidates.subjects.iter().enumerate() {
            // What was judged until then holds: the order does not depend on results.
            ended = budget.check();
            if ended.is_err() {
                break;
            }
            let effects = sources.iter().filter_map(|(source, evidence)| {
                let number = evidence.numbers[number].as_ref()?;
                let effects = evidence.judge.effects(number, subject.is_beside())?;
                Some((*source, effects, evidence.outputs))
            });
            let effects: Vec<(Source, Vec<Effect>, usize)> = effects.collect();
            let roles = match (subject.role(known.boards), self.outputs) {
                (Some(role), _) => role..role + 1,
                (None, Outputs::Opposed) => 0..1,
                (None, Outputs::Each { roles }) => 0..roles,
            };
            for role in roles {
                let (output, sign) = self.outputs.of_role(role);
                let signed = |effect: Effect| Effect {
                    slope: f64::from(sign) * effect.slope,
                    ..effect
                };
                let mut finding = Finding {
                    subject: subject.clone(),
                    role,
                    random: None,
                    learnt: None,
                    value: None,
                    missed: None,
                };
                for (source, effects, outputs) in &effects {
                    self.tests += 1;
                    let effect = signed(effects[output]);
                    match source {
                        Source::Random => finding.random = Some(effect),
                        _ => finding.learnt = Some(effect),
                    }
                    let value = effects.get(outputs + output);
                    finding.value = value.map(|&value| signed(value).slope);
                    let missed = effects.get(2 * outputs + output);
                    finding.missed = missed.map(|&missed| signed(missed));
                }
                findings.push(finding);
            }
        }
        let most = self.most();
        findings.retain(|finding| finding.chance() <= most);
        // The surest first.
        findings.sort_by(|a, b| b.surety().total_cmp(&a.surety()));
        self.findings = findings;
        ended
    }

    /// The largest probability of chance with which something is reported: Bonferroni's, since
    /// subjects depend on each other in all ways.
    pub fn most(&self) -> f64 {
        LEVEL / f64::from(self.tests.max(1))
    }

    /// Finds what pieces are worth by the linear part of what is to be explained.
    fn worth(
        &mut self,
        evidence: &Evidence<'_>,
        wanted: &[Vec<f64>],
        known: &Known<'_>,
        candidates: &Candidates,
        budget: &Budget,
    ) {
        let used = candidates.facts();
        let fits = wanted
            .iter()
            .map(|wanted| fit(evidence.moments, &evidence.judge, wanted, &used, budget));
        let fits: Vec<Fit> = fits.collect();
        let explained = fits.iter().map(|fit| fit.explained).sum::<f64>();
        self.explained = explained / fits.len().max(1) as f64;
        let (moments, boards) = (evidence.moments, known.boards);
        self.worth = worth(moments, boards, &candidates.subjects, self.outputs, &fits);
    }
}

/// The results of moments by output.
fn results(moments: &Moments) -> Vec<Vec<f64>> {
    let outputs = moments.moments.first().map_or(0, |one| one.results.len());
    let of = |output: usize| {
        let moments = moments.moments.iter();
        moments.map(move |moment| f64::from(moment.results[output]))
    };
    (0..outputs).map(|output| of(output).collect()).collect()
}

impl<'a> Evidence<'a> {
    fn new(
        known: &Known<'_>,
        candidates: &Candidates,
        moments: &'a Moments,
        expected: &[Vec<f64>],
        budget: &Budget,
    ) -> Result<Evidence<'a>, Exhausted> {
        let looks = Looks::at(known.logic, &moments.moments, budget)?;
        let numbers = candidates.count(moments, &looks, budget)?;
        let basis = numbers[..candidates.basis()].iter().flatten();
        let basis: Vec<&[f32]> = basis.map(Vec::as_slice).collect();
        let mut wanted = results(moments);
        let outputs = wanted.len();
        let missed = expected.iter().zip(&wanted).map(|(expected, results)| {
            let pairs = results.iter().zip(expected);
            pairs.map(|(result, expected)| result - expected).collect()
        });
        let missed: Vec<Vec<f64>> = missed.collect();
        wanted.extend_from_slice(expected);
        wanted.extend(missed);
        Ok(Evidence {
            judge: Judge::new(moments, &looks, &wanted, &basis),
            moments,
            numbers,
            outputs,
        })
    }
}
