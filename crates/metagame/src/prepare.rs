//! Preparation of a game before the first move, stage by stage.

use crate::puzzles;
use crate::timetable::{Stage, StartClock};
use crate::tune::tune;
use crate::{Archive, Division, Knowledge, Local, Searchable, Settings, Setup, Switches};
use analysis::form::{Form, form};
use compile::Proved;
use puzzle::Portfolio;

/// A prepared game, ready to choose moves.
pub struct Preparation {
    /// All methods of solving, in a game of one role.
    pub puzzle: Option<Portfolio>,
    /// What its parts provide.
    pub division: Division,
    /// What searches of the whole are made from.
    pub searchable: Searchable,
    /// Local search, if it is of use.
    pub local: Option<Local>,
    /// What was learnt about the game.
    pub knowledge: Option<Knowledge>,
    /// The settings before tuning.
    pub given: Settings,
    /// Whether the settings were found by playing.
    pub tuned: bool,
    /// What identifies the game, if it was computed.
    pub form: Option<Form>,
}

/// Runs the stages of the timetable from facts to tuning, each within its share.
///
/// The rest of the clock is for the search.
pub fn prepare(
    setup: Setup,
    profile: &Switches,
    archive: Option<&dyn Archive>,
    clock: &mut StartClock,
) -> Preparation {
    let seed = setup.seed;
    let proved = facts(&setup, profile, clock);
    let puzzle = puzzles::solve(&setup, proved.as_ref(), profile, clock);
    let solved = puzzle
        .as_ref()
        .is_some_and(|puzzle| puzzle.found().is_best());
    // The methods for puzzles know their parts.
    let divides = profile.factors && puzzle.is_none();
    let division = match proved.as_ref().filter(|_| divides) {
        Some(proved) => Division::find(&setup, proved, profile, clock),
        None => Division::Whole,
    };
    let enough = solved || division.is_enough();
    let given = profile.settings();
    let archive = archive.filter(|_| !enough);
    let (form, known) = match archive {
        Some(archive) => recognise(&setup, archive, &given, clock),
        None => (None, None),
    };
    let mut profile = profile.clone();
    // The whole is searched only where the parts do not suffice.
    profile.lanes &= !enough;
    profile.sum &= !enough;
    profile.ranges &= !enough;
    if let Some(known) = &known {
        profile.lanes &= known.lanes;
        profile.decisive &= known.decisive;
        (profile.per_leaf, profile.leaves) = (known.per_leaf, known.leaves);
    }
    let memory = match (enough, puzzle.is_some()) {
        (true, _) => setup.memory / 4,
        (false, true) => setup.memory / 2,
        (false, false) => setup.memory,
    };
    let setup = Setup { memory, ..setup };
    let mut searchable = Searchable::prepare(setup, proved, &profile, clock);
    let local = match profile.local && !enough {
        true => Local::find(&searchable, clock),
        false => None,
    };
    let mut tuned = false;
    if let Some(known) = known {
        searchable.play_with(known);
    } else if let Some(percent) = profile.tune.filter(|_| !enough) {
        searchable.compare_playouts(&profile, clock);
        let settings = searchable.settings().clone();
        let (settings, raced) = tune(&settings, &mut searchable, percent, seed, clock);
        searchable.play_with(settings);
        tuned = raced;
    }
    let learns = profile.knowledge && !enough;
    let mut knowledge = match learns {
        true => Knowledge::find(&searchable, &profile, archive.zip(form.as_ref()), clock),
        false => None,
    };
    if !enough {
        let value = knowledge.as_ref().map(|known| &known.value);
        searchable.choose_proofs(value, &profile, clock);
    }
    if let Some(knowledge) = &mut knowledge {
        knowledge.race(&mut searchable, &profile, clock);
    }
    Preparation {
        puzzle,
        division,
        searchable,
        local,
        knowledge,
        given,
        tuned,
        form,
    }
}

/// A game that is learnt without being played.
pub struct Pupil {
    /// What the learner is made from.
    pub searchable: Searchable,
    /// What identifies the game, if that was found in time.
    pub form: Option<Form>,
}

/// Runs the stages of the timetable that learning rests on.
pub fn pupil(setup: Setup, profile: &Switches, clock: &mut StartClock) -> Pupil {
    let proved = facts(&setup, profile, clock);
    let form = form_of(&setup, clock);
    let profile = Switches {
        lanes: false,
        fans: false,
        ranges: false,
        ..profile.clone()
    };
    let searchable = Searchable::prepare(setup, proved, &profile, clock);
    Pupil { searchable, form }
}

/// What identifies the game, if it is compiled and there is time.
fn form_of(setup: &Setup, clock: &mut StartClock) -> Option<Form> {
    let budget = clock.begin(Stage::Recognise);
    let compiled = setup.playable.compiled.as_ref();
    let form = compiled.and_then(|compiled| form(&compiled.logic, &budget).ok().flatten());
    if form.is_none() {
        let why = "it cannot be told in time which game it is";
        clock.decide(Stage::Recognise, "nothing", why);
    }
    form
}

/// Proves once what all later stages use, if any of them is to run.
fn facts(setup: &Setup, profile: &Switches, clock: &mut StartClock) -> Option<Proved> {
    let puzzles = profile.puzzles && setup.playable.engine.roles().len() == 1;
    let wanted = puzzles
        || profile.factors
        || profile.sum
        || profile.ranges
        || profile.lanes
        || profile.fans
        || profile.knowledge
        || profile.local
        || profile.cubes;
    let compiled = setup.playable.compiled.clone().filter(|_| wanted)?;
    let budget = clock.begin(Stage::Facts);
    let proved = Proved::find(compiled, setup.seed, &budget);
    clock.decide(
        Stage::Facts,
        proved.to_string(),
        "it holds in every state that play reaches",
    );
    Some(proved)
}

/// Identifies the game, and finds the settings of a stored plan for it.
fn recognise(
    setup: &Setup,
    archive: &dyn Archive,
    given: &Settings,
    clock: &mut StartClock,
) -> (Option<Form>, Option<Settings>) {
    let Some(form) = form_of(setup, clock) else {
        return (None, None);
    };
    let plan = archive.plan(form.certificate);
    let (decided, why) = match &plan {
        Some(plan) if plan.given == *given => (plan.settings.to_string(), "there is a plan"),
        Some(_) => ("nothing".to_owned(), "the plan is one for other players"),
        None => ("nothing".to_owned(), "there is no plan"),
    };
    let why = format!("{why} for the game {:016x}", form.certificate);
    clock.decide(Stage::Recognise, decided, why);
    let plan = plan.filter(|plan| plan.given == *given);
    (Some(form), plan.map(|plan| plan.settings))
}
