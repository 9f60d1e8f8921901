//! The API playground: a form for a request, which it sends and whose response it shows.
//!
//! A page contains the button and `js/starter.js`. The dialog, its styles and its messages are
//! separate files that are loaded when the playground is opened; the entry point is `js/form.js`.
//! Its input is the JSON that [`playground_spec`](crate::playground_spec) returns.
#![doc = include_str!("playground.md")]

mod assets;
#[cfg(test)]
mod tests;

use svc_config::PlaygroundDisplay;
use svc_nav::{Audience, Route, RouteBody};

use super::endpoint::{self, EndpointBar};
use crate::ctx::{Ctx, RenderContext};
use crate::html::Html;
use crate::sign_in::READER_PATH;

pub(crate) use assets::{assets, callback, messages};

/// Style sheets included in pages.
pub(crate) const CSS: &[&str] = &[include_str!("starter.css")];
/// Scripts included in pages.
pub(crate) const JS: &[&str] = &[include_str!("js/starter.js")];

/// The playground mode of a page: from its front matter, otherwise from the site's configuration.
/// The one for readers who have signed in is interactive or none, as the audience requires.
pub fn playground_display(cx: &RenderContext<'_>, route: &Route) -> PlaygroundDisplay {
    let page = match &route.body {
        RouteBody::Page { slug } => cx.pages.get(slug).map(|page| &page.front_matter),
        RouteBody::Generated => route.metadata.as_deref(),
    };
    let own = page.and_then(|matter| matter.playground.as_deref());
    let own = own.and_then(|text| match text.trim() {
        "interactive" => Some(PlaygroundDisplay::Interactive),
        "simple" => Some(PlaygroundDisplay::Simple),
        "none" => Some(PlaygroundDisplay::None),
        "auth" => Some(PlaygroundDisplay::Auth),
        _ => None,
    });
    let display = own.unwrap_or(cx.config.api.playground.display);
    if display != PlaygroundDisplay::Auth {
        return display;
    }
    cx.tree.record_audience();
    match cx.options.site.audience() {
        Audience::Members(_) | Audience::Trusted => PlaygroundDisplay::Interactive,
        Audience::Everyone | Audience::Outsiders => PlaygroundDisplay::None,
    }
}

/// Renders the endpoint bar with its buttons.
pub(super) fn bar(cx: &Ctx<'_>, route: &Route, of: &EndpointBar<'_>) -> Html {
    let texts = cx.texts;
    let mut attributes = Html::new();
    let mut buttons = Html::new();
    let display = match playground_display(cx.input, route) {
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

/// Writes the settings for the starter script as attributes of the bar.
fn root(cx: &Ctx<'_>, route: &Route, expand: bool, out: &mut Html) {
    let options = cx.input.options;
    let base = &options.site.base_path;
    let settings = cx.input.config.api.playground;
    let file = |name: &str| format!("{base}/_svc/assets/{name}");
    let path = if route.path == "/" { "" } else { &route.path };
    out.flag("data-svc-playground", true);
    out.attr("data-form", &file(assets::form()));
    out.attr("data-style", &file(assets::style()));
    out.attr("data-texts", &file(&messages(cx.texts).name));
    let call = format!("/_svc/api{path}/call.json");
    out.attr("data-call", &crate::url::resolve_url(base, &call));
    out.attr("data-page", &route.path);
    out.attr("data-base", base);
    out.attr("data-failed", cx.texts.playground_failed);
    if options.site.relay && settings.proxy {
        out.attr("data-relay", &format!("{base}/_svc/relay"));
    }
    if options.site.sign_in {
        out.attr("data-reader", &format!("{base}{READER_PATH}"));
    }
    // Credentials are sent only without the relay.
    out.flag("data-credentials", settings.credentials && !settings.proxy);
    out.flag("data-open", expand);
}
