//! `thumbnails`: generated preview images.

use crate::{
    keys::{key, kinds::NonEmpty, object, single_key},
    link::File,
    string_enum::string_enum,
};

string_enum! {
    /// `thumbnails.appearance`: the color scheme of preview images.
    ThumbnailMode {
        Light = "light",
        Dark = "dark",
    }
}

object! {
    /// `thumbnails`: generated preview images.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Thumbnails {
        /// Color scheme of the images.
        ///
        /// None derives it from `colors`.
        appearance: Option<ThumbnailMode> = key::<ThumbnailMode>("appearance")
            .default("the colors of the site"),
        /// Background image: a file of the repository.
        background: Option<String> = key::<File>("background"),
        /// Typeface of the images.
        font_family: Option<String> = key::<ThumbnailFont>("fonts"),
    }
}

single_key!(ThumbnailFont -> String {
    /// Name of a family for which `fonts` has a file. Families of the public web-font catalog have
    /// no effect on the images.
    = key::<NonEmpty>("family").required()
});

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
