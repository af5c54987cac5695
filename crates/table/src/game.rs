//! A game that tables are played at: its engine, its look, and what is known of it.

use crate::library::Sheet;
use crate::look::Look;
use crate::style::Style;
use budget::{Budget, Stop};
use compile::Playable;
use game::Engine;
use insight::Insight;
use parking_lot::Mutex;
use prepare::{Options, PrepareError, prepare};
use profile::Profile;
use profile_report::Picture;
use show::{Scene, Viewer};
use std::sync::Arc;
use std::time::Duration;

/// The most time for making an engine; the rules are played by the reasoner after that.
const PREPARE: Duration = Duration::from_secs(8);
/// The most memory for making an engine, in bytes.
const MEMORY: usize = 1 << 30;
/// The most time for the profile.
const PROFILE: Duration = Duration::from_secs(8);

/// A game that can be played at tables.
pub(crate) struct Game {
    /// What the library calls it; empty if it is not there.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// The rules as they were read, for records.
    pub rules: String,
    /// The roles in order.
    pub roles: Vec<String>,
    /// Which engine plays it, and how long it took to make.
    pub made: String,
    /// What is wrong with the style file, if anything.
    pub complaint: Option<String>,
    viewer: Viewer,
    playable: Mutex<Playable>,
    style: Style,
    known: Mutex<Known>,
}

/// What is found out while people play already.
struct Known {
    look: Arc<Look>,
    profile: Profiled,
    learnt: Learnt,
}

/// What was learnt about a game, if somebody asked for it.
#[derive(Clone)]
pub(crate) enum Learnt {
    /// Nobody has asked.
    Unasked,
    /// It is being learnt.
    Pending,
    /// The findings in words and pictures.
    Found(Arc<(String, Vec<Picture>)>),
}

/// The profile of a game.
#[derive(Clone)]
pub(crate) enum Profiled {
    /// It has not been found out yet.
    Pending,
    /// There is none, because the game has no network.
    Impossible,
    /// What was found out.
    Found(Arc<Profile>),
}

impl Game {
    /// Makes a game from a rulesheet.
    ///
    /// # Errors
    /// If the rules cannot be played.
    pub fn new(sheet: &Sheet, stop: &Stop) -> Result<Game, PrepareError> {
        let system = Budget::system().with_stop(stop.clone());
        let budget = system.clone().with_timeout(PREPARE).with_memory(MEMORY);
        let mut made = prepare(&sheet.text, &Options::default(), &budget)?;
        let engine = &mut made.playable.engine;
        engine.set_budget(&system);
        let samples = matches::samples(&mut **engine, &system);
        let viewer = Viewer::new(&show::chains(&made.sheet), &samples);
        let roles: Vec<String> = engine.roles().iter().map(ToString::to_string).collect();
        let (style, complaint) = match sheet.style.as_deref().map(Style::parse) {
            None => (Style::default(), None),
            Some(Ok(style)) => (style, None),
            Some(Err(complaint)) => (Style::default(), Some(complaint)),
        };
        let profile = match made.playable.compiled {
            Some(_) => Profiled::Pending,
            None => Profiled::Impossible,
        };
        Ok(Game {
            key: sheet.key.clone(),
            title: sheet.title.clone(),
            rules: sheet.text.clone(),
            made: format!(
                "{}, made in {} ms",
                made.report.engine,
                made.report.total().as_millis()
            ),
            complaint,
            viewer,
            known: Mutex::new(Known {
                look: Arc::new(Look::new(&roles, style.clone())),
                profile,
                learnt: Learnt::Unasked,
            }),
            style,
            roles,
            playable: Mutex::new(made.playable),
        })
    }

    /// An engine of one's own.
    pub fn playable(&self) -> Playable {
        self.playable.lock().fork()
    }

    /// How its boards are drawn, as far as that is known.
    pub fn look(&self) -> Arc<Look> {
        self.known.lock().look.clone()
    }

    /// What is known of it.
    pub fn profile(&self) -> Profiled {
        self.known.lock().profile.clone()
    }

    /// Finds out what there is to know of it, unless that has been done.
    pub fn study(&self, stop: &Stop) {
        if !matches!(self.profile(), Profiled::Pending) {
            return;
        }
        let compiled = self.playable.lock().compiled.clone();
        let Some(compiled) = compiled else { return };
        let budget = Budget::system().with_stop(stop.clone());
        let budget = budget.with_timeout(PROFILE).with_memory(MEMORY);
        let profile = Profile::find(compiled, 1, &budget, &mut |_| {});
        let look = Look::new(&self.roles, self.style.clone()).with(&profile, &self.viewer);
        let mut known = self.known.lock();
        known.look = Arc::new(look);
        known.profile = Profiled::Found(Arc::new(profile));
    }

    /// What was learnt about it.
    pub fn learnt(&self) -> Learnt {
        self.known.lock().learnt.clone()
    }

    /// Whether [`Game::learn`] is to be called now, which it is once.
    pub fn begins_to_learn(&self) -> bool {
        let mut known = self.known.lock();
        let begins = matches!(
            (&known.learnt, &known.profile),
            (Learnt::Unasked, Profiled::Found(_))
        );
        if begins {
            known.learnt = Learnt::Pending;
        }
        begins
    }

    /// Learns by self-play for so long what matters in it.
    pub fn learn(&self, time: Duration, stop: &Stop) {
        let compiled = self.playable.lock().compiled.clone();
        let Some(compiled) = compiled else { return };
        let budget = Budget::system().with_stop(stop.clone());
        let budget = budget.with_timeout(time).with_memory(MEMORY);
        let insight = Insight::find(compiled, &insight::Settings::default(), &budget);
        let told = (
            insight_report::text(&insight),
            insight_report::pictures(&insight),
        );
        self.known.lock().learnt = Learnt::Found(Arc::new(told));
    }

    /// A state of one of its engines as it is drawn.
    pub fn scene(&self, engine: &mut dyn Engine, state: &game::State) -> Scene {
        self.viewer.scene(&engine.facts(state))
    }
}
