//! Small charts as SVG text: lines, dots, error bars.
//!
//! # Why apart
//!
//! Measurements and tournaments draw the same kind of picture, and what is drawn is plain numbers
//! and names. Our own, because all that is needed is little, and the crates for plotting are large
//! or hardly maintained.
//!
//! # Key decisions
//!
//! * A chart is data; [`Chart::svg`] is its only behaviour, and the same chart is the same text.
//! * Values that have no place on an axis (infinite, or not positive on a logarithmic one) are left
//!   out; error bars that end there go to the edge.
//!
//! # Example
//!
//! ```
//! use chart::{Across, Bar, Chart, Scale, Series};
//!
//! let ladder = Chart {
//!     title: "Strength".into(),
//!     across: Across::Names(vec!["random".into(), "baseline".into()]),
//!     up: "Elo".into(),
//!     scale: Scale::Linear,
//!     series: vec![Series {
//!         points: vec![(0.0, -150.0), (1.0, 150.0)],
//!         bars: vec![Bar { at: 0.0, low: -190.0, high: -110.0 }],
//!         ..Series::default()
//!     }],
//!     mark: Some(0.0),
//! };
//! assert!(ladder.svg().starts_with("<svg"));
//! ```

mod axis;
mod svg;
#[cfg(test)]
mod tests;

pub use axis::Scale;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What goes to the right.
    pub across: Across,
    /// What goes up.
    pub up: String,
    /// How it goes up.
    pub scale: Scale,
    /// What is drawn.
    pub series: Vec<Series>,
    /// A value upwards with a line across the chart, where ratios are 1 for example.
    pub mark: Option<f64>,
}

/// What goes to the right.
#[derive(Debug, Clone, PartialEq)]
pub enum Across {
    /// Positive values in powers of ten.
    Values(String),
    /// Names, one after the other; the series count them from 0.
    Names(Vec<String>),
}

/// What is drawn in one colour.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// For the legend; if it is empty, the legend leaves it out.
    pub name: String,
    /// Where: to the right and up.
    pub points: Vec<(f64, f64)>,
    /// Whether the points are joined.
    pub joined: bool,
    /// Error bars.
    pub bars: Vec<Bar>,
}

/// An error bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// Where to the right.
    pub at: f64,
    /// From there upwards; may be infinite.
    pub low: f64,
    /// To there; may be infinite.
    pub high: f64,
}
