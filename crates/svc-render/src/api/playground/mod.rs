//! The playground: a reader fills in a request, sends it and sees the answer.
//!
//! A page has the button and `js/starter.js`. The dialog, its style and its words are files of
//! their own that are loaded when somebody opens it; `js/form.js` is where they begin. What it
//! knows of the operation is the JSON of `svc_openapi::call`.
#![doc = include_str!("playground.md")]

mod assets;
#[cfg(test)]
mod tests;

use svc_config::PlaygroundDisplay;
use svc_nav::{Route, RouteBody};

use super::endpoint;
use crate::ctx::{Ctx, RenderContext};
use crate::html::Html;

pub(crate) use assets::{assets, callback, messages};

/// Styles of what stands in pages.
pub(crate) const CSS: &[&str] = &[include_str!("starter.css")];
/// The script that pages have.
pub(crate) const JS: &[&str] = &[include_str!("js/starter.js")];

/// What an endpoint is, and what can be done with it.
pub(super) struct EndpointBar<'a> {
    /// Method in lower case, or `webhook`.
    pub(super) method: &'a str,
    /// Path with its parameters in braces.
    pub(super) path: &'a str,
    /// The address that the path is relative to.
    pub(super) server: Option<&'a str>,
    /// Whether that address is shown too, and not only copied (`api.url`).
    pub(super) full: bool,
    /// Whether a request can be sent at all.
    pub(super) callable: bool,
    /// Whether the playground opens by itself (`x-svc.playground.expand`).
    pub(super) expand: bool,
}

/// What the playground of a page offers: its front matter, else the setting of the site.
pub fn playground_display(cx: &RenderContext<'_>, route: &Route) -> PlaygroundDisplay {
    let page = match &route.body {
        RouteBody::Page { slug } => cx.pages.get(slug).map(|page| &page.front_matter),
        RouteBody::Generated => route.metadata.as_deref(),
    };
    let own = page.and_then(|matter| matter.playground.as_deref());
    let own = own.and_then(|word| match word.trim() {
        "interactive" => Some(PlaygroundDisplay::Interactive),
        "simple" => Some(PlaygroundDisplay::Simple),
        "none" => Some(PlaygroundDisplay::None),
        "auth" => Some(PlaygroundDisplay::Auth),
        _ => None,
    });
    own.unwrap_or(cx.config.api.playground.display)
}

/// The bar with method and path, and the buttons that fit.
pub(super) fn bar(cx: &Ctx<'_>, route: &Route, of: &EndpointBar<'_>) -> Html {
    let texts = cx.texts;
    let mut attributes = Html::new();
    let mut buttons = Html::new();
    // Nobody can sign in yet, so nobody has what `auth` asks for.
    let display = match playground_display(cx.site, route) {
        PlaygroundDisplay::Interactive if !of.callable => PlaygroundDisplay::Simple,
        display => display,
    };
    if matches!(
        display,
        PlaygroundDisplay::Interactive | PlaygroundDisplay::Simple
    ) {
        buttons.lit("<button type=\"button\" class=\"svc-endpoint-copy\" data-svc-copy hidden");
        buttons.attr("aria-label", texts.copy);
        buttons.lit("><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M6 6h7v7H6zM3 10V3h7\"/></svg></button>");
    }
    if display == PlaygroundDisplay::Interactive {
        root(cx, route, of.expand, &mut attributes);
        buttons
            .lit("<button type=\"button\" class=\"svc-endpoint-try tryit-button\" data-svc-try>");
        buttons.esc(texts.try_it);
        buttons.lit(
            "<svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><path d=\"M2 1v8l7-4z\"/></svg></button>",
        );
    }
    endpoint::bar(of, &attributes, &buttons)
}

/// What the starter needs to know, as attributes of the bar.
fn root(cx: &Ctx<'_>, route: &Route, expand: bool, out: &mut Html) {
    let options = &cx.site.options;
    let base = &options.base_path;
    let settings = cx.site.config.api.playground;
    let file = |name: &str| format!("{base}/_svc/assets/{name}");
    let path = if route.path == "/" { "" } else { &route.path };
    out.flag("data-svc-playground", true);
    out.attr("data-form", &file(assets::form()));
    out.attr("data-style", &file(assets::style()));
    out.attr("data-texts", &file(&messages(cx.texts).name));
    let call = format!("/_svc/api{path}/call.json");
    out.attr("data-call", &crate::chrome::resolve_url(base, &call));
    out.attr("data-page", &route.path);
    out.attr("data-base", base);
    out.attr("data-failed", cx.texts.playground_failed);
    if options.relay && settings.proxy {
        out.attr("data-relay", &format!("{base}/_svc/relay"));
    }
    // Only without relay, as the setting says.
    out.flag("data-credentials", settings.credentials && !settings.proxy);
    out.flag("data-open", expand);
}
