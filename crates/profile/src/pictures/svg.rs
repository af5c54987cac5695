//! SVG documents, piece by piece.

use std::fmt::Write;

/// Colours that can be distinguished with any colour vision (Okabe and Ito).
pub(super) const COLOURS: [&str; 8] = [
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442", "#000000",
];

/// A document under construction.
pub(super) struct Svg {
    body: String,
    width: f64,
    height: f64,
}

impl Svg {
    /// An empty document with a title above everything else.
    pub fn new(title: &str) -> Svg {
        let mut svg = Svg {
            body: String::new(),
            width: 0.0,
            height: 0.0,
        };
        if !title.is_empty() {
            svg.text([12.0, 22.0], "start", 14, "#000", title);
        }
        svg
    }

    /// Enlarges the document to include this point.
    pub fn reach(&mut self, [x, y]: [f64; 2]) {
        self.width = self.width.max(x);
        self.height = self.height.max(y);
    }

    pub fn line(&mut self, [a, b]: [[f64; 2]; 2], colour: &str, width: f64) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" \
             stroke-width=\"{width:.1}\"/>",
            a[0], a[1], b[0], b[1]
        );
    }

    /// Draws a square around a point.
    pub fn square(&mut self, [x, y]: [f64; 2], side: f64, fill: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" \
             fill=\"{fill}\" stroke=\"#999\"/>",
            x - side / 2.0,
            y - side / 2.0
        );
        self.reach([x + side, y + side]);
    }

    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, fill: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"#555\"/>"
        );
        self.reach([x + 2.0 * radius, y + 2.0 * radius]);
    }

    pub fn text(&mut self, [x, y]: [f64; 2], anchor: &str, size: u32, colour: &str, text: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" \
             fill=\"{colour}\">{}</text>",
            escaped(text)
        );
        // Letters are about half as wide as they are high.
        let length = 0.6 * f64::from(size) * text.chars().count() as f64;
        let right = match anchor {
            "start" => length,
            "middle" => length / 2.0,
            _ => 0.0,
        };
        self.reach([x + right + 8.0, y + 8.0]);
    }

    /// The complete document.
    pub fn finish(self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.0} {h:.0}\" \
             width=\"{w:.0}\" height=\"{h:.0}\" font-family=\"sans-serif\">\n\
             <rect width=\"{w:.0}\" height=\"{h:.0}\" fill=\"#fff\"/>\n{}</svg>\n",
            self.body,
            w = self.width.ceil(),
            h = self.height.ceil(),
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
