//! The texts of SVG badges in each language: the word for "translated", and the position of the percent sign
//! (docs/spec/pages.md#svg-badge).

/// The text before and after a percentage, from the Common Locale Data Repository, and the width of its space in
/// pixels.
type PercentSign = (&'static str, &'static str, u32);

const AFTER: PercentSign = ("", "%", 0);
const AFTER_SPACE: PercentSign = ("", "\u{a0}%", 4);
const BEFORE: PercentSign = ("%", "", 0);
const BEFORE_SPACE: PercentSign = ("%\u{a0}", "", 4);

/// The text of badges in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BadgeText {
    /// "translated".
    pub(super) word: &'static str,
    /// Its width in pixels, in DejaVu Sans at 11 px.
    pub(super) width: u32,
    sign: PercentSign,
}

impl BadgeText {
    /// The text of badges without a language.
    pub(super) const ENGLISH: Self = Self {
        word: "translated",
        width: 56,
        sign: AFTER,
    };

    /// The text for a language code, else for its base language, else English.
    pub(super) fn of(code: &str) -> Self {
        let code = code.replace('-', "_");
        let base = code.split(['_', '@']).next().unwrap_or_default();
        let is_traditional = matches!(&*code, "zh_TW" | "zh_HK") || code.starts_with("zh_Hant");
        let wanted = if is_traditional { "zh_Hant" } else { base };
        let found = WORDS.binary_search_by_key(&wanted, |(code, ..)| code).ok();
        let found = found.and_then(|at| WORDS.get(at));
        found.map_or(Self::ENGLISH, |&(_, word, width, sign)| Self {
            word,
            width,
            sign,
        })
    }

    /// Formats a percentage; returns it with its width in pixels.
    pub(super) fn percent(self, whole: u32) -> (String, u32) {
        let width = match whole {
            ..10 => 17,
            10..100 => 24,
            _ => 31,
        };
        let (before, after, space) = self.sign;
        (format!("{before}{whole}{after}"), width + space)
    }
}

/// By language code: the word, its width and the position of the percent sign. Sorted by code.
const WORDS: &[(&str, &str, u32, PercentSign)] = &[
    ("af", "vertaal", 39, AFTER),
    ("ar", "مترجم", 29, AFTER),
    ("az", "tərcümə edilib", 79, AFTER),
    ("be", "перакладзена", 82, AFTER_SPACE),
    ("bg", "преведено", 62, AFTER),
    ("br", "troet", 26, AFTER_SPACE),
    ("bs", "prevedeno", 59, AFTER),
    ("ca", "traduït", 37, AFTER_SPACE),
    ("cs", "přeloženo", 54, AFTER_SPACE),
    ("cy", "cyfieithwyd", 63, AFTER),
    ("da", "oversat", 41, AFTER_SPACE),
    ("de", "übersetzt", 52, AFTER_SPACE),
    ("el", "μεταφρασμένα", 82, AFTER),
    ("eo", "tradukita", 50, AFTER),
    ("es", "traducido", 52, AFTER_SPACE),
    ("et", "tõlgitud", 42, AFTER),
    ("eu", "itzulita", 37, BEFORE_SPACE),
    ("fa", "ترجمه\u{200c}شده", 49, AFTER),
    ("fi", "käännetty", 56, AFTER_SPACE),
    ("fr", "Traduit à", 48, AFTER_SPACE),
    ("fy", "oerset", 35, AFTER),
    ("ga", "aistrithe", 45, AFTER),
    ("gl", "traducido", 52, AFTER_SPACE),
    ("he", "תורגם", 28, AFTER),
    ("hr", "prevedeno", 59, AFTER_SPACE),
    ("hu", "lefordítva", 52, AFTER),
    ("hy", "թարգմանված", 82, AFTER),
    ("id", "diterjemahkan", 80, AFTER),
    ("is", "þýtt", 22, AFTER),
    ("it", "tradotto", 45, AFTER),
    ("ja", "翻訳済み", 44, AFTER),
    ("kk", "аударылды", 67, AFTER),
    ("ko", "번역됨", 33, AFTER),
    ("lb", "iwwersat", 49, AFTER_SPACE),
    ("lt", "išversta", 43, AFTER_SPACE),
    ("lv", "iztulkots", 46, AFTER),
    ("mk", "преведено", 62, AFTER_SPACE),
    ("mn", "орчуулсан", 60, AFTER),
    ("ms", "diterjemahkan", 80, AFTER),
    ("nb", "oversatt", 46, AFTER_SPACE),
    ("nl", "vertaald", 46, AFTER),
    ("nn", "omsett", 39, AFTER_SPACE),
    ("oc", "revirat", 36, AFTER_SPACE),
    ("pl", "przetłumaczono", 88, AFTER),
    ("pt", "traduzido", 52, AFTER),
    ("ro", "tradus", 35, AFTER_SPACE),
    ("ru", "переведено", 69, AFTER_SPACE),
    ("sk", "preložené", 54, AFTER_SPACE),
    ("sl", "prevedeno", 59, AFTER_SPACE),
    ("sq", "përkthyer", 54, AFTER),
    ("sr", "преведено", 62, AFTER),
    ("sv", "översatt", 46, AFTER_SPACE),
    ("sw", "imetafsiriwa", 68, AFTER),
    ("tr", "çevrildi", 40, BEFORE),
    ("uk", "перекладено", 76, AFTER),
    ("ur", "ترجمہ شدہ", 73, AFTER),
    ("uz", "tarjima qilingan", 86, AFTER),
    ("vi", "đã dịch", 40, AFTER),
    ("zh", "已翻译", 33, AFTER),
    ("zh_Hant", "已翻譯", 33, AFTER),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn badge_texts_are_found_by_code_and_by_base_language() {
        assert!(WORDS.is_sorted_by_key(|(code, ..)| code));
        assert_eq!(
            (BadgeText::of("cs").word, BadgeText::of("cs").percent(60)),
            ("přeloženo", ("60\u{a0}%".into(), 28))
        );
        assert_eq!(BadgeText::of("pt_BR").word, BadgeText::of("pt").word);
        assert_eq!(
            (BadgeText::of("zh-TW").word, BadgeText::of("zh_Hans").word),
            ("已翻譯", "已翻译")
        );
        assert_eq!(BadgeText::of("tr").percent(100).0, "%100");
        assert_eq!(
            (BadgeText::of("en"), BadgeText::of("")),
            (BadgeText::ENGLISH, BadgeText::ENGLISH)
        );
    }
}
