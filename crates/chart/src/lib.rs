//! Small charts as SVG text: lines, dots, error bars.
//!
//! # Scope
//!
//! Measurements and tournaments draw the same kind of chart, from plain numbers and names. The
//! crate is our own because the need is small, and the plotting crates are large or barely
//! maintained.
//!
//! # Key decisions
//!
//! * A chart is data; [`Chart::svg`] is its only behaviour, and equal charts give equal text.
//! * Values that have no position on an axis (infinite, or not positive on a logarithmic one)
//!   are left out. Error bars with such an end reach to the edge.
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
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub across: Across,
    /// The name of the vertical axis.
    pub up: String,
    /// The scale of the vertical axis.
    pub scale: Scale,
    /// The data series.
    pub series: Vec<Series>,
    /// A value that is marked by a horizontal line, for example 1 for ratios.
    pub mark: Option<f64>,
}

/// The horizontal axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Across {
    /// A logarithmic axis of positive values, with its name.
    Values(String),
    /// Names side by side. The horizontal coordinates of the series are indices into them.
    Names(Vec<String>),
}

/// The data of one colour.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// The name in the legend; if it is empty, there is no legend entry.
    pub name: String,
    /// The points: horizontal and vertical coordinate.
    pub points: Vec<(f64, f64)>,
    /// Whether lines connect the points.
    pub joined: bool,
    /// The error bars.
    pub bars: Vec<Bar>,
}

/// An error bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// The horizontal coordinate.
    pub at: f64,
    /// The lower end; may be infinite.
    pub low: f64,
    /// The upper end; may be infinite.
    pub high: f64,
}
