//! The values of plain YAML 1.1 scalars.

/// The text of a scalar without quotes and tag; `None` for null.
pub(super) fn plain(text: &str) -> Option<String> {
    let scalar = |text: &str| Some(text.to_owned());
    match text {
        "" | "~" | "null" | "Null" | "NULL" => None,
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => scalar("True"),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => scalar("False"),
        _ => match integer(text) {
            Some(number) => scalar(&number.to_string()),
            None => scalar(text),
        },
    }
}

/// The value of a plain name as Ruby and Python read it, if it is a boolean.
pub(super) fn boolean(text: &str) -> Option<bool> {
    let is_one = |words: [&str; 3]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let is_true = is_one(["yes", "true", "on"]);
    (is_true || is_one(["no", "false", "off"])).then_some(is_true)
}

/// The value of an integer: decimal, binary, octal, hexadecimal or with base 60, with underscores. Numbers beyond 128
/// bits stay texts.
fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    // The parser of the standard library accepts a sign after a prefix such as `0x`.
    if !digits.starts_with(|first: char| first.is_ascii_digit()) || digits.contains(['-', '+']) {
        return None;
    }
    let plain = digits.replace('_', "");
    let number = if plain.contains(':') {
        sexagesimal(&plain)?
    } else if let Some(binary) = plain.strip_prefix("0b") {
        i128::from_str_radix(binary, 2).ok()?
    } else if let Some(hexadecimal) = plain.strip_prefix("0x") {
        i128::from_str_radix(hexadecimal, 16).ok()?
    } else if plain.len() > 1 && plain.starts_with('0') {
        i128::from_str_radix(&plain, 8).ok()?
    } else {
        plain.parse().ok()?
    };
    Some(if negative { -number } else { number })
}

/// The value of a number such as `1:30`, whose first digit is not zero.
fn sexagesimal(text: &str) -> Option<i128> {
    let mut parts = text.split(':');
    let is_number =
        |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next().filter(is_number)?;
    let mut number: i128 = first.parse().ok().filter(|_| !first.starts_with('0'))?;
    for part in parts {
        (is_number(&part) && part.len() <= 2).then_some(())?;
        let digit: i128 = part.parse().ok()?;
        number = number.checked_mul(60)?.checked_add(digit)?;
        (digit < 60).then_some(())?;
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_have_the_values_of_yaml_1_1() {
        for (text, value) in [
            ("5", "5"),
            ("010", "8"),
            ("0x1F", "31"),
            ("1_000", "1000"),
            ("-3", "-3"),
            ("0", "0"),
            ("no", "False"),
            ("On", "True"),
            ("1.5", "1.5"),
            ("09", "09"),
            ("1:30", "90"),
            ("-12:30:45", "-45045"),
            ("1:60", "1:60"),
            ("01:30", "01:30"),
            ("190:20:30.15", "190:20:30.15"),
            ("-", "-"),
            ("2020-01-02", "2020-01-02"),
            ("0x-1F", "0x-1F"),
            ("0b+1", "0b+1"),
        ] {
            assert_eq!(plain(text).as_deref(), Some(value), "{text}");
        }
        assert_eq!(plain("~"), None);
    }
}
