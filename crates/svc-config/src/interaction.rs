//! `interaction`: what a click in the sidebar does.

use crate::decode::{Cx, NodeRef};

/// `interaction`: the behavior of the sidebar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Interaction {
    /// Whether selecting a group opens its first page; None for the default of the theme.
    pub drilldown: Option<bool>,
}

impl Interaction {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["drilldown"])?;
        Some(Self {
            drilldown: cx.optional(&fields, "drilldown", Cx::boolean),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn drilldown_is_true_false_or_unset() {
        let drilldown = |json: &str| site_of(json).value.unwrap().interaction.drilldown;
        assert_eq!(
            drilldown(r#""interaction":{"drilldown":false}"#),
            Some(false)
        );
        assert_eq!(drilldown(r#""interaction":{}"#), None);
        assert_eq!(
            errors_of(r#""interaction":{"drilldown":"no"}"#),
            ["/interaction/drilldown config-type"]
        );
    }
}
