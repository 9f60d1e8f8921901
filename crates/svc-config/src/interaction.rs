//! `interaction`: what a click in the sidebar does.

use crate::keys::{key, object};

object! {
    /// `interaction`: the behavior of the sidebar.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct Interaction {
        /// Whether selecting a group opens its first page (`true`) or only expands it (`false`).
        ///
        /// None for the default of the theme.
        drilldown: Option<bool> = key::<bool>("drilldown").default("the theme's choice"),
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
