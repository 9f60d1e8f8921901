//! Variants: conditions and parts of the element to which a utility applies.

use super::value;

/// The combined variants of a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Variants {
    /// Cascade weight with one bit per variant: later variants override earlier ones.
    pub(super) weight: u64,
    /// Conditions of `@media`.
    pub(super) media: Vec<String>,
    /// Whether the pseudo-element requires `content`.
    pub(super) content: bool,
    /// Conditions on the root element.
    root: String,
    /// Conditions on a preceding element, with the combinator.
    before: String,
    /// Selector suffix of the element.
    after: String,
}

impl Variants {
    /// The selector for an escaped class name.
    pub(super) fn selector(&self, class: &str, inside: &str) -> String {
        let mut out = String::with_capacity(class.len() + 40);
        if !self.root.is_empty() {
            out.push_str(":where(html");
            out.push_str(&self.root);
            out.push_str(") ");
        }
        out.push_str(".mdx-content ");
        out.push_str(&self.before);
        out.push('.');
        out.push_str(class);
        out.push_str(&self.after);
        out.push_str(inside);
        out
    }
}

/// Breakpoints, ascending.
const SCREENS: &[(&str, &str)] = &[
    ("sm", "40rem"),
    ("md", "48rem"),
    ("lg", "64rem"),
    ("xl", "80rem"),
    ("2xl", "96rem"),
];

/// Pseudo-classes in cascade order.
const STATES: &[(&str, &str)] = &[
    ("first", ":first-child"),
    ("last", ":last-child"),
    ("only", ":only-child"),
    ("odd", ":nth-child(odd)"),
    ("even", ":nth-child(2n)"),
    ("first-of-type", ":first-of-type"),
    ("last-of-type", ":last-of-type"),
    ("visited", ":visited"),
    ("target", ":target"),
    ("open", ":is([open],:popover-open)"),
    ("checked", ":checked"),
    ("required", ":required"),
    ("invalid", ":invalid"),
    ("empty", ":empty"),
    ("focus-within", ":focus-within"),
    ("hover", ":hover"),
    ("focus", ":focus"),
    ("focus-visible", ":focus-visible"),
    ("active", ":active"),
    ("disabled", ":disabled"),
];

/// Pseudo-elements.
const PARTS: &[(&str, &str)] = &[
    ("marker", "::marker"),
    ("selection", "::selection"),
    ("file", "::file-selector-button"),
    ("placeholder", "::placeholder"),
    ("first-letter", "::first-letter"),
    ("first-line", "::first-line"),
    ("before", "::before"),
    ("after", "::after"),
];

/// Media features.
const MEDIA: &[(&str, &str)] = &[
    ("motion-safe", "(prefers-reduced-motion:no-preference)"),
    ("motion-reduce", "(prefers-reduced-motion:reduce)"),
    ("contrast-more", "(prefers-contrast:more)"),
    ("portrait", "(orientation:portrait)"),
    ("landscape", "(orientation:landscape)"),
    ("print", "print"),
];

/// Combines the variants of a name; `None` if one is unknown.
pub(super) fn apply(names: &[&str]) -> Option<Variants> {
    let mut all = Variants::default();
    // The innermost variant is next to the utility.
    for name in names.iter().rev() {
        let bit = one(name, &mut all)?;
        all.weight |= 1 << bit;
    }
    // A media type comes before the media features.
    all.media
        .sort_by_key(|condition| condition.starts_with('(') || condition.starts_with("not"));
    Some(all)
}

/// Adds one variant and returns its bit.
fn one(name: &str, all: &mut Variants) -> Option<u32> {
    let limit = |at: usize| u32::try_from(at).unwrap_or(0);
    if name == "*" {
        all.after.push_str(">*");
        return Some(0);
    }
    if let Some(inner) = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')) {
        return arbitrary(inner, all);
    }
    let related = [("group-", ".group", " "), ("peer-", ".peer", "~")];
    for (at, (prefix, class, combinator)) in related.iter().enumerate() {
        let Some(rest) = name.strip_prefix(prefix) else {
            continue;
        };
        let (state, label) = rest.split_once('/').unwrap_or((rest, ""));
        let (_, pseudo) = STATES.iter().find(|(known, _)| *known == state)?;
        let label = match label {
            "" => String::new(),
            label => super::name::escaped(&format!("/{label}")),
        };
        let before = format!(":where({class}{label}{pseudo}){combinator}");
        all.before.insert_str(0, &before);
        return Some(2 + limit(at));
    }
    if let Some(at) = PARTS.iter().position(|(known, _)| *known == name) {
        let (_, part) = PARTS.get(at)?;
        all.after.push_str(part);
        all.content |= matches!(name, "before" | "after");
        return Some(4 + limit(at));
    }
    if let Some(at) = STATES.iter().position(|(known, _)| *known == name) {
        let (_, state) = STATES.get(at)?;
        // A pseudo-class comes before the pseudo-element.
        let end = all.after.find("::").unwrap_or(all.after.len());
        all.after.insert_str(end, state);
        return Some(12 + limit(at));
    }
    if let Some(at) = MEDIA.iter().position(|(known, _)| *known == name) {
        let (_, condition) = MEDIA.get(at)?;
        all.media.insert(0, (*condition).to_owned());
        return Some(if name == "print" { 60 } else { 33 + limit(at) });
    }
    match name {
        "dark" => {
            all.root.push_str(".dark");
            return Some(59);
        }
        "light" => {
            all.root.push_str(":not(.dark)");
            return Some(58);
        }
        "ltr" | "rtl" => {
            all.root.push_str(if name == "ltr" {
                "[dir=ltr]"
            } else {
                "[dir=rtl]"
            });
            return Some(57);
        }
        _ => {}
    }
    let (screen, max) = match name.strip_prefix("max-") {
        Some(screen) => (screen, true),
        None => (name, false),
    };
    let index = SCREENS.iter().position(|(known, _)| *known == screen);
    let (width, bit) = match index {
        // Upper bounds are sorted in descending order.
        Some(at) => {
            let bit = if max { 44 - limit(at) } else { 46 + limit(at) };
            (SCREENS.get(at)?.1.to_owned(), bit)
        }
        None => {
            let value = if max {
                screen
            } else {
                name.strip_prefix("min-")?
            };
            let inner = value.strip_prefix('[')?.strip_suffix(']')?;
            (value::length(inner)?, if max { 39 } else { 45 })
        }
    };
    let condition = if max {
        format!("not (min-width:{width})")
    } else {
        format!("(min-width:{width})")
    };
    all.media.insert(0, condition);
    Some(bit)
}

/// An arbitrary variant: `[&>p]`, `[&_a:hover]`. The selector is limited to the element, its
/// descendants and siblings.
fn arbitrary(inner: &str, all: &mut Variants) -> Option<u32> {
    let rest = inner.strip_prefix('&')?;
    let mut depth = 0_i32;
    for letter in rest.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            'a'..='z' | 'A'..='Z' | '0'..='9' => {}
            '-' | '_' | '>' | '+' | '~' | '*' | '.' | ':' | '#' => {}
            _ => return None,
        }
        if depth < 0 {
            return None;
        }
    }
    if depth != 0 || rest.is_empty() {
        return None;
    }
    let rest = rest.replace('_', " ");
    let end = rest.trim_end();
    if end.ends_with(['>', '+', '~', '.', ':', '#']) {
        return None;
    }
    all.after.insert_str(0, end);
    Some(1)
}
