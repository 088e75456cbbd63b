//! Unicode simple case folding: the same rule as case-insensitive regular expressions.

use std::sync::OnceLock;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// Maps each character to the representative of those that differ from it only in case.
#[derive(Debug)]
pub(super) struct CaseFolding {
    /// For each block of 256 characters the index of its table, or 0 if folding changes none of them.
    blocks: Vec<u8>,
    tables: Vec<[char; 256]>,
}

impl CaseFolding {
    /// The table, computed on first use.
    pub(super) fn get() -> &'static Self {
        static TABLE: OnceLock<CaseFolding> = OnceLock::new();
        TABLE.get_or_init(Self::compute)
    }

    fn compute() -> Self {
        let mut folding = Self {
            blocks: Vec::new(),
            tables: vec![['\0'; 256]],
        };
        for c in
            ('\0'..=char::MAX).filter(|&c| !c.to_lowercase().eq([c]) || !c.to_uppercase().eq([c]))
        {
            let mut class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
            if class.try_case_fold_simple().is_err() {
                continue;
            }
            let mut members = class
                .ranges()
                .iter()
                .flat_map(|range| range.start()..=range.end());
            // Prefers `k` to `K`, so that ASCII folds to lower case.
            let first = members.clone().next().unwrap_or(c);
            let folded = members.find(char::is_ascii_lowercase).unwrap_or(first);
            if folded != c {
                folding.insert(c, folded);
            }
        }
        folding
    }

    fn insert(&mut self, c: char, folded: char) {
        let block = c as usize >> 8;
        if self.blocks.len() <= block {
            self.blocks.resize(block + 1, 0);
        }
        if self.blocks[block] == 0 {
            let base = (block as u32) << 8;
            self.blocks[block] = self.tables.len() as u8;
            self.tables.push(std::array::from_fn(|low| {
                char::from_u32(base + low as u32).unwrap_or_default()
            }));
        }
        let table = usize::from(self.blocks[block]);
        self.tables[table][c as usize & 0xff] = folded;
    }

    pub(super) fn fold(&self, c: char) -> char {
        match self.blocks.get(c as usize >> 8) {
            Some(&table) if table > 0 => self.tables[usize::from(table)][c as usize & 0xff],
            _ => c,
        }
    }

    /// Replaces `out` with the folded text.
    pub(super) fn fold_into(&self, text: &str, out: &mut String) {
        out.clear();
        if text.is_ascii() {
            out.push_str(text);
            out.make_ascii_lowercase();
            return;
        }
        out.reserve(text.len());
        out.extend(text.chars().map(|c| {
            if c.is_ascii() {
                c.to_ascii_lowercase()
            } else {
                self.fold(c)
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::RegexBuilder;

    #[test]
    fn folding_is_that_of_regular_expressions() {
        let folding = CaseFolding::get();
        let fold = |text: &str| {
            let mut out = String::new();
            folding.fold_into(text, &mut out);
            out
        };
        for (a, b) in [
            ("K", "\u{212a}"),
            ("ſ", "S"),
            ("É", "é"),
            ("Σ", "ς"),
            ("ẞ", "ß"),
            ("Ꭰ", "ꭰ"),
            ("Ω", "\u{2126}"),
        ] {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
        assert_ne!(fold("ı"), fold("i"));
        assert_ne!(fold("ss"), fold("ß"));
        // Each character folds to the only one of its class that folds to itself.
        let with_case =
            ('\0'..=char::MAX).filter(|c| !c.is_ascii_punctuation() && folding.fold(*c) != *c);
        let mut count = 0;
        for c in with_case {
            let folded = folding.fold(c);
            assert_eq!(folding.fold(folded), folded);
            let pattern = RegexBuilder::new(&regex::escape(&folded.to_string()))
                .case_insensitive(true)
                .build()
                .unwrap();
            assert!(pattern.is_match(&c.to_string()), "{c} {folded}");
            count += 1;
        }
        assert!(count > 1300, "{count}");
    }
}
