//! Small PNG files of screenshots: at most 256 colours, and animations whose frames contain only what changes.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Cursor;

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Filter};

/// Largest number of colours in a palette.
const COLOURS: usize = 256;

type Colour = [u8; 3];

/// A screenshot, and how long an animation shows it.
pub struct Frame {
    width: u32,
    height: u32,
    pixels: Vec<Colour>,
    shown_ms: u16,
}

impl Frame {
    /// Reads a screenshot, which has no transparent pixels.
    pub fn read(screenshot: &[u8], shown_ms: u16) -> Self {
        let mut reader = Decoder::new(Cursor::new(screenshot)).read_info().expect("a PNG file");
        let mut samples = vec![0; reader.output_buffer_size().expect("a picture that fits in memory")];
        let info = reader.next_frame(&mut samples).expect("a whole picture");
        let pixels = samples.chunks_exact(info.color_type.samples()).map(|one| [one[0], one[1], one[2]]).collect();
        Self { width: info.width, height: info.height, pixels, shown_ms }
    }
}

/// The colours of a file, and for each colour of the screenshots the index of the nearest palette colour.
struct Palette {
    colours: Vec<Colour>,
    places: BTreeMap<Colour, u8>,
}

impl Palette {
    /// Returns the palette of the most frequent colours. Rarer colours occur only at the edges of letters, where a
    /// similar colour is good enough.
    fn of(frames: &[Frame]) -> Self {
        let mut counts = BTreeMap::<Colour, usize>::new();
        for &pixel in frames.iter().flat_map(|frame| &frame.pixels) {
            *counts.entry(pixel).or_default() += 1;
        }
        let mut colours: Vec<Colour> = counts.keys().copied().collect();
        colours.sort_by_key(|colour| Reverse(counts[colour]));
        colours.truncate(COLOURS);
        let places = counts.into_keys().map(|colour| (colour, nearest(&colours, colour))).collect();
        Self { colours, places }
    }

    fn places_in(&self, frame: &Frame) -> Vec<u8> {
        frame.pixels.iter().map(|pixel| self.places[pixel]).collect()
    }
}

fn nearest(colours: &[Colour], wanted: Colour) -> u8 {
    let distance = |colour: Colour| -> u32 {
        colour.iter().zip(wanted).map(|(&one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
    };
    let place = (0..colours.len()).min_by_key(|&place| distance(colours[place]));
    place.and_then(|place| u8::try_from(place).ok()).expect("1 to 256 colours")
}

/// A rectangle of a picture.
#[derive(Clone, Copy)]
struct Part {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Part {
    /// Returns the smallest rectangle that contains all differing pixels. If no pixel differs, returns one pixel.
    fn changed(before: &[u8], after: &[u8], width: usize) -> Self {
        let places = (0..after.len()).filter(|&place| before[place] != after[place]);
        let (columns, rows): (Vec<usize>, Vec<usize>) = places.map(|place| (place % width, place / width)).unzip();
        let ends = |all: &[usize]| (all.iter().min().copied().unwrap_or(0), all.iter().max().copied().unwrap_or(0));
        let ((left, right), (top, bottom)) = (ends(&columns), ends(&rows));
        Self { left, top, width: right - left + 1, height: bottom - top + 1 }
    }

    /// Returns the index range of each row of the rectangle, in a picture that is `width` pixels wide.
    fn rows(self, width: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        (self.top..self.top + self.height).map(move |row| {
            let start = row * width + self.left;
            start..start + self.width
        })
    }
}

/// Returns a PNG file with one frame, or an animation that repeats forever.
pub fn encode(frames: &[Frame]) -> Vec<u8> {
    let palette = Palette::of(frames);
    let drawn: Vec<Vec<u8>> = frames.iter().map(|frame| palette.places_in(frame)).collect();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, frames[0].width, frames[0].height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.colours.concat());
    encoder.set_compression(Compression::High);
    // A filter predicts a pixel from its neighbours, but palette indices of neighbours are unrelated.
    encoder.set_filter(Filter::NoFilter);
    if frames.len() > 1 {
        encoder.set_animated(size(frames.len()), 0).expect("several frames");
        encoder.set_frame_delay(frames[0].shown_ms, 1000).expect("a delay");
    }
    let mut writer = encoder.write_header().expect("the header");
    writer.write_image_data(&drawn[0]).expect("the first frame");
    let width = frames[0].width as usize;
    for (pair, frame) in drawn.windows(2).zip(&frames[1..]) {
        let part = Part::changed(&pair[0], &pair[1], width);
        writer.set_frame_delay(frame.shown_ms, 1000).expect("a delay");
        writer.reset_frame_position().expect("the corner");
        writer.set_frame_dimension(size(part.width), size(part.height)).expect("a size within the picture");
        writer.set_frame_position(size(part.left), size(part.top)).expect("a place within the picture");
        let pixels: Vec<u8> = part.rows(width).flat_map(|row| &pair[1][row]).copied().collect();
        writer.write_image_data(&pixels).expect("a frame");
    }
    writer.finish().expect("the end");
    file
}

fn size(number: usize) -> u32 {
    u32::try_from(number).expect("a size of a picture")
}

/// Plays an animation once. Returns its pictures, each as palette indices.
pub fn play(file: &[u8]) -> Vec<Vec<u8>> {
    let mut reader = Decoder::new(Cursor::new(file)).read_info().expect("a PNG file");
    let frames = reader.info().animation_control().map_or(1, |control| control.num_frames);
    let width = reader.info().width as usize;
    let mut canvas = vec![0; reader.output_buffer_size().expect("a picture that fits in memory")];
    let mut pixels = canvas.clone();
    let mut pictures = Vec::new();
    for _ in 0..frames {
        reader.next_frame(&mut pixels).expect("a frame");
        let control = reader.info().frame_control().expect("its place");
        let [left, top, columns, height] =
            [control.x_offset, control.y_offset, control.width, control.height].map(|one| one as usize);
        let part = Part { left, top, width: columns, height };
        for (row, from) in part.rows(width).zip(pixels.chunks(columns)) {
            canvas[row].copy_from_slice(from);
        }
        pictures.push(canvas.clone());
    }
    pictures
}
