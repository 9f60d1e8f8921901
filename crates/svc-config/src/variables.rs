//! `variables`: values that replace `{{name}}` in pages.

use crate::{
    codes::VALUE,
    decode::{Cx, NodeRef},
    keys::{
        patterns,
        shape::{Map, Shape},
        value_kind,
    },
    text::shorten,
};

value_kind!(pub(crate) Variables -> Vec<(String, String)> = Shape::Map(Box::new(Map {
    names: Some(patterns::VARIABLE),
    value: Shape::Text,
})), decode);

/// Decodes the names and values, in the order of the file.
fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<(String, String)>> {
    let fields = cx.map(at)?;
    let mut variables = Vec::new();
    for (name, at) in fields.iter() {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(plain) {
            let message = format!("invalid variable name `{}`", shorten(name));
            cx.report(
                &VALUE,
                &at,
                message,
                "use letters, digits, `-`, `_` and `.`",
            );
            continue;
        }
        variables.extend(cx.string(&at).map(|text| (name.to_owned(), text)));
    }
    Some(variables)
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn names_are_plain_and_values_are_strings() {
        let decoded = site_of(r#""variables":{"b-1":"x","a":""}"#)
            .value
            .unwrap()
            .variables;
        assert_eq!(
            decoded,
            [
                ("b-1".to_owned(), "x".to_owned()),
                ("a".to_owned(), String::new())
            ]
        );
        assert_eq!(
            errors_of(r#""variables":{"a":1}"#),
            ["/variables/a config-type"]
        );
        assert_eq!(
            errors_of(r#""variables":{"a b":"x"}"#),
            ["/variables/a b config-value"]
        );
        assert_eq!(
            errors_of(r#""variables":["a"]"#),
            ["/variables config-type"]
        );
    }
}
