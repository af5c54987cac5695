//! The pages of many rulesheets that nobody here has drawn a board for.

use super::wanted;
use crate::game::Game;
use crate::library::Sheet;
use crate::site::{Settings, Site};
use crate::view::view;
use budget::Stop;
use game::Engine;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most time for the page of a table, once the game is known.
const PAGE: Duration = Duration::from_secs(1);
/// Joint moves that are looked at.
const PLIES: usize = 6;

/// What came of one rulesheet.
struct Page {
    name: String,
    engine: String,
    prepared: Duration,
    studied: Duration,
    slowest: Duration,
    board: bool,
    /// Moves of people, and those among them that are played by clicks.
    moves: [usize; 2],
    /// Facts that are neither on a board nor in a list.
    missing: usize,
}

/// Opens a table, plays its first moves, and looks at each page.
fn page(path: &std::path::Path) -> Option<Page> {
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let sheet = Sheet {
        key: String::new(),
        title: name.clone(),
        text,
        style: None,
    };
    let stop = Stop::default();
    let began = Instant::now();
    let game = Arc::new(Game::new(&sheet, &stop).ok()?);
    let prepared = began.elapsed();
    let began = Instant::now();
    game.study(&stop);
    let studied = began.elapsed();
    let mut page = Page {
        name,
        engine: game.made.clone(),
        prepared,
        studied,
        slowest: Duration::ZERO,
        board: false,
        moves: [0; 2],
        missing: 0,
    };
    let mut engine = game.playable().engine;
    let mut state = engine.initial();
    for _ in 0..PLIES {
        let scene = game.scene(&mut *engine, &state);
        page.board |= !scene.grids.is_empty();
        let placed: usize = scene.grids.iter().map(|grid| grid.things.len()).sum();
        let listed: usize = scene.lists.iter().map(|list| list.facts.len()).sum();
        page.missing += engine.facts(&state).len().saturating_sub(placed + listed);
        match first_moves(&mut *engine, &state) {
            Some(next) => state = next,
            None => break,
        }
    }
    let store = tempfile::tempdir().ok()?;
    let settings = Settings {
        store: store.path().to_path_buf(),
        threads: 1,
        memory: 32 << 20,
        ..Settings::default()
    };
    let site = Arc::new(Site::new(settings, Stop::default()));
    let people: Vec<&str> = game.roles.iter().map(|_| "human").collect();
    let table = site.open_table(game, &wanted(&people)).ok()?;
    for _ in 0..PLIES {
        let began = Instant::now();
        let told = serde_json::to_value(view(&table, None)).ok()?;
        page.slowest = page.slowest.max(began.elapsed());
        let roles = told["roles"].as_array()?;
        let mut choices = Vec::new();
        for role in roles {
            let moves = role["moves"].as_array()?;
            let clicked =
                |mv: &&serde_json::Value| mv["squares"].as_array().is_some_and(|s| !s.is_empty());
            page.moves[0] += moves.len();
            page.moves[1] += moves.iter().filter(clicked).count();
            let text = moves.first()?["text"].as_str()?.to_owned();
            choices.push((role["role"].as_u64()? as usize, text));
        }
        let ply = told["plies"].as_u64()? as usize;
        if choices.is_empty()
            || choices
                .iter()
                .any(|(role, mv)| table.play(ply, *role, mv).is_err())
        {
            break;
        }
    }
    Some(page)
}

/// The state after the first legal move of every role, unless play is over.
fn first_moves(engine: &mut dyn Engine, state: &game::State) -> Option<game::State> {
    let mut joint = Vec::new();
    if engine.terminal(state).ok()? {
        return None;
    }
    for role in 0..engine.roles().len() {
        joint.push(engine.some_legal(state, game::RoleId(role)).ok()??);
    }
    let mut next = game::State::default();
    engine.next(state, &joint, &mut next).ok()?;
    Some(next)
}

/// Every page has all that its state says, within a second. Over our own rulesheets; with
/// `ROCINANTE_LONG_TESTS=1` over 200 of the corpus, printed as CSV.
#[test]
fn pages_of_any_rulesheet_say_all_in_time() {
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some_and(|value| value == "1");
    let mut paths = match (long, testkit::corpus()) {
        (true, Some(corpus)) => testkit::files(&corpus.join("games"), "kif"),
        _ => testkit::fixtures().into_iter().step_by(8).collect(),
    };
    paths.truncate(200);
    let pages: Vec<Page> = paths.iter().filter_map(|path| page(path)).collect();
    assert!(
        2 * pages.len() > paths.len(),
        "most rulesheets can be played"
    );
    println!("game,engine,prepare_ms,profile_ms,page_ms,board,moves,clicked,missing");
    for page in &pages {
        let ms = [page.prepared, page.studied, page.slowest].map(|time| time.as_millis());
        let engine = page.engine.split(',').next().unwrap_or_default();
        println!(
            "{},{engine},{},{},{},{},{},{},{}",
            page.name, ms[0], ms[1], ms[2], page.board, page.moves[0], page.moves[1], page.missing
        );
    }
    let share = |count: usize, all: usize| 100.0 * count as f64 / all.max(1) as f64;
    let boards = pages.iter().filter(|page| page.board).count();
    let chosen = || pages.iter().filter(|page| page.moves[0] > 0);
    let by_click = chosen().filter(|page| page.moves[1] > 0).count();
    let slow: Vec<&str> = (pages.iter())
        .filter(|page| page.slowest > PAGE)
        .map(|page| page.name.as_str())
        .collect();
    println!(
        "{} of {} played; {:.0} % with a board, {:.0} % with moves by click; slower than 1 s: {slow:?}",
        pages.len(),
        paths.len(),
        share(boards, pages.len()),
        share(by_click, chosen().count())
    );
    let missing = pages.iter().filter(|page| page.missing > 0);
    let missing: Vec<&str> = missing.map(|page| page.name.as_str()).collect();
    assert!(missing.is_empty(), "not all facts are shown: {missing:?}");
    assert!(long || slow.is_empty(), "slow pages: {slow:?}");
}
