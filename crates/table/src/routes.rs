//! What is answered at each address.

use crate::seat::Who;
use crate::server::App;
use crate::site::Site;
use crate::table::{NewTable, Table};
use crate::{
    animation, arena_page, export, lobby, picture, shell, thoughts, tournaments, understand, view,
};
use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Json, Response};
use futures_util::stream::{Stream, unfold};
use gdl_parse::Level;
use records::Record;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// Fields of a form or of an address.
pub(crate) type Fields = BTreeMap<String, String>;

/// The longest clock, in seconds.
const CLOCK: f64 = 3600.0;

/// Runs work that may take long on a thread of its own.
async fn work<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Arc<Site>) -> T + Send + 'static,
) -> Result<T, Response> {
    let site = app.site.clone();
    let done = tokio::task::spawn_blocking(move || work(&site)).await;
    done.map_err(|_| {
        sorry(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the server broke down over this; the rest goes on",
        )
    })
}

/// A page that says what went wrong.
pub(crate) fn sorry(status: StatusCode, message: &str) -> Response {
    (status, Html(shell::sorry(message))).into_response()
}

fn see(address: &str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, address.to_owned())]).into_response()
}

fn bad(message: &str) -> Response {
    sorry(StatusCode::BAD_REQUEST, message)
}

fn found<T>(result: Result<T, String>, page: impl FnOnce(T) -> Response) -> Response {
    result.map_or_else(|message| bad(&message), page)
}

fn either(result: Result<Response, Response>) -> Response {
    result.unwrap_or_else(|response| response)
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind)], text).into_response()
}

pub(crate) async fn script() -> Response {
    asset(
        "text/javascript; charset=utf-8",
        include_str!("assets/table.js"),
    )
}

pub(crate) async fn style() -> Response {
    asset("text/css; charset=utf-8", include_str!("assets/table.css"))
}

pub(crate) async fn icon() -> Response {
    asset("image/svg+xml", include_str!("assets/icon.svg"))
}

pub(crate) async fn lobby(State(app): State<App>) -> Response {
    let page = work(&app, |site| Html(shell::page("Lobby", &lobby::lobby(site))));
    either(page.await.map(IntoResponse::into_response))
}

pub(crate) async fn new(State(app): State<App>, Query(fields): Query<Fields>) -> Response {
    about(app, fields, |game| {
        shell::page(&game.title, &lobby::open_table(game))
    })
    .await
}

pub(crate) async fn game(State(app): State<App>, Query(fields): Query<Fields>) -> Response {
    about(app, fields, |game| {
        shell::page(&game.title, &understand::page(game))
    })
    .await
}

/// Begins to learn a game, and goes to its page.
pub(crate) async fn learn(State(app): State<App>, Form(fields): Form<Fields>) -> Response {
    let begun = work(&app, move |site| {
        let key = fields.get("game").map_or("", String::as_str);
        let sheet = site.sheet(key).ok_or("there is no such game")?;
        site.learn(&site.game(&sheet)?);
        Ok(format!("/game?game={}#learnt", lobby::encoded(key)))
    });
    either(begun.await.map(|begun| found(begun, |page| see(&page))))
}

/// A page about a game of the library.
async fn about(app: App, fields: Fields, page: fn(&crate::game::Game) -> String) -> Response {
    let made = work(&app, move |site| {
        let key = fields.get("game").map_or("", String::as_str);
        let sheet = site.sheet(key).ok_or("there is no such game")?;
        Ok(page(&*site.game(&sheet)?))
    });
    either(
        made.await
            .map(|made| found(made, |page| Html(page).into_response())),
    )
}

pub(crate) async fn paste(State(app): State<App>, Form(fields): Form<Fields>) -> Response {
    let done = work(&app, move |site| {
        let name = fields.get("name").map_or("", String::as_str);
        let text = fields.get("rules").map_or("", String::as_str);
        let parsed = gdl_parse::parse(text, &gdl_parse::ParseOptions::default());
        let findings = gdl_check::check(&parsed);
        let faults = |other: Option<&str>| {
            let page = lobby::faults(name, text, &findings, other);
            (
                StatusCode::UNPROCESSABLE_ENTITY,
                Html(shell::page("Rules", &page)),
            )
                .into_response()
        };
        if findings.iter().any(|finding| finding.level == Level::Error) {
            return faults(None);
        }
        let key = match site.paste(name, text) {
            Ok(key) => key,
            Err(message) => return faults(Some(&message)),
        };
        match site
            .sheet(&key)
            .ok_or("it cannot be read again".to_owned())
            .and_then(|sheet| site.game(&sheet))
        {
            Ok(_) => see(&format!("/new?game={}", lobby::encoded(&key))),
            Err(message) => faults(Some(&message)),
        }
    });
    either(done.await)
}

pub(crate) async fn load(State(app): State<App>, Form(fields): Form<Fields>) -> Response {
    let adopted = work(&app, move |site| {
        let text = fields.get("record").map_or("", String::as_str);
        let record = Record::parse(text).map_err(|error| error.to_string())?;
        site.adopt(record)
    });
    either(
        adopted
            .await
            .map(|table| found(table, |table| see(&format!("/table/{}", table.id)))),
    )
}

pub(crate) async fn open_table(State(app): State<App>, Form(fields): Form<Fields>) -> Response {
    let wanted = work(&app, move |site| {
        let key = fields.get("game").map_or("", String::as_str);
        let sheet = site.sheet(key).ok_or("there is no such game")?;
        let game = site.game(&sheet)?;
        let seat = |role: usize| {
            fields
                .get(&format!("seat{role}"))
                .map_or("human", String::as_str)
                .parse()
        };
        let wanted = NewTable {
            seats: (0..game.roles.len())
                .map(seat)
                .collect::<Result<Vec<Who>, String>>()?,
            start_clock: clock(&fields, "start", 5.0)?,
            play_clock: clock(&fields, "play", 3.0)?,
        };
        site.open_table(game, &wanted)
    });
    either(
        wanted
            .await
            .map(|table| found(table, |table| see(&format!("/table/{}", table.id)))),
    )
}

fn clock(fields: &Fields, name: &str, usual: f64) -> Result<Duration, String> {
    let seconds = fields.get(name).map_or(Ok(usual), |text| text.parse());
    let seconds = seconds
        .ok()
        .filter(|seconds| *seconds > 0.0 && *seconds <= CLOCK);
    let seconds = seconds.ok_or(format!(
        "a clock has more than 0 and at most {CLOCK} seconds"
    ))?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Does something with a table.
async fn at<T: IntoResponse>(
    app: &App,
    id: String,
    act: impl FnOnce(&Arc<Site>, &Table) -> Result<T, String> + Send + 'static,
) -> Response {
    let done = work(app, move |site| {
        let table = site.table(&id)?;
        Ok(act(site, &table)?.into_response())
    });
    either(done.await.map(|done| found(done, |response| response)))
}

pub(crate) async fn table(State(app): State<App>, Path(id): Path<String>) -> Response {
    at(&app, id, |_, table| {
        Ok(Html(shell::page(&table.game.title, &view::page(table))))
    })
    .await
}

#[derive(Debug, Deserialize)]
pub(crate) struct Shown {
    ply: Option<usize>,
}

pub(crate) async fn state(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(shown): Query<Shown>,
) -> Response {
    at(&app, id, move |_, table| {
        Ok(Json(view::view(table, shown.ply)))
    })
    .await
}

/// What somebody does at a table.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Deed {
    ply: usize,
    role: usize,
    mv: String,
    who: String,
}

pub(crate) async fn act(
    State(app): State<App>,
    Path((id, action)): Path<(String, String)>,
    Form(deed): Form<Deed>,
) -> Response {
    let done = work(&app, move |site| {
        let table = site.table(&id)?;
        match action.as_str() {
            "move" => table.play(deed.ply, deed.role, &deed.mv)?,
            "back" => table.back(deed.ply)?,
            "undo" => table.undo()?,
            "pause" => table.pause(),
            "go" => table.begin(),
            "seat" => table.sit(deed.role, deed.who.parse()?)?,
            "branch" => {
                return Ok(Some(format!(
                    "/table/{}",
                    site.branch(&table, deed.ply)?.id
                )));
            }
            _ => return Err("there is no such action".to_owned()),
        }
        Ok(None)
    });
    // Messages are for the status line of the page.
    let done = done
        .await
        .unwrap_or(Err("the server broke down over this".to_owned()));
    match done {
        Ok(address) => Json(address).into_response(),
        Err(message) => (StatusCode::CONFLICT, message).into_response(),
    }
}

/// Tells a page what is new, until it is closed.
pub(crate) async fn events(State(app): State<App>, Path(id): Path<String>) -> Response {
    match work(&app, move |site| site.table(&id)).await {
        Ok(Ok(table)) => {
            let keep = KeepAlive::new().interval(Duration::from_secs(15));
            Sse::new(news(table)).keep_alive(keep).into_response()
        }
        Ok(Err(message)) => bad(&message),
        Err(response) => response,
    }
}

fn news(table: Arc<Table>) -> impl Stream<Item = Result<Event, Infallible>> {
    let (changes, thinking) = table.news();
    unfold(
        (table, changes, thinking),
        |(table, mut changes, mut thinking)| async move {
            let event = tokio::select! {
                biased;
                changed = changes.changed() => {
                    changed.ok()?;
                    let number = *changes.borrow_and_update();
                    Event::default().event("change").data(number.to_string())
                }
                thought = thinking.changed() => {
                    thought.ok()?;
                    thinking.mark_unchanged();
                    let html = thoughts::thoughts(&table.look(), &table.game.roles);
                    Event::default().event("thought").data(html.into_string())
                }
            };
            Some((Ok(event), (table, changes, thinking)))
        },
    )
}

#[derive(Debug, Deserialize)]
pub(crate) struct Step {
    role: usize,
    steps: usize,
}

/// The position after some moves of the line that a player expects.
pub(crate) async fn line(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(step): Query<Step>,
) -> Response {
    at(&app, id, move |_, table| {
        let mut inner = table.look();
        let inner = &mut *inner;
        let seat = inner.seats.get(step.role).ok_or("there is no such role")?;
        let thought = seat.thought.as_ref().ok_or("it thinks nothing")?;
        let expected = &thought.expected[..step.steps.min(thought.expected.len())];
        let now = inner.line.plies();
        let now = inner.line.scene(&table.game, now);
        let scene = inner.line.follow(&table.game, expected);
        let scene = scene.ok_or("the line cannot be played")?;
        Ok(Html(
            picture::boards(&scene, Some(&now), &table.game.look()).into_string(),
        ))
    })
    .await
}

pub(crate) async fn record(State(app): State<App>, Path(id): Path<String>) -> Response {
    at(&app, id, |_, table| {
        let kind = [(CONTENT_TYPE, "application/json")];
        Ok((kind, table.copy(usize::MAX).to_json()))
    })
    .await
}

pub(crate) async fn whole(State(app): State<App>, Path(id): Path<String>) -> Response {
    at(&app, id, |_, table| Ok(Html(export::page(table)))).await
}

pub(crate) async fn position(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(shown): Query<Shown>,
) -> Response {
    at(&app, id, move |_, table| {
        let svg = drawn(table, shown.ply);
        Ok(([(CONTENT_TYPE, "image/svg+xml")], svg))
    })
    .await
}

/// The position after so many joint moves as SVG; the last one if `ply` is `None`.
fn drawn(table: &Table, ply: Option<usize>) -> String {
    let mut inner = table.look();
    let plies = inner.line.plies();
    let ply = ply.unwrap_or(plies).min(plies);
    let scene = inner.line.scene(&table.game, ply);
    let before = ply.checked_sub(1);
    let before = before.map(|ply| inner.line.scene(&table.game, ply));
    picture::alone(&scene, before.as_ref(), &table.game.look())
}

/// A position as GIF.
pub(crate) async fn picture(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(shown): Query<Shown>,
) -> Response {
    at(&app, id, move |_, table| {
        let gif = animation::gif(&[drawn(table, shown.ply)])?;
        Ok(([(CONTENT_TYPE, "image/gif")], gif))
    })
    .await
}

/// The match so far as a GIF that moves.
pub(crate) async fn animation(State(app): State<App>, Path(id): Path<String>) -> Response {
    at(&app, id, |_, table| {
        let plies = table.look().line.plies();
        let step = (plies + 1).div_ceil(animation::FRAMES);
        let shown = (0..plies).step_by(step).chain([plies]);
        let frames: Vec<String> = shown.map(|ply| drawn(table, Some(ply))).collect();
        let gif = animation::gif(&frames)?;
        Ok(([(CONTENT_TYPE, "image/gif")], gif))
    })
    .await
}

pub(crate) async fn tournament(State(app): State<App>, Path(number): Path<usize>) -> Response {
    let page = work(&app, move |site| {
        let folders = site.tournaments.list();
        let folder = folders.get(number).ok_or("there is no such tournament")?;
        let results = site.tournaments.results(folder);
        Ok(shell::page(
            "Tournament",
            &arena_page::page(number, folder, &results),
        ))
    });
    either(
        page.await
            .map(|page| found(page, |page| Html(page).into_response())),
    )
}

pub(crate) async fn look(
    State(app): State<App>,
    Path(number): Path<usize>,
    Form(fields): Form<Fields>,
) -> Response {
    let adopted = work(&app, move |site| {
        let folders = site.tournaments.list();
        let name = fields.get("match").map_or("", String::as_str);
        let record = folders
            .get(number)
            .and_then(|folder| tournaments::record(folder, name));
        site.adopt(record.ok_or("there is no such match")?)
    });
    either(
        adopted
            .await
            .map(|table| found(table, |table| see(&format!("/table/{}", table.id)))),
    )
}
