//! The colour of a badge.

use gitglot_catalog::Statistics;

/// The colour that shows how complete a translation is, for tenths of a percent: as SVG colour and as red, green, blue.
pub(super) fn colour(tenths: u32) -> (&'static str, [u8; 3]) {
    match tenths {
        900.. => ("#4c1", [0x44, 0xcc, 0x11]),
        750.. => ("#dfb317", [0xdf, 0xb3, 0x17]),
        _ => ("#e05d44", [0xe0, 0x5d, 0x44]),
    }
}

/// The colour of the SVG badge of a share of strings; grey without strings.
pub(super) fn colour_of(progress: &Statistics) -> &'static str {
    match progress.all.units {
        0 => "#9f9f9f",
        _ => colour(progress.tenths()).0,
    }
}
