//! A plain parser of rendered HTML that shares no code with the renderer.

/// A start tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Name in lower case.
    pub name: String,
    /// Attributes: names in lower case, values decoded.
    pub attributes: Vec<(String, String)>,
}

impl Tag {
    /// Returns the value of an attribute; `None` if it is absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        let entry = self.attributes.iter().find(|attribute| attribute.0 == name);
        entry.map(|attribute| attribute.1.as_str())
    }
}

/// A token of an HTML document.
enum Token<'a> {
    Start(Tag),
    End(&'a str),
    Text(&'a str),
}

/// Returns all start tags in order, except those inside of scripts, styles and comments.
pub fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    read(html, &mut |token| {
        if let Token::Start(tag) = token {
            tags.push(tag);
        }
    });
    tags
}

/// Returns the number of elements of a document.
pub fn elements(html: &str) -> usize {
    let mut count = 0;
    read(html, &mut |token| {
        count += usize::from(matches!(token, Token::Start(_)));
    });
    count
}

/// Returns the text of a document as tokens separated by one space: letters and digits only, so
/// that typographic quotes and dashes make no difference.
pub fn normalized_text(html: &str) -> String {
    let mut text = String::new();
    read(html, &mut |token| match token {
        Token::Text(piece) => text.push_str(&unescape(piece)),
        Token::Start(Tag { name, .. }) => text.push_str(gap(&name)),
        Token::End(name) => text.push_str(gap(name)),
    });
    normalize(&text)
}

/// Returns the text of the first element with this name as tokens; `None` if there is no such
/// element.
pub fn element_text(html: &str, name: &str) -> Option<String> {
    let open = format!("<{name}");
    let mut rest = html;
    loop {
        rest = &rest[rest.find(&open)?..];
        if rest[open.len()..].starts_with([' ', '>', '\n']) {
            break;
        }
        rest = &rest[open.len()..];
    }
    let end = rest.find(&format!("</{name}>")).unwrap_or(rest.len());
    Some(normalized_text(&rest[..end]))
}

/// Returns the text in the first element that meets `is_root`, as tokens separated by one space,
/// without the elements that meet `is_hidden`. Empty if there is no such element.
pub fn text_within(
    html: &str,
    is_root: &dyn Fn(&Tag) -> bool,
    is_hidden: &dyn Fn(&Tag) -> bool,
) -> String {
    const VOID_ELEMENTS: &[&str] = &[
        "area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
        "wbr",
    ];
    // Names of the open elements from the root on, and whether each begins a hidden part.
    let mut open: Vec<(String, bool)> = Vec::new();
    let (mut text, mut done) = (String::new(), false);
    read(html, &mut |token| match token {
        _ if done => {}
        Token::Start(tag) => {
            if open.is_empty() && !is_root(&tag) {
                return;
            }
            text.push_str(gap(&tag.name));
            if !VOID_ELEMENTS.contains(&&*tag.name) {
                let hidden = is_hidden(&tag);
                open.push((tag.name, hidden));
            }
        }
        Token::End(name) => {
            if let Some(at) = open.iter().rposition(|(open, _)| open == name) {
                open.truncate(at);
                text.push_str(gap(name));
                done = open.is_empty();
            }
        }
        Token::Text(piece) => {
            if !open.is_empty() && !open.iter().any(|(_, hidden)| *hidden) {
                text.push_str(&unescape(piece));
            }
        }
    });
    normalize(&text)
}

/// Returns the letters and digits of a text as tokens separated by one space.
pub fn normalize(text: &str) -> String {
    let parts = text.split(|letter: char| !letter.is_alphanumeric());
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the text with its character references decoded.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        let letter = end.and_then(|end| reference(&rest[1..end]).map(|letter| (letter, end)));
        match letter {
            Some((letter, end)) => {
                out.push(letter);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let hex = number.strip_prefix(['x', 'X']);
        let value = match hex {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return value.ok().and_then(char::from_u32);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        _ => return None,
    })
}

fn gap(name: &str) -> &'static str {
    const INLINE_ELEMENTS: &[&str] = &[
        "a", "abbr", "b", "bdi", "code", "del", "em", "i", "kbd", "mark", "q", "s", "small",
        "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
    ];
    if INLINE_ELEMENTS.contains(&name) {
        ""
    } else {
        " "
    }
}

fn read(html: &str, take: &mut dyn FnMut(Token<'_>)) {
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        if at > 0 {
            take(Token::Text(&rest[..at]));
        }
        rest = &rest[at..];
        let next = rest.as_bytes().get(1).copied().unwrap_or(b' ');
        if rest.starts_with("<!--") {
            rest = rest.find("-->").map_or("", |end| &rest[end + 3..]);
        } else if next == b'/' {
            let end = rest.find('>').unwrap_or(rest.len());
            take(Token::End(rest[2..end].trim()));
            rest = rest.get(end + 1..).unwrap_or("");
        } else if next.is_ascii_alphabetic() {
            let (tag, after) = start_tag(&rest[1..]);
            rest = after;
            if tag.name == "script" || tag.name == "style" {
                rest = rest
                    .find(&format!("</{}", tag.name))
                    .map_or("", |end| &rest[end..]);
            }
            take(Token::Start(tag));
        } else if next == b'!' {
            rest = rest.find('>').map_or("", |end| &rest[end + 1..]);
        } else {
            take(Token::Text("<"));
            rest = &rest[1..];
        }
    }
    take(Token::Text(rest));
}

/// Parses a start tag from its name on; returns the tag and the rest of the text.
fn start_tag(text: &str) -> (Tag, &str) {
    let blank = |letter: char| letter.is_ascii_whitespace();
    let end = text.find(|letter| blank(letter) || letter == '>' || letter == '/');
    let end = end.unwrap_or(text.len());
    let name = text[..end].to_ascii_lowercase();
    let mut attributes = Vec::new();
    let mut rest = &text[end..];
    loop {
        rest = rest.trim_start_matches(|letter| blank(letter) || letter == '/');
        if let Some(after) = rest.strip_prefix('>') {
            return (Tag { name, attributes }, after);
        }
        if rest.is_empty() {
            return (Tag { name, attributes }, rest);
        }
        // A name may begin with `=` (HTML, "before attribute name state").
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let stop = |letter| blank(letter) || matches!(letter, '=' | '>' | '/');
        let end = rest[first..].find(stop).map_or(rest.len(), |at| first + at);
        let key = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start_matches(blank);
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start_matches(blank);
            let quote = after
                .chars()
                .next()
                .filter(|letter| matches!(letter, '"' | '\''));
            (value, rest) = match quote {
                Some(quote) => after[1..].split_once(quote).unwrap_or((&after[1..], "")),
                None => {
                    let end = after.find(|letter| blank(letter) || letter == '>');
                    after.split_at(end.unwrap_or(after.len()))
                }
            };
        }
        attributes.push((key, unescape(value)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_a_browser_reads_them() {
        let html =
            "<!doctype html><A HREF='a&amp;b' x y=1>t</a><!-- <b> --><script>\"<i>\"</script><br/>";
        let tags = tags(html);
        let names: Vec<&str> = tags.iter().map(|tag| &*tag.name).collect();
        assert_eq!(names, ["a", "script", "br"]);
        assert_eq!(tags[0].get("href"), Some("a&b"));
        assert_eq!(tags[0].get("x"), Some(""));
        assert_eq!(tags[0].get("y"), Some("1"));
    }

    #[test]
    fn only_visible_text_is_returned() {
        let html = "<style>p{}</style><p>It&#x2019;s <b>bo</b>ld</p><p>1 &lt; 2</p>";
        assert_eq!(normalized_text(html), "It s bold 1 2");
        let h1 = "<header>no</header><h1 class=\"a\">The <em>title</em></h1>";
        assert_eq!(element_text(h1, "h1").as_deref(), Some("The title"));
        assert_eq!(element_text(h1, "h"), None);
    }
}
