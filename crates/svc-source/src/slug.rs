//! Heading ids, and titles derived from file names.

/// Returns the id of a heading from its plain text, in which quotes are already typographic. The
/// caller adds the number that distinguishes equal headings. Letters and digits of all scripts, `_`
/// and most symbols are preserved; ASCII punctuation and spaces become single dashes. Marks such as
/// `:`, `?` or an emoji are removed afterwards, so an id can contain two dashes in a row or end in
/// one.
///
/// ```
/// assert_eq!(svc_source::heading_id("Getting started"), "getting-started");
/// ```
pub fn heading_id(text: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    for c in text.trim().chars().flat_map(char::to_lowercase) {
        let dash = c.is_whitespace() || matches!(c, '-' | '.' | '!' | '~' | '*' | '\'' | '(' | ')');
        if !dash {
            marked.push(c);
        } else if !marked.is_empty() && !marked.ends_with('-') {
            marked.push('-');
        }
    }
    marked
        .trim_end_matches('-')
        .chars()
        .filter(|c| !vanishes(*c))
        .collect()
}

/// Characters that count as letters when dashes are inserted and are removed afterwards.
const fn vanishes(c: char) -> bool {
    matches!(c, '?' | ',' | ';' | ':' | '"' | '[' | ']' | '{' | '}') || is_emoji(c)
}

/// Emoji and the invisible characters that join them.
const fn is_emoji(c: char) -> bool {
    matches!(
        c,
        '\u{1f000}'..='\u{1faff}'
            | '\u{2600}'..='\u{27bf}'
            | '\u{2b05}'..='\u{2b07}'
            | '\u{2b1b}'..='\u{2b1c}'
            | '\u{2b50}'
            | '\u{2b55}'
            | '\u{231a}'..='\u{231b}'
            | '\u{23e9}'..='\u{23fa}'
            | '\u{200d}'
            | '\u{20e3}'
            | '\u{fe0f}'
            | '\u{e0020}'..='\u{e007f}'
    )
}

/// Returns the title of a page that has none: its last path segment with spaces for dashes and
/// underscores and an upper-case first letter.
///
/// ```
/// assert_eq!(svc_source::default_title("guides/getting-started"), "Getting started");
/// ```
pub fn default_title(slug: &str) -> String {
    let slug = slug.trim_matches('/');
    let stem = slug.rsplit_once('/').map_or(slug, |(_, stem)| stem);
    let mut chars = stem
        .chars()
        .map(|c| if matches!(c, '-' | '_') { ' ' } else { c });
    let first = chars
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect::<String>();
    first + &chars.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_ids_follow_the_rules() {
        for (text, id) in [
            ("Overview", "overview"),
            ("OAuth", "oauth"),
            ("Config.json options", "config-json-options"),
            ("What’s new", "what’s-new"),
            ("What's new", "what-s-new"),
            ("Rate limits (per minute)", "rate-limits-per-minute"),
            ("Read/write access", "read/write-access"),
            ("Fees & billing", "fees-&-billing"),
            ("Step 1: Install", "step-1-install"),
            ("  two   spaces  ", "two-spaces"),
            ("a - b", "a-b"),
            ("a — b", "a-—-b"),
            ("snake_case stays", "snake_case-stays"),
            (".env files", "env-files"),
            ("Done!", "done"),
            ("Why?", "why"),
            ("call() and done()", "call-and-done"),
            ("open()/close()", "open-/close"),
            ("Choices (of two):", "choices-of-two-"),
            ("C++", "c++"),
            ("Überblick", "überblick"),
            ("设置 环境", "设置-环境"),
            ("Left → right", "left-→-right"),
            ("Ship it 🚀", "ship-it-"),
            ("@scope/package", "@scope/package"),
            ("100% done", "100%-done"),
            ("key: value: more", "key-value-more"),
            ("a : b", "a--b"),
            ("{braces} [brackets]", "braces-brackets"),
            ("`code`", "`code`"),
            ("...", ""),
            ("", ""),
        ] {
            assert_eq!(heading_id(text), id, "{text}");
        }
    }

    #[test]
    fn default_titles_come_from_the_last_segment() {
        for (slug, title) in [
            ("guides/getting-started", "Getting started"),
            ("a/snake_case", "Snake case"),
            ("index", "Index"),
            ("x/index", "Index"),
            ("éclair", "Éclair"),
            ("deep/API", "API"),
            ("end-", "End "),
            ("", ""),
        ] {
            assert_eq!(default_title(slug), title, "{slug}");
        }
    }
}
