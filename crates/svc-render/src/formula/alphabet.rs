//! Mathematical alphabets: bold, script, Fraktur and other letters of Unicode.
//!
//! Browsers ignore `mathvariant` except `normal`, so the letters themselves are replaced.

/// The first upper-case letter, lower-case letter, digit and Greek letter of an alphabet; 0 if it
/// has none.
struct Alphabet {
    name: &'static str,
    letters: u32,
    digits: u32,
    greek: u32,
}

const fn alphabet(name: &'static str, letters: u32, digits: u32, greek: u32) -> Alphabet {
    Alphabet {
        name,
        letters,
        digits,
        greek,
    }
}

const ALPHABETS: &[Alphabet] = &[
    alphabet("bold", 0x1d400, 0x1d7ce, 0x1d6a8),
    alphabet("italic", 0x1d434, 0, 0x1d6e2),
    alphabet("bold-italic", 0x1d468, 0x1d7ce, 0x1d71c),
    alphabet("script", 0x1d49c, 0, 0),
    alphabet("bold-script", 0x1d4d0, 0, 0),
    alphabet("fraktur", 0x1d504, 0, 0),
    alphabet("double-struck", 0x1d538, 0x1d7d8, 0),
    alphabet("bold-fraktur", 0x1d56c, 0, 0),
    alphabet("sans-serif", 0x1d5a0, 0x1d7e2, 0),
    alphabet("bold-sans-serif", 0x1d5d4, 0x1d7ec, 0x1d756),
    alphabet("sans-serif-italic", 0x1d608, 0x1d7e2, 0),
    alphabet("sans-serif-bold-italic", 0x1d63c, 0x1d7ec, 0x1d790),
    alphabet("monospace", 0x1d670, 0x1d7f6, 0),
];

/// Letters that are encoded outside of the blocks of the alphabets.
const OLDER: &[(u32, char)] = &[
    (0x1d455, 'ℎ'),
    (0x1d49d, 'ℬ'),
    (0x1d4a0, 'ℰ'),
    (0x1d4a1, 'ℱ'),
    (0x1d4a3, 'ℋ'),
    (0x1d4a4, 'ℐ'),
    (0x1d4a7, 'ℒ'),
    (0x1d4a8, 'ℳ'),
    (0x1d4ad, 'ℛ'),
    (0x1d4ba, 'ℯ'),
    (0x1d4bc, 'ℊ'),
    (0x1d4c4, 'ℴ'),
    (0x1d506, 'ℭ'),
    (0x1d50b, 'ℌ'),
    (0x1d50c, 'ℑ'),
    (0x1d515, 'ℜ'),
    (0x1d51d, 'ℨ'),
    (0x1d53a, 'ℂ'),
    (0x1d53f, 'ℍ'),
    (0x1d545, 'ℕ'),
    (0x1d547, 'ℙ'),
    (0x1d548, 'ℚ'),
    (0x1d549, 'ℝ'),
    (0x1d551, 'ℤ'),
];

/// Converts `text` to the named alphabet; other characters stay as they are.
pub(super) fn styled(text: &str, variant: &str) -> String {
    match ALPHABETS.iter().find(|alphabet| alphabet.name == variant) {
        Some(alphabet) => text.chars().map(|c| alphabet.letter(c)).collect(),
        None => text.to_owned(),
    }
}

impl Alphabet {
    fn letter(&self, c: char) -> char {
        let code = u32::from(c);
        let (first, offset) = match c {
            'A'..='Z' => (self.letters, code - 0x41),
            'a'..='z' => (self.letters, code - 0x61 + 26),
            '0'..='9' => (self.digits, code - 0x30),
            'Α'..='Ω' => (self.greek, code - 0x391),
            '∇' => (self.greek, 25),
            'α'..='ω' => (self.greek, code - 0x3b1 + 26),
            '∂' => (self.greek, 51),
            'ϵ' => (self.greek, 52),
            'ϑ' => (self.greek, 53),
            'ϰ' => (self.greek, 54),
            'ϕ' => (self.greek, 55),
            'ϱ' => (self.greek, 56),
            'ϖ' => (self.greek, 57),
            _ => return c,
        };
        if first == 0 {
            return c;
        }
        let code = first + offset;
        match OLDER.iter().find(|(position, _)| *position == code) {
            Some((_, older)) => *older,
            None => char::from_u32(code).unwrap_or(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_change_their_alphabet() {
        for (variant, plain, expected) in [
            ("double-struck", "RNx1", "ℝℕ𝕩𝟙"),
            ("bold", "xΩα∇0", "𝐱𝛀𝛂𝛁𝟎"),
            ("script", "LA", "ℒ𝒜"),
            ("fraktur", "gC", "𝔤ℭ"),
            ("italic", "h", "ℎ"),
            ("monospace", "a-1", "𝚊-𝟷"),
            ("unheard-of", "x", "x"),
        ] {
            assert_eq!(styled(plain, variant), expected, "{variant}");
        }
    }
}
