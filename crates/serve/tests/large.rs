//! Roles with very many legal moves: one of them is answered, in time, and work ends.

mod common;

use budget::{Budget, SystemClock};
use common::{Build, Habit, Rig, SOON, Toys, Twisted, take_away};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use serve::{Context, Margin, Options, RulesPreparer, Service};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// An engine that knows some legal move at once, and lists all of them until it is stopped.
struct Endless {
    inner: Box<dyn Engine>,
    budget: Budget,
    listing: Arc<AtomicUsize>,
}

impl Endless {
    fn new(listing: &Arc<AtomicUsize>) -> Endless {
        Endless {
            inner: take_away().fork(),
            budget: Budget::system(),
            listing: listing.clone(),
        }
    }
}

impl Engine for Endless {
    testkit::forward!(inner: roles initial terminal next goal terms);

    fn name(&self) -> &'static str {
        "endless"
    }

    fn legal(&mut self, _: &State, _: RoleId, _: &mut Vec<MoveId>) -> Result<(), EngineError> {
        self.listing.fetch_add(1, Ordering::SeqCst);
        let why = loop {
            if let Err(why) = self.budget.check() {
                break why;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        self.listing.fetch_sub(1, Ordering::SeqCst);
        Err(why.into())
    }

    fn some_legal(&mut self, state: &State, role: RoleId) -> Result<Option<MoveId>, EngineError> {
        self.inner.some_legal(state, role)
    }

    fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Endless::new(&self.listing))
    }
}

/// Waits until nothing is listed any more.
fn wait_for_end(listing: &AtomicUsize) {
    let began = Instant::now();
    while listing.load(Ordering::SeqCst) > 0 {
        assert!(began.elapsed() < SOON, "the list goes on");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A match in which no list of moves ever ends.
fn endless() -> (Rig, Arc<AtomicUsize>) {
    let listing = Arc::new(AtomicUsize::new(0));
    let toys = Toys {
        quick: Build::engine(Endless::new(&listing)),
        better: Build::engine(Endless::new(&listing)),
    };
    let rig = Rig::with(toys, Habit::Lost, Arc::new(SystemClock::default()));
    (rig, listing)
}

#[test]
fn one_legal_move_is_answered_though_the_list_does_not_end() {
    let (rig, listing) = endless();
    rig.talk(&[
        ("(start m player0 ((role player0)) 1 1)", "ready"),
        ("(play m nil)", "(take 1)"),
        // The moves cannot be compared with a list: they are taken as they were sent.
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 2)))", "(take 1)"),
        // 20 - 3 - 2 - 3 - 3 - 3 - 3 = 3 tokens are left; that of a lost turn is assumed.
        ("(play m ((take 3) noop))", "noop"),
        ("(play m (noop (take 3)))", "(take 1)"),
        ("(stop m ((take 3) noop))", "done"),
    ]);
    wait_for_end(&listing);
}

#[test]
fn abort_ends_every_list_at_once() {
    let (rig, listing) = endless();
    assert_eq!(
        rig.say("(start m player0 ((role player0)) 1 1000)"),
        "ready"
    );
    let play = rig.say_later("(play m nil)");
    let began = Instant::now();
    // Both workers list, and the referee has published a move before it does.
    while listing.load(Ordering::SeqCst) < 2 {
        assert!(began.elapsed() < SOON, "no list was begun");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(rig.say("(abort m)"), "aborted");
    assert_eq!(play.recv_timeout(SOON).unwrap(), "(take 1)");
    wait_for_end(&listing);
}

/// A game of one role that turns `dials` dials of three positions at once, so that it has
/// 3^`dials` legal moves in every state.
fn dials(dials: usize) -> String {
    let names: Vec<String> = (0..dials).map(|at| format!("?d{at}")).collect();
    let all = names.join(" ");
    let positions: Vec<String> = names.iter().map(|name| format!("(pos {name})")).collect();
    let last = &names[dials - 1];
    format!(
        "(role turner) (pos 0) (pos 1) (pos 2) (init (turn 0)) (succ 0 1) (succ 1 2) (succ 2 3)
         (<= (legal turner (dial {all})) {})
         (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
         (<= (next (last {last})) (does turner (dial {all})))
         (<= terminal (true (turn 3)))
         (<= (goal turner 100) (true (last 1))) (<= (goal turner 0) (not (true (last 1))))",
        positions.join(" ")
    )
}

#[test]
fn games_of_very_many_moves_are_played_from_their_rules() {
    // The second has more moves than can be listed in a turn of an unoptimised build.
    for count in [10, 13] {
        let options = Options {
            name: "Tester".into(),
            player: Arc::new(|| Box::new(players::Legal::default())),
            threads: 1,
            memory: 256 << 20,
            margin: Margin::default(),
            ponder: false,
            seed: 1,
            records: None,
        };
        let clock: Arc<dyn budget::Clock> = Arc::new(SystemClock::default());
        let service = Service::new(options, Arc::new(RulesPreparer::default()), clock.clone());
        let say = |text: &str| {
            let context = Context {
                arrived: clock.now(),
                number: None,
            };
            service.handle(text, context).reply.to_string()
        };
        let rules = dials(count);
        assert_eq!(say(&format!("(start m turner ({rules}) 4 2)")), "ready");
        let mut last = "nil".to_string();
        for _ in 0..3 {
            let reply = say(&format!("(play m ({last}))"));
            let term: GroundTerm = reply.parse().unwrap();
            let GroundTerm::Compound(name, args) = &term else {
                panic!("{reply} is no move");
            };
            assert_eq!((&**name, args.len()), ("dial", count), "{reply}");
            let position = |arg: &GroundTerm| ["0", "1", "2"].contains(&&*arg.to_string());
            assert!(args.iter().all(position), "{reply}");
            last = reply;
        }
        assert_eq!(say(&format!("(stop m ({last}))")), "done");
    }
}

#[test]
fn a_move_in_another_case_is_found_among_very_many() {
    // Every move has to be compared: none is spelled as it was sent.
    let many = Twisted {
        inner: testkit::toys::TakeAway::new(2, 200_000, 100_000).fork(),
        twist: |_, _| {},
    };
    let rig = Rig::new(many, Habit::Last);
    rig.talk(&[
        ("(start m player0 ((role player0)) 1000 1000)", "ready"),
        ("(play m nil)", "(take 100000)"),
        ("(play m ((TAKE 77777) NOOP))", "noop"),
        ("(play m (NOOP (TAKE 22223)))", "(take 100000)"),
        ("(stop m ((TAKE 100000) NOOP))", "done"),
    ]);
}
