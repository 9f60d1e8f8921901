//! `fonts`: the typefaces of headings and text.

use crate::{
    decode::{Cx, Fields, NodeRef},
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

const FONT_KEYS: &[&str] = &["family", "weight", "source", "format"];

/// The keys of one object; the family may come from the parent object.
#[derive(Default)]
struct RawFont {
    family: Option<String>,
    weight: Option<f64>,
    source: Option<String>,
    format: Option<FontFormat>,
}

impl RawFont {
    fn decode(cx: &mut Cx, fields: &Fields<'_>) -> Self {
        let source = cx.optional(fields, "source", |cx, at| {
            let source = cx.file(at)?;
            Some(
                source
                    .trim_start_matches("./")
                    .trim_start_matches('/')
                    .to_owned(),
            )
        });
        let format = cx.optional(fields, "format", Cx::string_enum);
        if fields.has("source") && !fields.has("format") {
            cx.missing(fields, "format", "add `format`: `woff` or `woff2`");
        }
        Self {
            family: cx.optional(fields, "family", Cx::non_empty_string),
            weight: cx.optional(fields, "weight", Cx::number),
            source,
            format,
        }
    }

    fn font(&self) -> Option<Font> {
        Some(Font {
            family: self.family.clone()?,
            weight: self.weight,
            source: self.source.clone(),
            format: self.format,
        })
    }
}

impl Fonts {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(
            at,
            &["family", "weight", "source", "format", "heading", "body"],
        )?;
        let base = RawFont::decode(cx, &fields);
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
        Some(Self {
            heading: side(cx, &fields, "heading", &base),
            body: side(cx, &fields, "body", &base),
        })
    }
}

/// Decodes the font of headings or text: its own object over the common one.
fn side<'a>(cx: &mut Cx, fields: &Fields<'a>, key: &'a str, base: &RawFont) -> Option<Font> {
    let Some(at) = fields.get(key) else {
        return base.font();
    };
    let Some(own) = cx.object(&at, FONT_KEYS) else {
        return base.font();
    };
    let written = RawFont::decode(cx, &own);
    if written.family.is_some() {
        return written.font();
    }
    if own.has("family") {
        return base.font();
    }
    if base.family.is_none() {
        cx.missing(&own, "family", "add the `family` here or in `fonts`");
        return None;
    }
    let own_file = written.source.is_some();
    Some(Font {
        family: base.family.clone()?,
        weight: written.weight.or(base.weight),
        source: written.source.or_else(|| base.source.clone()),
        format: if own_file {
            written.format
        } else {
            base.format
        },
    })
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
