//! Generation of the list of keys for the reference.

use super::{
    navigation, services,
    table::{Definition, Object, Property, Shape},
};

/// Keys that are described together: a top-level key, or a kind of element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionGroup {
    /// The top-level key, or the name of the kind.
    pub title: String,
    /// Whether it is a top-level key.
    pub top: bool,
    /// Description, in Markdown.
    pub description: String,
    /// Example value, as JSON.
    pub example: String,
    /// The keys, outermost first. The first one of a top-level key is the key itself.
    pub keys: Vec<OptionDoc>,
}

/// A key of `docs.json`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OptionDoc {
    /// Path from the root (or from the element): `navbar.links[].label`; `*` stands for any name.
    pub path: String,
    /// The types of the value: "string or object".
    pub kind: String,
    /// The allowed values; empty if any value of the type is allowed.
    pub values: Vec<String>,
    /// The title of the group that describes the value further.
    pub see: Option<String>,
    /// Whether the key is required.
    pub required: bool,
    /// The default: JSON or a description; empty if there is none.
    pub default: String,
    /// Description, in Markdown.
    pub description: String,
    /// Rules that the type does not express, in Markdown.
    pub rule: String,
    /// The version that introduced the key.
    pub since: &'static str,
    /// What to use instead; empty for keys that are not deprecated.
    pub deprecated: String,
}

pub(super) struct Reader {
    sections: Vec<OptionGroup>,
    /// Kinds of elements whose section exists or is being written.
    seen: Vec<&'static str>,
}

/// All sections: the top-level keys in order, then the kinds that they refer to.
pub(super) fn sections(site: &Object) -> Vec<OptionGroup> {
    let mut reader = Reader {
        sections: Vec::new(),
        seen: Vec::new(),
    };
    let mut top = Vec::new();
    for property in site.properties() {
        let mut keys = Vec::new();
        reader.property("", property, true, &mut keys);
        top.push(OptionGroup {
            title: property.name.to_owned(),
            top: true,
            description: property.description.to_owned(),
            example: property.example.to_owned(),
            keys,
        });
    }
    for (title, about, object) in &navigation::COMMON_SECTIONS {
        let mut keys = Vec::new();
        reader.inside("", &Shape::Object(object), false, &mut keys);
        top.push(OptionGroup {
            title: (*title).to_owned(),
            top: false,
            description: (*about).to_owned(),
            example: String::new(),
            keys,
        });
    }
    top.append(&mut reader.sections);
    top
}

impl Reader {
    fn property(&mut self, path: &str, property: &Property, top: bool, keys: &mut Vec<OptionDoc>) {
        let path = if path.is_empty() {
            property.name.to_owned()
        } else {
            format!("{path}.{}", property.name)
        };
        keys.push(OptionDoc {
            path: path.clone(),
            kind: kind(&property.shape),
            values: values(&property.shape),
            see: see(&property.shape, top),
            required: property.required,
            default: property.default.to_owned(),
            description: property.description.to_owned(),
            rule: property.rule.to_owned(),
            since: property.since,
            deprecated: property.deprecated.to_owned(),
        });
        self.inside(&path, &property.shape, top, keys);
    }

    fn inside(&mut self, path: &str, shape: &Shape, top: bool, keys: &mut Vec<OptionDoc>) {
        match shape {
            Shape::Object(object) => {
                for property in object.own_properties() {
                    self.property(path, property, false, keys);
                }
            }
            Shape::List(list) => self.inside(&format!("{path}[]"), &list.item, false, keys),
            Shape::Any(shapes) => {
                // An array of the same objects would repeat the keys of the single object.
                let single = shapes.iter().any(|shape| matches!(shape, Shape::Object(_)));
                for shape in *shapes {
                    if !(single && matches!(shape, Shape::List(_))) {
                        self.inside(path, shape, top, keys);
                    }
                }
            }
            Shape::Map(map) => self.inside(&format!("{path}.*"), &map.value, false, keys),
            Shape::Services => keys.extend(services::keys(path)),
            Shape::Definition(shared) => {
                let own = top && shared.title == path;
                if shared.title.is_empty() || own {
                    self.inside(path, &shared.shape, false, keys);
                } else if shared.description.is_empty() || self.seen.contains(&shared.name) {
                    // Described in its own section.
                } else {
                    self.section(shared);
                }
            }
            _ => {}
        }
    }

    fn section(&mut self, shared: &'static Definition) {
        self.seen.push(shared.name);
        // Reserves the position, so that a kind precedes the kinds that it refers to.
        let index = self.sections.len();
        self.sections.push(OptionGroup {
            title: shared.title.to_owned(),
            top: false,
            description: shared.description.to_owned(),
            example: String::new(),
            keys: Vec::new(),
        });
        let mut keys = Vec::new();
        self.inside("", &shared.shape, false, &mut keys);
        if let Some(section) = self.sections.get_mut(index) {
            section.keys = keys;
        }
    }
}

fn kind(shape: &Shape) -> String {
    match shape {
        Shape::Anything => "any".to_owned(),
        Shape::Text
        | Shape::NonEmpty
        | Shape::Enum(_)
        | Shape::OneOf(_)
        | Shape::Suggested(_)
        | Shape::CaseInsensitive(_) => "string".to_owned(),
        Shape::Pattern(pattern) => pattern.name.to_owned(),
        Shape::Boolean => "boolean".to_owned(),
        Shape::Number => "number".to_owned(),
        Shape::Scalar => "number, boolean or null".to_owned(),
        Shape::List(list) => format!("array of {}", plural(&kind(&list.item))),
        Shape::Object(_) | Shape::Map(_) | Shape::Services => "object".to_owned(),
        Shape::Any(shapes) => {
            let mut kinds: Vec<String> = Vec::new();
            for shape in *shapes {
                let kind_of_shape = kind(shape);
                if !matches!(shape, Shape::Deprecated(..)) && !kinds.contains(&kind_of_shape) {
                    kinds.push(kind_of_shape);
                }
            }
            or(&kinds.join(" or "))
        }
        Shape::Deprecated(shape, _) => kind(shape),
        Shape::Definition(shared) => kind(&shared.shape),
    }
}

fn plural(kind: &str) -> String {
    let plurals: Vec<String> = kind
        .split(" or ")
        .flat_map(|part| part.split(", "))
        .map(|value| format!("{value}s"))
        .collect();
    or(&plurals.join(" or "))
}

/// Joins kinds: "a or b or c" as "a, b or c".
fn or(kinds: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for value in kinds.split(" or ").flat_map(|part| part.split(", ")) {
        if !names.contains(&value) {
            names.push(value);
        }
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Maximum number of values that are listed for a key.
const MAX_VALUES: usize = 20;

fn values(shape: &Shape) -> Vec<String> {
    let allowed: Vec<&str> = match shape {
        Shape::Enum(allowed) => allowed(),
        Shape::Suggested(allowed) => Some(allowed())
            .filter(|allowed| allowed.len() <= MAX_VALUES)
            .unwrap_or_default(),
        Shape::OneOf(allowed) | Shape::CaseInsensitive(allowed) => allowed.to_vec(),
        Shape::List(list) => return values(&list.item),
        Shape::Any(shapes) => return shapes.iter().flat_map(values).collect(),
        Shape::Definition(shared) if shared.description.is_empty() => return values(&shared.shape),
        _ => Vec::new(),
    };
    allowed.into_iter().map(str::to_owned).collect()
}

fn see(shape: &Shape, top: bool) -> Option<String> {
    match shape {
        Shape::Definition(shared) if !shared.title.is_empty() && !top => {
            Some(shared.title.to_owned())
        }
        Shape::List(list) => see(&list.item, false),
        Shape::Any(shapes) => shapes.iter().find_map(|shape| see(shape, top)),
        _ => None,
    }
}
