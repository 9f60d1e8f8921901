//! `mint.json`: the same settings under older names, moved to their keys in `docs.json`. Values
//! retain their spans.

mod document;
mod navigation;

use svc_data::{Member, Node, Value};

use crate::tree::{Map, object, string};
use document::{NewDocument, OldDocument, each, rename};

/// Older names of themes.
const THEMES: &[(&str, &str)] = &[("venus", "palm"), ("quill", "willow"), ("prism", "svc")];
/// Layouts that became themes.
const LAYOUTS: &[(&str, &str)] = &[("sidenav", "maple"), ("solidSidenav", "willow")];
/// Settings that keep their name and form.
const UNCHANGED_KEYS: &[&str] = &[
    "$schema",
    "name",
    "description",
    "logo",
    "favicon",
    "redirects",
    "banner",
    "search",
    "contextual",
    "variables",
    "icons",
    "thumbnails",
    "integrations",
];
/// Settings without a counterpart that are dropped without loss.
const DROPPED_KEYS: &[&str] = &[
    "rounded",
    "sidebar",
    "topbar",
    "feedback",
    "isWhiteLabeled",
    "seo",
    "colors",
    "topAnchor",
];

/// Converts a `mint.json` to the form of `docs.json`.
pub(crate) fn convert(tree: Node) -> Node {
    let span = tree.span;
    let Value::Object(map) = tree.value else {
        return tree;
    };
    let map = map.into_map();
    let mut old = OldDocument { span, map };
    let mut new = NewDocument { map: Map::new() };
    for key in UNCHANGED_KEYS {
        if let Some(member) = old.take(key) {
            new.map.insert(*key, member);
        }
    }
    theme(&mut old, &mut new);
    colors(&mut old, &mut new);
    appearance(&mut old, &mut new);
    bars(&mut old, &mut new);
    api(&mut old, &mut new);
    search(&mut old, &mut new);
    navigation::convert(&mut old, &mut new);
    for key in DROPPED_KEYS {
        old.take(key);
    }
    // The remaining keys are unknown in `docs.json` too, and are reported as such; newer names pass
    // unchanged.
    for (key, member) in old.map {
        new.map.get_or_insert_with(&key, || member);
    }
    Node {
        span,
        value: Value::Object(new.map.into()),
    }
}

/// Moves values between paths.
fn move_all(old: &mut OldDocument, new: &mut NewDocument, moves: &[(&[&str], &[&str])]) {
    for (from, to) in moves {
        if let Some(value) = old.take_path(from) {
            new.put(to, value);
        }
    }
}

/// Replaces a string by its newer name.
fn reword(tree: Node, values: &[(&str, &str)]) -> Node {
    let new = tree
        .as_str()
        .and_then(|text| values.iter().find(|(old, _)| *old == text));
    match new {
        Some((_, new)) => string(tree.span, new),
        None => tree,
    }
}

fn theme(old: &mut OldDocument, new: &mut NewDocument) {
    let theme = old.take("theme").map(|member| reword(member.value, THEMES));
    let layout = old.take("layout").and_then(|member| {
        let known = LAYOUTS
            .iter()
            .any(|(old, _)| member.value.as_str() == Some(old));
        known.then(|| reword(member.value, LAYOUTS))
    });
    let default = string(old.span, "svc");
    new.put(&["theme"], theme.or(layout).unwrap_or(default));
}

fn colors(old: &mut OldDocument, new: &mut NewDocument) {
    move_all(
        old,
        new,
        &[
            (&["colors", "primary"], &["colors", "primary"]),
            (&["colors", "light"], &["colors", "light"]),
            (&["colors", "dark"], &["colors", "dark"]),
            (&["colors", "background"], &["background", "color"]),
        ],
    );
    let primary = new
        .map
        .get("colors")
        .and_then(|colors| colors.value.get("primary"));
    if primary.is_none() {
        let span = old
            .map
            .get("colors")
            .map_or(old.span, |member| member.value.span);
        new.put(&["colors", "primary"], string(span, "#16A34A"));
    }
}

fn appearance(old: &mut OldDocument, new: &mut NewDocument) {
    move_all(
        old,
        new,
        &[
            (&["eyebrow", "display"], &["styling", "eyebrows"]),
            (&["modeToggle", "default"], &["appearance", "default"]),
            (&["modeToggle", "isHidden"], &["appearance", "strict"]),
            (&["background", "style"], &["background", "decoration"]),
            (&["backgroundImage"], &["background", "image"]),
        ],
    );
    if let Some(mode) = old.take_path(&["codeBlock", "mode"]) {
        new.put(
            &["styling", "codeblocks"],
            reword(mode, &[("auto", "system")]),
        );
    }
    if let Some(font) = old.take("font") {
        let names = &[("headings", "heading"), ("url", "source")];
        new.put(&["fonts"], font_file(font_sides(rename(font.value, names))));
    }
    for key in ["eyebrow", "modeToggle", "background", "codeBlock"] {
        drop_if_empty(old, key);
    }
}

fn font_sides(tree: Node) -> Node {
    let Value::Object(map) = tree.value else {
        return tree;
    };
    let map: Map = map
        .into_members()
        .map(|(key, member)| {
            let side = matches!(&*key, "heading" | "body");
            let change = |tree| font_file(rename(tree, &[("url", "source")]));
            let value = if side {
                change(member.value)
            } else {
                member.value
            };
            (
                key,
                Member {
                    key_span: member.key_span,
                    value,
                },
            )
        })
        .collect();
    Node {
        span: tree.span,
        value: Value::Object(map.into()),
    }
}

/// `mint.json` has no key for the format; the file extension determines it.
fn font_file(mut tree: Node) -> Node {
    if let Some(map) = tree.as_map_mut()
        && !map.contains_key("format")
        && let Some(source) = map.get("source")
        && let Some(text) = source.value.as_str()
    {
        let format = if text.ends_with(".woff") {
            "woff"
        } else {
            "woff2"
        };
        let span = source.value.span;
        let value = string(span, format);
        map.insert(
            "format",
            Member {
                key_span: span,
                value,
            },
        );
    }
    tree
}

fn bars(old: &mut OldDocument, new: &mut NewDocument) {
    const LINK: &[(&str, &str)] = &[("name", "label"), ("url", "href")];
    if let Some(links) = old.take("topbarLinks") {
        new.put(
            &["navbar", "links"],
            each(links.value, |link| rename(link, LINK)),
        );
    }
    if let Some(button) = old.take("topbarCtaButton") {
        let mut button = rename(button.value, LINK);
        let span = button.span;
        if let Some(map) = button.as_map_mut() {
            map.remove("style");
            map.remove("arrow");
            if let Some(kind) = map.get_mut("type") {
                let tree = std::mem::replace(&mut kind.value, object(kind.key_span));
                kind.value = reword(tree, &[("link", "button")]);
            } else {
                let value = string(span, "button");
                map.insert(
                    "type",
                    Member {
                        key_span: span,
                        value,
                    },
                );
            }
        }
        new.put(&["navbar", "primary"], button);
    }
    if let Some(socials) = old.take("footerSocials") {
        new.put(&["footer", "socials"], socials_map(socials.value));
    }
    if let Some(footer) = old.take("footer") {
        if let Value::Object(object) = footer.value.value {
            let mut map = object.into_map();
            if let Some(socials) = map.remove("socials") {
                new.put(&["footer", "socials"], socials_map(socials.value));
            }
            if let Some(links) = map.remove("links") {
                let column = |column| {
                    let mut column = rename(column, &[("title", "header"), ("links", "items")]);
                    if let Some(map) = column.as_map_mut()
                        && let Some(items) = map.remove("items")
                    {
                        let value = each(items.value, |item| rename(item, LINK));
                        map.insert(
                            "items",
                            Member {
                                key_span: items.key_span,
                                value,
                            },
                        );
                    }
                    column
                };
                new.put(&["footer", "links"], each(links.value, column));
            }
        } else {
            new.put(&["footer"], footer.value);
        }
    }
}

/// Converts `[{type, url}]` to a map.
fn socials_map(tree: Node) -> Node {
    let Value::Array(items) = tree.value else {
        return tree;
    };
    let mut map = Map::new();
    for item in items {
        let Value::Object(object) = item.value else {
            continue;
        };
        let mut fields = object.into_map();
        let kind = fields.remove("type");
        let url = fields.remove("url");
        if let (Some(kind), Some(url)) = (kind, url)
            && let Some(name) = kind.value.as_str()
        {
            map.insert(
                name,
                Member {
                    key_span: kind.value.span,
                    value: url.value,
                },
            );
        }
    }
    Node {
        span: tree.span,
        value: Value::Object(map.into()),
    }
}

fn api(old: &mut OldDocument, new: &mut NewDocument) {
    move_all(
        old,
        new,
        &[
            (&["openapi"], &["api", "openapi"]),
            (&["api", "openapi"], &["api", "openapi"]),
            (&["api", "baseUrl"], &["api", "mdx", "server"]),
            (
                &["api", "auth", "method"],
                &["api", "mdx", "auth", "method"],
            ),
            (&["api", "auth", "name"], &["api", "mdx", "auth", "name"]),
            (
                &["api", "request", "example", "languages"],
                &["api", "examples", "languages"],
            ),
            (
                &["api", "paramFields", "expanded"],
                &["api", "params", "expanded"],
            ),
        ],
    );
    if let Some(mode) = old.take_path(&["api", "playground", "mode"]) {
        let values = &[("show", "interactive"), ("hide", "none")];
        new.put(&["api", "playground", "display"], reword(mode, values));
    }
    if let Some(off) = old.take_path(&["api", "playground", "disableProxy"]) {
        let value = if let Value::Bool(off) = off.value {
            Value::Bool(!off)
        } else {
            off.value
        };
        new.put(
            &["api", "playground", "proxy"],
            Node {
                span: off.span,
                value,
            },
        );
    }
    // The remaining keys have no counterpart.
    old.take("api");
}

fn search(old: &mut OldDocument, new: &mut NewDocument) {
    move_all(
        old,
        new,
        &[
            (&["metadata"], &["seo", "metatags"]),
            (&["analytics"], &["integrations"]),
        ],
    );
    if let Some(all) = old.take_path(&["seo", "indexHiddenPages"]) {
        let indexing = if all.value == Value::Bool(true) {
            "all"
        } else {
            "navigable"
        };
        new.put(&["seo", "indexing"], string(all.span, indexing));
    }
}

fn drop_if_empty(old: &mut OldDocument, key: &str) {
    let empty = old
        .map
        .get(key)
        .is_some_and(|member| member.value.as_map().is_some_and(Map::is_empty));
    if empty {
        old.take(key);
    }
}

#[cfg(test)]
mod tests;
