//! `favicon`: the icon in the browser tab.

use crate::ModeImages;

/// `favicon`: the icon in the browser tab. A single path is used for both modes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Favicon {
    /// Path or URL in light mode.
    pub light: String,
    /// Path or URL in dark mode.
    pub dark: String,
}

impl From<ModeImages> for Favicon {
    fn from(ModeImages { light, dark }: ModeImages) -> Self {
        Self { light, dark }
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn a_path_or_both_modes() {
        let favicon = site_of(r#""favicon":"./f.png""#)
            .value
            .unwrap()
            .favicon
            .unwrap();
        assert_eq!((&*favicon.light, &*favicon.dark), ("./f.png", "./f.png"));
        assert_eq!(
            errors_of(r#""favicon":{"light":"/a.png"}"#),
            ["/favicon/dark config-missing"]
        );
        assert_eq!(errors_of(r#""favicon":[]"#), ["/favicon config-type"]);
    }
}
