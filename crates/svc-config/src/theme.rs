//! `theme`: the look of the site.

use crate::{
    aliases,
    keys::{shape::Shape, value_kind},
    string_enum::string_enum,
};

string_enum! {
    /// The nine themes.
    Theme {
        Svc = "svc",
        Maple = "maple",
        Palm = "palm",
        Willow = "willow",
        Linden = "linden",
        Almond = "almond",
        Aspen = "aspen",
        Sequoia = "sequoia",
        Luma = "luma",
    }
}

value_kind!(
    /// The name of a theme, or the older name of the first one.
    pub(crate) ThemeName -> Theme = Shape::Any(vec![
        Theme::shape(),
        Shape::Deprecated(Box::new(Shape::OneOf(vec![aliases::THEME.old])), "Write `svc`."),
    ]),
    |cx, at| {
        if at.tree.as_str() == Some(aliases::THEME.old) {
            cx.alias(at, &aliases::THEME);
            return Some(Theme::Svc);
        }
        cx.string_enum(at)
    }
);

#[cfg(test)]
mod tests {
    use crate::{
        Theme,
        tests::{pointers, root},
    };

    #[test]
    fn all_nine_themes_load_and_the_alias_is_reported() {
        assert_eq!(Theme::ALL.len(), 9);
        for theme in Theme::ALL {
            let checked = root(&format!("{{\"theme\":\"{}\"}}", theme.name()));
            assert_eq!(checked.value.unwrap().theme, *theme);
        }
        let checked = root(r#"{"theme":"mint"}"#);
        assert!(pointers(&checked).contains(&"/theme config-alias".to_owned()));
        assert_eq!(checked.value.unwrap().theme, Theme::Svc);
    }

    #[test]
    fn a_misspelled_theme_gets_a_suggestion() {
        let checked = root(r#"{"theme":"mapel"}"#);
        let problem = checked
            .diagnostics
            .iter()
            .find(|d| d.code.id == "config-invalid-value")
            .unwrap();
        let hint = problem.hint.clone().unwrap();
        assert!(hint.starts_with("did you mean `maple`?"), "{hint}");
    }
}
