//! Division of texts into files of bounded length.

/// Maximum number of characters of a file. Agents cut longer files off.
const MAX_FILE_CHARS: usize = 49_000;

/// Puts blocks into files in their order, each below the head. A block that is longer than a file is
/// divided between lines.
pub(super) fn pack(head: &str, blocks: &[String]) -> Vec<String> {
    let room = MAX_FILE_CHARS.saturating_sub(head.chars().count()).max(1);
    let mut files = Vec::new();
    let (mut file, mut length) = (String::new(), 0);
    for block in blocks {
        for piece in pieces(block, room) {
            let chars = piece.chars().count() + 1;
            if length > 0 && length + chars > room {
                files.push(format!("{head}{file}"));
                (file, length) = (String::new(), 0);
            }
            file.push('\n');
            file.push_str(piece);
            length += chars;
        }
    }
    if length > 0 || files.is_empty() {
        files.push(format!("{head}{file}"));
    }
    files
}

/// The name of one of several files: `pets.md`, or `pets-1.md` and so on.
pub(super) fn file_name(slug: &str, at: usize, count: usize) -> String {
    match count {
        1 => format!("{slug}.md"),
        _ => format!("{slug}-{}.md", at + 1),
    }
}

/// A text in pieces of less than `room` characters, divided at the ends of lines or, if a line is
/// too long, between characters.
fn pieces(text: &str, room: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(room.saturating_sub(1).max(1)) {
        let head = rest.get(..end).unwrap_or_default();
        let end = head.rfind('\n').map_or(end, |at| at + 1);
        pieces.push(rest.get(..end).unwrap_or_default());
        rest = rest.get(end..).unwrap_or_default();
    }
    pieces.push(rest);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_bounded_and_complete() {
        let lines =
            |count: usize| -> String { (0..count).map(|at| format!("line {at}\n")).collect() };
        let blocks = [
            lines(10),
            lines(9_000),
            "x".repeat(120_000),
            lines(3_000),
            "é\n".to_owned(),
        ];
        let head = "# Head\n";
        let files = pack(head, &blocks);
        let mut text = String::new();
        for file in &files {
            assert!(file.chars().count() <= MAX_FILE_CHARS, "{}", file.len());
            text.push_str(file.strip_prefix(head).expect("it has the head"));
        }
        assert_eq!(text.replace('\n', ""), blocks.concat().replace('\n', ""));
        assert!(files.len() > 5);
        assert_eq!(pack(head, &[]), [head]);
    }
}
