//! Small charts as SVG text.
//!
//! Our own, because all that is needed is lines and dots on logarithmic axes, and the crates for
//! plotting are large or hardly maintained.

use std::fmt::Write;

/// A chart with logarithmic values upwards.
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What goes to the right.
    pub across: Across,
    /// What goes up, in powers of ten.
    pub up: String,
    /// What is drawn.
    pub series: Vec<Series>,
    /// A value upwards with a line across the chart, where ratios are 1 for example.
    pub mark: Option<f64>,
}

/// What goes to the right.
pub enum Across {
    /// Positive values in powers of ten.
    Values(String),
    /// Names, one after the other; the series count them from 0.
    Names(Vec<String>),
}

/// What is drawn in one colour.
pub struct Series {
    /// For the legend.
    pub name: String,
    /// Where; values that are not positive and finite are left out.
    pub points: Vec<(f64, f64)>,
    /// Whether the points are joined.
    pub joined: bool,
}

/// Colours that people with any kind of sight can tell apart (Okabe and Ito).
const COLOURS: &[&str] = &[
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#000000", "#f0e442",
];

const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;

/// A logarithmic axis of whole or, if they are few, divided powers of ten.
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis on which all of these have a place.
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let logs = values.map(f64::log10);
        let (from, to) = logs.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        if from > to {
            return Axis { from: 0.0, to: 1.0 };
        }
        // A little air, and at least half a decade, in which there always is something to label.
        let air = ((to - from) * 0.05).max(0.25);
        Axis {
            from: from - air,
            to: to + air,
        }
    }

    /// Where a value is, 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.log10() - self.from) / (self.to - self.from)
    }

    /// Values to be labelled.
    fn ticks(&self) -> Vec<f64> {
        let factors: &[f64] = if self.to - self.from < 2.0 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let decades = self.from.floor() as i32..=self.to.ceil() as i32;
        let all = decades.flat_map(|decade| factors.iter().map(move |f| f * 10f64.powi(decade)));
        all.filter(|&tick| (0.0..=1.0).contains(&self.place(tick)))
            .collect()
    }
}

/// A number with a unit prefix: 20k, 5M, 0.01.
fn short(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 0.9995e9 => (v / 1e9, "G"),
        v if v >= 0.9995e6 => (v / 1e6, "M"),
        v if v >= 0.9995e3 => (v / 1e3, "k"),
        v => (v, ""),
    };
    // Rounding errors of powers of ten go away with four digits.
    let digits = (3 - value.log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    format!("{text}{unit}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl Chart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let drawable = |&(x, y): &(f64, f64)| {
            let named = matches!(self.across, Across::Names(_));
            y > 0.0 && y.is_finite() && x.is_finite() && (named || x > 0.0)
        };
        let points = || {
            self.series
                .iter()
                .flat_map(|s| &s.points)
                .filter(|p| drawable(p))
        };
        let up = Axis::of(points().map(|p| p.1).chain(self.mark));
        let (width, bottom) = match &self.across {
            Across::Values(_) => (560.0, 50.0),
            Across::Names(names) => ((names.len() as f64 * 11.0).max(320.0), 170.0),
        };
        let across = Axis::of(
            points()
                .map(|p| p.0)
                .filter(|_| matches!(self.across, Across::Values(_))),
        );
        let x = |value: f64| match &self.across {
            Across::Values(_) => LEFT + width * across.place(value),
            Across::Names(names) => LEFT + width * (value + 0.5) / names.len().max(1) as f64,
        };
        let y = |value: f64| TOP + HEIGHT * (1.0 - up.place(value));
        let (right, base) = (LEFT + width, TOP + HEIGHT);

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" \
             height=\"{h}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{}</text>\n",
            escaped(&self.title),
            w = right + 150.0,
            h = base + bottom,
        );
        let mut line = |x1: f64, y1: f64, x2: f64, y2: f64, colour: &str| {
            let _ = writeln!(
                svg,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
            );
        };
        for tick in up.ticks() {
            line(LEFT, y(tick), right, y(tick), "#ddd");
        }
        if let Across::Values(_) = self.across {
            for tick in across.ticks() {
                line(x(tick), TOP, x(tick), base, "#ddd");
            }
        }
        if let Some(mark) = self.mark {
            line(LEFT, y(mark), right, y(mark), "#555");
        }
        line(LEFT, base, right, base, "#000");
        line(LEFT, TOP, LEFT, base, "#000");
        let mut label = |x: f64, y: f64, anchor: &str, turn: f64, text: &str| {
            let _ = write!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\""
            );
            if turn != 0.0 {
                let _ = write!(svg, " transform=\"rotate({turn} {x:.1} {y:.1})\"");
            }
            let _ = writeln!(svg, ">{}</text>", escaped(text));
        };
        for tick in up.ticks() {
            label(LEFT - 6.0, y(tick) + 4.0, "end", 0.0, &short(tick));
        }
        label(16.0, TOP + HEIGHT / 2.0, "middle", -90.0, &self.up);
        match &self.across {
            Across::Values(name) => {
                for tick in across.ticks() {
                    label(x(tick), base + 16.0, "middle", 0.0, &short(tick));
                }
                label(LEFT + width / 2.0, base + 36.0, "middle", 0.0, name);
            }
            Across::Names(names) => {
                for (at, name) in names.iter().enumerate() {
                    label(x(at as f64) + 4.0, base + 8.0, "end", -90.0, name);
                }
            }
        }
        for (at, series) in self.series.iter().enumerate() {
            label(
                right + 26.0,
                TOP + 14.0 + 18.0 * at as f64,
                "start",
                0.0,
                &series.name,
            );
        }
        for (at, series) in self.series.iter().enumerate() {
            let colour = COLOURS[at % COLOURS.len()];
            let points: Vec<(f64, f64)> = series
                .points
                .iter()
                .copied()
                .filter(|p| drawable(p))
                .collect();
            if series.joined && points.len() > 1 {
                let path = points
                    .iter()
                    .map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b)));
                let path = path.collect::<Vec<_>>().join(" ");
                let _ = writeln!(
                    svg,
                    "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
                );
            }
            let legend = (right + 16.0, TOP + 10.0 + 18.0 * at as f64);
            let places = points.iter().map(|&(a, b)| (x(a), y(b))).chain([legend]);
            for (cx, cy) in places {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3\" fill=\"{colour}\"/>"
                );
            }
        }
        svg.push_str("</svg>\n");
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (1.0, "1"),
            (0.001, "0.001"),
            (0.02, "0.02"),
            (500.0, "500"),
            (1000.0, "1k"),
            (20_000.0, "20k"),
            (5e6, "5M"),
            (1e9, "1G"),
            (1e12, "1000G"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn axes_have_labels_wherever_they_are() {
        for values in [vec![3.0], vec![1.0, 1e9], vec![0.4, 0.5], vec![20.0, 90.0]] {
            let axis = Axis::of(values.iter().copied());
            let ticks = axis.ticks();
            assert!((1..=14).contains(&ticks.len()), "{values:?}: {ticks:?}");
            for value in values {
                assert!((0.0..=1.0).contains(&axis.place(value)));
            }
        }
        assert!(Axis::of(std::iter::empty()).ticks().len() > 1);
    }

    #[test]
    fn a_chart_of_each_kind() {
        let series = |name: &str, points: &[(f64, f64)], joined| Series {
            name: name.to_owned(),
            points: points.to_vec(),
            joined,
        };
        let lines = Chart {
            title: "cost <of> growth".into(),
            across: Across::Values("ground rules".into()),
            up: "seconds".into(),
            series: vec![
                series("one", &[(100.0, 0.1), (1000.0, 1.0), (0.0, 5.0)], true),
                series("two", &[(100.0, 0.2), (1000.0, f64::NAN)], true),
            ],
            mark: None,
        };
        insta::assert_snapshot!("lines", lines.svg());
        let dots = Chart {
            title: "ratios".into(),
            across: Across::Names(vec!["a".into(), "b".into()]),
            up: "ratio".into(),
            series: vec![series("one", &[(0.0, 0.5), (1.0, 20.0)], false)],
            mark: Some(1.0),
        };
        insta::assert_snapshot!("dots", dots.svg());
    }
}
