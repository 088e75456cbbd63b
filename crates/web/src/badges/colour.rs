//! The colour of a badge.

/// The colour that shows how complete a translation is, for tenths of a percent: as SVG colour and as red, green, blue.
pub(super) fn colour(tenths: u32) -> (&'static str, [u8; 3]) {
    match tenths {
        900.. => ("#4c1", [0x44, 0xcc, 0x11]),
        750.. => ("#dfb317", [0xdf, 0xb3, 0x17]),
        _ => ("#e05d44", [0xe0, 0x5d, 0x44]),
    }
}
