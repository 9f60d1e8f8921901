//! `icons`: the icon library, and icons of other keys.

use crate::{
    codes::{ICON, INVALID_VALUE},
    decode::{Cx, NodeRef, shorten},
    string_enum::string_enum,
};

string_enum! {
    /// `icons.library`: the icon library.
    IconLibrary {
        FontAwesome = "fontawesome",
        Lucide = "lucide",
        Tabler = "tabler",
    }
}

/// An icon: a name of the library, a URL, or a path of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icon {
    /// Name, URL or path.
    pub name: String,
    /// Style of the library, for example `solid`.
    pub style: Option<String>,
    /// Library of this icon; None for the library of the site.
    pub library: Option<String>,
}

/// Styles of Font Awesome.
pub(crate) const STYLES: &[&str] = &[
    "brands",
    "duotone",
    "light",
    "regular",
    "sharp-duotone-solid",
    "sharp-light",
    "sharp-regular",
    "sharp-solid",
    "sharp-thin",
    "solid",
    "thin",
];

impl IconLibrary {
    /// The name of the library in a message.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::FontAwesome => "Font Awesome",
            Self::Lucide => "Lucide",
            Self::Tabler => "Tabler",
        }
    }

    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["library"])?;
        cx.required(&fields, "library", Cx::string_enum)
    }
}

impl Icon {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        if at.is_string() {
            let name = icon_name(cx, at)?;
            cx.check_icon_later(at, &name, None);
            return Some(Self {
                name,
                style: None,
                library: None,
            });
        }
        if !at.is_object() {
            cx.type_mismatch(at, "a string or an object");
            return None;
        }
        let fields = cx.object(at, &["name", "style", "library"])?;
        let style = cx.optional(&fields, "style", |cx, at| {
            let style = cx.non_empty_string(at)?;
            if STYLES.contains(&&*style) {
                return Some(style);
            }
            cx.invalid_value(&INVALID_VALUE, at, &style, STYLES);
            None
        });
        let library = cx.optional(&fields, "library", Cx::string_enum::<IconLibrary>);
        let name = cx.required(&fields, "name", |cx, at| {
            let name = icon_name(cx, at)?;
            cx.check_icon_later(at, &name, library);
            Some(name)
        })?;
        Some(Self {
            name,
            style,
            library: library.map(|library| library.name().to_owned()),
        })
    }
}

fn icon_name(cx: &mut Cx, at: &NodeRef<'_>) -> Option<String> {
    let text = cx.string(at)?;
    let name = text.trim();
    // Templates leave an empty name behind; it means no icon.
    if name.is_empty() {
        return None;
    }
    if let Some(plain) = name.strip_prefix("fa-") {
        let message = format!("icon `{}` has the prefix `fa-`", shorten(name));
        cx.report(&ICON, at, message, format!("write `{}`", shorten(plain)));
        return Some(plain.to_owned()).filter(|plain| !plain.is_empty());
    }
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::{
        IconLibrary,
        tests::{errors_of, site_of},
    };

    #[test]
    fn the_library_is_one_of_three() {
        let site = site_of(r#""icons":{"library":"lucide"}"#).value.unwrap();
        assert_eq!(site.icons, IconLibrary::Lucide);
        assert_eq!(
            errors_of(r#""icons":{}"#),
            ["/icons/library config-missing"]
        );
        assert_eq!(
            errors_of(r#""icons":{"library":"hero"}"#),
            ["/icons/library config-invalid-value"]
        );
        assert_eq!(errors_of(r#""icons":"lucide""#), ["/icons config-type"]);
    }

    #[test]
    fn an_icon_is_a_name_or_an_object_without_prefix() {
        let icon = |json: &str| {
            errors_of(&format!(
                r#""navbar":{{"links":[{{"label":"a","href":"/a","icon":{json}}}]}}"#
            ))
        };
        assert_eq!(icon("\"home\""), [""; 0]);
        assert_eq!(
            icon(r#"{"name":"home","style":"solid","library":"lucide"}"#),
            [""; 0]
        );
        assert_eq!(icon("\"fa-home\""), ["/navbar/links/0/icon config-icon"]);
        assert_eq!(
            icon(r#"{"name":"fa-home"}"#),
            ["/navbar/links/0/icon/name config-icon"]
        );
        assert_eq!(
            icon(r#"{"style":"solid"}"#),
            ["/navbar/links/0/icon/name config-missing"]
        );
        assert_eq!(
            icon(r#"{"name":"a","style":"bold"}"#),
            ["/navbar/links/0/icon/style config-invalid-value"]
        );
        assert_eq!(icon("5"), ["/navbar/links/0/icon config-type"]);
    }
}
