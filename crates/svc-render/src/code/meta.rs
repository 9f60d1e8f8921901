//! Meta string of a fenced code block: the text after its language.

/// Maximum number of ranges per code block.
const MAX_RANGES: usize = 1000;

/// Options of a fenced code block; options that are not set are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FenceMeta {
    /// `title="…"`, otherwise all words that are not options.
    pub title: Option<String>,
    /// Name or URL of an icon.
    pub icon: Option<String>,
    /// Language for highlighting instead of the code block's own.
    pub lang: Option<String>,
    /// Name of a theme for this code block.
    pub theme: Option<String>,
    /// Position of a diagram's controls.
    pub placement: Option<String>,
    /// Which controls are shown: `true`, `false` or a list of names.
    pub actions: Option<String>,
    /// Highlighted lines.
    pub highlight: Lines,
    /// Focused lines; the others are dimmed.
    pub focus: Lines,
    /// Whether line numbers are shown.
    pub lines: Option<bool>,
    /// Whether long lines are wrapped.
    pub wrap: Option<bool>,
    /// Whether a long block is collapsed.
    pub expandable: Option<bool>,
    /// Whether types are shown on hover.
    pub twoslash: Option<bool>,
    /// Whether the copy button is hidden.
    pub nocopy: Option<bool>,
}

/// A set of line numbers, 1-based.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// Sorted and disjoint.
    ranges: Vec<(u32, u32)>,
}

impl Lines {
    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether the set contains a line.
    #[must_use]
    pub fn contains(&self, line: usize) -> bool {
        let Ok(line) = u32::try_from(line) else {
            return false;
        };
        let after = self.ranges.partition_point(|range| range.0 <= line);
        after
            .checked_sub(1)
            .and_then(|at| self.ranges.get(at))
            .is_some_and(|range| line <= range.1)
    }

    /// First and last line of each range, in order.
    #[must_use]
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Adds `1-2, 5`; returns false and adds no line if the text is not valid.
    fn add(&mut self, text: &str) -> bool {
        let mut new = Vec::new();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (Ok(first), Ok(last)) = (first.trim().parse::<u32>(), last.trim().parse::<u32>())
            else {
                return false;
            };
            if new.len() < MAX_RANGES {
                new.push((first.min(last), first.max(last)));
            }
        }
        if new.is_empty() {
            return false;
        }
        new.append(&mut self.ranges);
        new.sort_unstable();
        for (first, last) in new.into_iter().take(MAX_RANGES) {
            match self.ranges.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => self.ranges.push((first, last)),
            }
        }
        true
    }
}

/// Parses a meta string. Every text is valid: unknown words become the title.
#[must_use]
pub fn parse_meta(text: &str) -> FenceMeta {
    let mut meta = FenceMeta::default();
    let mut words = Vec::new();
    read(text, &mut meta, &mut words, true);
    if meta.title.is_none() && !words.is_empty() {
        let title = words.join(" ");
        let quoted = ['"', '\'']
            .iter()
            .find_map(|quote| title.strip_prefix(*quote)?.strip_suffix(*quote));
        let title = match quoted {
            Some(inner) if !inner.contains(['"', '\'']) => inner.trim().to_owned(),
            _ => title,
        };
        meta.title = (!title.is_empty()).then_some(title);
    }
    meta
}

/// Parses words into `meta`; those that are not options are appended to `words`.
fn read<'a>(text: &'a str, meta: &mut FenceMeta, words: &mut Vec<&'a str>, outer: bool) {
    let mut reader = MetaReader::new(text);
    while let Some(rest) = reader.skip_blanks() {
        let start = reader.offset;
        if let Some(inside) = reader.braces() {
            let known = meta.highlight.add(inside) || (outer && braced(inside, meta));
            if !known && let Some(word) = text.get(start..reader.offset) {
                words.push(word);
            }
            continue;
        }
        if rest.starts_with(['"', '\'']) && reader.quoted().is_some() {
            words.extend(text.get(start..reader.offset));
            continue;
        }
        let name = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .and_then(|end| rest.split_at_checked(end));
        if let Some((name, after)) = name
            && after.starts_with('=')
            && let Some(key) = MetaKey::named(name)
        {
            reader.offset += name.len() + 1;
            let value = reader.value();
            if key.set(meta, value) {
                continue;
            }
            words.extend(text.get(start..reader.offset));
            continue;
        }
        let word = reader.token();
        if !flags(word, meta) {
            words.push(word);
        }
    }
}

/// Parses attributes in braces, such as `{highlight={2,34}}`; returns false if the braces contain
/// anything else.
fn braced(inside: &str, meta: &mut FenceMeta) -> bool {
    let mut new = meta.clone();
    let mut words = Vec::new();
    read(inside, &mut new, &mut words, false);
    let known = words.is_empty() && new != *meta;
    if known {
        *meta = new;
    }
    known
}

/// Parses a flag, or flags in square brackets.
fn flags(word: &str, meta: &mut FenceMeta) -> bool {
    let inner = word
        .strip_prefix('[')
        .and_then(|word| word.strip_suffix(']'))
        .unwrap_or(word);
    // Only in lower case: `Wrap` is more often the beginning of a title than a flag.
    let keys: Option<Vec<MetaKey>> = inner
        .split(',')
        .map(|name| FLAGS.iter().find(|flag| flag.0 == name).map(|flag| flag.1))
        .collect();
    let Some(keys) = keys else { return false };
    keys.into_iter().all(|key| key.set(meta, "true"))
}

/// Options of the form `name=value`.
#[derive(Debug, Clone, Copy)]
enum MetaKey {
    Title,
    Icon,
    Lang,
    Theme,
    Placement,
    Actions,
    Highlight,
    Focus,
    Lines,
    Wrap,
    Expandable,
    Twoslash,
    Nocopy,
}

const FLAGS: [(&str, MetaKey); 5] = [
    ("lines", MetaKey::Lines),
    ("wrap", MetaKey::Wrap),
    ("expandable", MetaKey::Expandable),
    ("twoslash", MetaKey::Twoslash),
    ("nocopy", MetaKey::Nocopy),
];

const VALUES: [(&str, MetaKey); 8] = [
    ("title", MetaKey::Title),
    ("icon", MetaKey::Icon),
    ("lang", MetaKey::Lang),
    ("theme", MetaKey::Theme),
    ("placement", MetaKey::Placement),
    ("actions", MetaKey::Actions),
    ("highlight", MetaKey::Highlight),
    ("focus", MetaKey::Focus),
];

impl MetaKey {
    fn named(name: &str) -> Option<Self> {
        VALUES
            .iter()
            .chain(&FLAGS)
            .find(|key| key.0.eq_ignore_ascii_case(name))
            .map(|key| key.1)
    }

    /// Sets the value; returns false if it is not valid.
    fn set(self, meta: &mut FenceMeta, value: &str) -> bool {
        let text = || Some(value.trim().to_owned());
        let truth = || match value.trim().to_ascii_lowercase().as_str() {
            "" | "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        let flag = |slot: &mut Option<bool>| truth().map(|truth| *slot = Some(truth)).is_some();
        match self {
            Self::Title => meta.title = text(),
            Self::Icon => meta.icon = text(),
            Self::Lang => meta.lang = text(),
            Self::Theme => meta.theme = text(),
            Self::Placement => meta.placement = text(),
            Self::Actions => meta.actions = text(),
            Self::Highlight => return meta.highlight.add(value),
            Self::Focus => return meta.focus.add(value),
            Self::Lines => return flag(&mut meta.lines),
            Self::Wrap => return flag(&mut meta.wrap),
            Self::Expandable => return flag(&mut meta.expandable),
            Self::Twoslash => return flag(&mut meta.twoslash),
            Self::Nocopy => return flag(&mut meta.nocopy),
        }
        true
    }
}

/// Reads words in one pass. Braces are matched in advance, so that the time is linear in the text.
struct MetaReader<'a> {
    text: &'a str,
    offset: usize,
    /// Offsets of each opening brace and its closing one, in order of the opening ones.
    pairs: Vec<(usize, usize)>,
    /// Whether each kind of quote has no further occurrence.
    missing: [bool; 2],
}

impl<'a> MetaReader<'a> {
    fn new(text: &'a str) -> Self {
        let mut open = Vec::new();
        let mut pairs = Vec::new();
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'{' => open.push(at),
                b'}' => pairs.extend(open.pop().map(|from| (from, at))),
                _ => {}
            }
        }
        pairs.sort_unstable();
        Self {
            text,
            offset: 0,
            pairs,
            missing: [false; 2],
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.offset..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) -> Option<&'a str> {
        let rest = self.rest().trim_start();
        self.offset = self.text.len() - rest.len();
        (!rest.is_empty()).then_some(rest)
    }

    fn token(&mut self) -> &'a str {
        let rest = self.rest();
        let word = rest.split(char::is_whitespace).next().unwrap_or(rest);
        self.offset += word.len();
        word
    }

    /// The text in the braces that open here.
    fn braces(&mut self) -> Option<&'a str> {
        let index = self
            .pairs
            .binary_search_by(|pair| pair.0.cmp(&self.offset))
            .ok()?;
        let (open, close) = *self.pairs.get(index)?;
        self.offset = close + 1;
        self.text.get(open + 1..close)
    }

    /// The text in the quotes that open here.
    fn quoted(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let slot = self.missing.get_mut(usize::from(quote == '"'))?;
        if *slot {
            return None;
        }
        let Some(inside) = rest.get(1..).and_then(|rest| rest.split_once(quote)) else {
            *slot = true;
            return None;
        };
        self.offset += inside.0.len() + 2;
        Some(inside.0)
    }

    /// A value after `=`: in braces, in quotes, or up to the next blank.
    fn value(&mut self) -> &'a str {
        if let Some(inside) = self.braces() {
            let inside = inside.trim();
            let unquoted = ['"', '\'', '`']
                .iter()
                .find_map(|quote| inside.strip_prefix(*quote)?.strip_suffix(*quote));
            return unquoted.unwrap_or(inside);
        }
        if let Some(inside) = self.quoted() {
            return inside;
        }
        let start = self.offset;
        // `focus=2, 4` is one value.
        while self.token().ends_with(',') {
            let Some(rest) = self.skip_blanks() else {
                break;
            };
            if !rest.starts_with(|c: char| c.is_ascii_digit()) {
                break;
            }
        }
        self.text.get(start..self.offset).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats the options that are set, in a fixed order.
    fn shown(text: &str) -> String {
        let meta = parse_meta(text);
        let mut out = Vec::new();
        for (name, value) in [
            ("title", &meta.title),
            ("icon", &meta.icon),
            ("lang", &meta.lang),
            ("theme", &meta.theme),
            ("placement", &meta.placement),
            ("actions", &meta.actions),
        ] {
            out.extend(value.as_ref().map(|value| format!("{name}={value}")));
        }
        for (name, value) in [("highlight", &meta.highlight), ("focus", &meta.focus)] {
            let ranges: Vec<String> = value
                .ranges()
                .iter()
                .map(|(a, b)| format!("{a}-{b}"))
                .collect();
            out.extend((!ranges.is_empty()).then(|| format!("{name}={}", ranges.join(","))));
        }
        for (name, value) in [
            ("lines", meta.lines),
            ("wrap", meta.wrap),
            ("expandable", meta.expandable),
            ("twoslash", meta.twoslash),
            ("nocopy", meta.nocopy),
        ] {
            out.extend(value.map(|value| {
                if value {
                    name.to_owned()
                } else {
                    format!("!{name}")
                }
            }));
        }
        out.join(" | ")
    }

    #[test]
    fn common_meta_strings_are_parsed() {
        for (text, expected) in [
            ("", ""),
            ("Usage", "title=Usage"),
            ("{highlight={2,34}}", "highlight=2-2,34-34"),
            ("{2, 5-13}", "highlight=2-2,5-13"),
            (
                "e2b.Dockerfile highlight={2,5}",
                "title=e2b.Dockerfile | highlight=2-2,5-5",
            ),
            ("icon=\"square-js\" ", "icon=square-js"),
            (
                "icon=\"python\" expandable examples/01/hello.py",
                "title=examples/01/hello.py | icon=python | expandable",
            ),
            ("wrap", "wrap"),
            (
                "icon=\"python\" focus={3-4, 6-7}",
                "icon=python | focus=3-4,6-7",
            ),
            ("my_server.py {5-7}", "title=my_server.py | highlight=5-7"),
            (
                "JavaScript & TypeScript wrap",
                "title=JavaScript & TypeScript | wrap",
            ),
            ("title=\"payments/polar.ts\"", "title=payments/polar.ts"),
            (
                "icon=\"square-js\" TypeScript (SDK)",
                "title=TypeScript (SDK) | icon=square-js",
            ),
            ("{9-10} my_server.py", "title=my_server.py | highlight=9-10"),
            (
                "Show line numbers example lines",
                "title=Show line numbers example | lines",
            ),
            (
                "Dashboards as code example [expandable]",
                "title=Dashboards as code example | expandable",
            ),
            ("highlight={4}", "highlight=4-4"),
            (
                "focus={2-3} icon=\"python\" wrap",
                "icon=python | focus=2-3 | wrap",
            ),
            (
                "{4} title=\"Request a string\"",
                "title=Request a string | highlight=4-4",
            ),
            (
                "Custom image icon examples",
                "title=Custom image icon examples",
            ),
            (
                "Output: mem0 --agent search \"dark mode\" --user-id alice",
                "title=Output: mem0 --agent search \"dark mode\" --user-id alice",
            ),
            (
                "{highlight={8-9,20-30}} title=\"src/security/auth.py\"",
                "title=src/security/auth.py | highlight=8-9,20-30",
            ),
            (
                "that adds it to any tool\" {highlight={37}}",
                "title=that adds it to any tool\" | highlight=37-37",
            ),
            ("{9-14} wrap", "highlight=9-14 | wrap"),
            ("highlight=1", "highlight=1-1"),
            ("placement=\"top-right\"", "placement=top-right"),
            (
                "placement=\"top-right\" actions={true}",
                "placement=top-right | actions=true",
            ),
            (
                "HelloWorld.java example icon=java lines",
                "title=HelloWorld.java example | icon=java | lines",
            ),
            (
                "twoslash Twoslash example",
                "title=Twoslash example | twoslash",
            ),
            ("Example title", "title=Example title"),
            ("title property format", "title=title property format"),
            (
                "Line focusing example focus=2,4,5",
                "title=Line focusing example | focus=2-2,4-5",
            ),
            (
                "Line focusing focus=2, 4 wrap",
                "title=Line focusing | focus=2-2,4-4 | wrap",
            ),
            (
                "title=\"No copy example\" nocopy",
                "title=No copy example | nocopy",
            ),
            ("nocopy=\"false\"", "!nocopy"),
            (
                "lines={true} wrap={false} expandable=\"true\"",
                "lines | !wrap | expandable",
            ),
            ("highlight=\"4\"", "highlight=4-4"),
            ("highlight=\"1,2\"", "highlight=1-2"),
            (
                "{4, 7, 19-21} [expandable]",
                "highlight=4-4,7-7,19-21 | expandable",
            ),
            (
                "TITLE='A b' Icon=\"x\" Theme=nord lang=\"ts\"",
                "title=A b | icon=x | lang=ts | theme=nord",
            ),
            ("\"Quoted title\"", "title=Quoted title"),
            ("\"wrap lines\" twoslash", "title=wrap lines | twoslash"),
            ("title={`a b`}", "title=a b"),
            ("{packageName} wrap", "title={packageName} | wrap"),
            ("{2} {4} highlight={3}", "highlight=2-4"),
            ("filename=a.ts", "title=filename=a.ts"),
            ("highlight={x}", "title=highlight={x}"),
            ("lines=maybe", "title=lines=maybe"),
            ("title=\"unclosed", "title=\"unclosed"),
            ("{1,", "title={1,"),
            ("{highlight={2} word}", "title={highlight={2} word}"),
            ("[expandable,lines]", "lines | expandable"),
            ("é \u{3000}日本", "title=é 日本"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn hostile_meta_strings_are_parsed_in_linear_time() {
        for text in [
            "{".repeat(200_000),
            "{ ".repeat(100_000),
            "\" ' ".repeat(50_000),
            "a=\"".repeat(50_000),
            "title=\"".repeat(50_000),
            "highlight={1-4294967295,".repeat(20_000),
            "{1}".repeat(50_000),
            "{{1}}".repeat(10_000),
            "focus=1, ".repeat(50_000),
            format!("{{{}}}", "1,".repeat(100_000)),
        ] {
            let _ = parse_meta(&text);
        }
        assert!(
            parse_meta("{1-4294967295}")
                .highlight
                .contains(4_294_967_295)
        );
        assert!(!parse_meta("{99999999999999999999}").highlight.contains(1));
    }

    #[test]
    fn line_sets_contain_their_ranges() {
        let lines = parse_meta("{7,2-4}").highlight;
        let held: Vec<usize> = (0..10).filter(|line| lines.contains(*line)).collect();
        assert_eq!(held, [2, 3, 4, 7]);
        assert!(!lines.is_empty());
    }
}
