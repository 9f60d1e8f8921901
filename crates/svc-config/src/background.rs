//! `background`: the page background.

use crate::{
    ModeColors,
    codes::IMAGE,
    decode::{Cx, NodeRef},
    keys::{key, kinds::StringOr, object, patterns, shape::Shape, value_kind},
    link::File,
    string_enum::string_enum,
    text::shorten,
};

string_enum! {
    /// `background.decoration`: the pattern of the page background.
    Decoration {
        Gradient = "gradient",
        Grid = "grid",
        Windows = "windows",
    }
}

object! {
    /// `background`: the page background.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Background {
        /// Pattern of the page background.
        ///
        /// None for a plain background.
        decoration: Option<Decoration> = key::<Decoration>("decoration"),
        /// Color of the page.
        color: ModeColors = key::<ModeColors>("color").or_default().default("the colors of the theme"),
        /// Background image of the page.
        image: Option<ModeImages> = key::<Images>("image"),
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

/// One image for both modes, or one for each.
pub(crate) type Images = StringOr<Image, ImageObject>;

object! {
    pub(crate) struct ImagePair {
        /// Image in light mode.
        light: Option<String> = key::<File>("light").expected(),
        /// Image in dark mode.
        dark: Option<String> = key::<File>("dark").expected(),
    }
}

value_kind!(pub(crate) Image -> ModeImages = Shape::Pattern(&patterns::IMAGE), |cx, at| {
    let light = cx.image(at)?;
    Some(ModeImages { dark: light.clone(), light })
});
value_kind!(pub(crate) ImageObject -> ModeImages = ImagePair::shape(), |cx, at| {
    ImagePair::decode(cx, at)?.images()
});
value_kind!(
    /// Images whose names should have a file extension.
    pub(crate) NamedImages -> ModeImages = Images::shape(), |cx, at| {
        let images = Images::decode(cx, at)?;
        cx.check_extensions(at, &images);
        Some(images)
    }
);

impl ImagePair {
    /// If one mode is missing or invalid, the other image is used for both.
    pub(crate) fn images(self) -> Option<ModeImages> {
        let light = self.light.or_else(|| self.dark.clone())?;
        Some(ModeImages {
            dark: self.dark.unwrap_or_else(|| light.clone()),
            light,
        })
    }
}

impl Cx {
    /// Reports the images of a value that have no file extension.
    pub(crate) fn check_extensions(&mut self, at: &NodeRef<'_>, images: &ModeImages) {
        let Some(fields) = at.fields() else {
            return self.check_extension(at, &images.light);
        };
        for (key, path) in [("light", &images.light), ("dark", &images.dark)] {
            // The path of an invalid image is that of the other mode.
            let own = |at: &NodeRef<'_>| at.tree.as_str().is_some_and(|text| text.trim() == path);
            if let Some(at) = fields.get(key).filter(own) {
                self.check_extension(&at, path);
            }
        }
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
