//! Generation of the list of keys for the reference.

use super::{
    option_doc::{OptionDoc, OptionGroup},
    services,
};
use crate::{
    keys::shape::{Definition, Object, Property, Shape, ShapeFn},
    navigation::tables,
};

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
            description: property.description.clone(),
            example: property.example.to_owned(),
            keys,
        });
    }
    for (title, about, properties) in tables::common_sections() {
        let mut keys = Vec::new();
        reader.inside(
            "",
            &Shape::Object(Object::new(properties)),
            false,
            &mut keys,
        );
        top.push(OptionGroup {
            title: title.to_owned(),
            top: false,
            description: about.to_owned(),
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
            default: property.default.clone(),
            description: property.description.clone(),
            rule: property.rule.to_owned(),
            since: property.since,
            deprecated: property.deprecated.to_owned(),
        });
        self.inside(&path, &property.shape, top, keys);
    }

    fn inside(&mut self, path: &str, shape: &Shape, top: bool, keys: &mut Vec<OptionDoc>) {
        match shape {
            Shape::Object(object) => {
                for property in &object.keys {
                    self.property(path, property, false, keys);
                }
            }
            Shape::List(list) => self.inside(&format!("{path}[]"), &list.item, false, keys),
            Shape::Any(shapes) => {
                // An array of the same objects would repeat the keys of the single object.
                let single = shapes.iter().any(|shape| matches!(shape, Shape::Object(_)));
                for shape in shapes {
                    if !(single && matches!(shape, Shape::List(_))) {
                        self.inside(path, shape, top, keys);
                    }
                }
            }
            Shape::Map(map) => self.inside(&format!("{path}.*"), &map.value, false, keys),
            Shape::Services => keys.extend(services::keys(path)),
            Shape::Definition(shared, shape) => {
                let own = top && shared.title == path;
                if shared.title.is_empty() || own {
                    self.inside(path, &shape.0(), false, keys);
                } else if shared.description.is_empty() || self.seen.contains(&shared.name) {
                    // Described in its own section.
                } else {
                    self.section(*shared, shape);
                }
            }
            _ => {}
        }
    }

    fn section(&mut self, shared: Definition, shape: &ShapeFn) {
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
        self.inside("", &shape.0(), false, &mut keys);
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
            for shape in shapes {
                let kind_of_shape = kind(shape);
                if !matches!(shape, Shape::Deprecated(..)) && !kinds.contains(&kind_of_shape) {
                    kinds.push(kind_of_shape);
                }
            }
            or(&kinds.join(" or "))
        }
        Shape::Deprecated(shape, _) => kind(shape),
        Shape::Definition(_, shape) => kind(&shape.0()),
    }
}

fn plural(kind: &str) -> String {
    let plurals: Vec<String> = kind
        .split(" or ")
        .flat_map(|part| part.split(", "))
        .map(|value| match value.strip_prefix("array of ") {
            Some(items) => format!("arrays of {items}"),
            None => format!("{value}s"),
        })
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
        Shape::OneOf(allowed) => allowed.clone(),
        Shape::Suggested(allowed) if allowed.len() <= MAX_VALUES => allowed.clone(),
        Shape::CaseInsensitive(allowed) => allowed.to_vec(),
        Shape::List(list) => return values(&list.item),
        Shape::Any(shapes) => return shapes.iter().flat_map(values).collect(),
        Shape::Definition(shared, shape) if shared.description.is_empty() => {
            return values(&shape.0());
        }
        _ => Vec::new(),
    };
    allowed.into_iter().map(str::to_owned).collect()
}

fn see(shape: &Shape, top: bool) -> Option<String> {
    match shape {
        Shape::Definition(shared, _) if !shared.title.is_empty() && !top => {
            Some(shared.title.to_owned())
        }
        Shape::List(list) => see(&list.item, false),
        Shape::Any(shapes) => shapes.iter().find_map(|shape| see(shape, top)),
        _ => None,
    }
}
