//! Axes: the positions of values, and the labels.

/// The scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Logarithmic; only positive values have a position.
    #[default]
    Logarithmic,
    /// Linear; every finite value has a position.
    Linear,
}

/// The maximum number of labels on a linear axis.
const LABELS: f64 = 9.0;

/// An axis, with a margin at both ends.
pub(crate) struct Axis {
    scale: Scale,
    /// The ends of the axis; their logarithms to base 10 on a logarithmic axis.
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis that covers all values that have a position on `scale`.
    pub fn of(scale: Scale, values: impl Iterator<Item = f64>) -> Self {
        let values = values
            .filter(|&value| scale.holds(value))
            .map(|value| scale.along(value));
        let (from, to) = values.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        if from > to {
            return Axis {
                scale,
                from: 0.0,
                to: 1.0,
            };
        }
        let air = match scale {
            // At least a quarter of a decade at each end, so that the axis contains a label.
            Scale::Logarithmic => ((to - from) * 0.05).max(0.25),
            Scale::Linear if to > from => (to - from) * 0.05,
            Scale::Linear => (to.abs() * 0.1).max(1.0),
        };
        Axis {
            scale,
            from: from - air,
            to: to + air,
        }
    }

    /// The position of a value, 0 to 1 within the axis.
    pub fn place(&self, value: f64) -> f64 {
        (self.scale.along(value) - self.from) / (self.to - self.from)
    }

    /// The values to label.
    pub fn ticks(&self) -> Vec<f64> {
        let all: Vec<f64> = match self.scale {
            Scale::Logarithmic => {
                let factors: &[f64] = if self.to - self.from < 2.0 {
                    &[1.0, 2.0, 5.0]
                } else {
                    &[1.0]
                };
                let decades = self.from.floor() as i32..=self.to.ceil() as i32;
                decades
                    .flat_map(|decade| factors.iter().map(move |f| f * 10f64.powi(decade)))
                    .collect()
            }
            Scale::Linear => {
                let step = self.step();
                let first = (self.from / step).ceil();
                // Multiples of the step instead of sums, whose rounding errors would miss 0.
                (0..=LABELS as u32)
                    .map(|at| (first + f64::from(at)) * step)
                    .collect()
            }
        };
        all.into_iter()
            .filter(|&tick| (0.0..=1.0).contains(&self.place(tick)))
            .collect()
    }

    /// The distance between labels on a linear axis: 1, 2 or 5 times a power of ten.
    fn step(&self) -> f64 {
        let least = (self.to - self.from) / LABELS;
        let decade = 10f64.powf(least.log10().floor());
        let factors = [1.0, 2.0, 5.0, 10.0];
        let factor = factors.into_iter().find(|f| f * decade >= least);
        factor.unwrap_or(10.0) * decade
    }

    /// The label of a value.
    pub fn label(&self, value: f64) -> String {
        match self.scale {
            Scale::Logarithmic => short(value),
            Scale::Linear => {
                let digits = (-self.step().log10().floor()).max(0.0) as usize;
                format!("{value:.digits$}")
            }
        }
    }
}

impl Scale {
    /// Whether a value has a position on this scale.
    pub(crate) fn holds(self, value: f64) -> bool {
        value.is_finite() && (self == Scale::Linear || value > 0.0)
    }

    fn along(self, value: f64) -> f64 {
        match self {
            Scale::Logarithmic => value.log10(),
            Scale::Linear => value,
        }
    }
}

/// A positive number with a unit prefix: 20k, 5M, 0.01.
fn short(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 0.9995e9 => (v / 1e9, "G"),
        v if v >= 0.9995e6 => (v / 1e6, "M"),
        v if v >= 0.9995e3 => (v / 1e3, "k"),
        v => (v, ""),
    };
    // Four digits hide the rounding errors of powers of ten.
    let digits = (3 - value.log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_abbreviated() {
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
    fn every_axis_has_labels() {
        for scale in [Scale::Logarithmic, Scale::Linear] {
            for values in [
                vec![3.0],
                vec![1.0, 1e9],
                vec![0.4, 0.5],
                vec![20.0, 90.0],
                vec![1e6],
            ] {
                let axis = Axis::of(scale, values.iter().copied());
                let ticks = axis.ticks();
                assert!((1..=14).contains(&ticks.len()), "{values:?}: {ticks:?}");
                for value in values {
                    assert!((0.0..=1.0).contains(&axis.place(value)));
                }
            }
            assert!(Axis::of(scale, std::iter::empty()).ticks().len() > 1);
            let odd = [f64::NAN, f64::INFINITY].into_iter();
            assert!(Axis::of(scale, odd).ticks().len() > 1);
        }
    }

    #[test]
    fn linear_labels_are_round_and_include_0() {
        let labels = |from: f64, to: f64| {
            let axis = Axis::of(Scale::Linear, [from, to].into_iter());
            let ticks = axis.ticks().into_iter();
            ticks
                .map(|tick| axis.label(tick))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(labels(-310.0, 420.0), "-300 -200 -100 0 100 200 300 400");
        assert_eq!(labels(0.0, 1.0), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(0.41, 0.52), "0.42 0.44 0.46 0.48 0.50 0.52");
        assert_eq!(labels(-7.0, -7.0), "-8.0 -7.5 -7.0 -6.5 -6.0");
    }
}
