//! PNG badges, for sites that do not accept SVG (docs/spec/pages.md#png-badges).

use std::convert::Infallible;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle, iso_8859_1 as fonts};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};
use embedded_graphics::{Drawable, Pixel};

use super::colours::colour;
use crate::web::parts::UnitCounts;

/// The content of a badge. The texts have only characters of the font (see [`is_drawable`]).
pub(super) struct PngBadge<'a> {
    /// Name of the project or component.
    pub(super) name: &'a str,
    /// Name of the language, on badges of one language.
    pub(super) language: Option<&'a str>,
    pub(super) progress: UnitCounts,
}

/// Background, text and the empty part of the bar.
type Colours = [Rgb888; 3];

/// The colours of a named theme.
fn colours(name: &str) -> Option<Colours> {
    let of = |background: u8, text: u8, empty: u8| {
        [background, text, empty].map(|it| Rgb888::new(it, it, it))
    };
    match name {
        "grey" => Some(of(0xee, 0x22, 0xcf)),
        "white" => Some(of(0xff, 0x22, 0xe0)),
        "black" => Some(of(0x1c, 0xf2, 0x4a)),
        _ => None,
    }
}

/// Whether a badge of this size and colour exists.
pub(super) fn is_known(size: &str, colour: &str) -> bool {
    matches!(size, "287x66" | "88x31") && colours(colour).is_some()
}

/// Whether the font has every character of a text.
pub(super) fn is_drawable(text: &str) -> bool {
    text.chars()
        .all(|c| matches!(c, ' '..='~' | '\u{a0}'..='\u{ff}'))
}

impl PngBadge<'_> {
    /// Draws the badge as PNG; `None` for an unknown size or colour.
    pub(super) fn encode(&self, size: &str, colour: &str) -> Option<Vec<u8>> {
        let colours = colours(colour)?;
        match size {
            "287x66" => self.large(colours),
            "88x31" => self.small(colours),
            _ => None,
        }
    }

    fn percent(&self) -> String {
        format!("{}%", self.progress.tenths() / 10)
    }

    fn large(&self, [background, text, empty]: Colours) -> Option<Vec<u8>> {
        let mut canvas = Canvas::new(287, 66, background, empty);
        let (left, right) = (12, 275);
        let percent = self.percent();
        canvas.text(
            &fonts::FONT_9X15_BOLD,
            text,
            (left, 8),
            Alignment::Left,
            &cut(self.name, 24),
        );
        canvas.text(
            &fonts::FONT_9X15_BOLD,
            text,
            (right, 8),
            Alignment::Right,
            &percent,
        );
        let UnitCounts {
            translated, all, ..
        } = self.progress;
        let line = match self.language {
            Some(language) => format!("{}: {translated} of {all} strings", cut(language, 18)),
            None => format!("translated: {translated} of {all} strings"),
        };
        canvas.text(
            &fonts::FONT_6X13,
            text,
            (left, 28),
            Alignment::Left,
            &cut(&line, 43),
        );
        self.bar(
            &mut canvas,
            Rectangle::new(Point::new(left, 48), Size::new((right - left) as u32, 8)),
            empty,
        );
        canvas.encoded()
    }

    fn small(&self, [background, text, empty]: Colours) -> Option<Vec<u8>> {
        let mut canvas = Canvas::new(88, 31, background, empty);
        canvas.text(
            &fonts::FONT_5X8,
            text,
            (4, 3),
            Alignment::Left,
            &cut(self.language.unwrap_or(self.name), 16),
        );
        canvas.text(
            &fonts::FONT_5X8,
            text,
            (4, 14),
            Alignment::Left,
            "translated",
        );
        canvas.text(
            &fonts::FONT_6X13_BOLD,
            text,
            (84, 11),
            Alignment::Right,
            &self.percent(),
        );
        self.bar(
            &mut canvas,
            Rectangle::new(Point::new(4, 25), Size::new(80, 3)),
            empty,
        );
        canvas.encoded()
    }

    fn bar(&self, canvas: &mut Canvas, area: Rectangle, empty: Rgb888) {
        let tenths = self.progress.tenths();
        let [red, green, blue] = colour(tenths).1;
        let done = Size::new(area.size.width * tenths / 1000, area.size.height);
        let Ok(()) = canvas.fill_solid(&area, empty);
        let Ok(()) = canvas.fill_solid(
            &Rectangle::new(area.top_left, done),
            Rgb888::new(red, green, blue),
        );
    }
}

/// Shortens a text to at most `most` characters.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text
            .chars()
            .take(most.saturating_sub(2))
            .chain("..".chars())
            .collect(),
    }
}

/// An RGB image.
struct Canvas {
    size: Size,
    pixels: Vec<u8>,
}

impl Canvas {
    /// Creates a background with a border.
    fn new(width: u32, height: u32, background: Rgb888, border: Rgb888) -> Self {
        let mut canvas = Self {
            size: Size::new(width, height),
            pixels: vec![0; (width * height * 3) as usize],
        };
        let Ok(()) = canvas.fill_solid(&Rectangle::new(Point::zero(), canvas.size), border);
        let inner = Rectangle::new(Point::new(1, 1), Size::new(width - 2, height - 2));
        let Ok(()) = canvas.fill_solid(&inner, background);
        canvas
    }

    fn text(
        &mut self,
        font: &MonoFont<'_>,
        colour: Rgb888,
        (x, y): (i32, i32),
        alignment: Alignment,
        text: &str,
    ) {
        let style = TextStyleBuilder::new()
            .alignment(alignment)
            .baseline(Baseline::Top)
            .build();
        let Ok(_) = Text::with_text_style(
            text,
            Point::new(x, y),
            MonoTextStyle::new(font, colour),
            style,
        )
        .draw(self);
    }

    /// Encodes the image. Writing into memory cannot fail.
    fn encoded(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size.width, self.size.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder
            .write_header()
            .ok()?
            .write_image_data(&self.pixels)
            .ok()?;
        Some(bytes)
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        self.size
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        for Pixel(Point { x, y }, colour) in pixels {
            let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else {
                continue;
            };
            if x < self.size.width && y < self.size.height {
                let at = ((y * self.size.width + x) * 3) as usize;
                let rgb = [colour.r(), colour.g(), colour.b()];
                self.pixels
                    .iter_mut()
                    .skip(at)
                    .zip(rgb)
                    .for_each(|(byte, value)| *byte = value);
            }
        }
        Ok(())
    }
}
