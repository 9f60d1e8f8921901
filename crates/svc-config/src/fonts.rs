//! `fonts`: the typefaces of headings and text.

use serde_json::{Value, json};

use crate::{
    decode::{Cx, Fields, NodeRef},
    keys::{
        ValueKind, key, keys,
        kinds::NonEmpty,
        object,
        shape::{Definition, Object, Shape},
    },
    link::File,
    string_enum::string_enum,
};

string_enum! {
    /// `fonts.format`: the format of a font file.
    FontFormat {
        Woff = "woff",
        Woff2 = "woff2",
    }
}

/// A typeface.
#[derive(Debug, Clone, PartialEq)]
pub struct Font {
    /// Name of the family.
    pub family: String,
    /// Weight, for example 400; None for the default weight.
    pub weight: Option<f64>,
    /// URL, or path of a file without leading slash; None for families of the public catalog.
    pub source: Option<String>,
    /// Format of `source`.
    pub format: Option<FontFormat>,
}

/// `fonts`: the typefaces. None stands for the font of the theme. A single family is in both
/// fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fonts {
    /// Typeface of headings.
    pub heading: Option<Font>,
    /// Typeface of all other text.
    pub body: Option<Font>,
}

object! {
    /// The keys of one object; the family may come from the parent object.
    struct FontKeys {
        /// Name of the family.
        family: Option<String> = key::<NonEmpty>("family")
            .rule("Families of the public web-font catalog need no `source`."),
        /// Weight, from 1 to 1000. Variable fonts support any number, including fractions; other
        /// families are shown in their nearest weight.
        weight: Option<f64> = key::<f64>("weight").example("400"),
        /// URL or path of a font file.
        source: Option<String> = key::<File>("source")
            .field(|source| Some(source.map(without_slash)))
            .rule("Needs `format`.").example("\"/fonts/inter.woff2\""),
        /// Format of the font file.
        format: Option<FontFormat> = key::<FontFormat>("format")
            .expected_if(|fields| fields.has("source"), "add `format`: `woff` or `woff2`"),
    }
    rules [source_needs_format()]
}

keys! {
    struct FontSides {
        /// Typeface of headings; overrides the common one.
        heading: Option<FontSide> = key::<FontSide>("heading"),
        /// Typeface of all other text; overrides the common one.
        body: Option<FontSide> = key::<FontSide>("body"),
    }
}

/// The typeface of headings or text over the common one.
struct FontSide {
    keys: FontKeys,
    /// Whether the family is set, valid or not.
    has_family: bool,
}

fn without_slash(source: String) -> String {
    let source = source.trim_start_matches("./").trim_start_matches('/');
    source.to_owned()
}

fn source_needs_format() -> Value {
    json!({ "dependentRequired": { "source": ["format"] } })
}

fn details_need_family() -> Value {
    json!({ "dependentRequired": {
        "weight": ["family"],
        "source": ["family"],
        "format": ["family"],
    } })
}

fn sides_need_family() -> Value {
    let side = json!({
        "if": { "anyOf": [
            { "$ref": "#/$defs/reference" },
            { "not": { "type": "object" } },
        ] },
        "else": { "required": ["family"] },
    });
    json!({
        "if": { "not": { "required": ["family"] } },
        "then": { "properties": { "heading": side, "body": side } },
    })
}

impl ValueKind for FontSide {
    type Value = Self;

    const DEFINITION: Option<Definition> = Some(Definition::new("font", "", "One typeface."));

    fn shape() -> Shape {
        FontKeys::shape()
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, FontKeys::NAMES)?;
        let keys = FontKeys::read(cx, &fields)?;
        let has_family = fields.has("family");
        if !has_family
            && at
                .parent_fields()
                .is_none_or(|fields| !is_family_set(&fields))
        {
            cx.missing(&fields, "family", "add the `family` here or in `fonts`");
        }
        Some(Self { keys, has_family })
    }
}

fn is_family_set(fields: &Fields<'_>) -> bool {
    let family = fields.get("family");
    family.is_some_and(|at| at.tree.as_str().is_some_and(|text| !text.trim().is_empty()))
}

impl ValueKind for Fonts {
    type Value = Self;

    fn shape() -> Shape {
        let mut keys = FontKeys::properties();
        keys.extend(FontSides::properties());
        Shape::Object(Object {
            rules: vec![
                source_needs_format(),
                details_need_family(),
                sides_need_family(),
            ],
            ..Object::new(keys)
        })
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &[FontKeys::NAMES, FontSides::NAMES].concat())?;
        let base = FontKeys::read(cx, &fields)?;
        let described = ["weight", "source", "format"]
            .iter()
            .any(|key| fields.has(key));
        if described && !fields.has("family") {
            cx.missing(
                &fields,
                "family",
                "add the `family` that the other keys describe",
            );
        }
        let FontSides { heading, body } = FontSides::read(cx, &fields)?;
        Some(Self {
            heading: base.font(heading),
            body: base.font(body),
        })
    }
}

impl FontKeys {
    /// The font of headings or text: its own keys over the common ones.
    fn font(&self, side: Option<FontSide>) -> Option<Font> {
        let (family, keys) = match &side {
            Some(FontSide { keys, .. }) if keys.family.is_some() => (&keys.family, keys),
            Some(FontSide { keys, has_family }) if !has_family => (&self.family, keys),
            _ => (&self.family, self),
        };
        let own = keys.family.is_some() || keys.source.is_some();
        let (source, format) = if own {
            (&keys.source, keys.format)
        } else {
            (&self.source, self.format)
        };
        let inherited = if keys.family.is_some() {
            None
        } else {
            self.weight
        };
        Some(Font {
            family: family.clone()?,
            weight: keys.weight.or(inherited),
            source: source.clone(),
            format,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        FontFormat, Fonts,
        tests::{errors_of, site_of},
    };

    fn fonts(json: &str) -> Fonts {
        site_of(&format!("\"fonts\":{json}")).value.unwrap().fonts
    }

    #[test]
    fn one_family_serves_headings_and_text() {
        let both = fonts(r#"{"family":"Inter","weight":450.5}"#);
        assert_eq!(both.heading, both.body);
        assert_eq!(both.body.unwrap().weight, Some(450.5));
        assert_eq!(fonts("{}"), Fonts::default());
    }

    #[test]
    fn overrides_are_allowed_with_and_without_a_family() {
        let mixed = fonts(r#"{"family":"Inter","heading":{"weight":700},"body":{"family":"P"}}"#);
        let heading = mixed.heading.unwrap();
        assert_eq!((&*heading.family, heading.weight), ("Inter", Some(700.0)));
        assert_eq!(mixed.body.unwrap().family, "P");
        let alone = fonts(r#"{"heading":{"family":"H","source":"/f.woff2","format":"woff2"}}"#);
        assert_eq!(alone.body, None);
        let heading = alone.heading.unwrap();
        assert_eq!(heading.source.as_deref(), Some("f.woff2"));
        assert_eq!(heading.format, Some(FontFormat::Woff2));
    }

    #[test]
    fn problems_of_fonts_have_their_pointers() {
        for (json, expected) in [
            (
                r#"{"family":"X","source":"/f.woff2"}"#,
                "/fonts/format config-missing",
            ),
            (r#"{"weight":400}"#, "/fonts/family config-missing"),
            (
                r#"{"heading":{"weight":400}}"#,
                "/fonts/heading/family config-missing",
            ),
            (
                r#"{"family":"X","source":"ftp://a/b","format":"woff"}"#,
                "/fonts/source config-url",
            ),
            (
                r#"{"family":"X","source":"/a","format":"ttf"}"#,
                "/fonts/format config-invalid-value",
            ),
            (r#"{"family":" "}"#, "/fonts/family config-empty"),
            (
                r#"{"family":"X","weight":"400"}"#,
                "/fonts/weight config-type",
            ),
            (r#""Inter""#, "/fonts config-type"),
        ] {
            assert_eq!(
                errors_of(&format!("\"fonts\":{json}")),
                [expected],
                "{json}"
            );
        }
    }
}
