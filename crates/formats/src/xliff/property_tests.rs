//! Files of XLIFF and Qt Linguist that are written from texts in random ways have these texts.

use proptest::prelude::*;

use crate::test_support::entries;
use gitglot_model::FileFormat;

/// A text and the ways in which its characters are written.
type Written = Vec<(char, u8)>;

fn written() -> impl Strategy<Value = Written> {
    let characters = prop::sample::select(vec![
        'a', 'b', '&', '<', '>', '"', ']', 'é', '中', '😀', ';',
    ]);
    prop::collection::vec((characters, 0..4u8), 0..8)
}

fn text(written: &Written) -> String {
    written.iter().map(|(character, _)| character).collect()
}

/// The text in XML: each character as itself or an entity, as a reference, or in a CDATA section.
fn xml(written: &Written) -> String {
    let one = |&(character, way): &(char, u8)| match (way, character) {
        (1, _) => format!("&#{};", u32::from(character)),
        (2, _) => format!("&#x{:x};", u32::from(character)),
        (3, _) => format!("<![CDATA[{character}]]>"),
        (_, '&') => "&amp;".to_owned(),
        (_, '<') => "&lt;".to_owned(),
        (_, '>') => "&gt;".to_owned(),
        _ => character.to_string(),
    };
    written.iter().map(one).collect()
}

/// The text as XLIFF shows it.
fn escaped(written: &Written) -> String {
    let text = text(written).replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn units_have_the_texts_that_were_written(
        units in prop::collection::vec((written(), written(), written(), any::<bool>()), 0..6),
    ) {
        let unit = |(number, (source, target, note, grouped)): (usize, &(Written, Written, Written, bool))| {
            let unit = format!(
                "<trans-unit id=\"{number}\">\n<source>a{}</source><target>{}</target><note>{}</note></trans-unit>\n",
                xml(source), xml(target), xml(note),
            );
            if *grouped { format!("<group>{unit}</group>") } else { unit }
        };
        let all: String = units.iter().enumerate().map(unit).collect();
        let file = format!("<xliff version=\"1.2\"><file original=\"f\"><body>{all}</body></file></xliff>");
        let found = entries(FileFormat::Xliff, file.as_bytes()).unwrap();
        prop_assert_eq!(found.len(), units.len());
        for (number, (found, (_, target, note, _))) in found.iter().zip(&units).enumerate() {
            prop_assert_eq!(&found.context, &format!("f///{number}"));
            prop_assert_eq!(&found.text, &escaped(target));
            prop_assert_eq!(&found.note, &text(note));
            prop_assert_eq!(found.translated, !target.is_empty());
        }
    }

    #[test]
    fn messages_have_the_texts_that_were_written(
        messages in prop::collection::vec((written(), written(), written(), 0..3u8), 0..6),
    ) {
        let message = |(source, target, note, state): &(Written, Written, Written, u8)| {
            let kind = [" type=\"unfinished\"", " type=\"vanished\"", ""][usize::from(*state)];
            format!(
                "<message><source>{}</source><extracomment>{}</extracomment>\n<translation{kind}>{}</translation></message>",
                xml(source), xml(note), xml(target),
            )
        };
        let all: String = messages.iter().map(message).collect();
        let file = format!("<TS><context><name>C</name>{all}</context></TS>");
        let found = entries(FileFormat::QtTs, file.as_bytes()).unwrap();
        prop_assert_eq!(found.len(), messages.len());
        for (found, (source, target, note, state)) in found.iter().zip(&messages) {
            let is_unfinished = *state == 0;
            let is_source = target.is_empty() && !is_unfinished;
            prop_assert_eq!(&found.text, &text(if is_source { source } else { target }));
            prop_assert_eq!(&found.note, &text(note));
            prop_assert_eq!(found.translated, !is_unfinished);
        }
    }
}
