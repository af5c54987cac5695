//! The HTTP server: addresses, and what is done for each.

use crate::guard::{self, Refusal};
use crate::routes;
use crate::site::{Settings, Site};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use budget::Stop;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

/// The largest body that is read: a record of a long match.
const LARGEST: usize = 16 << 20;
/// How often players are looked after.
const TICK: Duration = Duration::from_millis(50);
/// How long work that is under way may take when the server ends.
const END: Duration = Duration::from_millis(400);

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App {
    pub site: Arc<Site>,
    /// Whether others than this machine can reach the server.
    open: bool,
}

/// Serves the table on a listener until `stop` is sent, and ends within a second then.
///
/// # Errors
/// If the listener fails.
pub fn serve(listener: TcpListener, settings: Settings, stop: &Stop) -> io::Result<()> {
    let open = !listener.local_addr()?.ip().is_loopback();
    listener.set_nonblocking(true)?;
    let site = Arc::new(Site::new(settings, stop.clone()));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let app = App {
        site: site.clone(),
        open,
    };
    let ended = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let served = axum::serve(listener, router(app));
        tokio::select! {
            served = served => served,
            () = look_after(&site, stop) => Ok(()),
        }
    });
    site.close();
    runtime.shutdown_timeout(END);
    ended
}

/// Looks after the players until the server is to end.
async fn look_after(site: &Arc<Site>, stop: &Stop) {
    let mut interval = tokio::time::interval(TICK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut ticking: Option<tokio::task::JoinHandle<()>> = None;
    while !stop.is_stopped() {
        interval.tick().await;
        // A table may be busy with its rules for a while; then this waits for the next turn.
        if ticking.as_ref().is_none_or(|ticking| ticking.is_finished()) {
            let site = site.clone();
            ticking = Some(tokio::task::spawn_blocking(move || site.tick()));
        }
    }
}

fn router(app: App) -> Router {
    Router::new()
        .route("/", get(routes::lobby))
        .route("/table.js", get(routes::script))
        .route("/table.css", get(routes::style))
        .route("/icon.svg", get(routes::icon))
        .route("/new", get(routes::new))
        .route("/game", get(routes::game))
        .route("/game/learn", post(routes::learn))
        .route("/paste", post(routes::paste))
        .route("/load", post(routes::load))
        .route("/tables", post(routes::open_table))
        .route("/table/{id}", get(routes::table))
        .route("/table/{id}/state", get(routes::state))
        .route("/table/{id}/events", get(routes::events))
        .route("/table/{id}/line", get(routes::line))
        .route("/table/{id}/record.json", get(routes::record))
        .route("/table/{id}/match.html", get(routes::whole))
        .route("/table/{id}/match.gif", get(routes::animation))
        .route("/table/{id}/position.svg", get(routes::position))
        .route("/table/{id}/position.gif", get(routes::picture))
        .route("/table/{id}/{action}", post(routes::act))
        .route("/tournament/{number}", get(routes::tournament))
        .route("/tournament/{number}/look", post(routes::look))
        .fallback(|| async { routes::sorry(StatusCode::NOT_FOUND, "there is no such page") })
        .layer(DefaultBodyLimit::max(LARGEST))
        .layer(from_fn_with_state(app.clone(), guarded))
        .with_state(app)
}

/// Lets a request through, if it may, and adds what every answer carries.
async fn guarded(State(app): State<App>, request: Request, next: Next) -> Response {
    let token = app.site.settings.token.as_deref();
    let checked = guard::check(
        request.method(),
        request.uri(),
        request.headers(),
        app.open,
        token,
    );
    let mut response = match checked {
        Ok(()) => match token.zip(guard::token_of(request.uri())) {
            // The token moves from the address, which others may see, into a cookie.
            Some((token, _)) => welcome(token, request.uri().path()),
            None => next.run(request).await,
        },
        Err(refusal) => refuse(refusal),
    };
    response.headers_mut().extend(guard::headers());
    response
}

fn welcome(token: &str, path: &str) -> Response {
    let cookie = format!(
        "{}={token}; HttpOnly; SameSite=Strict; Path=/",
        guard::COOKIE_NAME
    );
    let mut response = StatusCode::SEE_OTHER.into_response();
    let values = [
        (SET_COOKIE, HeaderValue::from_str(&cookie)),
        (LOCATION, HeaderValue::from_str(path)),
    ];
    for (name, value) in values {
        if let Ok(value) = value {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

fn refuse(refusal: Refusal) -> Response {
    let message = match refusal {
        Refusal::Host => "this address is not one of this server; use the one that it printed",
        Refusal::Origin => "the request came from a page of another server",
        Refusal::Token => "the address lacks the token; use the one that the server printed",
    };
    routes::sorry(StatusCode::FORBIDDEN, message)
}
