//! The texts of SVG badges in each language: the word for "translated", and the position of the percent sign
//! (docs/spec/pages.md#svg-badge).

use PercentPosition::{After, AfterSpace, Before, BeforeSpace};

/// Position of the percent sign, from the Common Locale Data Repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PercentPosition {
    /// `60%`
    After,
    /// `60 %`
    AfterSpace,
    /// `%60`
    Before,
    /// `% 60`
    BeforeSpace,
}

/// The text of badges in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BadgeText {
    /// "translated".
    pub(super) word: &'static str,
    /// Its width in pixels, in DejaVu Sans at 11 px.
    pub(super) width: u32,
    sign: PercentPosition,
}

impl BadgeText {
    /// The text of badges without a language.
    pub(super) const ENGLISH: Self = Self {
        word: "translated",
        width: 56,
        sign: After,
    };

    /// The text for a language code, else for its base language, else English.
    pub(super) fn of(code: &str) -> Self {
        let code = code.replace('-', "_");
        let base = code.split(['_', '@']).next().unwrap_or_default();
        let is_traditional = matches!(&*code, "zh_TW" | "zh_HK") || code.starts_with("zh_Hant");
        let wanted = if is_traditional { "zh_Hant" } else { base };
        let found = WORDS
            .binary_search_by_key(&wanted, |(code, ..)| code)
            .ok()
            .and_then(|at| WORDS.get(at));
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
        match self.sign {
            After => (format!("{whole}%"), width),
            AfterSpace => (format!("{whole}\u{a0}%"), width + 4),
            Before => (format!("%{whole}"), width),
            BeforeSpace => (format!("%\u{a0}{whole}"), width + 4),
        }
    }
}

/// By language code: the word, its width and the position of the percent sign. Sorted by code.
const WORDS: &[(&str, &str, u32, PercentPosition)] = &[
    ("af", "vertaal", 39, After),
    ("ar", "مترجم", 29, After),
    ("az", "tərcümə edilib", 79, After),
    ("be", "перакладзена", 82, AfterSpace),
    ("bg", "преведено", 62, After),
    ("br", "troet", 26, AfterSpace),
    ("bs", "prevedeno", 59, After),
    ("ca", "traduït", 37, AfterSpace),
    ("cs", "přeloženo", 54, AfterSpace),
    ("cy", "cyfieithwyd", 63, After),
    ("da", "oversat", 41, AfterSpace),
    ("de", "übersetzt", 52, AfterSpace),
    ("el", "μεταφρασμένα", 82, After),
    ("eo", "tradukita", 50, After),
    ("es", "traducido", 52, AfterSpace),
    ("et", "tõlgitud", 42, After),
    ("eu", "itzulita", 37, BeforeSpace),
    ("fa", "ترجمه\u{200c}شده", 49, After),
    ("fi", "käännetty", 56, AfterSpace),
    ("fr", "Traduit à", 48, AfterSpace),
    ("fy", "oerset", 35, After),
    ("ga", "aistrithe", 45, After),
    ("gl", "traducido", 52, AfterSpace),
    ("he", "תורגם", 28, After),
    ("hr", "prevedeno", 59, AfterSpace),
    ("hu", "lefordítva", 52, After),
    ("hy", "թարգմանված", 82, After),
    ("id", "diterjemahkan", 80, After),
    ("is", "þýtt", 22, After),
    ("it", "tradotto", 45, After),
    ("ja", "翻訳済み", 44, After),
    ("kk", "аударылды", 67, After),
    ("ko", "번역됨", 33, After),
    ("lb", "iwwersat", 49, AfterSpace),
    ("lt", "išversta", 43, AfterSpace),
    ("lv", "iztulkots", 46, After),
    ("mk", "преведено", 62, AfterSpace),
    ("mn", "орчуулсан", 60, After),
    ("ms", "diterjemahkan", 80, After),
    ("nb", "oversatt", 46, AfterSpace),
    ("nl", "vertaald", 46, After),
    ("nn", "omsett", 39, AfterSpace),
    ("oc", "revirat", 36, AfterSpace),
    ("pl", "przetłumaczono", 88, After),
    ("pt", "traduzido", 52, After),
    ("ro", "tradus", 35, AfterSpace),
    ("ru", "переведено", 69, AfterSpace),
    ("sk", "preložené", 54, AfterSpace),
    ("sl", "prevedeno", 59, AfterSpace),
    ("sq", "përkthyer", 54, After),
    ("sr", "преведено", 62, After),
    ("sv", "översatt", 46, AfterSpace),
    ("sw", "imetafsiriwa", 68, After),
    ("tr", "çevrildi", 40, Before),
    ("uk", "перекладено", 76, After),
    ("ur", "ترجمہ شدہ", 73, After),
    ("uz", "tarjima qilingan", 86, After),
    ("vi", "đã dịch", 40, After),
    ("zh", "已翻译", 33, After),
    ("zh_Hant", "已翻譯", 33, After),
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
