//! Theme pairs as short classes: every colour a pair of themes can give, numbered once, with its stylesheet.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use syntaxmate::{FontModifiers, RgbColor, Style, Theme};

use super::grammars;

/// The themes of a site: one for light pages, one for dark pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Themes<'a> {
    /// Name of the theme for light pages.
    pub light: &'a str,
    /// Name of the theme for dark pages.
    pub dark: &'a str,
}

impl Themes<'static> {
    /// The pair used when a site names none.
    pub const DEFAULT: Self = Self {
        light: "github-light-default",
        dark: "dark-plus",
    };
}

impl Default for Themes<'static> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Whether a theme of this name exists.
#[must_use]
pub fn is_theme(name: &str) -> bool {
    grammars::theme_index(name).is_some()
}

/// The names of all themes, sorted.
pub fn theme_names() -> impl Iterator<Item = &'static str> {
    grammars::theme_ids()
}

/// How one theme draws a token: its colour, and bits for bold, italic, underlined and struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Ink {
    color: u32,
    marks: u8,
}

/// Each mark: its bit, the letter of its class, and its declaration.
const MARKS: [(u8, FontModifiers, char, &str); 4] = [
    (1, FontModifiers::BOLD, 'b', "font-weight:700"),
    (2, FontModifiers::ITALIC, 'i', "font-style:italic"),
    (
        4,
        FontModifiers::UNDERLINED,
        'u',
        "text-decoration:underline",
    ),
    (
        8,
        FontModifiers::CROSSED_OUT,
        's',
        "text-decoration:line-through",
    ),
];

impl Ink {
    fn of(style: Style, fallback: u32) -> Self {
        let marks = MARKS
            .iter()
            .filter(|mark| style.modifiers.contains(mark.1))
            .fold(0, |bits, mark| bits | mark.0);
        Self {
            color: style.foreground.map_or(fallback, packed),
            marks,
        }
    }

    /// The declarations that turn `before` into this.
    fn css(self, before: Self) -> String {
        let mut out = String::new();
        if self.color != before.color {
            let _ = write!(out, "color:{};", hex(self.color));
        }
        if self.marks != before.marks {
            for (set, unset) in [
                (0b0001, "font-weight:400"),
                (0b0010, "font-style:normal"),
                (0b1100, "text-decoration:none"),
            ] {
                if before.marks & set != 0 && self.marks & set == 0 {
                    let _ = write!(out, "{unset};");
                }
            }
            for (bit, _, _, rule) in MARKS {
                if self.marks & bit != before.marks & bit && self.marks & bit != 0 {
                    let _ = write!(out, "{rule};");
                }
            }
        }
        out.pop();
        out
    }
}

fn packed(color: RgbColor) -> u32 {
    u32::from(color.red) << 16 | u32::from(color.green) << 8 | u32::from(color.blue)
}

/// The shortest hexadecimal form.
fn hex(color: u32) -> String {
    let long = format!("{color:06x}");
    let short: String = long.chars().step_by(2).collect();
    if long.chars().skip(1).step_by(2).eq(short.chars()) {
        format!("#{short}")
    } else {
        format!("#{long}")
    }
}

/// A loaded theme with what its stylesheet needs.
#[derive(Debug)]
struct Loaded {
    theme: Theme,
    base: Ink,
    background: u32,
    /// The scope paths its rules name: what it can tell apart.
    paths: Vec<Vec<String>>,
}

impl Loaded {
    fn read(name: &str, fallback: &str, paper: u32) -> Option<Self> {
        let index = grammars::theme_index(name).or_else(|| grammars::theme_index(fallback))?;
        let json = grammars::theme_json(index)?;
        let theme = Theme::from_json(&json).ok()?;
        let style = theme.default_style();
        let background = style.background.map_or(paper, packed);
        let base = Ink {
            color: style.foreground.map_or(paper ^ 0xff_ffff, packed),
            marks: 0,
        };
        let raw: serde_json::Value = serde_json::from_str(&json).ok()?;
        let rules = raw.get("tokenColors").and_then(|rules| rules.as_array());
        let scopes = rules
            .into_iter()
            .flatten()
            .filter_map(|rule| rule.get("scope")?.as_array())
            .flatten();
        let selectors = scopes
            .filter_map(|scope| scope.as_str())
            .flat_map(|scope| scope.split(','));
        let paths = selectors
            .map(|path| path.split_whitespace().map(str::to_owned).collect())
            .collect();
        Some(Self {
            theme,
            base,
            background,
            paths,
        })
    }

    fn ink(&self, path: &[&str]) -> Ink {
        Ink::of(self.theme.resolve_scope_names(path), self.base.color)
    }
}

/// The numbered colours of one pair of themes.
#[derive(Debug)]
pub(super) struct Palette {
    light: Loaded,
    dark: Loaded,
    /// Pairs that a single scope can give; each has a class of its own, `k0` onwards.
    pairs: Vec<(Ink, Ink)>,
    numbers: BTreeMap<(Ink, Ink), usize>,
    /// All colours of each theme, for the rare pair that only nested scopes give: classes `kl0`, `kd0` onwards.
    light_colors: Vec<u32>,
    dark_colors: Vec<u32>,
}

impl Palette {
    /// Reads two themes; an unknown name becomes the default of its side.
    pub(super) fn new(themes: &Themes<'_>) -> Option<Self> {
        let light = Loaded::read(themes.light, Themes::DEFAULT.light, 0xff_ffff)?;
        let dark = Loaded::read(themes.dark, Themes::DEFAULT.dark, 0)?;
        let mut pairs = BTreeSet::new();
        for path in light.paths.iter().chain(&dark.paths) {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            pairs.insert((light.ink(&path), dark.ink(&path)));
        }
        pairs.remove(&(light.base, dark.base));
        let colors = |all: BTreeSet<u32>| all.into_iter().collect::<Vec<_>>();
        let light_colors = colors(
            pairs
                .iter()
                .map(|pair| pair.0.color)
                .chain([light.base.color])
                .collect(),
        );
        let dark_colors = colors(
            pairs
                .iter()
                .map(|pair| pair.1.color)
                .chain([dark.base.color])
                .collect(),
        );
        let pairs: Vec<_> = pairs.into_iter().collect();
        let numbers = pairs
            .iter()
            .enumerate()
            .map(|(number, pair)| (*pair, number))
            .collect();
        Some(Self {
            light,
            dark,
            pairs,
            numbers,
            light_colors,
            dark_colors,
        })
    }

    /// The class attribute for a token's scopes; empty when the token looks like ordinary text.
    pub(super) fn class(&self, scopes: syntaxmate::Scopes<'_>) -> String {
        let light = Ink::of(
            self.light.theme.resolve(scopes.clone()),
            self.light.base.color,
        );
        let dark = Ink::of(self.dark.theme.resolve(scopes), self.dark.base.color);
        if (light, dark) == (self.light.base, self.dark.base) {
            return String::new();
        }
        if let Some(number) = self.numbers.get(&(light, dark)) {
            return format!("k{number}");
        }
        let mut out = String::new();
        for (side, ink, colors, base) in [
            ('l', light, &self.light_colors, self.light.base),
            ('d', dark, &self.dark_colors, self.dark.base),
        ] {
            if let Ok(number) = colors.binary_search(&ink.color)
                && ink.color != base.color
            {
                let _ = write!(out, "k{side}{number} ");
            }
            for (_, _, letter, _) in MARKS.iter().filter(|mark| ink.marks & mark.0 != 0) {
                let _ = write!(out, "k{side}{letter} ");
            }
        }
        out.truncate(out.trim_end().len());
        out
    }

    /// The stylesheet; `dark` is the selector under which a page is dark.
    pub(super) fn css(&self, dark: &str) -> String {
        let colors = |loaded: &Loaded| {
            format!(
                "--svc-code-bg:{};--svc-code-fg:{}",
                hex(loaded.background),
                hex(loaded.base.color)
            )
        };
        // Rules of one sheet never meet on an element; those of a later sheet win over an earlier one.
        let (mut first, mut second, mut third) =
            (Sheet::default(), Sheet::default(), Sheet::default());
        first.add(":root".into(), colors(&self.light));
        second.add(dark.into(), colors(&self.dark));
        for (number, (light_ink, dark_ink)) in self.pairs.iter().enumerate() {
            first.add(format!(".k{number}"), light_ink.css(self.light.base));
            // Only what differs from the light rule, which still applies.
            let shown = match light_ink.color == self.light.base.color {
                true => Ink {
                    color: self.dark.base.color,
                    marks: light_ink.marks,
                },
                false => *light_ink,
            };
            second.add(format!("{dark} .k{number}"), dark_ink.css(shown));
        }
        for (number, color) in self.light_colors.iter().enumerate() {
            first.add(format!(".kl{number}"), format!("color:{}", hex(*color)));
            second.add(format!("{dark} .kl{number}"), "color:inherit".into());
        }
        for (number, color) in self.dark_colors.iter().enumerate() {
            third.add(
                format!("{dark} .kd{number}"),
                format!("color:{}", hex(*color)),
            );
        }
        for (_, _, letter, declaration) in MARKS {
            first.add(format!(":root:not({dark}) .kl{letter}"), declaration.into());
            third.add(format!("{dark} .kd{letter}"), declaration.into());
        }
        first.text() + &second.text() + &third.text()
    }
}

/// Rules whose order does not matter, so that equal declarations can share one.
#[derive(Default)]
struct Sheet(BTreeMap<String, Vec<String>>);

impl Sheet {
    fn add(&mut self, selector: String, declarations: String) {
        if !declarations.is_empty() {
            self.0.entry(declarations).or_default().push(selector);
        }
    }

    fn text(&self) -> String {
        self.0
            .iter()
            .map(|(declarations, selectors)| format!("{}{{{declarations}}}\n", selectors.join(",")))
            .collect()
    }
}
