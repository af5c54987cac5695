//! The referee: asks for moves, checks them, replaces missing ones, and advances the state.

use crate::ask::{ask, guarded};
use crate::history::{History, Past};
use crate::{
    Answer, End, Fault, FaultCount, MatchError, Observer, Opening, Outcome, Participant, Settings,
    Step, Turn,
};
use budget::Budget;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use players::Thought;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use records::Record;
use std::time::Duration;

/// Plays one match of the game of `engine`, with one participant for each role, in role order.
///
/// Remote participants are asked in parallel. Participants that share this machine are asked
/// one after the other, so that each has the machine to itself while its clock runs.
///
/// # Errors
/// Fails only if the match could not begin. Later problems are reported in the [`Outcome`],
/// which holds the record up to that point.
pub fn play(
    engine: &mut dyn Engine,
    participants: &mut [Box<dyn Participant>],
    settings: &Settings,
    observer: &mut dyn Observer,
    budget: &Budget,
) -> Result<Outcome, MatchError> {
    let roles = engine.roles().to_vec();
    if roles.len() != participants.len() {
        return Err(MatchError::Participants {
            roles: roles.len(),
            participants: participants.len(),
        });
    }
    // Otherwise an interrupted match would go on until hard rules have been evaluated.
    engine.set_budget(budget);
    let record = record(settings, &roles, participants);
    let referee = Referee {
        engine,
        settings,
        observer,
        budget,
        roles,
        rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
        counts: vec![FaultCount::default(); participants.len()],
        participants,
        record,
        history: History::default(),
        began: budget.clock().now(),
    };
    Ok(referee.run())
}

/// The record of a match before its first state.
fn record(
    settings: &Settings,
    roles: &[GroundTerm],
    participants: &[Box<dyn Participant>],
) -> Record {
    Record {
        match_id: settings.id.clone(),
        random_token: format!("{:016x}", settings.seed ^ settings.start_time),
        tournament_name_from_host: settings.tournament.clone(),
        start_time: settings.start_time,
        game_meta_url: settings.game.clone(),
        rulesheet: settings.rulesheet.clone(),
        is_completed: Some(false),
        is_aborted: false,
        game_role_names: roles.iter().map(ToString::to_string).collect(),
        states: Vec::new(),
        moves: Vec::new(),
        state_times: Vec::new(),
        answer_times: Vec::new(),
        errors: Vec::new(),
        goal_values: Vec::new(),
        preview_clock: Duration::ZERO,
        start_clock: settings.start_clock,
        play_clock: settings.play_clock,
        player_names_from_host: participants.iter().map(|p| p.name()).collect(),
        is_player_human: participants.iter().map(|p| p.is_human()).collect(),
        scrambled: settings.scrambled,
        thoughts: Vec::new(),
    }
}

struct Referee<'a> {
    engine: &'a mut dyn Engine,
    participants: &'a mut [Box<dyn Participant>],
    settings: &'a Settings,
    observer: &'a mut dyn Observer,
    budget: &'a Budget,
    roles: Vec<GroundTerm>,
    rng: Xoshiro256PlusPlus,
    counts: Vec<FaultCount>,
    record: Record,
    history: History,
    began: Duration,
}

/// What follows a turn.
enum Next {
    /// The next state and the joint move that led to it.
    State(State, Vec<GroundTerm>),
    /// This many joint moves remain, and the others are taken back.
    Back(usize),
}

/// What becomes of an answer.
struct Judged {
    mv: (MoveId, GroundTerm),
    note: Option<String>,
    thought: Option<Thought>,
    fault: Option<Fault>,
}

/// What becomes of the answers of all roles.
#[derive(Default)]
struct JudgedTurn {
    joint: Vec<MoveId>,
    terms: Vec<GroundTerm>,
    notes: Vec<Option<String>>,
    thoughts: Vec<Option<Thought>>,
    faults: Vec<Option<Fault>>,
    /// How long each role took.
    times: Vec<Duration>,
}

impl JudgedTurn {
    /// Adds the next role.
    fn add(&mut self, judged: Judged, time: Duration) {
        let (mv, term) = judged.mv;
        self.joint.push(mv);
        self.terms.push(term);
        self.notes.push(judged.note);
        self.thoughts.push(judged.thought);
        self.faults.push(judged.fault);
        self.times.push(time);
    }
}

/// The legal moves of one role.
type Legal = Vec<(MoveId, GroundTerm)>;

/// The answer of a role, and how long it took; `None` if the role was not asked.
type Answered = Option<(Result<Answer, Fault>, Duration)>;

impl Referee<'_> {
    fn run(mut self) -> Outcome {
        let mut state = self.engine.initial();
        let mut last: Option<Vec<GroundTerm>> = None;
        self.start(&state);
        let mut steps = 0;
        let end = loop {
            // Checked first: a match that has reached a terminal state cannot be called off.
            match self.engine.terminal(&state) {
                Ok(true) => break End::Terminal,
                Ok(false) if steps == self.settings.max_steps => break End::TooLong,
                Ok(false) => {}
                Err(error) => break End::Broken(error.to_string()),
            }
            if self.budget.check().is_err() {
                break End::CalledOff;
            }
            match self.step(&state, steps, last.as_deref()) {
                Ok(Next::State(next, joint)) => {
                    state = next;
                    last = Some(joint);
                    steps += 1;
                }
                Ok(Next::Back(number)) => {
                    state = self.take_back(number);
                    last = self.history.last();
                    steps = number;
                }
                Err(end) => break end,
            }
        };
        let end = self.unless_called_off(end);
        self.finish(&state, end, steps, last.as_deref())
    }

    /// An evaluation that ends because the match was called off says nothing about the rules.
    fn unless_called_off(&self, end: End) -> End {
        match end {
            End::Broken(_) if self.budget.check().is_err() => End::CalledOff,
            end => end,
        }
    }

    /// Runs the start clock of every participant and records the initial state.
    fn start(&mut self, state: &State) {
        let (settings, roles) = (self.settings, &self.roles);
        let opening = |role: usize| Opening {
            id: &settings.id,
            roles,
            role: RoleId(role),
            start_clock: settings.start_clock,
            play_clock: settings.play_clock,
            seed: settings.seed.wrapping_mul(31).wrapping_add(role as u64),
        };
        let observer = &mut *self.observer;
        let results = ask(
            self.participants,
            |_, _| true,
            |role, participant| {
                observer.starting(&roles[role], &participant.name());
            },
            |role, participant| guarded(|| participant.start(&opening(role))),
        );
        // If the match was called off, an interrupted participant is not at fault.
        let called_off = self.budget.check().is_err();
        let faults: Vec<_> = results
            .into_iter()
            .map(|result| result.and_then(Result::err).filter(|_| !called_off))
            .collect();
        for (count, fault) in self.counts.iter_mut().zip(&faults) {
            count.start += usize::from(fault.is_some());
        }
        let facts = self.engine.facts(state);
        self.observer.started(&facts, &faults);
        let at = self.now();
        self.record.push_state(&facts, at, codes(&faults));
    }

    /// Plays one joint move.
    fn step(
        &mut self,
        state: &State,
        number: usize,
        previous: Option<&[GroundTerm]>,
    ) -> Result<Next, End> {
        let legal = self.legal(state)?;
        let can_go_back = self.participants.iter().all(|one| one.can_go_back());
        let answers = self.answers(state, number, previous, &legal, can_go_back);
        if self.budget.check().is_err() {
            return Err(End::CalledOff);
        }
        let wants_back = |answer: &_| matches!(answer, Some((Err(Fault::TakeBack), _)));
        let back = answers.iter().position(wants_back);
        let back = back.filter(|_| can_go_back);
        let back = back.and_then(|role| self.history.last_decision(role));
        if let Some(number) = back {
            return Ok(Next::Back(number));
        }
        let asked = answers.iter().map(Option::is_some).collect();
        let turn = self.judge_all(&legal, answers);
        let next = self.next(state, &turn.joint)?;
        let facts = self.engine.facts(&next);
        self.publish(number, &legal, &turn, &facts);
        if can_go_back {
            self.history.push(Past {
                state: state.clone(),
                joint: turn.terms.clone(),
                asked,
                faults: turn.faults,
            });
        }
        Ok(Next::State(next, turn.terms))
    }

    /// Asks the roles for their moves, and measures how long they take.
    fn answers(
        &mut self,
        state: &State,
        number: usize,
        previous: Option<&[GroundTerm]>,
        legal: &[Legal],
        can_go_back: bool,
    ) -> Vec<Answered> {
        let facts = self.engine.facts(state);
        let (roles, clock) = (&self.roles, self.settings.play_clock);
        let (observer, time) = (&mut *self.observer, self.budget.clock());
        let history = &self.history;
        ask(
            self.participants,
            |role, participant| participant.is_remote() || legal[role].len() > 1,
            |role, _| observer.thinking(&roles[role], number, clock),
            |role, participant| {
                let asked = time.now();
                let turn = Turn {
                    step: number,
                    state,
                    facts: &facts,
                    legal: &legal[role],
                    previous,
                    clock,
                    may_take_back: can_go_back && history.last_decision(role).is_some(),
                };
                let answer = guarded(|| participant.play(&turn));
                (answer, time.now().saturating_sub(asked))
            },
        )
    }

    /// What follows from the answers of all roles.
    fn judge_all(&mut self, legal: &[Legal], answers: Vec<Answered>) -> JudgedTurn {
        let mut turn = JudgedTurn::default();
        for (legal, answer) in legal.iter().zip(answers) {
            let (answer, time) = answer.unzip();
            let judged = self.judge(legal, answer);
            turn.add(judged, time.unwrap_or_default());
        }
        for (count, fault) in self.counts.iter_mut().zip(&turn.faults) {
            count.add(fault.as_ref());
        }
        turn
    }

    fn next(&mut self, state: &State, joint: &[MoveId]) -> Result<State, End> {
        let mut next = State::default();
        match self.engine.next(state, joint, &mut next) {
            Ok(()) => Ok(next),
            Err(error) => Err(End::Broken(error.to_string())),
        }
    }

    /// Tells the observer and the record about a joint move, and the facts after it.
    fn publish(&mut self, number: usize, legal: &[Legal], turn: &JudgedTurn, facts: &[GroundTerm]) {
        self.observer.moved(&Step {
            number,
            roles: &self.roles,
            joint: &turn.terms,
            choices: &legal.iter().map(Vec::len).collect::<Vec<_>>(),
            notes: &turn.notes,
            thoughts: &turn.thoughts,
            times: &turn.times,
            faults: &turn.faults,
            facts,
        });
        let moves = turn.terms.iter().map(ToString::to_string).collect();
        self.record.moves.push(moves);
        let thoughts = self.roles.iter().zip(&turn.thoughts);
        let told = thoughts.filter_map(|(role, thought)| {
            let thought = thought.as_ref();
            thought.map(|thought| records::Thought::new(role, thought))
        });
        self.record.thoughts.push(told.collect());
        let times = turn.times.iter();
        let times = times.map(|time| time.as_nanos().div_ceil(1_000_000) as u64);
        self.record.answer_times.push(times.collect());
        let at = self.now();
        self.record.push_state(facts, at, codes(&turn.faults));
    }

    /// Undoes all but `number` joint moves. Returns the state to go on from.
    fn take_back(&mut self, number: usize) -> State {
        let state = self.history.back_to(number);
        self.history.recount(&mut self.counts);
        self.record.truncate(number);
        self.observer.taken_back(number, &self.engine.facts(&state));
        state
    }

    /// The legal moves of every role. A role without a legal move is an error.
    fn legal(&mut self, state: &State) -> Result<Vec<Legal>, End> {
        let broken = |error: EngineError| End::Broken(error.to_string());
        let mut all = Vec::new();
        let mut moves = Vec::new();
        for (role, name) in self.roles.iter().enumerate() {
            let role = RoleId(role);
            self.engine.legal(state, role, &mut moves).map_err(broken)?;
            if moves.is_empty() {
                return Err(End::Broken(format!("{name} has no legal move")));
            }
            let term = |&mv: &MoveId| (mv, self.engine.move_term(role, mv));
            all.push(moves.iter().map(term).collect());
        }
        Ok(all)
    }

    /// What follows from an answer. A fault is replaced by a random legal move. `None` stands for
    /// a role that was not asked because it has only one legal move.
    fn judge(&mut self, legal: &Legal, answer: Option<Result<Answer, Fault>>) -> Judged {
        let plain = |mv: &(MoveId, GroundTerm), fault| Judged {
            mv: mv.clone(),
            note: None,
            thought: None,
            fault,
        };
        let fault = match answer {
            None => return plain(&legal[0], None),
            Some(Ok(answer)) => match legal.iter().find(|(_, term)| *term == answer.mv) {
                Some(mv) => {
                    return Judged {
                        note: answer.note,
                        thought: answer.thought,
                        ..plain(mv, None)
                    };
                }
                None => Fault::illegal(&answer.mv.to_string()),
            },
            Some(Err(fault)) => fault,
        };
        // Sorted by term, so that the random move does not depend on the engine's move order.
        let mut sorted: Vec<&(MoveId, GroundTerm)> = legal.iter().collect();
        sorted.sort_by(|a, b| a.1.cmp(&b.1));
        let random = self.rng.random_range(0..sorted.len());
        plain(sorted[random], Some(fault))
    }

    fn finish(
        mut self,
        state: &State,
        mut end: End,
        steps: usize,
        last: Option<&[GroundTerm]>,
    ) -> Outcome {
        let mut goals = vec![None; self.roles.len()];
        if end == End::Terminal {
            let results = (0..goals.len()).map(|role| self.engine.goal(state, RoleId(role)));
            match results.collect() {
                Ok(results) => goals = results,
                Err(error) => {
                    end = self.unless_called_off(End::Broken(EngineError::to_string(&error)));
                }
            }
        }
        let completed = end == End::Terminal;
        if completed {
            self.record.goal_values = goals.iter().map(|goal| goal.unwrap_or(0)).collect();
        }
        ask(
            self.participants,
            |_, _| true,
            |_, _| (),
            // The result is already fixed, so faults are ignored.
            |_, participant| {
                guarded(|| {
                    match completed {
                        true => participant.finish(last),
                        false => participant.abort(),
                    }
                    Ok(())
                })
            },
        );
        if self.record.thoughts.iter().all(Vec::is_empty) {
            self.record.thoughts.clear();
        }
        self.record.is_completed = Some(completed);
        self.record.is_aborted = !completed;
        Outcome {
            end,
            steps,
            goals,
            faults: self.counts.iter().map(FaultCount::total).collect(),
            counts: self.counts,
            record: self.record,
        }
    }

    /// The current Unix time in milliseconds.
    fn now(&self) -> u64 {
        let elapsed = self.budget.clock().now().saturating_sub(self.began);
        self.settings.start_time + elapsed.as_millis() as u64
    }
}

/// The code of every fault; empty for a role without a fault.
fn codes(faults: &[Option<Fault>]) -> Vec<String> {
    let code = |fault: &Option<Fault>| fault.as_ref().map(Fault::code).unwrap_or_default();
    faults.iter().map(code).collect()
}
