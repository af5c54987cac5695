//! Tables without a browser: what pages are told, and what is kept.

mod corpus;

use crate::game::{Game, Learnt, Profiled};
use crate::seat::Who;
use crate::site::{Settings, Site};
use crate::table::{NewTable, Table};
use crate::view::view;
use budget::Stop;
use records::Record;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn site(store: &Path) -> Arc<Site> {
    let settings = Settings {
        store: store.to_path_buf(),
        threads: 1,
        memory: 32 << 20,
        ..Settings::default()
    };
    Arc::new(Site::new(settings, Stop::default()))
}

fn wanted(seats: &[&str]) -> NewTable {
    let who = |text: &&str| text.parse::<Who>().expect("somebody");
    NewTable {
        seats: seats.iter().map(who).collect(),
        start_clock: Duration::from_millis(200),
        play_clock: Duration::from_millis(200),
    }
}

fn game(site: &Arc<Site>, name: &str) -> Arc<Game> {
    let sheet = site.sheet(&format!("own/{name}")).expect("it is ours");
    site.game(&sheet).expect("it can be played")
}

fn table(site: &Arc<Site>, name: &str, seats: &[&str]) -> Arc<Table> {
    site.open_table(game(site, name), &wanted(seats))
        .expect("a table")
}

/// What a page is told.
fn told(table: &Table) -> serde_json::Value {
    serde_json::to_value(view(table, None)).expect("it is data")
}

fn until(what: &str, is: impl Fn() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < Duration::from_secs(60), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn moves_are_played_taken_back_and_found_again() {
    let store = tempfile::tempdir().unwrap();
    let site = site(store.path());
    let table = table(&site, "tic_tac_toe", &["human", "human"]);
    for (ply, role, mv) in [(0, 0, "(mark 2 2)"), (1, 1, "(mark 1 1)")] {
        table.play(ply, role, mv).unwrap();
    }
    let late = table.play(1, 0, "(mark 3 3)").unwrap_err();
    assert!(late.contains("has changed"), "{late}");
    assert!(
        table
            .play(2, 0, "(mark 2 2)")
            .unwrap_err()
            .contains("not legal")
    );
    assert_eq!(told(&table)["plies"], 2);
    table.undo().unwrap();
    assert_eq!(told(&table)["plies"], 1);
    // What was kept is the position after that.
    let other = self::site(store.path());
    let again = other.table(&table.id).unwrap();
    assert_eq!(told(&again)["board"], told(&table)["board"]);
    assert_eq!(other.recent().len(), 1);
    let branch = other.branch(&again, 0).unwrap();
    assert_eq!(
        (
            told(&branch)["plies"].as_u64(),
            told(&again)["plies"].as_u64()
        ),
        (Some(0), Some(1))
    );
}

#[test]
fn choices_at_the_same_time_are_hidden_until_all_are_made() {
    let store = tempfile::tempdir().unwrap();
    let table = table(&site(store.path()), "blocker", &["human", "human"]);
    let fresh = told(&table);
    let own = |role: usize| fresh["roles"][role]["moves"][5]["text"].as_str().unwrap();
    table.play(0, 0, own(0)).unwrap();
    let seen = told(&table);
    assert_eq!(seen["plies"], 0);
    assert_eq!(seen["roles"][0]["chosen"], true);
    assert_eq!(seen["roles"][1]["chosen"], false);
    for part in ["board", "facts", "history", "thoughts"] {
        assert_eq!(seen[part], fresh[part], "the choice shows nowhere");
    }
    table.play(0, 1, own(1)).unwrap();
    assert_eq!(told(&table)["plies"], 1);
}

#[test]
fn players_play_and_what_they_thought_is_kept() {
    let store = tempfile::tempdir().unwrap();
    let site = site(store.path());
    let table = table(
        &site,
        "connect_four_small",
        &["default:playouts=50", "random"],
    );
    until("the end of the match", || {
        table.tick();
        told(&table)["over"] == true
    });
    let record = Record::parse(&table.copy(usize::MAX).to_json()).unwrap();
    assert_eq!(record.is_completed, Some(true));
    assert!(
        record
            .thoughts
            .iter()
            .flatten()
            .any(|thought| thought.value.is_some())
    );
    records::validate(&record, &mut *table.game.playable().engine).unwrap();
    // The curve and a page of its own are made from that.
    assert!(
        told(&table)["history"]
            .as_str()
            .unwrap()
            .contains("polyline")
    );
    let page = crate::export::page(&table);
    assert!(page.matches("<section").count() > record.moves.len());
}

#[test]
fn a_player_waits_while_it_is_paused_and_starts_anew_after_undo() {
    let store = tempfile::tempdir().unwrap();
    let site = site(store.path());
    let table = table(
        &site,
        "breakthrough_small",
        &["human", "default:playouts=20"],
    );
    let first = told(&table)["roles"][0]["moves"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    table.pause();
    table.play(0, 0, &first).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(told(&table)["plies"], 1);
    table.begin();
    until("an answer", || told(&table)["plies"] == 2);
    table.undo().unwrap();
    assert_eq!(told(&table)["plies"], 0);
    table.play(0, 0, &first).unwrap();
    until("an answer", || told(&table)["plies"] == 2);
}

#[test]
fn most_moves_of_board_games_are_played_by_clicks() {
    let store = tempfile::tempdir().unwrap();
    for (name, squares) in [
        ("breakthrough", 2),
        ("connect_four", 1),
        ("reversi", 1),
        ("hex", 1),
        ("speed_chess", 2),
        ("sheep_and_wolf", 2),
        ("nine_board_tic_tac_toe", 1),
        ("sudoku", 1),
        ("max_knights", 1),
    ] {
        let site = site(store.path());
        let game = game(&site, name);
        let seats = vec!["human"; game.roles.len()];
        let table = site.open_table(game, &wanted(&seats)).unwrap();
        let seen = told(&table);
        let moves = seen["roles"][0]["moves"].as_array().unwrap();
        let count = |mv: &serde_json::Value| mv["squares"].as_array().map_or(0, Vec::len);
        assert!(
            moves.iter().all(|mv| count(mv) == squares),
            "{name}: {moves:?}"
        );
        site.close();
    }
}

#[test]
fn people_may_have_the_clock_and_what_is_late_is_played_for_them() {
    let store = tempfile::tempdir().unwrap();
    let site = site(store.path());
    let table = table(&site, "tic_tac_toe", &["human:clock", "human"]);
    assert!(
        told(&table)["status"]
            .as_str()
            .unwrap()
            .contains("data-left")
    );
    // While it is paused the clock stands still.
    table.pause();
    std::thread::sleep(Duration::from_millis(250));
    table.tick();
    assert_eq!(told(&table)["plies"], 0);
    table.begin();
    until("a move for whoever is late", || {
        table.tick();
        told(&table)["plies"] == 1
    });
    let seen = told(&table);
    assert!(seen["seats"].as_str().unwrap().contains("out of time"));
    // The other one has no clock.
    std::thread::sleep(Duration::from_millis(250));
    table.tick();
    assert_eq!(told(&table)["plies"], 1);
}

#[test]
fn what_is_learnt_stands_on_the_page_of_the_game() {
    let store = tempfile::tempdir().unwrap();
    let site = site(store.path());
    let game = game(&site, "breakthrough_small");
    until("a profile", || matches!(game.profile(), Profiled::Found(_)));
    let page = || crate::understand::page(&game).into_string();
    assert!(page().contains("Learn it"));
    assert!(game.begins_to_learn() && !game.begins_to_learn());
    assert!(page().contains("is being learnt"));
    game.learn(Duration::from_millis(1500), &Stop::default());
    let Learnt::Found(told) = game.learnt() else {
        panic!("it was learnt");
    };
    let (_, learnt) = page()
        .split_once("id=\"learnt\"")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    let (learnt, _) = learnt.split_once("</section>").unwrap();
    assert!(learnt.contains("games against itself"), "{learnt}");
    // How many pieces are known depends on how much was learnt.
    assert_eq!(learnt.matches("<figure").count(), told.1.len());
}

#[test]
fn hexagons_and_owners_are_found_without_names() {
    let store = tempfile::tempdir().unwrap();
    let site = site(store.path());
    let mut sheet = site.sheet("own/hex").unwrap();
    // Neither its own style nor names that say something.
    sheet.style = None;
    sheet.key = "pasted/unknown".into();
    for (name, other) in [("red", "zork"), ("blue", "blip"), ("cell", "qux")] {
        sheet.text = sheet.text.replace(name, other);
    }
    let game = site.game(&sheet).unwrap();
    until("a profile", || matches!(game.profile(), Profiled::Found(_)));
    let look = game.look();
    assert!(matches!(
        look.layout(0),
        crate::style::Layout::Hexes | crate::style::Layout::HexesLeft
    ));
    assert_eq!((look.owner("zork"), look.owner("blip")), (Some(0), Some(1)));
    let page = crate::understand::page(&game).into_string();
    assert!(page.contains("id=\"boards\"") && page.contains("id=\"goals\""));
}

#[test]
fn style_files_of_our_games_are_used() {
    let store = tempfile::tempdir().unwrap();
    let site = site(store.path());
    let shelves = site.shelves();
    let mut styled = 0;
    for entry in &shelves[0].entries {
        let sheet = site.sheet(&entry.key).unwrap();
        let Some(style) = &sheet.style else { continue };
        let style =
            crate::style::Style::parse(style).unwrap_or_else(|why| panic!("{}: {why}", entry.key));
        styled += 1;
        // Every piece of a style occurs in the game.
        for name in style
            .pieces
            .keys()
            .flat_map(|name| name.split(' '))
            .filter(|word| !word.is_empty())
        {
            assert!(
                sheet.text.contains(name),
                "{}: {name} is not in the rules",
                entry.key
            );
        }
    }
    assert!(styled >= 15, "{styled} style files");
}
