//! The page on which readers sign in.

use svc_config::{Footer, Navbar};
use svc_nav::Audience;

use crate::ctx::RenderContext;
use crate::html::Html;
use crate::i18n::{has_messages, messages, split_placeholder};
use crate::page::notice;
use crate::url::resolve_url;

/// Path of the page relative to the base path; the form is sent to it too.
pub const SIGN_IN_PATH: &str = "/_svc/sign-in";
/// Path relative to the base path to which the form is sent that ends a session.
pub const SIGN_OUT_PATH: &str = "/_svc/sign-out";

/// Path relative to the base path of the document that tells a page who reads it.
pub const READER_PATH: &str = "/_svc/reader";

/// What the sign-in page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SignInForm<'a> {
    /// Path and query of the page to go to afterwards.
    pub next: &'a str,
    /// Whether there is a form; without one, a proxy signs readers in.
    pub has_password: bool,
    /// Whether the form asks for a name.
    pub has_name: bool,
    /// The name that was sent.
    pub name: &'a str,
    /// Why the last attempt failed.
    pub failure: Option<SignInFailure>,
    /// Name of the reader who has signed in already.
    pub reader: Option<&'a str>,
    /// Other places where readers sign in.
    pub services: &'a [SignInService],
}

/// A place outside of the site where readers sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInService {
    /// Name for the button.
    pub name: String,
    /// URL of the button.
    pub url: String,
}

/// The page that sends the token in its fragment to the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoverPage {
    /// HTML of the page.
    pub html: String,
    /// Text of its only script, which is inline.
    pub script: &'static str,
}

/// Why a reader could not sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInFailure {
    /// The name or the password is wrong.
    Wrong,
    /// There were too many attempts.
    TooMany,
    /// The sign-in elsewhere was not completed.
    Incomplete,
    /// The account has no access.
    NoAccess,
    /// The account has more groups than a session can have.
    TooManyGroups,
}

/// Removes the token from the history and sends it.
const HANDOVER_SCRIPT: &str = "const form=document.forms[0];form.elements.token.value=location.hash.slice(1);history.replaceState(null,\"\",location.pathname+location.search);if(form.elements.token.value)form.submit()";

/// Renders the page on which readers sign in, or sign out if they have signed in. `languages` are
/// the languages that the reader prefers, the best first.
pub fn sign_in_page(cx: &RenderContext<'_>, languages: &[&str], form: &SignInForm<'_>) -> String {
    let language = languages.iter().find(|code| has_messages(code));
    let language = language.map(|code| (*code).to_owned());
    let texts = messages(language.as_deref());
    let base = &cx.options.site.base_path;
    let mut html = Html::default();
    if let Some(failure) = form.failure {
        let text = match failure {
            SignInFailure::Wrong => texts.sign_in_failed,
            SignInFailure::TooMany => texts.sign_in_later,
            SignInFailure::Incomplete => texts.sign_in_incomplete,
            SignInFailure::NoAccess => texts.sign_in_denied,
            SignInFailure::TooManyGroups => texts.too_many_groups,
        };
        html.lit("<p class=\"svc-sign-in-failure\" id=\"svc-sign-in-failure\" role=\"alert\">")
            .esc(text)
            .lit("</p>");
    }
    let action = match form.reader {
        Some(_) => SIGN_OUT_PATH,
        None => SIGN_IN_PATH,
    };
    let begin = |html: &mut Html| {
        html.lit("<form class=\"svc-sign-in\" method=\"post\"")
            .attr("action", &resolve_url(base, action))
            .lit("><input type=\"hidden\" name=\"next\"")
            .attr("value", form.next)
            .lit(">");
    };
    if let Some(reader) = form.reader {
        let (before, after) = split_placeholder(texts.signed_in_as);
        html.lit("<p>")
            .esc(before)
            .lit("<strong>")
            .esc(reader)
            .lit("</strong>")
            .esc(after)
            .lit("</p>");
        begin(&mut html);
        button(&mut html, texts.sign_out);
    } else if form.has_password {
        services(&mut html, form.services, texts.sign_in_with);
        begin(&mut html);
        if form.has_name {
            html.lit("<label>")
                .esc(texts.user_name)
                .lit("<input name=\"name\" autocomplete=\"username\" autocapitalize=\"none\" spellcheck=\"false\" required maxlength=\"100\"")
                .attr("value", form.name)
                .lit("></label>");
        }
        html.lit("<label>")
            .esc(texts.sign_in_password)
            .lit("<input type=\"password\" name=\"password\" autocomplete=\"current-password\" required maxlength=\"1024\"");
        if form.failure == Some(SignInFailure::Wrong) {
            html.lit(" aria-describedby=\"svc-sign-in-failure\" aria-invalid=\"true\"");
        }
        html.lit("></label>");
        button(&mut html, texts.sign_in);
    } else if !form.services.is_empty() {
        services(&mut html, form.services, texts.sign_in_with);
    } else {
        html.lit("<p>").esc(texts.sign_in_elsewhere).lit("</p>");
    }
    if cx.options.site.audience != Audience::Outsiders {
        return notice(cx, texts.sign_in, language, html, None);
    }
    // Links of the frame would tell which pages a private site has.
    let mut config = cx.config.clone();
    (config.navbar, config.footer, config.banner) = (Navbar::default(), Footer::default(), None);
    let cx = RenderContext {
        config: &config,
        ..cx.clone()
    };
    notice(&cx, texts.sign_in, language, html, None)
}

/// Links to the places where readers sign in. `label` has a placeholder for the name.
fn services(html: &mut Html, services: &[SignInService], label: &'static str) {
    if services.is_empty() {
        return;
    }
    let (before, after) = split_placeholder(label);
    html.lit("<div class=\"svc-sign-in-services\">");
    for service in services {
        html.lit("<a class=\"svc-cta\" rel=\"nofollow\"")
            .attr("href", &service.url)
            // One item of the button, in which white space is kept.
            .lit("><span>")
            .esc(before)
            .lit("<bdi>")
            .esc(&service.name)
            .lit("</bdi>")
            .esc(after)
            .lit("</span></a>");
    }
    html.lit("</div>");
}

/// Renders the page that sends the token in its fragment to the path `action`, and leads to `next`
/// afterwards. It has no other script, because the token signs the reader in.
pub fn handover_page(
    cx: &RenderContext<'_>,
    languages: &[&str],
    action: &str,
    next: &str,
) -> HandoverPage {
    let language = languages.iter().find(|code| has_messages(code));
    let texts = messages(language.copied());
    let base = &cx.options.site.base_path;
    let mut html = Html::literal("<!doctype html><html");
    html.attr("lang", language.copied().unwrap_or("en"))
        .lit("><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"><title>")
        .esc(texts.sign_in)
        .lit("</title><form method=\"post\"")
        .attr("action", &resolve_url(base, action))
        .lit("><input type=\"hidden\" name=\"token\"><input type=\"hidden\" name=\"next\"")
        .attr("value", next)
        .lit("></form><noscript><p>")
        .esc(texts.sign_in_incomplete)
        .lit("</p></noscript><p><a")
        .attr("href", &resolve_url(base, SIGN_IN_PATH))
        .lit(">")
        .esc(texts.sign_in)
        .lit("</a></p><script>")
        .add(&Html::trusted(HANDOVER_SCRIPT.to_owned()))
        .lit("</script></html>");
    HandoverPage {
        html: html.into_string(),
        script: HANDOVER_SCRIPT,
    }
}

fn button(html: &mut Html, label: &str) {
    html.lit("<button type=\"submit\" class=\"svc-cta\">")
        .esc(label)
        .lit("</button></form>");
}
