//! Text form of a tree: one node per line, indented by depth, with its type and fields. Strings are
//! JSON; missing values are `~`.

use std::fmt::Write as _;

use crate::{
    Align, Attribute, AttributeKind, AttributeValue, Document, FrontMatterKind, Kind,
    ReferenceKind, walk,
};

/// Returns the tree in a text form with the names of mdast, which is used to compare parsers.
///
/// # Example
///
/// ```
/// use svc_mdx::{Options, mdast_dump, parse};
/// let page = parse("a", &Options::default()).value;
/// assert!(mdast_dump(&page).starts_with("root\n paragraph"));
/// ```
pub fn mdast_dump(document: &Document) -> String {
    let mut out = String::from("root\n");
    if let Some(front) = &document.front_matter {
        let name = match front.kind {
            FrontMatterKind::Yaml => " yaml ",
            FrontMatterKind::Toml => " toml ",
        };
        out.push_str(name);
        quote(&front.text, &mut out);
        out.push('\n');
    }
    walk(&document.children, |node, depth| {
        out.extend(std::iter::repeat_n(' ', depth + 1));
        line(&node.kind, &mut out);
        out.push('\n');
        true
    });
    out
}

fn line(kind: &Kind, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match kind {
        Kind::Paragraph(_) => out.write_str("paragraph"),
        Kind::Heading { depth, .. } => write!(out, "heading {depth}"),
        Kind::ThematicBreak => out.write_str("thematicBreak"),
        Kind::Blockquote(_) => out.write_str("blockquote"),
        Kind::List {
            ordered,
            start,
            spread,
            ..
        } => {
            let start = start.map_or_else(|| "~".to_owned(), |start| start.to_string());
            write!(out, "list ordered={ordered} start={start} spread={spread}")
        }
        Kind::ListItem {
            checked, spread, ..
        } => {
            let checked = checked.map_or_else(|| "~".to_owned(), |checked| checked.to_string());
            write!(out, "listItem checked={checked} spread={spread}")
        }
        Kind::Code { lang, meta, value } => fields(
            "code",
            &[lang.as_deref(), meta.as_deref(), Some(value)],
            out,
        ),
        Kind::Math { meta, value } => fields("math", &[meta.as_deref(), Some(value)], out),
        Kind::Definition {
            identifier,
            url,
            title,
        } => fields(
            "definition",
            &[Some(url), title.as_deref(), Some(identifier)],
            out,
        ),
        Kind::FootnoteDefinition { identifier, .. } => {
            fields("footnoteDefinition", &[Some(identifier)], out)
        }
        Kind::Table { align, .. } => {
            let names: Vec<&str> = align.iter().map(|align| align_name(*align)).collect();
            write!(out, "table {}", names.join(","))
        }
        Kind::TableRow(_) => out.write_str("tableRow"),
        Kind::TableCell(_) => out.write_str("tableCell"),
        Kind::Esm(value) => fields("mdxjsEsm", &[Some(value)], out),
        Kind::Expression { value, flow } => {
            let name = if *flow {
                "mdxFlowExpression"
            } else {
                "mdxTextExpression"
            };
            fields(name, &[Some(value)], out)
        }
        Kind::Element(element) => {
            out.push_str(if element.flow {
                "mdxJsxFlowElement "
            } else {
                "mdxJsxTextElement "
            });
            out.push_str(element.name.as_deref().unwrap_or("~"));
            for attr in &element.attributes {
                attribute(attr, out);
            }
            Ok(())
        }
        Kind::Text(value) => fields("text", &[Some(value)], out),
        Kind::Emphasis(_) => out.write_str("emphasis"),
        Kind::Strong(_) => out.write_str("strong"),
        Kind::Delete(_) => out.write_str("delete"),
        Kind::InlineCode(value) => fields("inlineCode", &[Some(value)], out),
        Kind::InlineMath(value) => fields("inlineMath", &[Some(value)], out),
        Kind::Break => out.write_str("break"),
        Kind::Link { url, title, .. } => {
            let _ = fields("link", &[Some(url), title.as_deref()], out);
            out.write_str(" ")
        }
        Kind::Image { url, title, alt } => {
            fields("image", &[Some(url), title.as_deref(), Some(alt)], out)
        }
        Kind::LinkReference {
            identifier,
            reference,
            ..
        } => {
            let _ = fields("linkReference", &[Some(identifier)], out);
            write!(out, " {}", reference_name(*reference))
        }
        Kind::ImageReference {
            identifier,
            reference,
            ..
        } => {
            let _ = fields("imageReference", &[Some(identifier)], out);
            write!(out, " {}", reference_name(*reference))
        }
        Kind::FootnoteReference { identifier } => {
            fields("footnoteReference", &[Some(identifier)], out)
        }
    };
}

const fn align_name(align: Align) -> &'static str {
    match align {
        Align::None => "none",
        Align::Left => "left",
        Align::Right => "right",
        Align::Center => "center",
    }
}

const fn reference_name(reference: ReferenceKind) -> &'static str {
    match reference {
        ReferenceKind::Full => "full",
        ReferenceKind::Collapsed => "collapsed",
        ReferenceKind::Shortcut => "shortcut",
    }
}

fn attribute(attribute: &Attribute, out: &mut String) {
    out.push(' ');
    match &attribute.kind {
        AttributeKind::Spread(value) => {
            out.push_str("{...");
            quote(&format!("...{value}"), out);
            out.push('}');
        }
        AttributeKind::Named { name, value } => {
            out.push_str(name);
            match value {
                AttributeValue::None => {}
                AttributeValue::String(value) => {
                    out.push('=');
                    quote(value, out);
                }
                AttributeValue::Expression { value, .. } => {
                    out.push_str("={");
                    quote(value, out);
                    out.push('}');
                }
            }
        }
    }
}

fn fields(name: &str, values: &[Option<&str>], out: &mut String) -> std::fmt::Result {
    out.push_str(name);
    for value in values {
        out.push(' ');
        match value {
            Some(value) => quote(value, out),
            None => out.push('~'),
        }
    }
    Ok(())
}

/// Appends a string as JSON.
fn quote(value: &str, out: &mut String) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
