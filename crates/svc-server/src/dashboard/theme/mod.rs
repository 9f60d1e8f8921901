//! Color theme: the system preference, or a choice in a cookie.

pub(super) mod choice;

use bytes::Bytes;
use http::{Request, header};

/// Cookie with the choice.
const COOKIE: &str = "svc_theme";

/// Color theme of the pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Theme {
    /// System preference.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// All themes with label and icon.
    pub(super) const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::System, "System", "monitor"),
        (Self::Light, "Light", "sun"),
        (Self::Dark, "Dark", "moon"),
    ];

    /// Name in cookies, forms and pages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter().map(|(theme, ..)| theme);
        all.find(|theme| theme.name() == text)
    }

    /// Theme of a request.
    pub(super) fn of(request: &Request<Bytes>) -> Self {
        let headers = request.headers().get_all(header::COOKIE).iter();
        let cookies = headers.filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|text| text.split(';').take(64));
        let cookie = pairs.find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == COOKIE).then(|| Self::parse(value)).flatten()
        });
        cookie.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theme_is_read_from_any_cookie_position() {
        let of = |cookies: &str| {
            let request = Request::get("/").header("cookie", cookies);
            Theme::of(&request.body(Bytes::new()).unwrap())
        };
        assert_eq!(of("svc_session=a; svc_theme=dark"), Theme::Dark);
        assert_eq!(of("svc_theme=light"), Theme::Light);
        for other in ["", "svc_theme", "svc_theme=blue", "xsvc_theme=dark"] {
            assert_eq!(of(other), Theme::System, "{other}");
        }
    }
}
