//! Example values: the author's, else made from the schema.

mod string;

use serde_json::Value as Json;
use serde_json::map::Entry;
use svc_data::Node;

use crate::view::bounded_json;
use crate::{
    ApiDocument, Budget, Direction, Kind, MAX_DEPTH, MediaType, NamedExample, SchemaView,
    VariantView, reference, schema_view, schema_view_within,
};

/// Size of an example, serialised, at most.
pub const EXAMPLE_BYTES: usize = 64 * 1024;

/// Items of an array at most, where `minItems` asks for several.
const MAX_ITEMS: usize = 20;

/// Named examples of one media type at most.
const NAMED: usize = 50;

/// An example of a schema: the author's `example`, `examples`, `default` or `const` where there is
/// one, else a value of the right type; the same every time. Of alternatives the first is taken,
/// arrays have one item, objects all properties.
pub fn example(document: &ApiDocument, node: &Node, direction: Direction) -> Json {
    let view = schema_view(document, node, direction, MAX_DEPTH);
    let mut maker = Maker::new(Some((document, direction)));
    maker.build(&view, 0).unwrap_or(Json::Null)
}

/// An example of a schema whose view is at hand. What the view leaves out is left out.
pub fn example_of_view(view: &SchemaView) -> Json {
    Maker::new(None).build(view, 0).unwrap_or(Json::Null)
}

/// The examples of a media type: the author's, else one made from the schema. Empty when there is
/// neither an example nor a schema.
pub fn examples(
    document: &ApiDocument,
    media_type: &MediaType,
    direction: Direction,
) -> Vec<NamedExample> {
    let mut found = Vec::new();
    let Some(source) = document.node(&media_type.source) else {
        return found;
    };
    let named = source.get("examples").and_then(Node::as_object);
    for (name, node) in named.into_iter().flat_map(|named| named.iter()).take(NAMED) {
        let node = reference::resolve(&document.root, node);
        let Some(value) = node.get("value").or_else(|| node.get("dataValue")) else {
            continue;
        };
        let text = |key: &str| node.get(key).and_then(Node::as_str).map(str::to_owned);
        if let Some(value) = bounded_json(value) {
            found.push(NamedExample {
                name: name.to_owned(),
                summary: text("summary"),
                description: text("description"),
                value,
                generated: false,
            });
        }
    }
    if !found.is_empty() {
        return found;
    }
    let unnamed = |value: Json, generated: bool| NamedExample {
        name: String::new(),
        summary: None,
        description: None,
        value,
        generated,
    };
    let written = source.get("example").or_else(|| {
        source
            .get("examples")
            .and_then(Node::as_array)
            .and_then(<[Node]>::first)
    });
    if let Some(value) = written.and_then(bounded_json) {
        found.push(unnamed(value, false));
    } else if let Some(schema) = media_type
        .schema
        .as_ref()
        .and_then(|place| document.node(place))
    {
        found.push(unnamed(example(document, schema, direction), true));
    }
    found
}

/// The making of one example.
struct Maker<'d> {
    /// Where schemas are found that the view left out.
    document: Option<(&'d ApiDocument, Direction)>,
    /// Component schemas around the present value.
    open: Vec<String>,
    /// Views that may still be made for what was left out.
    views: usize,
    /// Bytes that may still be written.
    left: usize,
}

/// Views of schemas that a view left out, in one example.
const MAX_VIEWS: usize = 100;

impl<'d> Maker<'d> {
    const fn new(document: Option<(&'d ApiDocument, Direction)>) -> Self {
        Self {
            document,
            open: Vec::new(),
            views: MAX_VIEWS,
            left: EXAMPLE_BYTES / 2,
        }
    }

    /// `None` when the size left is not enough.
    fn build(&mut self, view: &SchemaView, depth: usize) -> Option<Json> {
        if let Some(whole) = self.whole(view, depth) {
            return self.named(&whole, depth + 1);
        }
        self.named(view, depth)
    }

    /// The view of a schema that was left out, where a required value needs it.
    fn whole(&mut self, view: &SchemaView, depth: usize) -> Option<SchemaView> {
        let (document, direction) = self.document?;
        let name = view.recursive.as_ref().or(view.ref_name.as_ref())?;
        let again = self.open.iter().filter(|open| *open == name).count();
        let wanted = (view.truncated || view.recursive.is_some()) && again < 2;
        if !wanted || depth == 0 || self.views == 0 || depth > 4 * MAX_DEPTH {
            return None;
        }
        self.views -= 1;
        let node = document.schema_node(name)?;
        let mut budget = Budget::new(400);
        Some(schema_view_within(
            document,
            node,
            direction,
            3,
            &mut budget,
        ))
    }

    fn named(&mut self, view: &SchemaView, depth: usize) -> Option<Json> {
        let open = self.open.len();
        self.open.extend(view.ref_name.clone());
        let made = self.value(view, depth);
        self.open.truncate(open);
        made
    }

    fn value(&mut self, view: &SchemaView, depth: usize) -> Option<Json> {
        let written = view
            .example
            .as_ref()
            .or(view.default.as_ref())
            .or(view.constant.as_ref());
        if let Some(value) = written
            && fits(value, &mut self.left)
        {
            return Some(value.clone());
        }
        if let Some(first) = view.enum_values.first()
            && fits(first, &mut self.left)
        {
            return Some(first.clone());
        }
        self.left = self.left.checked_sub(8)?;
        if depth > 4 * MAX_DEPTH {
            return None;
        }
        // What contains itself ends where it may be null.
        if view.nullable && (view.recursive.is_some() || view.truncated) {
            return Some(Json::Null);
        }
        let is_object = view.base == Kind::Object
            || (!view.properties.is_empty() && matches!(view.base, Kind::Any | Kind::Union));
        if is_object {
            return Some(self.object(view, depth));
        }
        if let Some(variant) = choose(&view.variants) {
            return self.build(&variant.schema, depth + 1);
        }
        Some(match view.base {
            Kind::Array => self.array(view, depth),
            Kind::Null | Kind::Never => Json::Null,
            Kind::Boolean => true.into(),
            Kind::Integer => number(view, true),
            Kind::Number => number(view, false),
            Kind::String => string(view, &mut self.left)?,
            Kind::File => "<file>".into(),
            Kind::Union => union(view, &mut self.left)?,
            Kind::Any | Kind::Object => "<any>".into(),
        })
    }

    fn object(&mut self, view: &SchemaView, depth: usize) -> Json {
        let mut members = serde_json::Map::new();
        if view.recursive.is_some() && view.properties.is_empty() {
            return Json::Object(members);
        }
        for property in &view.properties {
            let schema = &property.schema;
            // What contains the object itself, or lies too deep, is left out where it may be.
            let hollow = |view: &SchemaView| view.recursive.is_some() || view.truncated;
            let listed = schema.constraint("minItems").is_some();
            let deep = hollow(schema) || (listed && schema.items.as_deref().is_some_and(hollow));
            let rest = self.left.checked_sub(property.name.len() + 8);
            let Some(rest) = rest.filter(|_| property.required || !deep) else {
                continue;
            };
            self.left = rest;
            match self.build(schema, depth + 1) {
                Some(value) => {
                    members.insert(property.name.clone(), value);
                }
                None => break,
            }
        }
        if let Some(additional) = view.additional.as_ref().filter(|_| members.is_empty())
            && !additional.truncated
            && let Some(value) = self.build(additional, depth + 1)
        {
            members.insert("{key}".to_owned(), value);
        }
        let sets = std::iter::once(&view.variants).chain(&view.further_variants);
        for variant in sets.filter_map(|set| choose(set)) {
            let Some(Json::Object(more)) = self.build(&variant.schema, depth + 1) else {
                continue;
            };
            for (key, value) in more {
                // The variant says more about a property than what all variants share.
                let own = variant.schema.property(&key).is_some();
                match members.entry(key) {
                    Entry::Vacant(entry) => {
                        entry.insert(value);
                    }
                    Entry::Occupied(mut entry) if own => {
                        entry.insert(value);
                    }
                    Entry::Occupied(_) => {}
                }
            }
            if let (Some(name), Some(value)) = (&view.discriminator, &variant.discriminator_value) {
                let plain = view.property(name).is_none_or(|property| {
                    property.schema.base == Kind::String && property.schema.enum_values.is_empty()
                });
                let own = variant.schema.property(name).is_some();
                if plain && !own {
                    members.insert(name.clone(), value.as_str().into());
                }
            }
        }
        // Required names that no property describes.
        for name in &view.required {
            let described = view
                .properties
                .iter()
                .any(|property| property.name == *name);
            if !described && !members.contains_key(name) && view.recursive.is_none() {
                let schema = view.additional.as_deref().cloned().unwrap_or_default();
                if let Some(value) = self.build(&schema, depth + 1) {
                    members.insert(name.clone(), value);
                }
            }
        }
        Json::Object(members)
    }

    fn array(&mut self, view: &SchemaView, depth: usize) -> Json {
        let mut items = Vec::new();
        for item in &view.prefix_items {
            items.extend(self.build(item, depth + 1));
        }
        let least = view.constraint("minItems");
        let least = least
            .and_then(|least| least.parse::<usize>().ok())
            .unwrap_or(0);
        if let Some(item) = view.items.as_ref().filter(|item| {
            items.is_empty() && (least > 0 || (item.recursive.is_none() && !item.truncated))
        }) {
            items.extend(self.build(item, depth + 1));
            // Equal items do not help where all have to be different.
            let repeat = view.constraint("uniqueItems").is_none();
            if let Some(first) = items.first().filter(|_| repeat).cloned() {
                while items.len() < least.min(MAX_ITEMS) && fits(&first, &mut self.left) {
                    items.push(first.clone());
                }
            }
        }
        Json::Array(items)
    }
}

/// The alternative that an example shows: the first, but not one whose values are all values of
/// another one too.
fn choose(variants: &[VariantView]) -> Option<&VariantView> {
    let mut possible = variants
        .iter()
        .filter(|variant| variant.schema.base != Kind::Never);
    let numbers = |view: &SchemaView| matches!(view.base, Kind::Integer | Kind::Number);
    let many = possible
        .clone()
        .filter(|variant| numbers(&variant.schema))
        .count()
        > 1;
    let clear = possible
        .clone()
        .find(|variant| !(many && numbers(&variant.schema)));
    clear.or_else(|| possible.next())
}

fn union(view: &SchemaView, left: &mut usize) -> Option<Json> {
    // Without variants a union is a list of types: `integer | string`.
    Some(match view.kind.split(" | ").next().unwrap_or("") {
        "boolean" => true.into(),
        "integer" => number(view, true),
        "number" => number(view, false),
        "string" => string(view, left)?,
        "object" => Json::Object(serde_json::Map::new()),
        "array" => Json::Array(Vec::new()),
        _ => "<any>".into(),
    })
}

/// Between the limits where there are two, beside the limit where there is one, else 123.
fn number(view: &SchemaView, integer: bool) -> Json {
    let bound = |keyword: &str| {
        view.constraint(keyword)
            .and_then(|value| value.parse::<f64>().ok())
    };
    let low = bound("minimum").or_else(|| bound("exclusiveMinimum"));
    let high = bound("maximum").or_else(|| bound("exclusiveMaximum"));
    let value = match (low, high) {
        (Some(low), Some(high)) => low / 2.0 + high / 2.0,
        (Some(low), None) => low + 1.0,
        (None, Some(high)) if high <= 123.0 => high - 1.0,
        _ => 123.0,
    };
    let multiple = bound("multipleOf").filter(|multiple| *multiple > 0.0);
    let value = multiple.map_or(value, |multiple| {
        let down = (value / multiple).floor() * multiple;
        let up = down + multiple;
        if low.is_none_or(|low| down > low) {
            down
        } else {
            up
        }
    });
    let whole = if integer {
        value.floor().max(low.unwrap_or(f64::MIN).ceil())
    } else {
        value
    };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be whole and small"
    )]
    if whole.fract() == 0.0 && whole.abs() < 9.0e15 {
        Json::from(whole as i64)
    } else {
        serde_json::Number::from_f64(whole).map_or_else(|| 123.into(), Json::Number)
    }
}

fn string(view: &SchemaView, left: &mut usize) -> Option<Json> {
    let text = string::text(view);
    *left = left.checked_sub(text.len())?;
    Some(text.into())
}

/// Takes the size of a written value; false when it does not fit.
fn fits(value: &Json, left: &mut usize) -> bool {
    fn size(value: &Json, left: &mut usize) -> bool {
        let own = match value {
            Json::Null | Json::Bool(_) => 5,
            Json::Number(_) => 12,
            Json::String(text) => {
                let escaped = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
                text.len() + 4 + 5 * text.bytes().filter(|byte| escaped(byte)).count()
            }
            Json::Array(items) => {
                return items.iter().all(|item| size(item, left)) && take(left, 4);
            }
            Json::Object(members) => {
                return members
                    .iter()
                    .all(|(key, value)| take(left, key.len() + 6) && size(value, left))
                    && take(left, 4);
            }
        };
        take(left, own)
    }
    fn take(left: &mut usize, bytes: usize) -> bool {
        left.checked_sub(bytes).is_some_and(|rest| {
            *left = rest;
            true
        })
    }
    let mut rest = *left;
    let enough = size(value, &mut rest);
    if enough {
        *left = rest;
    }
    enough
}
