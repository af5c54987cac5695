//! SVG snapshots of each kind of chart.

use super::*;

fn series(name: &str, points: &[(f64, f64)], joined: bool) -> Series {
    Series {
        name: name.to_owned(),
        points: points.to_vec(),
        joined,
        bars: Vec::new(),
    }
}

#[test]
fn a_chart_of_each_kind() {
    let lines = Chart {
        title: "cost <of> growth".into(),
        across: Across::Values("ground rules".into()),
        up: "seconds".into(),
        scale: Scale::Logarithmic,
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
        scale: Scale::Logarithmic,
        series: vec![series("one", &[(0.0, 0.5), (1.0, 20.0)], false)],
        mark: Some(1.0),
    };
    insta::assert_snapshot!("dots", dots.svg());
    let bar = |at, low, high| Bar { at, low, high };
    let ladder = Chart {
        title: "ladder".into(),
        across: Across::Names(vec!["weak".into(), "middle".into(), "strong".into()]),
        up: "Elo".into(),
        scale: Scale::Linear,
        series: vec![Series {
            points: vec![(0.0, -120.0), (1.0, 20.0), (2.0, f64::INFINITY)],
            bars: vec![
                bar(0.0, -160.0, -80.0),
                bar(1.0, -10.0, 50.0),
                bar(2.0, 166.0, f64::INFINITY),
            ],
            ..Series::default()
        }],
        mark: Some(0.0),
    };
    insta::assert_snapshot!("ladder", ladder.svg());
}

#[test]
fn empty_charts_are_valid() {
    for scale in [Scale::Logarithmic, Scale::Linear] {
        let empty = Chart {
            title: String::new(),
            across: Across::Names(Vec::new()),
            up: String::new(),
            scale,
            series: vec![series("none", &[], true)],
            mark: None,
        };
        let svg = empty.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
