//! Positions as GIF, for places that show no SVG.
//!
//! Fonts are in the program, so that pictures look the same on a machine without any.

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::sync::{Arc, LazyLock};

/// The most positions of a match that are shown; of longer matches some are left out.
pub(crate) const FRAMES: usize = 250;
/// The longest side of the picture, in pixels.
const SIDE: f32 = 560.0;
/// How long each position is shown, in hundredths of a second.
const SHOWN: u16 = 90;
/// How long the last one is shown.
const LAST: u16 = 400;
/// How carefully colours are chosen where there are too many, 1 (best) to 30.
const SPEED: i32 = 10;

/// One picture after the other, each given as SVG.
///
/// # Errors
/// A message, if something of it cannot be drawn.
pub(crate) fn gif(frames: &[String]) -> Result<Vec<u8>, String> {
    let trees: Result<Vec<Tree>, String> = frames.iter().map(|svg| parsed(svg)).collect();
    let trees = trees?;
    // Facts come and go below a board, so that pictures differ in their height.
    let largest = |side: fn(&Tree) -> f32| trees.iter().map(side).fold(1.0, f32::max);
    let (width, height) = (
        largest(|tree| tree.size().width()),
        largest(|tree| tree.size().height()),
    );
    let scale = (SIDE / width.max(height)).min(1.5);
    let pixels = |side: f32| (side * scale).ceil() as u16;
    let (width, height) = (pixels(width), pixels(height));
    let failed = |error: gif::EncodingError| format!("the picture cannot be made: {error}");
    let mut encoder = Encoder::new(Vec::new(), width, height, &[]).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    for (number, tree) in trees.iter().enumerate() {
        let canvas = Pixmap::new(width.into(), height.into());
        let mut canvas = canvas.ok_or("the picture would be too large")?;
        canvas.fill(Color::WHITE);
        let scaled = Transform::from_scale(scale, scale);
        resvg::render(tree, scaled, &mut canvas.as_mut());
        let mut frame = Frame::from_rgba_speed(width, height, canvas.data_mut(), SPEED);
        frame.delay = if number + 1 == trees.len() {
            LAST
        } else {
            SHOWN
        };
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame).map_err(failed)?;
    }
    encoder.into_inner().map_err(|error| error.to_string())
}

fn parsed(svg: &str) -> Result<Tree, String> {
    static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
        let mut fonts = fontdb::Database::new();
        for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
            fonts.load_font_data(font.to_vec());
        }
        fonts.set_sans_serif_family("DejaVu Sans");
        Arc::new(fonts)
    });
    let options = Options {
        fontdb: FONTS.clone(),
        ..Options::default()
    };
    Tree::from_str(svg, &options).map_err(|error| format!("the picture cannot be drawn: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(height: u32, text: &str) -> String {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='{height}'>\
             <rect width='100%' height='100%' fill='#fffdf8'/>\
             <text x='10' y='60' font-size='60' font-family='system-ui, sans-serif'>{text}</text></svg>"
        )
    }

    /// The frames of a GIF: how long each is shown, and its pixels.
    fn frames(bytes: &[u8]) -> (u16, u16, Vec<(u16, Vec<u8>)>) {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).expect("a GIF");
        let size = (decoder.width(), decoder.height());
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            frames.push((frame.delay, frame.buffer.to_vec()));
        }
        (size.0, size.1, frames)
    }

    #[test]
    fn pictures_follow_each_other_and_letters_and_pieces_are_drawn() {
        let made = gif(&[picture(100, ""), picture(80, "A"), picture(100, "♚")]).expect("a GIF");
        let (width, height, frames) = frames(&made);
        assert_eq!((width, height), (150, 150));
        let delays: Vec<u16> = frames.iter().map(|(delay, _)| *delay).collect();
        assert_eq!(delays, [SHOWN, SHOWN, LAST]);
        let dark = |(_, pixels): &(u16, Vec<u8>)| {
            let rgba = pixels.chunks_exact(4);
            rgba.filter(|rgba| rgba[..3].iter().all(|&part| part < 60))
                .count()
        };
        let dark: Vec<usize> = frames.iter().map(dark).collect();
        assert_eq!(dark[0], 0);
        // A letter that no font has would be an empty box in both.
        assert!(
            dark[1] > 300 && dark[2] > 300 && dark[1] != dark[2],
            "{dark:?}"
        );
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        assert!(gif(&["no picture".into()]).is_err());
    }
}
