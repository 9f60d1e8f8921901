//! Values that are accepted and do not reach readers as they are written.

use crate::{
    Font, SiteConfig,
    codes::{INEFFECTIVE, UNSUPPORTED},
    decode::{Cx, NodeRef, shorten},
};

/// Reports what readers will not see, and what they see instead.
pub(crate) fn check(cx: &mut Cx, root: &NodeRef<'_>, site: &SiteConfig) {
    let Some(root) = root.fields() else { return };
    if let Some(styling) = root.get("styling")
        && let Some(latex) = styling.fields().and_then(|fields| fields.get("latex"))
        && site.styling.latex == Some(true)
    {
        let message = format!("{} is `true`, which changes nothing", latex.name());
        cx.report(
            &UNSUPPORTED,
            &latex,
            message,
            "formulas need no style sheet here; only `false` has a meaning",
        );
    }
    if let Some(fonts) = root.get("fonts") {
        weights(cx, &fonts, site);
    }
    if let Some(thumbnails) = root.get("thumbnails") {
        thumbnail_images(cx, &thumbnails, site);
    }
}

/// Weights that no font has.
fn weights(cx: &mut Cx, fonts: &NodeRef<'_>, site: &SiteConfig) {
    let Some(fields) = fonts.fields() else { return };
    let (heading, body) = (site.fonts.heading.as_ref(), site.fonts.body.as_ref());
    if let Some(at) = fields.get("weight") {
        // Both faces have it, unless they say otherwise.
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
    // What cannot be read as a number is reported as such, and is 0 here.
    let weight = font.and_then(|font| font.weight);
    let Some(weight) = weight.filter(|weight| *weight != 0.0) else {
        return;
    };
    if !(1.0..=1000.0).contains(&weight) {
        let shown = weight.clamp(1.0, 1000.0);
        let message = format!("{} is {weight}, and readers see {shown}", at.name());
        let hint = "weights go from 1 to 1000; text is usually 400 and bold text 700";
        cx.report(&INEFFECTIVE, at, message, hint);
    }
}

/// What preview pictures are drawn without.
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
            "{} is not in the repository; preview pictures are drawn without it",
            at.name()
        );
        cx.report(
            &INEFFECTIVE,
            &at,
            message,
            "put the picture into the repository and write its path",
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
            "preview pictures are not written in `{}`, as `fonts` names no file of it",
            shorten(family)
        );
        cx.report(
            &INEFFECTIVE,
            &at,
            message,
            "give the family a `source` in `fonts`: a file of the repository",
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{pointers, site_of};

    #[test]
    fn what_readers_will_not_see_is_reported() {
        for (json, expected) in [
            (
                r#""styling":{"latex":true}"#,
                &["/styling/latex config-unsupported"][..],
            ),
            (r#""styling":{"latex":false}"#, &[]),
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
