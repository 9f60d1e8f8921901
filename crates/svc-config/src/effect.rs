//! Values that are accepted but rendered differently from what is written.

use crate::{
    Font, SiteConfig,
    codes::{INEFFECTIVE, UNSUPPORTED},
    decode::{Cx, NodeRef},
    text::shorten,
};

/// Reports values that have a different effect from what is written.
pub(crate) fn check(cx: &mut Cx, root: &NodeRef<'_>, site: &SiteConfig) {
    let Some(root) = root.fields() else { return };
    if let Some(styling) = root.get("styling")
        && let Some(latex) = styling.fields().and_then(|fields| fields.get("latex"))
        && site.styling.latex == Some(true)
    {
        let message = format!("{} is `true`, which has no effect", latex.name());
        cx.report(
            &UNSUPPORTED,
            &latex,
            message,
            "remove it; formulas need no style sheet, and only `false` has an effect",
        );
    }
    if let Some(integrations) = root.get("integrations") {
        telemetry(cx, &integrations);
    }
    if let Some(fonts) = root.get("fonts") {
        weights(cx, &fonts, site);
    }
    if let Some(thumbnails) = root.get("thumbnails") {
        thumbnail_images(cx, &thumbnails, site);
    }
}

/// Reports telemetry that is enabled: svc has none.
fn telemetry(cx: &mut Cx, integrations: &NodeRef<'_>) {
    let Some(fields) = integrations.fields() else {
        return;
    };
    if let Some(telemetry) = fields.get("telemetry")
        && let Some(enabled) = telemetry.fields().and_then(|fields| fields.get("enabled"))
        && enabled.tree.as_bool() == Some(true)
    {
        let message = format!("{} is `true`, which has no effect", enabled.name());
        let hint = "remove it; svc sends no telemetry";
        cx.report(&UNSUPPORTED, &enabled, message, hint);
    }
}

/// Reports weights outside of the range of fonts.
fn weights(cx: &mut Cx, fonts: &NodeRef<'_>, site: &SiteConfig) {
    let Some(fields) = fonts.fields() else { return };
    let (heading, body) = (site.fonts.heading.as_ref(), site.fonts.body.as_ref());
    if let Some(at) = fields.get("weight") {
        // The weight of `fonts` applies to both fonts unless they have their own.
        weight(cx, &at, body.or(heading));
    }
    for (key, font) in [("heading", heading), ("body", body)] {
        if let Some(own) = fields.get(key)
            && let Some(at) = own.fields().and_then(|fields| fields.get("weight"))
        {
            weight(cx, &at, font);
        }
    }
}

fn weight(cx: &mut Cx, at: &NodeRef<'_>, font: Option<&Font>) {
    // A value that is not a number is already reported and is 0 here.
    let weight = font.and_then(|font| font.weight);
    let Some(weight) = weight.filter(|weight| *weight != 0.0) else {
        return;
    };
    if !(1.0..=1000.0).contains(&weight) {
        let shown = weight.clamp(1.0, 1000.0);
        let message = format!("{} is {weight}, but is shown as {shown}", at.name());
        let hint = "write a weight from 1 to 1000; text is usually 400 and bold text 700";
        cx.report(&INEFFECTIVE, at, message, hint);
    }
}

/// Reports settings of `thumbnails` without effect.
fn thumbnail_images(cx: &mut Cx, thumbnails: &NodeRef<'_>, site: &SiteConfig) {
    let Some(fields) = thumbnails.fields() else {
        return;
    };
    let is_elsewhere = |path: &str| path.contains("://") || path.starts_with("//");
    if let Some(at) = fields.get("background")
        && site
            .thumbnails
            .background
            .as_deref()
            .is_some_and(is_elsewhere)
    {
        let message = format!(
            "{} is not in the repository; preview images are rendered without it",
            at.name()
        );
        cx.report(
            &INEFFECTIVE,
            &at,
            message,
            "add the image to the repository and write its path",
        );
    }
    let Some(family) = site.thumbnails.font_family.as_deref() else {
        return;
    };
    let fonts = [&site.fonts.heading, &site.fonts.body];
    let has_file = |font: &&Font| {
        font.family.eq_ignore_ascii_case(family)
            && font
                .source
                .as_deref()
                .is_some_and(|source| !is_elsewhere(source))
    };
    if fonts.into_iter().flatten().any(|font| has_file(&font)) {
        return;
    }
    if let Some(fonts) = fields.get("fonts")
        && let Some(at) = fonts.fields().and_then(|fields| fields.get("family"))
    {
        let message = format!(
            "preview images do not use `{}`, because `fonts` has no file for it",
            shorten(family)
        );
        cx.report(
            &INEFFECTIVE,
            &at,
            message,
            "set the `source` of the family in `fonts` to a file of the repository",
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{pointers, site_of};

    #[test]
    fn values_without_effect_are_reported() {
        for (json, expected) in [
            (
                r#""styling":{"latex":true}"#,
                &["/styling/latex config-unsupported"][..],
            ),
            (r#""styling":{"latex":false}"#, &[]),
            (
                r#""integrations":{"telemetry":{"enabled":true}}"#,
                &["/integrations/telemetry/enabled config-unsupported"],
            ),
            (r#""integrations":{"telemetry":{"enabled":false}}"#, &[]),
            (r#""fonts":{"family":"Inter","weight":450.5}"#, &[]),
            (
                r#""fonts":{"heading":{"family":"Inter","weight":1500}}"#,
                &["/fonts/heading/weight config-not-shown"],
            ),
            (
                r#""fonts":{"family":"Inter","weight":450.5,"source":"https://a.test/f.woff2","format":"woff2"}"#,
                &[],
            ),
            (
                r#""thumbnails":{"background":"https://a.test/b.png"}"#,
                &["/thumbnails/background config-not-shown"],
            ),
            (
                r#""thumbnails":{"fonts":{"family":"Lora"}}"#,
                &["/thumbnails/fonts/family config-not-shown"],
            ),
            (
                r#""fonts":{"family":"Lora","source":"/f.woff2","format":"woff2"},"thumbnails":{"background":"/b.png","fonts":{"family":"lora"}}"#,
                &[],
            ),
        ] {
            assert_eq!(pointers(&site_of(json)), expected, "{json}");
        }
    }
}
