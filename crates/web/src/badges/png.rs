//! PNG badges, for sites that do not accept SVG (docs/spec/pages.md#png-badges).

use std::convert::Infallible;

use embedded_graphics::Drawable;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::framebuffer::{Framebuffer, buffer_size};
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::{MonoTextStyle, iso_8859_1 as fonts};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::pixelcolor::raw::{BigEndian, RawU24};
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::Alignment::{self, Left, Right};
use embedded_graphics::text::{Baseline, Text, TextStyleBuilder};

use super::colour::colour;
use gitglot_catalog::Statistics;
use gitglot_model::whole_percent;

/// The content of a badge. The texts have only characters of the font (see [`is_drawable`]).
pub(super) struct PngBadge<'a> {
    /// Name of the project or component.
    pub(super) name: &'a str,
    /// Name of the language, on badges of one language.
    pub(super) language: Option<&'a str>,
    pub(super) progress: Statistics,
}

/// The pixels of a badge, in `N` bytes.
type Picture<const W: usize, const H: usize, const N: usize> =
    Framebuffer<Rgb888, RawU24, BigEndian, W, H, N>;

/// Background, text and the empty part of the bar.
type Colours = [Rgb888; 3];

/// The colours of a named theme.
fn colours(name: &str) -> Option<Colours> {
    let of = |background: u8, text: u8, empty: u8| {
        [background, text, empty].map(|grey| Rgb888::new(grey, grey, grey))
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
        match self.progress.all.units {
            0 => "n/a".to_owned(),
            _ => format!("{}%", whole_percent(self.progress.tenths())),
        }
    }

    fn large(&self, [background, text, empty]: Colours) -> Option<Vec<u8>> {
        let mut picture = Picture::<287, 66, { buffer_size::<Rgb888>(287, 66) }>::new();
        fill(&mut picture, background, empty);
        let (left, right) = (12, 275);
        let title = MonoTextStyle::new(&fonts::FONT_9X15_BOLD, text);
        write(&mut picture, title, (left, 8), Left, &cut(self.name, 24));
        write(&mut picture, title, (right, 8), Right, &self.percent());
        let (translated, all) = (self.progress.translated.units, self.progress.all.units);
        let line = match self.language {
            Some(language) => format!("{}: {translated} of {all} strings", cut(language, 18)),
            None => format!("translated: {translated} of {all} strings"),
        };
        let small = MonoTextStyle::new(&fonts::FONT_6X13, text);
        write(&mut picture, small, (left, 28), Left, &cut(&line, 43));
        let area = Rectangle::new(Point::new(left, 48), Size::new((right - left) as u32, 8));
        self.bar(&mut picture, area, empty);
        encoded(&picture)
    }

    fn small(&self, [background, text, empty]: Colours) -> Option<Vec<u8>> {
        let mut picture = Picture::<88, 31, { buffer_size::<Rgb888>(88, 31) }>::new();
        fill(&mut picture, background, empty);
        let small = MonoTextStyle::new(&fonts::FONT_5X8, text);
        let bold = MonoTextStyle::new(&fonts::FONT_6X13_BOLD, text);
        let name = cut(self.language.unwrap_or(self.name), 16);
        write(&mut picture, small, (4, 3), Left, &name);
        write(&mut picture, small, (4, 14), Left, "translated");
        write(&mut picture, bold, (84, 11), Right, &self.percent());
        let area = Rectangle::new(Point::new(4, 25), Size::new(80, 3));
        self.bar(&mut picture, area, empty);
        encoded(&picture)
    }

    fn bar(
        &self,
        picture: &mut impl DrawTarget<Color = Rgb888, Error = Infallible>,
        area: Rectangle,
        empty: Rgb888,
    ) {
        let tenths = self.progress.tenths();
        let [red, green, blue] = colour(tenths).1;
        let done = Size::new(area.size.width * tenths / 1000, area.size.height);
        let Ok(()) = picture.fill_solid(&area, empty);
        let Ok(()) = picture.fill_solid(
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

/// Fills a picture, with a border.
fn fill(
    picture: &mut impl DrawTarget<Color = Rgb888, Error = Infallible>,
    background: Rgb888,
    border: Rgb888,
) {
    let area = picture.bounding_box();
    let Ok(()) = picture.fill_solid(&area, border);
    let Ok(()) = picture.fill_solid(&area.offset(-1), background);
}

fn write(
    picture: &mut impl DrawTarget<Color = Rgb888, Error = Infallible>,
    font: MonoTextStyle<'_, Rgb888>,
    position: impl Into<Point>,
    alignment: Alignment,
    text: &str,
) {
    let style = TextStyleBuilder::new()
        .alignment(alignment)
        .baseline(Baseline::Top)
        .build();
    let Ok(_) = Text::with_text_style(text, position.into(), font, style).draw(picture);
}

/// Encodes a picture. Writing into memory cannot fail.
fn encoded<const W: usize, const H: usize, const N: usize>(
    picture: &Picture<W, H, N>,
) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, W as u32, H as u32);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(picture.data()).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}
