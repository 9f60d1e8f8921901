//! `background`: the page background.

use crate::{
    ModeColors,
    codes::IMAGE,
    decode::{Cx, NodeRef, shorten},
    string_enum::string_enum,
};

string_enum! {
    /// `background.decoration`: the pattern of the page background.
    Decoration {
        Gradient = "gradient",
        Grid = "grid",
        Windows = "windows",
    }
}

/// An image for each mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModeImages {
    /// Path or URL in light mode.
    pub light: String,
    /// Path or URL in dark mode.
    pub dark: String,
}

/// `background`: the page background.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Background {
    /// The pattern; None for a plain background.
    pub decoration: Option<Decoration>,
    /// The background colors.
    pub color: ModeColors,
    /// The background image.
    pub image: Option<ModeImages>,
}

impl Background {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["decoration", "color", "image"])?;
        Some(Self {
            decoration: cx.optional(&fields, "decoration", Cx::string_enum),
            color: cx
                .optional(&fields, "color", ModeColors::decode)
                .unwrap_or_default(),
            image: cx.optional(&fields, "image", |cx, at| {
                cx.images(at, &["light", "dark"], false)
            }),
        })
    }
}

impl Cx {
    /// Decodes one image for both modes, or one for each.
    pub(crate) fn images(
        &mut self,
        at: &NodeRef<'_>,
        known: &[&str],
        extension: bool,
    ) -> Option<ModeImages> {
        let images = if at.is_string() {
            let light = self.image(at)?;
            if extension {
                self.check_extension(at, &light);
            }
            return Some(ModeImages {
                dark: light.clone(),
                light,
            });
        } else if at.is_object() {
            let fields = self.object(at, known)?;
            let mut side = |key| {
                self.required(&fields, key, |cx, at| {
                    let path = cx.file(at)?;
                    if extension {
                        cx.check_extension(at, &path);
                    }
                    Some(path)
                })
            };
            (side("light"), side("dark"))
        } else {
            self.type_mismatch(at, "a string or an object");
            return None;
        };
        // If one mode is missing or invalid, the other image is used for both.
        let (light, dark) = images;
        let (first, second) = (light.or_else(|| dark.clone())?, dark);
        Some(ModeImages {
            dark: second.unwrap_or_else(|| first.clone()),
            light: first,
        })
    }

    fn check_extension(&mut self, at: &NodeRef<'_>, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        if !path.contains("://") && !name.trim_start_matches('.').contains('.') {
            let message = format!("{} has no file extension: `{}`", at.name(), shorten(path));
            self.report(
                &IMAGE,
                at,
                message,
                "write the path with its extension, `/logo.svg`",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Decoration,
        tests::{errors_of, site_of},
    };

    #[test]
    fn decoration_colors_and_images() {
        let site = site_of(
            r##""background":{"decoration":"grid","color":{"dark":"#000"},"image":{"light":"/a.png","dark":"/b.png"}}"##,
        );
        let background = site.value.unwrap().background;
        assert_eq!(background.decoration, Some(Decoration::Grid));
        assert_eq!(background.color.dark.as_deref(), Some("#000000"));
        assert_eq!(background.image.unwrap().dark, "/b.png");
    }

    #[test]
    fn problems_of_the_background() {
        for (json, expected) in [
            (
                r#"{"decoration":"dots"}"#,
                "/background/decoration config-invalid-value",
            ),
            (
                r#"{"color":{"light":"white"}}"#,
                "/background/color/light config-color",
            ),
            (
                r#"{"image":{"dark":"/b.png"}}"#,
                "/background/image/light config-missing",
            ),
            (r#"{"image":7}"#, "/background/image config-type"),
        ] {
            assert_eq!(errors_of(&format!("\"background\":{json}")), [expected]);
        }
    }
}
