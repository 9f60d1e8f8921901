//! Code blocks.

use super::block::State;
use crate::markdown::{Line, track_fence};

impl State<'_> {
    /// A code block, or several without blank lines between them, which are tabs.
    pub(super) fn code(&mut self, lines: &[Line]) -> usize {
        let mut blocks: Vec<&[Line]> = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let mut fence = None;
            track_fence(&lines[at].text, &mut fence);
            if fence.is_none() {
                break;
            }
            let start = at;
            at += 1;
            while at < lines.len() && fence.is_some() {
                track_fence(&lines[at].text, &mut fence);
                at += 1;
            }
            blocks.push(&lines[start..at]);
        }
        let is_group = blocks.len() > 1;
        let number = lines[0].number;
        if is_group {
            self.mdx(number, "<CodeGroup>");
        }
        for (index, block) in blocks.iter().enumerate() {
            self.out.push(Line::new(
                block[0].number,
                fence_with_title(&block[0].text, is_group, index),
            ));
            self.out.extend_from_slice(&block[1..]);
        }
        if is_group {
            self.mdx(number, "</CodeGroup>");
        }
        at
    }
}

/// A fence whose words after the language are its title.
fn fence_with_title(text: &str, is_group: bool, index: usize) -> String {
    let marks = text.len() - text.trim_start().trim_start_matches(['`', '~']).len();
    let (start, info) = text.split_at(marks);
    let info = info.trim();
    let (language, title) = info.split_once(' ').unwrap_or((info, ""));
    let title = match (title.trim(), language) {
        ("", "") if is_group => format!("Example {}", index + 1),
        ("", language) if is_group => language.to_owned(),
        (title, _) => title.to_owned(),
    };
    let language = if language.is_empty() {
        "text"
    } else {
        language
    };
    match title.as_str() {
        "" if info.is_empty() => text.to_owned(),
        "" => format!("{start}{language}"),
        title => format!("{start}{language} title=\"{}\"", title.replace('"', "'")),
    }
}
