//! Tests of the table in a real browser: games are played by clicks on squares.

mod browser;

use browser::{Browser, Server};
use std::time::Duration;

/// Lays a table with these seats, and goes there.
fn open_table(browser: &Browser, server: &Server, game: &str, seats: &[&str]) -> String {
    browser.go(&server.page(&format!("/new?game={game}")));
    for (role, who) in seats.iter().enumerate() {
        browser.value(&format!(
            "document.getElementById('seat{role}').value = '{who}'"
        ));
    }
    browser.value("document.querySelector('[name=start]').value = 0.3");
    browser.value("document.querySelector('[name=play]').value = 0.3");
    browser.press("button.primary");
    browser.until("location.pathname.startsWith('/table/') && !!document.querySelector('#status')?.textContent");
    browser.path()
}

/// Plays a game to its end by clicking squares that can be clicked, each time another one, and
/// moves in the list where there are none. Returns the number of clicks on squares.
fn play(browser: &Browser, game: &str) -> usize {
    let (mut squares, mut seed) = (0, 7_usize);
    for _ in 0..900 {
        if browser.text("#status").starts_with("It is over") {
            return squares;
        }
        seed = seed.wrapping_mul(25_214_903_917).wrapping_add(11);
        // What has just been replaced cannot be clicked any more; then it is tried again.
        if browser.click("#board .can", seed >> 16).is_ok() {
            squares += 1;
        } else if browser.value("document.querySelectorAll('#board .can').length === 0") == true {
            let _ = browser.click("#list button:not(:disabled)", 0);
        }
    }
    panic!("{game} does not end: {}", browser.text("#status"));
}

/// Games are played to their ends: their names, the roles, and the least number of clicks.
fn play_by_clicks(games: &[(&str, usize, usize)]) {
    let Some(browser) = Browser::open() else {
        return;
    };
    let store = tempfile::tempdir().unwrap();
    let server = Server::start(store.path(), &[]);
    for &(game, roles, least) in games {
        let path = open_table(
            &browser,
            &server,
            &format!("own/{game}"),
            &["human", "human"][..roles],
        );
        let squares = play(&browser, game);
        assert!(squares >= least, "{game}: {squares} clicks on squares");
        assert!(browser.value("document.querySelectorAll('#history li').length > 0") == true);
        // The next game has the same seats, at a table of its own.
        browser.press("#status button");
        let begins = "document.getElementById('where')?.textContent === '0 / 0'";
        browser.until(&format!("location.pathname !== '{path}' && {begins}"));
        assert_eq!(
            browser.value("document.getElementById('sit0').value"),
            "human"
        );
    }
}

#[test]
fn whole_games_on_squares_are_played_by_clicks() {
    play_by_clicks(&[("breakthrough_small", 2, 10), ("reversi", 2, 20)]);
}

#[test]
fn whole_games_on_hexagons_and_columns_are_played_by_clicks() {
    play_by_clicks(&[("hex", 2, 17), ("connect_four_small", 2, 4)]);
}

#[test]
fn puzzles_and_choices_at_once_are_played_by_clicks() {
    play_by_clicks(&[("eight_puzzle", 1, 20), ("blocker", 2, 8)]);
}

#[test]
fn a_table_survives_reloads_and_restarts_and_moves_are_taken_back() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let store = tempfile::tempdir().unwrap();
    let server = Server::start(store.path(), &[]);
    let path = open_table(&browser, &server, "own/tic_tac_toe", &["human", "human"]);
    let shows = |plies: &str| {
        browser.until(&format!(
            "document.getElementById('where').textContent === '{plies}'"
        ))
    };
    for ply in 1..=3 {
        browser.press("#board .can");
        shows(&format!("{ply} / {ply}"));
    }
    browser.reload();
    shows("3 / 3");
    browser.press("[data-post=undo]");
    shows("2 / 2");
    // Earlier positions are looked at, and one of them is where a variation begins.
    browser.press("[data-go=back]");
    shows("1 / 2");
    browser.press("[data-post=branch]");
    browser.until(&format!("location.pathname !== '{path}' && document.getElementById('where')?.textContent === '1 / 1'"));
    browser.press("#board .can");
    shows("2 / 2");
    assert_ends_soon(server);
    let server = Server::start(store.path(), &[]);
    browser.go(&server.page(&path));
    shows("2 / 2");
    let (_, lobby) = server.get("/");
    assert!(lobby.contains(&path), "the lobby lists the table");
}

/// Sends ctrl-C. The promise is a second; the rest is for machines that do much else.
fn assert_ends_soon(server: Server) {
    let took = server.interrupt();
    assert!(took < Duration::from_secs(2), "it ended after {took:?}");
}

#[test]
fn it_ends_at_once_whatever_it_does() {
    let store = tempfile::tempdir().unwrap();
    // While players prepare and think, and while pages follow them.
    let server = Server::start(store.path(), &[]);
    let seats = "seat0=default&seat1=default&start=60&play=60";
    for game in ["breakthrough", "speed_chess"] {
        assert_eq!(
            server
                .post("/tables", &format!("game=own/{game}&{seats}"))
                .0,
            303
        );
    }
    assert_eq!(server.post("/game/learn", "game=own/breakthrough").0, 303);
    assert_ends_soon(server);
    // While the rules of a game are made ready that takes long.
    let server = Server::start(store.path(), &[]);
    let address = server.address;
    let asking = std::thread::spawn(move || {
        let asked = || {
            browser::http(
                address,
                "GET",
                "/new?game=own/speed_chess",
                &format!("Host: {address}\r\n"),
                "",
            )
        };
        std::panic::catch_unwind(asked).is_ok()
    });
    std::thread::sleep(Duration::from_millis(100));
    assert_ends_soon(server);
    let _ = asking.join();
}

/// A board of 19 by 19 points on which each of two roles places one of six kinds of stones: 2,166
/// moves at first.
fn many_moves() -> String {
    let numbers: String = (1..=19).map(|n| format!("(n {n})")).collect();
    let kinds: String = (1..=6).map(|n| format!("(kind stone{n})")).collect();
    format!(
        "(role a) (role b) (init (control a)) (other a b) (other b a) {numbers} {kinds}
        (<= (init (cell ?x ?y free)) (n ?x) (n ?y))
        (<= (legal ?r (place ?k ?x ?y)) (true (control ?r)) (true (cell ?x ?y free)) (kind ?k))
        (<= (legal ?r noop) (true (control ?s)) (other ?s ?r))
        (<= (next (cell ?x ?y ?k)) (does ?r (place ?k ?x ?y)))
        (<= (next (cell ?x ?y ?k)) (true (cell ?x ?y ?k)) (distinct ?k free))
        (<= placed (does ?r (place ?k ?x ?y))) (<= (placed_at ?x ?y) (does ?r (place ?k ?x ?y)))
        (<= (next (cell ?x ?y free)) (true (cell ?x ?y free)) (not (placed_at ?x ?y)))
        (<= (next (control ?r)) (true (control ?s)) (other ?s ?r))
        (<= free (true (cell ?x ?y free))) (<= terminal (not free)) (<= (goal ?r 50) (role ?r))"
    )
}

#[test]
#[expect(clippy::disallowed_macros, reason = "a figure for people")]
fn boards_with_many_squares_and_moves_stay_fluid() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let store = tempfile::tempdir().unwrap();
    let server = Server::start(store.path(), &[]);
    let rules = many_moves().replace('+', "%2B").replace([' ', '\n'], "+");
    assert_eq!(
        server.post("/paste", &format!("name=many&rules={rules}")).0,
        303
    );
    open_table(&browser, &server, "pasted/many.gdl", &["human", "human"]);
    browser.until("document.querySelectorAll('#board .can').length === 361");
    // The browser tells when its page did not react for more than 50 ms.
    browser.value(
        "(window.pauses = [], new PerformanceObserver((list) => window.pauses.push(...list.getEntries().map((one) => one.duration))).observe({type: 'longtask'}), true)",
    );
    let began = std::time::Instant::now();
    let moves = 6;
    for ply in 1..=moves {
        browser.press("#board .can");
        browser.press("#list button:not(:disabled)");
        browser.until(&format!(
            "document.getElementById('where').textContent === '{ply} / {ply}'"
        ));
    }
    let each = began.elapsed() / moves;
    let longest = browser
        .value("Math.max(0, ...window.pauses)")
        .as_f64()
        .unwrap();
    println!("{each:?} from one move to the next; the page paused for {longest} ms at most");
    assert!(longest < 500.0, "the page paused for {longest} ms");
    assert!(each < Duration::from_secs(2), "{each:?} for a move");
}

#[test]
fn two_tables_at_once_and_players_are_watched() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let store = tempfile::tempdir().unwrap();
    let server = Server::start(store.path(), &[]);
    let other = open_table(&browser, &server, "own/tic_tac_toe", &["human", "human"]);
    open_table(
        &browser,
        &server,
        "own/breakthrough_small",
        &["default", "human"],
    );
    browser.until("!!document.querySelector('#thoughts .figures b')");
    browser.until("!!document.querySelector('#thoughts .moves code')");
    browser.until("document.querySelectorAll('#board .can').length > 0");
    assert!(browser.text("#thoughts").contains("playouts"));
    assert!(
        browser.text("#history").contains("move"),
        "the player has moved"
    );
    browser.go(&server.page(&other));
    browser.until("document.querySelectorAll('#board .can').length === 9");
}

#[test]
fn rulesheets_are_checked_and_do_no_harm() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let store = tempfile::tempdir().unwrap();
    let server = Server::start(store.path(), &[]);
    let paste = |rules: &str| {
        browser.go(&server.page("/"));
        let rules = serde_json::json!(rules);
        browser.value(&format!(
            "document.querySelector('[name=rules]').value = {rules}"
        ));
        browser.press("[action='/paste'] button");
    };
    paste("(role a)\n(<= (legal a go) (true (on ?x)\n");
    browser.until("!!document.querySelector('.faults .error')");
    assert!(browser.text(".faults .error").contains("line 2"));
    // Everything that people read comes from names like these.
    let name = "<img/src=x/onerror=document.title='owned'>";
    let script = "<script>document.title='owned'</script>";
    let rules = "(role NAME) (init (at 1 1 NAME)) (init (at 2 2 SCRIPT)) (init SCRIPT)
        (<= (legal NAME (go SCRIPT))  (role NAME)) (<= (legal NAME NAME) (role NAME))
        (<= (next (at 1 2 NAME)) (does NAME NAME)) (<= (next (at 2 1 NAME)) (does NAME (go SCRIPT)))
        (<= terminal (true (at 1 2 NAME))) (<= (goal NAME 50) (role NAME))";
    let rules = rules.replace("NAME", name).replace("SCRIPT", script);
    paste(&rules);
    browser.until("location.pathname === '/new'");
    browser.press("button.primary");
    browser.until("document.querySelectorAll('#list button').length === 2");
    browser.press("#list button");
    browser.until("document.querySelectorAll('#history li').length === 1");
    assert_eq!(
        browser.value("document.querySelectorAll('main img, main script').length"),
        0
    );
    assert_eq!(browser.value("document.title.includes('owned')"), false);
    assert!(browser.text("main").contains(name), "it is shown as text");
}

#[test]
fn pages_of_other_servers_cannot_steer_it() {
    let store = tempfile::tempdir().unwrap();
    let server = Server::start(store.path(), &[]);
    let body = "game=own/tic_tac_toe";
    let foreign = server.post_from("/tables", body, "http://elsewhere.example");
    assert_eq!(foreign.0, 403);
    let (status, _) = browser::http(
        server.address,
        "GET",
        "/",
        "Host: elsewhere.example\r\n",
        "",
    );
    assert_eq!(status, 403);
    assert_eq!(server.post("/tables", body).0, 303);
    assert_eq!(server.get("/table/..%2f..%2fsecret").0, 400);
    let long = "x".repeat(17 << 20);
    let refused = std::panic::catch_unwind(|| server.post("/paste", &format!("rules={long}")).0);
    // The server may close the connection before it has read so much.
    assert!(refused.is_err() || refused.is_ok_and(|status| status == 413));
    assert_eq!(server.get("/").0, 200);
}

/// What a player plays out for its first move at a table that was opened by `post`.
fn playouts(server: &Server, address: &str) -> f64 {
    for _ in 0..400 {
        let (_, record) = server.get(&format!("{address}/record.json"));
        let record: serde_json::Value = serde_json::from_str(&record).expect("a record");
        if let Some(playouts) = record["thoughts"][0][0]["playouts"].as_f64() {
            return playouts;
        }
        std::thread::sleep(Duration::from_millis(250));
    }
    panic!("the player never moves");
}

/// What a page that looks on costs a player, printed as CSV. Takes five minutes, so it runs with
/// `ROCINANTE_LONG_TESTS=1` only, on a machine that does nothing else.
#[test]
#[expect(clippy::disallowed_macros, reason = "figures for people")]
fn being_watched_costs_few_playouts() {
    if std::env::var_os("ROCINANTE_LONG_TESTS").is_none_or(|value| value != "1") {
        return;
    }
    let Some(browser) = Browser::open() else {
        return;
    };
    let store = tempfile::tempdir().unwrap();
    let server = Server::start(store.path(), &[]);
    println!("game,watched,alone");
    for game in ["connect_four", "breakthrough", "reversi"] {
        let mut ratios = Vec::new();
        for _ in 0..8 {
            let mut counts = [0.0; 2];
            for (at, watched) in [true, false].into_iter().enumerate() {
                browser.go(&server.page("/icon.svg"));
                // Without a value that is learnt, whose speed would differ from match to match.
                let seats = "seat0=default:no-knowledge&seat1=human&start=3&play=3";
                let address = server.open(&format!("game=own/{game}&{seats}"));
                if watched {
                    browser.go(&server.page(&address));
                }
                std::thread::sleep(Duration::from_secs(6));
                counts[at] = playouts(&server, &address);
            }
            println!("{game},{},{}", counts[0], counts[1]);
            ratios.push(counts[0] / counts[1]);
        }
        ratios.sort_by(f64::total_cmp);
        let median = (ratios[3] + ratios[4]) / 2.0;
        println!(
            "{game}: {:.1} % of the playouts, in the median",
            100.0 * median
        );
    }
}
