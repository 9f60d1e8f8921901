//! Numbers and texts as bytes.

use crate::postings::write_number;

/// Appends a number that may be negative: the sign is the lowest bit.
pub(super) fn write_signed(out: &mut Vec<u8>, number: i64) {
    let magnitude = u32::try_from(number.unsigned_abs()).unwrap_or(u32::MAX >> 1);
    write_number(out, magnitude << 1 | u32::from(number < 0));
}

/// Appends a length.
pub(super) fn write_len(out: &mut Vec<u8>, length: usize) {
    write_number(out, u32::try_from(length).unwrap_or(u32::MAX));
}

/// Appends numbers in groups of the same kind: similar bytes next to each other compress better.
pub(super) fn write_numbers(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = u32>) {
    for number in numbers {
        write_number(out, number);
    }
}

/// Appends the differences of ascending numbers.
pub(super) fn write_gaps(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = u32>) {
    let mut last = 0;
    for number in numbers {
        write_number(out, number - last);
        last = number;
    }
}

/// Appends texts: their number, their lengths in UTF-16 units, and all of them as UTF-8, which
/// JavaScript decodes at once.
pub(super) fn write_texts<'a>(out: &mut Vec<u8>, texts: impl IntoIterator<Item = &'a str>) {
    let texts: Vec<&str> = texts.into_iter().collect();
    write_len(out, texts.len());
    for text in &texts {
        write_len(out, utf16_len(text));
    }
    write_len(out, texts.iter().map(|text| text.len()).sum());
    for text in texts {
        out.extend_from_slice(text.as_bytes());
    }
}

/// Appends sorted texts, each without the beginning that it shares with the previous one.
pub(super) fn write_sorted<'a>(out: &mut Vec<u8>, texts: impl IntoIterator<Item = &'a str>) {
    let mut last = "";
    let mut shared = Vec::new();
    let mut rests = Vec::new();
    for text in texts {
        let chars = text.chars().zip(last.chars());
        let same = chars.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8());
        let (beginning, rest) = text.split_at(same.sum());
        write_len(&mut shared, utf16_len(beginning));
        rests.push(rest);
        last = text;
    }
    write_texts(out, rests);
    out.append(&mut shared);
}

fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}
