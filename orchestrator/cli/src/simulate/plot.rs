//! Plot of the messages per entry against the number of nodes, as SVG, with a line for each algorithm. The lines
//! differ in marks and dashes, so that they need no colour. The letters are large enough for the last row of a
//! lecture hall.

use std::error::Error;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::row::Row;

const SIZE: (u32, u32) = (1280, 800);
/// Colours of the lines. They are dark enough for paper, and differ in brightness if printed in greyscale.
const INKS: [RGBColor; 6] = [
    RGBColor(0, 0, 0),
    RGBColor(0, 90, 181),
    RGBColor(213, 94, 0),
    RGBColor(0, 130, 100),
    RGBColor(160, 60, 130),
    RGBColor(110, 110, 110),
];

/// Error if the plot cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    #[error("cannot draw a plot: no run has a measured entry")]
    Nothing,
    #[error("cannot draw the plot: {0}")]
    Drawing(String),
}

/// Line of an algorithm: the algorithm's name and the points of the line. A point is a number of nodes and the
/// messages per entry.
type Series = (String, Vec<(f64, f64)>);

/// Draws the results that have a measured entry, and returns the SVG document.
pub fn draw(rows: &[Row]) -> Result<String, PlotError> {
    let series = series(rows);
    let points = || series.iter().flat_map(|(_, points)| points);
    if points().next().is_none() {
        return Err(PlotError::Nothing);
    }
    let (left, right) = range(points().map(|point| point.0));
    let (low, high) = range(points().map(|point| point.1));
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        // With two logarithmic scales, powers of N are straight lines. However, a logarithmic scale cannot show 0.
        let drawn = if low > 0.0 && right >= 10.0 * left {
            let x = (left / 1.2..right * 1.2).log_scale().with_key_points(apart(points().map(|point| point.0)));
            let y = (low / 1.5..high * 1.5).log_scale().with_key_points(round_numbers(low / 1.5, high * 1.5));
            on(&area, &series, x, y)
        } else {
            let margin = ((right - left) / 20.0).max(0.5);
            on(&area, &series, left - margin..right + margin, 0.0..(high * 1.1).max(1.0))
        };
        drawn.map_err(|why| PlotError::Drawing(why.to_string()))?;
    }
    Ok(text)
}

fn series(rows: &[Row]) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for row in rows {
        let Some(point) = row.number("/nodes").zip(row.number("/messages_per_entry")) else { continue };
        match series.iter_mut().find(|(name, _)| name == row.entry.name) {
            Some((_, points)) => points.push(point),
            None => series.push((row.entry.name.to_owned(), vec![point])),
        }
    }
    for (_, points) in &mut series {
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    series
}

fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)))
}

/// Returns `numbers` in ascending order. Omits each number whose label would overlap the label of the previous
/// number.
fn apart(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = numbers.collect();
    all.sort_by(f64::total_cmp);
    let mut kept: Vec<f64> = Vec::new();
    for number in all {
        if kept.last().is_none_or(|&last| number > 1.15 * last) {
            kept.push(number);
        }
    }
    kept
}

/// Returns the numbers of the series 1, 2, 5, 10, 20, … that lie between `low` and `high`.
fn round_numbers(low: f64, high: f64) -> Vec<f64> {
    let powers = (-6..=12).map(|power| 10_f64.powi(power));
    powers.flat_map(|power| [power, 2.0 * power, 5.0 * power]).filter(|number| (low..=high).contains(number)).collect()
}

fn on<X, Y>(area: &DrawingArea<SVGBackend<'_>, Shift>, series: &[Series], x: X, y: Y) -> Result<(), Box<dyn Error>>
where
    X: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
    Y: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
{
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .margin(24)
        .caption("Messages per entry", ("sans-serif", 40))
        .x_label_area_size(84)
        .y_label_area_size(120)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .x_desc("Number of nodes N")
        .y_desc("Messages per entry to the critical section")
        .axis_desc_style(("sans-serif", 30))
        .label_style(("sans-serif", 26))
        .bold_line_style(BLACK.mix(0.25))
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|number| whole(*number))
        .y_label_formatter(&|number| label(*number))
        .draw()?;
    for (place, (name, points)) in series.iter().enumerate() {
        let ink = INKS[place % INKS.len()];
        // Each line has its own dash pattern: the first is solid, the second has long dashes, and each further
        // line has shorter dashes.
        let (dash, gap) = if place == 0 { (2_000, 0) } else { (28 / u32::try_from(place)?.min(7), 8) };
        let line = DashedLineSeries::new(points.iter().copied(), dash, gap, ink.stroke_width(4));
        chart.draw_series(line)?.label(name).legend(move |at| EmptyElement::at((at.0 + 12, at.1)) + mark(place, ink));
        chart.draw_series(points.iter().map(|&at| EmptyElement::at(at) + mark(place, ink)))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .legend_area_size(36)
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK)
        .label_font(("sans-serif", 28))
        .draw()?;
    area.present()?;
    Ok(())
}

/// Returns the mark for the points of a line: a regular polygon. The number of corners and the angle depend on the
/// line.
fn mark(place: usize, ink: RGBColor) -> Polygon<(i32, i32)> {
    const SHAPES: [(f64, f64); 6] = [(24.0, 0.0), (3.0, -0.25), (4.0, 0.125), (3.0, 0.25), (4.0, 0.0), (5.0, -0.25)];
    let (corners, turn) = SHAPES[place % SHAPES.len()];
    let corner = |number: i32| {
        let angle = (f64::from(number) / corners + turn) * std::f64::consts::TAU;
        #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
        let pixels = |length: f64| (11.0 * length).round() as i32;
        (pixels(angle.cos()), pixels(angle.sin()))
    };
    let numbers = (0..24).filter(|&number| f64::from(number) < corners);
    Polygon::new(numbers.map(corner).collect::<Vec<_>>(), ink.filled())
}

/// Returns the label of a whole number, such as `5`. For a fraction, which cannot be a number of nodes, returns an
/// empty text.
fn whole(number: f64) -> String {
    if (number - number.round()).abs() < 1e-6 { label(number) } else { String::new() }
}

/// Returns the label of a number, such as `5`, `0.25` or `10000`.
fn label(number: f64) -> String {
    let text = if number >= 10.0 { format!("{number:.0}") } else { format!("{number:.2}") };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
