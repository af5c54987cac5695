//! Tests of whole matches, with participants of every kind.

mod take_back;

use crate::*;
use budget::{Budget, Stop};
use game::{Engine, GroundTerm, MoveId, State};
use players::{BestMove, Player, PlayerError, Setup};
use std::time::Duration;
use testkit::toys::{Matrix, TakeAway};

const RESOURCES: Resources = Resources {
    threads: 1,
    memory: 1 << 20,
};

fn settings() -> Settings {
    Settings {
        start_clock: Duration::from_millis(20),
        play_clock: Duration::from_millis(20),
        seed: 1,
        start_time: 1_000_000,
        ..Settings::default()
    }
}

fn local(engine: &dyn Engine, player: impl Player + 'static) -> Box<dyn Participant> {
    let budget = Budget::system();
    Box::new(Local::new(
        Box::new(player),
        engine.fork().into(),
        RESOURCES,
        &budget,
    ))
}

fn run(engine: impl Engine, participants: Vec<Box<dyn Participant>>) -> Outcome {
    run_with(engine, participants, &settings())
}

fn run_with(
    mut engine: impl Engine,
    mut participants: Vec<Box<dyn Participant>>,
    settings: &Settings,
) -> Outcome {
    let budget = Budget::system();
    play(&mut engine, &mut participants, settings, &mut (), &budget)
        .expect("one participant for each role")
}

/// Always gives the same answer; remote if the second field is true.
struct Says(Result<&'static str, Fault>, bool);

impl Participant for Says {
    fn name(&self) -> String {
        "says".into()
    }
    fn is_remote(&self) -> bool {
        self.1
    }
    fn start(&mut self, _: &Opening<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn play(&mut self, _: &Turn<'_>) -> Result<Answer, Fault> {
        self.0.clone().map(|text| Answer {
            mv: text.parse().expect("a term"),
            note: None,
            thought: None,
        })
    }
}

/// Overruns every clock, with or without a published move, or panics.
#[derive(Clone, Copy, PartialEq)]
enum Bad {
    Sleeps(Duration),
    SleepsButPublishes,
    Panics,
}

impl Player for Bad {
    fn name(&self) -> &str {
        "bad"
    }
    fn start(&mut self, _: Setup, _: &Budget) -> Result<(), PlayerError> {
        Ok(())
    }
    fn choose(&mut self, _: &State, best: &BestMove, _: &Budget) -> Result<MoveId, PlayerError> {
        assert!(*self != Bad::Panics, "out of ideas");
        if *self == Bad::SleepsButPublishes {
            best.publish(MoveId(1));
        }
        std::thread::sleep(match self {
            Bad::Sleeps(time) => *time,
            _ => Duration::from_millis(600),
        });
        Ok(MoveId(1))
    }
}

#[test]
fn the_better_player_wins_and_is_recorded() {
    let game = TakeAway::new(2, 9, 3);
    let outcome = run(
        game.clone(),
        vec![
            local(&game, players::by_name("baseline:playouts=1500").unwrap()),
            local(&game, players::Legal::default()),
        ],
    );
    assert_eq!(outcome.end, End::Terminal);
    assert_eq!(outcome.goals, [Some(100), Some(0)]);
    assert_eq!(outcome.faults, [0, 0]);
    let json: serde_json::Value =
        serde_json::from_str(&outcome.record.to_json()).expect("it is JSON");
    assert_eq!(json["isCompleted"], true);
    assert_eq!(json["isAborted"], false);
    assert_eq!(json["goalValues"], serde_json::json!([100, 0]));
    assert_eq!(json["states"][0], "( (control player0) (tokens 9) )");
    assert_eq!(json["moves"][0], serde_json::json!(["(take 1)", "noop"]));
    assert_eq!(json["previewClock"], 0);
    assert_eq!(json["playClock"], 0.02);
    assert_eq!(
        json["playerNamesFromHost"],
        serde_json::json!(["baseline:playouts=1500", "legal"])
    );
    let moves = json["moves"].as_array().expect("a list").len();
    for key in ["states", "stateTimes", "errors"] {
        assert_eq!(json[key].as_array().expect(key).len(), moves + 1, "{key}");
    }
}

#[test]
fn illegal_moves_are_replaced_counted_and_recorded() {
    let illegal = || Box::new(Says(Ok("(take 9)"), false));
    let closed = || Box::new(Says(Err(Fault::Connection("refused".into())), true));
    let outcome = run(TakeAway::new(2, 21, 1), vec![illegal(), closed()]);
    assert_eq!(outcome.end, End::Terminal);
    // Local participants are asked when they have a choice, remote ones always.
    assert_eq!(outcome.faults, [0, 21]);
    let outcome = run(TakeAway::new(2, 21, 3), vec![illegal(), closed()]);
    assert_eq!(outcome.end, End::Terminal);
    let errors = &outcome.record.errors;
    assert_eq!(errors[0], ["", ""]);
    assert_eq!(errors[1], ["IL (take 9)", "CE"]);
}

/// Panics on the referee's thread, or on its own thread if it is remote.
struct Panics(bool);

impl Participant for Panics {
    fn name(&self) -> String {
        "panics".into()
    }
    fn is_remote(&self) -> bool {
        self.0
    }
    fn start(&mut self, _: &Opening<'_>) -> Result<(), Fault> {
        panic!("not ready")
    }
    fn play(&mut self, _: &Turn<'_>) -> Result<Answer, Fault> {
        panic!("out of ideas")
    }
    fn finish(&mut self, _: Option<&[GroundTerm]>) {
        panic!("no goodbye")
    }
}

#[test]
fn panics_are_caught() {
    let game = TakeAway::new(2, 9, 3);
    // Printing a panic takes longer than the clocks of the other tests.
    let patient = Settings {
        start_clock: Duration::from_secs(60),
        play_clock: Duration::from_secs(60),
        ..settings()
    };
    let others: [Box<dyn Participant>; 3] = [
        local(&game, Bad::Panics),
        Box::new(Panics(false)),
        Box::new(Panics(true)),
    ];
    for (at, bad) in others.into_iter().enumerate() {
        let legal = local(&game, players::Legal::default());
        let outcome = run_with(game.clone(), vec![bad, legal], &patient);
        assert_eq!(outcome.end, End::Terminal);
        let [count, none] = outcome.counts[..] else {
            panic!("two roles");
        };
        assert_eq!(none, FaultCount::default());
        assert!(count.failed > 0 && count.failed == count.replaced());
        assert_eq!(count.start, usize::from(at > 0));
        assert_eq!(outcome.faults[0], count.total());
        assert_eq!(outcome.record.errors[1][0], "CE");
    }
}

#[test]
fn fault_counts_are_displayed() {
    let mut count = FaultCount::default();
    assert_eq!(count.to_string(), "");
    count.add(Some(&Fault::Late));
    assert_eq!(count.to_string(), "1 move replaced: 1 late");
    count.start = 1;
    for fault in [
        Fault::Illegal(String::new()),
        Fault::Illegal(String::new()),
        Fault::Failed(String::new()),
        Fault::Connection(String::new()),
    ] {
        count.add(Some(&fault));
    }
    count.add(None);
    assert_eq!(
        count.to_string(),
        "not ready at the start, 5 moves replaced: 1 late, 2 illegal, 1 without connection, 1 failed"
    );
    assert_eq!((count.replaced(), count.total()), (5, 6));
}

#[test]
fn long_illegal_answers_are_shortened() {
    let code = Fault::illegal(&"é".repeat(1000)).code();
    assert_eq!(code.chars().count(), "IL ".len() + 80 + "...".len());
    assert_eq!(Fault::illegal(" ").code(), "IL nothing");
}

#[test]
fn the_published_move_answers_for_a_late_player() {
    let game = Matrix::new(1, 4, 1, |played, _| Some(played[0] as u8));
    let outcome = run(
        game.clone(),
        vec![local(&game, Bad::Sleeps(Duration::from_millis(600)))],
    );
    assert_eq!(outcome.end, End::Terminal);
    assert_eq!(outcome.record.errors[1], ["TO"]);
    let outcome = run(game.clone(), vec![local(&game, Bad::SleepsButPublishes)]);
    assert_eq!(outcome.goals, [Some(1)], "the published move");
    assert_eq!(outcome.faults, [0]);
}

#[test]
fn the_wrong_number_of_players_is_an_error() {
    let error = play(
        &mut TakeAway::new(2, 9, 3),
        &mut [Box::new(Says(Ok("noop"), false))],
        &settings(),
        &mut (),
        &Budget::system(),
    )
    .map(|outcome| outcome.steps);
    assert_eq!(
        error,
        Err(MatchError::Participants {
            roles: 2,
            participants: 1
        })
    );
}

#[test]
fn matches_end_at_the_step_limit_or_when_called_off() {
    let mut game = Matrix::new(1, 2, 50, |_, _| None);
    let mut participants: Vec<Box<dyn Participant>> = vec![Box::new(Says(Ok("1"), false))];
    let few = Settings {
        max_steps: 5,
        ..settings()
    };
    let budget = Budget::system();
    let outcome = play(&mut game, &mut participants, &few, &mut (), &budget).expect("it begins");
    assert_eq!((outcome.end, outcome.steps), (End::TooLong, 5));
    assert_eq!(outcome.goals, [None]);
    assert!(outcome.record.is_aborted);

    /// Calls the match off at the third step.
    struct Stops(Stop);
    impl Observer for Stops {
        fn thinking(&mut self, _: &GroundTerm, step: usize, _: Duration) {
            if step == 3 {
                self.0.stop();
            }
        }
    }
    let stop = Stop::default();
    let budget = Budget::system().with_stop(stop.clone());
    let outcome = play(
        &mut game,
        &mut participants,
        &settings(),
        &mut Stops(stop),
        &budget,
    )
    .expect("it begins");
    assert_eq!((outcome.end, outcome.steps), (End::CalledOff, 3));
}

#[test]
fn an_unresponsive_player_cannot_delay_the_end_of_a_match() {
    let stop = Stop::default();
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let budget = Budget::unlimited(clock).with_stop(stop.clone());
    let mut game = Matrix::new(1, 4, 1, |played, _| Some(played[0] as u8));
    let player = Box::new(Bad::Sleeps(Duration::from_secs(5)));
    let local = Local::new(player, game.fork().into(), RESOURCES, &budget);
    let mut participants: Vec<Box<dyn Participant>> = vec![Box::new(local)];
    let stops = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.stop();
    });
    let began = std::time::Instant::now();
    let outcome = play(&mut game, &mut participants, &settings(), &mut (), &budget);
    let outcome = outcome.expect("it begins");
    assert!(began.elapsed() < Duration::from_secs(3));
    assert_eq!((outcome.end, outcome.faults), (End::CalledOff, vec![0]));
    stops.join().expect("no panic");
}

#[test]
fn clocks_may_be_unlimited() {
    let game = TakeAway::new(2, 5, 3);
    let players = (0..2).map(|_| local(&game, players::Legal::default()));
    let endless = Settings {
        start_clock: Duration::MAX,
        play_clock: Duration::MAX,
        ..settings()
    };
    let outcome = run_with(game.clone(), players.collect(), &endless);
    assert_eq!((outcome.end, outcome.faults), (End::Terminal, vec![0, 0]));
    let record = records::Record::parse(&outcome.record.to_json());
    assert!(record.is_ok_and(|record| record.play_clock > Duration::from_secs(1 << 60)));
    // An HTTP player, on a port where nothing listens.
    let address = "http://127.0.0.1:1".parse().expect("an address");
    let mut remote = Remote::new(
        address,
        String::new(),
        None,
        Duration::MAX,
        &Budget::system(),
    );
    let opening = Opening {
        id: "m",
        roles: game.roles(),
        role: game::RoleId(0),
        start_clock: Duration::MAX,
        play_clock: Duration::MAX,
        seed: 0,
    };
    assert!(remote.start(&opening).is_err());
}

#[test]
fn matches_with_the_same_seed_repeat() {
    let game = TakeAway::new(3, 40, 3);
    let play_with = |seed| {
        let mut participants: Vec<_> = (0..3)
            .map(|_| local(&game, players::Random::default()))
            .collect();
        let settings = Settings { seed, ..settings() };
        let budget = Budget::system();
        let outcome = play(
            &mut game.clone(),
            &mut participants,
            &settings,
            &mut (),
            &budget,
        );
        outcome.expect("it begins").record.moves
    };
    assert_eq!(play_with(5), play_with(5));
    assert_ne!(play_with(5), play_with(6));
}
