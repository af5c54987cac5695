//! Charts as SVG.

use crate::axis::Axis;
use crate::{Across, Chart, Scale, Series};
use std::fmt::Write;

/// Colours that are distinguishable with colour blindness (Okabe and Ito).
const COLOURS: &[&str] = &[
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#000000", "#f0e442",
];

const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;

/// Half the width of the end marks of error bars, in pixels.
const FLAG: f64 = 4.0;

impl Chart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let drawing = Drawing::of(self);
        let (right, base) = (LEFT + drawing.width, TOP + HEIGHT);
        let (below, beside) = (
            match self.across {
                Across::Values(_) => 50.0,
                Across::Names(_) => 170.0,
            },
            match self.series.iter().any(|series| !series.name.is_empty()) {
                true => 150.0,
                false => 20.0,
            },
        );
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" \
             height=\"{h}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{}</text>\n",
            escaped(&self.title),
            w = right + beside,
            h = base + below,
        );
        drawing.frame(&mut svg);
        drawing.labels(&mut svg);
        for (at, series) in self.series.iter().enumerate() {
            drawing.series(&mut svg, series, at);
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// A chart with its axes.
struct Drawing<'a> {
    chart: &'a Chart,
    up: Axis,
    across: Axis,
    width: f64,
}

impl<'a> Drawing<'a> {
    fn of(chart: &'a Chart) -> Self {
        let (width, scale) = match &chart.across {
            Across::Values(_) => (560.0, Scale::Logarithmic),
            Across::Names(names) => ((names.len() as f64 * 11.0).max(320.0), Scale::Linear),
        };
        let drawn = |&&(x, y): &&(f64, f64)| scale.holds(x) && chart.scale.holds(y);
        let points = || chart.series.iter().flat_map(|s| &s.points).filter(drawn);
        let bars = chart.series.iter().flat_map(|s| &s.bars);
        let ends = bars.flat_map(|bar| [bar.low, bar.high]);
        Drawing {
            chart,
            up: Axis::of(
                chart.scale,
                points().map(|p| p.1).chain(ends).chain(chart.mark),
            ),
            across: Axis::of(scale, points().map(|p| p.0)),
            width,
        }
    }

    fn x(&self, value: f64) -> f64 {
        match &self.chart.across {
            Across::Values(_) => LEFT + self.width * self.across.place(value),
            Across::Names(names) => LEFT + self.width * (value + 0.5) / names.len().max(1) as f64,
        }
    }

    fn y(&self, value: f64) -> f64 {
        TOP + HEIGHT * (1.0 - self.up.place(value))
    }

    /// The vertical position of the end of an error bar, which may be infinite.
    fn end(&self, value: f64) -> f64 {
        match self.chart.scale.holds(value) {
            true => self.y(value),
            false if value > 0.0 => TOP,
            false => TOP + HEIGHT,
        }
    }

    /// Whether a point has a position.
    fn holds(&self, point: &(f64, f64)) -> bool {
        self.holds_across(point.0) && self.chart.scale.holds(point.1)
    }

    /// Whether a value has a position on the horizontal axis.
    fn holds_across(&self, value: f64) -> bool {
        match self.chart.across {
            Across::Values(_) => Scale::Logarithmic.holds(value),
            Across::Names(_) => Scale::Linear.holds(value),
        }
    }

    /// Draws the axes, the grid lines and the mark.
    fn frame(&self, svg: &mut String) {
        let (right, base) = (LEFT + self.width, TOP + HEIGHT);
        for tick in self.up.ticks() {
            line(svg, [LEFT, self.y(tick), right, self.y(tick)], "#ddd");
        }
        if let Across::Values(_) = self.chart.across {
            for tick in self.across.ticks() {
                line(svg, [self.x(tick), TOP, self.x(tick), base], "#ddd");
            }
        }
        if let Some(mark) = self.chart.mark {
            line(svg, [LEFT, self.y(mark), right, self.y(mark)], "#555");
        }
        line(svg, [LEFT, base, right, base], "#000");
        line(svg, [LEFT, TOP, LEFT, base], "#000");
    }

    /// Draws all text except the title.
    fn labels(&self, svg: &mut String) {
        let (right, base) = (LEFT + self.width, TOP + HEIGHT);
        for tick in self.up.ticks() {
            let text = self.up.label(tick);
            label(svg, LEFT - 6.0, self.y(tick) + 4.0, "end", 0.0, &text);
        }
        label(
            svg,
            16.0,
            TOP + HEIGHT / 2.0,
            "middle",
            -90.0,
            &self.chart.up,
        );
        match &self.chart.across {
            Across::Values(name) => {
                for tick in self.across.ticks() {
                    let text = self.across.label(tick);
                    label(svg, self.x(tick), base + 16.0, "middle", 0.0, &text);
                }
                let middle = LEFT + self.width / 2.0;
                label(svg, middle, base + 36.0, "middle", 0.0, name);
            }
            Across::Names(names) => {
                for (at, name) in names.iter().enumerate() {
                    let x = self.x(at as f64) + 4.0;
                    label(svg, x, base + 8.0, "end", -90.0, name);
                }
            }
        }
        for (at, series) in self.chart.series.iter().enumerate() {
            if !series.name.is_empty() {
                let y = TOP + 14.0 + 18.0 * at as f64;
                label(svg, right + 26.0, y, "start", 0.0, &series.name);
            }
        }
    }

    /// Draws the points of a series, its line, its error bars and its legend entry.
    fn series(&self, svg: &mut String, series: &Series, at: usize) {
        let colour = COLOURS[at % COLOURS.len()];
        for bar in series.bars.iter().filter(|bar| self.holds_across(bar.at)) {
            let (x, low, high) = (self.x(bar.at), self.end(bar.low), self.end(bar.high));
            line(svg, [x, low, x, high], colour);
            for y in [low, high] {
                line(svg, [x - FLAG, y, x + FLAG, y], colour);
            }
        }
        let points = series.points.iter().filter(|point| self.holds(point));
        let mut places: Vec<(f64, f64)> = points.map(|&(a, b)| (self.x(a), self.y(b))).collect();
        if series.joined && places.len() > 1 {
            let path = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
            let path = path.collect::<Vec<_>>().join(" ");
            let _ = writeln!(
                svg,
                "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
            );
        }
        if !series.name.is_empty() {
            places.push((LEFT + self.width + 16.0, TOP + 10.0 + 18.0 * at as f64));
        }
        for (cx, cy) in places {
            let _ = writeln!(
                svg,
                "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3\" fill=\"{colour}\"/>"
            );
        }
    }
}

/// Draws a line from the first point to the second.
fn line(svg: &mut String, [x1, y1, x2, y2]: [f64; 4], colour: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    );
}

/// Draws text at a position, rotated by `turn` degrees.
fn label(svg: &mut String, x: f64, y: f64, anchor: &str, turn: f64, text: &str) {
    let _ = write!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\""
    );
    if turn != 0.0 {
        let _ = write!(svg, " transform=\"rotate({turn} {x:.1} {y:.1})\"");
    }
    let _ = writeln!(svg, ">{}</text>", escaped(text));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
