//! Theme pairs as short classes: all colors of a pair are numbered and have one style sheet.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use syntaxmate::{FontModifiers, RgbColor, Style, Theme};

use super::{grammars, variables};

/// The themes of a site, one per color scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Themes<'a> {
    /// Name of the theme for light pages.
    pub light: &'a str,
    /// Name of the theme for dark pages.
    pub dark: &'a str,
}

impl Themes<'static> {
    /// Default themes.
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
    name == variables::NAME || grammars::theme_index(name).is_some()
}

/// The names of all packed themes, sorted.
pub fn theme_names() -> impl Iterator<Item = &'static str> {
    grammars::theme_ids().chain([variables::NAME])
}

/// Style of a token: color, and flags for bold, italic, underline and strikethrough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct TokenStyle {
    color: u32,
    marks: u8,
}

/// Each flag: its bit, the letter of its class, and its declaration.
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

impl TokenStyle {
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

    /// The declarations that change `before` to this style; `paint` formats a color.
    fn css(self, before: Self, paint: impl Fn(u32) -> String) -> String {
        let mut out = String::new();
        if self.color != before.color {
            let _ = write!(out, "color:{};", paint(self.color));
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

    /// All declarations, independent of the previous style.
    fn full_css(self, paint: impl Fn(u32) -> String) -> String {
        let plain = Self {
            // A value that is no token's color: colors have three bytes.
            color: u32::MAX,
            marks: !self.marks,
        };
        self.css(plain, paint)
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

/// A loaded theme with the data for its style sheet.
#[derive(Debug)]
struct LoadedTheme {
    theme: Theme,
    base: TokenStyle,
    background: u32,
    /// Scope paths of its rules, which are all that the theme distinguishes.
    paths: Vec<Vec<String>>,
    /// CSS variables for the placeholder colors of the theme `css-variables`.
    variables: Option<BTreeMap<u32, String>>,
    /// The sixteen terminal colors as CSS.
    ansi: Vec<String>,
}

impl LoadedTheme {
    fn read(name: &str, fallback: &str, paper: u32) -> Option<Self> {
        if name != variables::NAME {
            let index = grammars::theme_index(name).or_else(|| grammars::theme_index(fallback))?;
            return Self::from_json(&grammars::theme_json(index)?, paper);
        }
        let usual = Self::read(fallback, fallback, paper)?;
        let mut loaded = Self::from_json(&variables::theme().to_string(), paper)?;
        let background = hex(usual.background);
        loaded.variables = Some(variables::values(&background, |scope| {
            let color = scope.map_or(usual.base.color, |scope| usual.style(&[scope]).color);
            hex(color)
        }));
        loaded.ansi = variables::ANSI
            .split(' ')
            .zip(usual.ansi)
            .map(|(name, value)| variables::variable(&format!("ansi-{name}"), &value))
            .collect();
        Some(loaded)
    }

    fn from_json(json: &str, paper: u32) -> Option<Self> {
        let theme = Theme::from_json(json).ok()?;
        let style = theme.default_style();
        let background = style.background.map_or(paper, packed);
        let base = TokenStyle {
            color: style.foreground.map_or(paper ^ 0xff_ffff, packed),
            marks: 0,
        };
        let raw: serde_json::Value = serde_json::from_str(json).ok()?;
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
        let named = |name: &str| raw.get("colors")?.get(name)?.as_str();
        let ansi = ANSI_KEYS
            .iter()
            .zip(if is_dark(background) {
                ANSI_ON_DARK
            } else {
                ANSI_ON_LIGHT
            })
            .map(|(key, usual)| named(&format!("terminal.ansi{key}")).unwrap_or(usual))
            .map(str::to_owned)
            .collect();
        Some(Self {
            theme,
            base,
            background,
            paths,
            variables: None,
            ansi,
        })
    }

    fn style(&self, path: &[&str]) -> TokenStyle {
        TokenStyle::of(self.theme.resolve_scope_names(path), self.base.color)
    }

    /// Formats a color as CSS.
    fn paint(&self, color: u32) -> String {
        match &self.variables {
            Some(variables) => variables.get(&color).cloned().unwrap_or_default(),
            None => hex(color),
        }
    }

    /// Declarations of the background, the plain text and the terminal colors.
    fn base_css(&self, paper: bool) -> String {
        let mut out = String::new();
        if paper {
            let _ = write!(out, "--svc-code-bg:{};", self.paint(self.background));
        }
        let _ = write!(out, "--svc-code-text:{}", self.paint(self.base.color));
        for (number, color) in self.ansi.iter().enumerate() {
            let _ = write!(out, ";--svc-ansi-{number}:{color}");
        }
        out
    }
}

/// Names of the terminal colors in themes.
const ANSI_KEYS: [&str; 16] = [
    "Black",
    "Red",
    "Green",
    "Yellow",
    "Blue",
    "Magenta",
    "Cyan",
    "White",
    "BrightBlack",
    "BrightRed",
    "BrightGreen",
    "BrightYellow",
    "BrightBlue",
    "BrightMagenta",
    "BrightCyan",
    "BrightWhite",
];
/// Default terminal colors for light themes.
const ANSI_ON_LIGHT: [&str; 16] = [
    "#24292f", "#c5221f", "#116329", "#7d4e00", "#0550ae", "#8250df", "#136c74", "#57606a",
    "#57606a", "#a40e26", "#1a7f37", "#633c01", "#0969da", "#a475f9", "#1b7c83", "#6e7781",
];
/// Default terminal colors for dark themes.
const ANSI_ON_DARK: [&str; 16] = [
    "#6e7681", "#f47067", "#57ab5a", "#d2a520", "#6cb6ff", "#dcbdfb", "#56d4dd", "#d4d4d4",
    "#8b949e", "#ff938a", "#8ddb8c", "#f0c95c", "#96d0ff", "#eedcff", "#8ce6ec", "#ffffff",
];

/// Whether a background color is dark.
fn is_dark(color: u32) -> bool {
    let part = |shift: u32| (color >> shift) & 0xff;
    part(16) * 299 + part(8) * 587 + part(0) * 114 < 128 * 1000
}

/// The numbered colors of a pair of themes.
#[derive(Debug)]
pub(super) struct Palette {
    light: LoadedTheme,
    dark: LoadedTheme,
    /// Style pairs of single scopes; each has its own class, `k0` and up.
    pairs: Vec<(TokenStyle, TokenStyle)>,
    numbers: BTreeMap<(TokenStyle, TokenStyle), usize>,
    /// All colors of each theme, for rare pairs of nested scopes: classes `kl0`, `kd0` and up.
    light_colors: Vec<u32>,
    dark_colors: Vec<u32>,
}

impl Palette {
    /// Loads two themes; an unknown name is replaced by the default of its color scheme.
    pub(super) fn new(themes: &Themes<'_>) -> Option<Self> {
        let light = LoadedTheme::read(themes.light, Themes::DEFAULT.light, 0xff_ffff)?;
        let dark = LoadedTheme::read(themes.dark, Themes::DEFAULT.dark, 0)?;
        let mut pairs = BTreeSet::new();
        for path in light.paths.iter().chain(&dark.paths) {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            pairs.insert((light.style(&path), dark.style(&path)));
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

    /// The class attribute for a token's scopes; empty if the token looks like plain text.
    pub(super) fn class(&self, scopes: syntaxmate::Scopes<'_>) -> String {
        let light = TokenStyle::of(
            self.light.theme.resolve(scopes.clone()),
            self.light.base.color,
        );
        let dark = TokenStyle::of(self.dark.theme.resolve(scopes), self.dark.base.color);
        self.pair_class(light, dark)
    }

    /// Like `class`, for names of scopes.
    pub(super) fn class_of(&self, path: &[&str]) -> String {
        self.pair_class(self.light.style(path), self.dark.style(path))
    }

    fn pair_class(&self, light: TokenStyle, dark: TokenStyle) -> String {
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

    /// The style sheet; `dark` is the selector of dark pages. Built-in themes use the background of
    /// the page, and their style sheet is on every page. The style sheet of other themes therefore
    /// overrides all of its declarations.
    pub(super) fn css(&self, dark: &str, built_in: bool) -> String {
        // Rules of one style sheet never match the same element; those of a later style sheet
        // override earlier ones.
        let (mut first, mut second, mut third) = (
            StyleRules::default(),
            StyleRules::default(),
            StyleRules::default(),
        );
        first.add(":root".into(), self.light.base_css(!built_in));
        second.add(dark.into(), self.dark.base_css(!built_in));
        let light = |color| self.light.paint(color);
        let shade = |color| self.dark.paint(color);
        for (number, (light_ink, dark_ink)) in self.pairs.iter().enumerate() {
            if !built_in {
                first.add(format!(".k{number}"), light_ink.full_css(light));
                second.add(format!("{dark} .k{number}"), dark_ink.full_css(shade));
                continue;
            }
            first.add(format!(".k{number}"), light_ink.css(self.light.base, light));
            // Only differences to the light rule, which still applies.
            let shown = match light_ink.color == self.light.base.color {
                true => TokenStyle {
                    color: self.dark.base.color,
                    marks: light_ink.marks,
                },
                false => *light_ink,
            };
            second.add(format!("{dark} .k{number}"), dark_ink.css(shown, shade));
        }
        for (number, color) in self.light_colors.iter().enumerate() {
            first.add(format!(".kl{number}"), format!("color:{}", light(*color)));
            second.add(format!("{dark} .kl{number}"), "color:inherit".into());
        }
        for (number, color) in self.dark_colors.iter().enumerate() {
            third.add(
                format!("{dark} .kd{number}"),
                format!("color:{}", shade(*color)),
            );
        }
        for (_, _, letter, declaration) in MARKS {
            first.add(format!(":root:not({dark}) .kl{letter}"), declaration.into());
            third.add(format!("{dark} .kd{letter}"), declaration.into());
        }
        first.text() + &second.text() + &third.text() + &ansi_css()
    }

    /// The style sheet of the light theme inside of a class, which overrides that of the page in
    /// both color schemes.
    pub(super) fn scoped_css(&self, scope: &str) -> String {
        let mut sheet = StyleRules::default();
        sheet.add(format!(":root .{scope}"), self.light.base_css(true));
        let within = |class: &str, number: usize| format!(":root .{scope} .{class}{number}");
        let paint = |color| self.light.paint(color);
        for (number, (ink, _)) in self.pairs.iter().enumerate() {
            sheet.add(within("k", number), ink.full_css(paint));
        }
        for (number, color) in self.light_colors.iter().enumerate() {
            let ink = TokenStyle {
                color: *color,
                marks: 0,
            };
            sheet.add(within("kl", number), ink.css(self.light.base, paint));
        }
        for (_, _, letter, declaration) in MARKS {
            sheet.add(format!(":root .{scope} .kl{letter}"), declaration.into());
        }
        sheet.text()
    }

    /// Whether the light theme is a dark one.
    pub(super) fn is_dark(&self) -> bool {
        is_dark(self.light.background)
    }
}

/// The classes of the language `ansi`; 16 is plain text and background, for inverted colors.
fn ansi_css() -> String {
    let mut out = String::new();
    for number in 0..16 {
        let _ = write!(
            out,
            ".ka{number}{{color:var(--svc-ansi-{number})}}.kb{number}{{background:var(--svc-ansi-{number})}}"
        );
    }
    out.push_str(
        ".ka16{color:var(--svc-code-bg)}.kb16{background:var(--svc-code-text)}\
         .kab{font-weight:700}.kad{opacity:.7}.kai{font-style:italic}\
         .kau{text-decoration:underline}.kas{text-decoration:line-through}\n",
    );
    out
}

/// Rules whose order is not significant, so that equal declarations share one.
#[derive(Default)]
struct StyleRules(BTreeMap<String, Vec<String>>);

impl StyleRules {
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
