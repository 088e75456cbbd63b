//! What badges say in the language that they are of (human_pages.md 2): the word for "translated", and where the sign of
//! percents stands.

use Sign::{Apart, Before, BeforeApart, Close};

/// Where the sign of percents stands, as the Common Locale Data Repository has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// Behind the number.
    Close,
    /// Behind the number and a space.
    Apart,
    /// Before the number.
    Before,
    /// Before the number and a space.
    BeforeApart,
}

/// What the badges of a language say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Words {
    /// "translated".
    pub(super) word: &'static str,
    /// How wide that is in DejaVu Sans of 11 pixels.
    pub(super) width: u32,
    sign: Sign,
}

impl Words {
    /// What other badges say.
    pub(super) const ENGLISH: Self = Self { word: "translated", width: 56, sign: Close };

    /// What the badges of the language of that code say; its base language speaks for those that are not here, and
    /// English for the rest.
    pub(super) fn of(code: &str) -> Self {
        let code = code.replace('-', "_");
        let base = code.split(['_', '@']).next().unwrap_or_default();
        let is_traditional = matches!(&*code, "zh_TW" | "zh_HK") || code.starts_with("zh_Hant");
        let wanted = if is_traditional { "zh_Hant" } else { base };
        let found = WORDS.binary_search_by_key(&wanted, |(code, ..)| code).ok().and_then(|at| WORDS.get(at));
        found.map_or(Self::ENGLISH, |&(_, word, width, sign)| Self { word, width, sign })
    }

    /// A percentage as text, and how wide that is.
    pub(super) fn percent(self, whole: u32) -> (String, u32) {
        let width = match whole {
            ..10 => 17,
            10..100 => 24,
            _ => 31,
        };
        match self.sign {
            Close => (format!("{whole}%"), width),
            Apart => (format!("{whole}\u{a0}%"), width + 4),
            Before => (format!("%{whole}"), width),
            BeforeApart => (format!("%\u{a0}{whole}"), width + 4),
        }
    }
}

/// Languages by code: the word, its width and the sign.
const WORDS: &[(&str, &str, u32, Sign)] = &[
    ("af", "vertaal", 39, Close),
    ("ar", "مترجم", 29, Close),
    ("az", "tərcümə edilib", 79, Close),
    ("be", "перакладзена", 82, Apart),
    ("bg", "преведено", 62, Close),
    ("br", "troet", 26, Apart),
    ("bs", "prevedeno", 59, Close),
    ("ca", "traduït", 37, Apart),
    ("cs", "přeloženo", 54, Apart),
    ("cy", "cyfieithwyd", 63, Close),
    ("da", "oversat", 41, Apart),
    ("de", "übersetzt", 52, Apart),
    ("el", "μεταφρασμένα", 82, Close),
    ("eo", "tradukita", 50, Close),
    ("es", "traducido", 52, Apart),
    ("et", "tõlgitud", 42, Close),
    ("eu", "itzulita", 37, BeforeApart),
    ("fa", "ترجمه\u{200c}شده", 49, Close),
    ("fi", "käännetty", 56, Apart),
    ("fr", "Traduit à", 48, Apart),
    ("fy", "oerset", 35, Close),
    ("ga", "aistrithe", 45, Close),
    ("gl", "traducido", 52, Apart),
    ("he", "תורגם", 28, Close),
    ("hr", "prevedeno", 59, Apart),
    ("hu", "lefordítva", 52, Close),
    ("hy", "թարգմանված", 82, Close),
    ("id", "diterjemahkan", 80, Close),
    ("is", "þýtt", 22, Close),
    ("it", "tradotto", 45, Close),
    ("ja", "翻訳済み", 44, Close),
    ("kk", "аударылды", 67, Close),
    ("ko", "번역됨", 33, Close),
    ("lb", "iwwersat", 49, Apart),
    ("lt", "išversta", 43, Apart),
    ("lv", "iztulkots", 46, Close),
    ("mk", "преведено", 62, Apart),
    ("mn", "орчуулсан", 60, Close),
    ("ms", "diterjemahkan", 80, Close),
    ("nb", "oversatt", 46, Apart),
    ("nl", "vertaald", 46, Close),
    ("nn", "omsett", 39, Apart),
    ("oc", "revirat", 36, Apart),
    ("pl", "przetłumaczono", 88, Close),
    ("pt", "traduzido", 52, Close),
    ("ro", "tradus", 35, Apart),
    ("ru", "переведено", 69, Apart),
    ("sk", "preložené", 54, Apart),
    ("sl", "prevedeno", 59, Apart),
    ("sq", "përkthyer", 54, Close),
    ("sr", "преведено", 62, Close),
    ("sv", "översatt", 46, Apart),
    ("sw", "imetafsiriwa", 68, Close),
    ("tr", "çevrildi", 40, Before),
    ("uk", "перекладено", 76, Close),
    ("ur", "ترجمہ شدہ", 73, Close),
    ("uz", "tarjima qilingan", 86, Close),
    ("vi", "đã dịch", 40, Close),
    ("zh", "已翻译", 33, Close),
    ("zh_Hant", "已翻譯", 33, Close),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_found_by_code_and_by_their_base() {
        assert!(WORDS.is_sorted_by_key(|(code, ..)| code));
        assert_eq!((Words::of("cs").word, Words::of("cs").percent(60)), ("přeloženo", ("60\u{a0}%".into(), 28)));
        assert_eq!(Words::of("pt_BR").word, Words::of("pt").word);
        assert_eq!((Words::of("zh-TW").word, Words::of("zh_Hans").word), ("已翻譯", "已翻译"));
        assert_eq!(Words::of("tr").percent(100).0, "%100");
        assert_eq!((Words::of("en"), Words::of("")), (Words::ENGLISH, Words::ENGLISH));
    }
}
