//! Generator of Tailwind-compatible CSS. Pages use class names such as `block dark:hidden` and get
//! the rules of exactly the names that they use.
//!
//! All rules are limited to the article, so that no page can restyle its surroundings. An unknown
//! name generates no rule, because it can belong to a style sheet of the repository.

mod collect;
mod color;
mod functional;
mod name;
mod palette;
mod scale;
mod static_utilities;
#[cfg(test)]
mod tests;
mod utility;
mod value;
mod variant;

use std::collections::BTreeMap;

use svc_config::SiteConfig;

pub(crate) use color::Brand;

/// Maximum number of distinct names per page that generate rules.
const MAX_NAMES: usize = 2_000;
/// Maximum length of a name in bytes.
const MAX_NAME_BYTES: usize = 160;

/// Custom properties that utilities share. They are registered so that nested elements do not
/// inherit them.
const PROPERTIES: &[&str] = &[
    "--u-ring",
    "--u-shadow",
    "--u-tx",
    "--u-ty",
    "--u-sx",
    "--u-sy",
    "--u-from",
    "--u-to",
    "--u-stops",
    "--u-blur",
    "--u-light",
    "--u-contrast",
    "--u-gray",
    "--u-hue",
    "--u-invert",
    "--u-saturate",
    "--u-sepia",
    "--u-drop",
    "--u-back",
    "--u-numeric",
];

/// Border defaults that border utilities rely on: only the width is missing. The specificity is 0,
/// so that every other rule overrides it.
const BORDERS: &str =
    ":where(.mdx-content [class*=border]:not([class*=svc-])){border:0 solid var(--svc-border)}";

/// Reset of buttons on pages with utilities. The specificity is 0 as well.
const BUTTONS: &str = ":where(.mdx-content button:not([class*=svc-])){border:0 solid var(--svc-border);padding:0;background:none}";

/// Rules of `not-prose`.
const NOT_PROSE: &str = ".not-prose :is(h1,h2,h3,h4,h5,h6,p,ul,ol,figure,blockquote):where(:not([class*=svc-])){margin:0}\
.not-prose :is(h1,h2,h3,h4,h5,h6):where(:not([class*=svc-])){font-size:inherit;font-weight:inherit}\
.not-prose :is(ul,ol):where(:not([class*=svc-])){padding:0;list-style:none}";

/// A generated rule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CssRule {
    /// Conditions of `@media`; empty if there are none.
    media: String,
    selector: String,
    body: String,
}

/// Generates the rules for the class names in an article. The output is deterministic.
pub(crate) fn css(html: &str, classes: &str, config: &SiteConfig) -> String {
    let brand = Brand::of(config);
    let mut names = collect::names(html);
    for name in classes.split_ascii_whitespace().take(MAX_NAMES) {
        // Candidates from strings of scripts; those that are not utilities generate no rule.
        if name.len() <= 60 && !name.starts_with("svc-") && !names.iter().any(|own| own == name) {
            names.push(name.to_owned());
        }
    }
    names.truncate(MAX_NAMES);
    let rules = sheet(names.iter().map(String::as_str), &brand);
    if html.contains("<button") {
        return format!("{BUTTONS}{rules}");
    }
    rules
}

fn sheet<'n>(names: impl Iterator<Item = &'n str>, brand: &Brand) -> String {
    // The key is the cascade order: variants, then the number of properties that a name sets, then
    // the name.
    let mut rules: BTreeMap<(u64, u8, &str), CssRule> = BTreeMap::new();
    let mut without_prose = false;
    for name in names {
        without_prose |= name == "not-prose";
        if let Some((weight, order, rule)) = rule(name, brand) {
            rules.insert((weight, order, name), rule);
        }
    }
    let mut body = String::new();
    let mut media = "";
    for rule in rules.values() {
        if rule.media != media {
            if !media.is_empty() {
                body.push('}');
            }
            if !rule.media.is_empty() {
                body.push_str("@media ");
                body.push_str(&rule.media);
                body.push('{');
            }
            media = &rule.media;
        }
        body.push_str(&rule.selector);
        body.push('{');
        body.push_str(&rule.body);
        body.push('}');
    }
    if !media.is_empty() {
        body.push('}');
    }
    let mut out = String::new();
    let own = if body.contains("--u-") {
        PROPERTIES
    } else {
        &[]
    };
    for property in own {
        if body.contains(property) {
            out.push_str("@property ");
            out.push_str(property);
            out.push_str("{syntax:\"*\";inherits:false}");
        }
    }
    if body.contains("svc-spin") {
        out.push_str(scale::KEYFRAMES);
    }
    if without_prose {
        out.push_str(NOT_PROSE);
    }
    if body.contains("border") {
        out.push_str(BORDERS);
    }
    out.push_str(&body);
    out
}

/// The rule of one name with its weight and order; `None` if it is not a utility.
fn rule(name: &str, brand: &Brand) -> Option<(u64, u8, CssRule)> {
    if name.len() > MAX_NAME_BYTES || name.chars().any(|c| c.is_control() || c == '<') {
        return None;
    }
    let parsed = name::parse(name)?;
    let utility =
        static_utilities::find(parsed.base).or_else(|| functional::find(&parsed, brand))?;
    let variants = variant::apply(&parsed.variants)?;
    if utility.body.is_empty() {
        return None;
    }
    let mut body = String::with_capacity(utility.body.len() + 16);
    if variants.content {
        body.push_str("content:\"\";");
    }
    for (at, declaration) in utility.body.split(';').enumerate() {
        if at > 0 {
            body.push(';');
        }
        body.push_str(declaration);
        if parsed.important {
            body.push_str("!important");
        }
    }
    let selector = variants.selector(&name::escaped(name), utility.inside);
    let rule = CssRule {
        media: variants.media.join(" and "),
        selector,
        body,
    };
    Some((variants.weight, utility.order, rule))
}

/// Whether a name is a utility, including those that only mark an element.
#[cfg(test)]
fn is_known(name: &str) -> bool {
    let brand = Brand::default();
    name::parse(name).is_some_and(|parsed| {
        let base =
            static_utilities::find(parsed.base).or_else(|| functional::find(&parsed, &brand));
        base.is_some() && variant::apply(&parsed.variants).is_some()
    })
}
