//! Descriptions of what is at a position.

use std::fmt::Write as _;

use lsp_types::{Hover, HoverContents};
use svc_config::IconLibrary;
use svc_nav::Route;
use svc_render::components::{ALL, Prop};
use svc_source::FRONT_MATTER_FIELDS;

use crate::complete::kind_name;
use crate::convert::markup;
use crate::cursor::{Step, Target};
use crate::role::{Role, prop_of, spec_of};
use crate::schema::Declaration;
use crate::view::{FileKind, View};

/// Side of the preview of an icon in pixels.
const PREVIEW_SIZE: &str = "48";
/// Color of the preview of an icon, which is visible on light and on dark backgrounds.
const PREVIEW_COLOR: &str = "#808080";

/// Describes what is at an offset. `None` if nothing is known about it.
pub(crate) fn hover(view: &View<'_>, offset: usize) -> Option<Hover> {
    let cursor = view.cursor(offset)?;
    let text = view.text_of(&cursor);
    let about = match &cursor.target {
        Target::Key(steps) if matches!(view.kind, FileKind::Config(_)) => {
            let mut path = steps.clone();
            path.push(Step::Key(text.to_owned()));
            let is_known = Declaration::at(steps)
                .keys()
                .iter()
                .any(|(key, _)| *key == text);
            is_known.then(|| Declaration::at(&path).describe(text))
        }
        Target::Field => about_field(text),
        Target::Tag { .. } => about_component(text),
        Target::Attribute { tag } => prop_of(tag, text).map(about_prop),
        _ => None,
    };
    let about = about.or_else(|| about_reference(view, view.role(&cursor)?, text))?;
    Some(Hover {
        contents: HoverContents::Markup(markup(view.client, about)),
        range: Some(view.index.range(cursor.span)),
    })
}

fn about_reference(view: &View<'_>, role: Role, value: &str) -> Option<String> {
    match role {
        Role::Icon => icon_preview(view.project.site.config.icons, value),
        Role::Operation => about_operation(view, value),
        Role::Page => {
            let route = view.destination(role, value).and_then(|found| found.route);
            route
                .map(about_page)
                .or_else(|| about_operation(view, value))
        }
        Role::Link => {
            let route = view.linked_route(value)?;
            Some(about_page(route))
        }
        Role::Document => {
            let document = view.project.site.catalog.find(value)?;
            let (title, version) = (&document.title, &document.api_version);
            Some(format!("**{title}** {version}\n\n{}", document.description))
        }
        Role::Image => {
            let file = view.destination(role, value)?.file;
            let size = view.project.site.tree.image_size(&file);
            let size = size.map(|(width, height)| format!(", {width} × {height}"));
            Some(format!("`{file}`{}", size.unwrap_or_default()))
        }
        Role::Import | Role::Snippet | Role::Include | Role::Reference | Role::Component => None,
    }
}

fn about_page(route: &Route) -> String {
    let mut out = format!("**{}**", route.title);
    if let Some(description) = &route.description {
        let _ = write!(out, "\n\n{description}");
    }
    let _ = write!(out, "\n\n`{}`", route.path);
    out
}

fn about_operation(view: &View<'_>, entry: &str) -> Option<String> {
    let operation = view.operation(entry)?;
    let method = operation.method.to_uppercase();
    let mut out = format!("**`{method} {}`**", operation.path);
    for text in [&operation.summary, &operation.description]
        .into_iter()
        .flatten()
    {
        let _ = write!(out, "\n\n{text}");
    }
    Some(out)
}

fn about_field(name: &str) -> Option<String> {
    let field = FRONT_MATTER_FIELDS
        .iter()
        .find(|field| field.name == name)?;
    let mut out = format!("**`{name}`**: {}\n\n{}", field.kind, field.description);
    if !field.values.is_empty() {
        let values: Vec<String> = field
            .values
            .iter()
            .map(|value| format!("`{value}`"))
            .collect();
        let _ = write!(out, "\n\nValues: {}", values.join(", "));
    }
    Some(out)
}

fn about_prop(prop: &Prop) -> String {
    let required = if prop.required { ", required" } else { "" };
    let kind = kind_name(prop.kind);
    format!("**`{}`**: {kind}{required}\n\n{}", prop.name, prop.doc)
}

/// Describes a built-in component: the first paragraph of its documentation, and its attributes.
pub(crate) fn about_component(tag: &str) -> Option<String> {
    let spec = spec_of(tag)?;
    let component = ALL
        .iter()
        .find(|one| one.tags.iter().any(|own| own.tag == tag))?;
    let paragraphs = component.docs.split("\n\n").map(str::trim);
    let first = paragraphs
        .into_iter()
        .find(|text| !text.is_empty() && !text.starts_with('#'));
    let mut out = format!("**`<{tag}>`**\n\n{}", first.unwrap_or_default());
    let props: Vec<&Prop> = spec.props.iter().filter(|prop| prop.name != "*").collect();
    if !props.is_empty() {
        out.push_str("\n\n| Attribute | Type | Description |\n|---|---|---|");
    }
    for prop in props {
        let kind = kind_name(prop.kind);
        let _ = write!(
            out,
            "\n| `{}` | {kind} | {} |",
            prop.name,
            prop.doc.replace('|', "\\|")
        );
    }
    Some(out)
}

/// The image of an icon in Markdown. `None` if no library has it.
pub(crate) fn icon_preview(library: IconLibrary, name: &str) -> Option<String> {
    let svg = svc_render::icon_svg(library, name)?;
    let opening = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" color=\"{PREVIEW_COLOR}\" \
         height=\"{PREVIEW_SIZE}\""
    );
    let svg = svg.as_str().replacen("<svg", &opening, 1);
    let svg = svg
        .replacen(" height=\"16\"", "", 1)
        .replacen(" width=\"16\"", "", 1);
    let encoded: String = url::form_urlencoded::byte_serialize(svg.as_bytes()).collect();
    // In a data URI, a space is not a plus sign.
    let encoded = encoded.replace('+', "%20");
    Some(format!(
        "![{name}](data:image/svg+xml,{encoded})\n\n`{name}`"
    ))
}

/// The values that a description lists: `Style: solid, regular or brands`. Empty if it lists none.
pub(crate) fn values_in(doc: &str) -> Vec<&str> {
    let list = doc.rsplit_once(": ").map_or(doc, |(_, list)| list);
    let values: Vec<&str> = list
        .split(", ")
        .flat_map(|part| part.split(" or "))
        .collect();
    let is_value = |value: &&str| {
        value
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && !value.is_empty()
    };
    match values.len() > 1 && values.iter().all(is_value) {
        true => values,
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previews_are_images_with_a_color() {
        let preview = icon_preview(IconLibrary::Lucide, "rocket").expect("it is an icon");
        assert!(
            preview.starts_with("![rocket](data:image/svg+xml,%3Csvg%20xmlns"),
            "{preview}"
        );
        assert!(!preview.contains("height%3D%2216"), "{preview}");
        assert_eq!(
            icon_preview(IconLibrary::Lucide, "no-such-icon-anywhere"),
            None
        );
    }

    #[test]
    fn values_are_read_from_descriptions() {
        let kinds = ["note", "warning", "info", "tip", "check", "danger"];
        assert_eq!(
            values_in(prop_of("Card", "type").expect("declared").doc),
            kinds
        );
        assert_eq!(
            values_in(prop_of("Badge", "shape").expect("declared").doc),
            ["rounded", "pill"]
        );
        assert!(values_in("Heading of the card").is_empty());
        assert!(values_in("Arrow in the corner; default: only on links to other sites").is_empty());
    }

    #[test]
    fn components_have_descriptions() {
        for component in ALL {
            for spec in component.tags {
                let about = about_component(spec.tag).expect("it is a component");
                assert!(
                    about.lines().nth(2).is_some_and(|line| line.len() > 10),
                    "{about}"
                );
            }
        }
    }
}
