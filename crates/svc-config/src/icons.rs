//! `icons`: the icon library, and icons of other keys.

use crate::{
    codes::{ICON, INVALID_VALUE},
    decode::NodeRef,
    keys::{key, kinds::StringOr, object, patterns, shape::Shape, single_key, value_kind},
    string_enum::string_enum,
    text::shorten,
};

string_enum! {
    /// `icons.library`: the icon library.
    IconLibrary {
        FontAwesome = "fontawesome",
        Lucide = "lucide",
        Tabler = "tabler",
    }
}

single_key!(pub(crate) Icons -> IconLibrary {
    /// The library that all icon names are taken from.
    = key::<IconLibrary>("library").required().default("\"fontawesome\"")
});

object! {
    /// An icon: a name of the library, a URL, or a path of the repository.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Icon {
        /// Name, URL or path.
        name: String = key::<IconName>("name").required()
            .rule("Font Awesome names are written without `fa-`."),
        /// Style of a Font Awesome icon.
        ///
        /// For example `solid`.
        style: Option<String> = key::<IconStyle>("style"),
        /// Library of this icon, if it is not that of the site.
        library: Option<String> = key::<IconLibrary>("library")
            .field(|library| Some(library.map(|library| library.name().to_owned()))),
    }
}

value_kind!(
    /// An icon of any key.
    pub(crate) AnyIcon -> Icon = StringOr::<NamedIcon, CheckedIcon>::shape(),
    StringOr::<NamedIcon, CheckedIcon>::decode,
    definition (
        "icon", "Icon",
        "A name of the icon library, a URL, a path of the repository, or an object with more settings."
    )
);
value_kind!(NamedIcon -> Icon = IconName::shape(), |cx, at| {
    let name = IconName::decode(cx, at)?;
    cx.check_icon_later(at, &name, None);
    Some(Icon { name, style: None, library: None })
});
value_kind!(CheckedIcon -> Icon = Icon::shape(), |cx, at| {
    let icon = Icon::decode(cx, at)?;
    let library = icon.library.as_deref().and_then(IconLibrary::from_name);
    if let Some(at) = at.fields().and_then(|fields| fields.get("name")) {
        cx.check_icon_later(&at, &icon.name, library);
    }
    Some(icon)
});
value_kind!(IconStyle -> String = Shape::OneOf(STYLES.to_vec()), |cx, at| {
    let style = cx.non_empty_string(at)?;
    if STYLES.contains(&&*style) {
        return Some(style);
    }
    cx.invalid_value(&INVALID_VALUE, at, &style, STYLES);
    None
});
value_kind!(IconName -> String = Shape::Pattern(&patterns::ICON_NAME), |cx, at| {
    let text = cx.string(at)?;
    let name = text.trim();
    if let Some(plain) = name.strip_prefix("fa-") {
        let message = format!("icon `{}` has the prefix `fa-`", shorten(name));
        cx.report(&ICON, at, message, format!("write `{}`", shorten(plain)));
        cx.fix_text(at, plain);
    }
    // Templates leave an empty name behind; it means no icon.
    plain_name(name).map(str::to_owned)
});

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

impl Icon {
    /// Moves the file of an icon below a directory of the repository; names and URLs stay.
    ///
    /// ```
    /// let mut icon = svc_config::Icon { name: "/i.svg".to_owned(), style: None, library: None };
    /// icon.move_below("v1");
    /// assert_eq!(icon.name, "/v1/i.svg");
    /// ```
    pub fn move_below(&mut self, dir: &str) {
        let name = &self.name;
        let is_file = name.contains('/') || name.ends_with(".svg") || name.ends_with(".png");
        if is_file && !name.contains([':', '<']) && !name.starts_with("//") {
            let path = name.trim_start_matches("./").trim_start_matches('/');
            self.name = format!("/{dir}/{path}");
        }
    }
}

impl IconLibrary {
    /// The name of the library in a message.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::FontAwesome => "Font Awesome",
            Self::Lucide => "Lucide",
            Self::Tabler => "Tabler",
        }
    }
}

/// Whether the value has a name, so that its decoder returns an icon.
pub(crate) fn is_set(at: &NodeRef<'_>) -> bool {
    let name = at.fields().and_then(|fields| fields.get("name"));
    let text = name.map_or(at.tree, |name| name.tree).as_str();
    text.is_some_and(|text| plain_name(text.trim()).is_some())
}

/// The name without the prefix `fa-`; None if it is empty.
fn plain_name(name: &str) -> Option<&str> {
    Some(name.strip_prefix("fa-").unwrap_or(name)).filter(|plain| !plain.is_empty())
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
