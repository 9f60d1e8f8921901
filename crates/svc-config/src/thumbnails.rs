//! `thumbnails`: generated preview images.

use crate::{
    decode::{Cx, NodeRef},
    string_enum::string_enum,
};

string_enum! {
    /// `thumbnails.appearance`: the color scheme of preview images.
    ThumbnailMode {
        Light = "light",
        Dark = "dark",
    }
}

/// `thumbnails`: generated preview images.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thumbnails {
    /// Color scheme; None derives it from `colors`.
    pub appearance: Option<ThumbnailMode>,
    /// Path or URL of a background image.
    pub background: Option<String>,
    /// Font family of the preview images.
    pub font_family: Option<String>,
}

impl Thumbnails {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["appearance", "background", "fonts"])?;
        Some(Self {
            appearance: cx.optional(&fields, "appearance", Cx::string_enum),
            background: cx.optional(&fields, "background", Cx::file),
            font_family: cx.optional(&fields, "fonts", |cx, at| {
                let fields = cx.object(at, &["family"])?;
                cx.required(&fields, "family", Cx::non_empty_string)
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn thumbnails_have_a_scheme_a_background_and_a_family() {
        let json = r#""thumbnails":{"appearance":"light","background":"/a.png","fonts":{"family":"Inter"}}"#;
        let thumbnails = site_of(json).value.unwrap().thumbnails;
        assert_eq!(thumbnails.font_family.as_deref(), Some("Inter"));
        assert_eq!(thumbnails.background.as_deref(), Some("/a.png"));
        assert_eq!(
            errors_of(r#""thumbnails":{"appearance":"system"}"#),
            ["/thumbnails/appearance config-invalid-value"]
        );
        assert_eq!(
            errors_of(r#""thumbnails":{"fonts":{}}"#),
            ["/thumbnails/fonts/family config-missing"]
        );
    }
}
