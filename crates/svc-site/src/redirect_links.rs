//! Destinations of redirects that lead nowhere.

use svc_config::Redirect;
use svc_data::percent::decode_lossy;
use svc_diagnostics::{Diagnostic, Fix, Span};

use crate::Site;
use crate::codes::BROKEN_REDIRECT;
use crate::links::{LinkTarget, check_fragment, guess, is_same_path, target, trimmed};

/// Redirects whose destination does not exist, or has no such anchor. Destinations with parameters
/// are not checked.
pub(crate) fn check(site: &Site, guesses: &mut usize) -> Vec<Diagnostic> {
    let redirects = site.config.redirects.iter();
    let internal = redirects.filter(|redirect| {
        let to = &redirect.destination;
        to.starts_with('/') && !to.starts_with("//") && !to.contains([':', '*'])
    });
    internal
        .filter_map(|redirect| {
            let path = redirect.destination.split(['#', '?']).next()?;
            let path = trimmed(&decode_lossy(path)).to_owned();
            let problem = match target(site, &path) {
                LinkTarget::Page(page) => {
                    let (_, fragment) = redirect.destination.split_once('#')?;
                    check_fragment(site, page, fragment, guesses, &|_, _| None)?
                }
                LinkTarget::NotFound | LinkTarget::BrokenRedirect(_) => {
                    broken(site, redirect, &path, guesses)
                }
                LinkTarget::Other => return None,
            };
            let pointer = format!("/redirects/{}/destination", redirect.index);
            Some(problem.at(redirect.location.clone()).pointer(pointer))
        })
        .collect()
}

/// The problem of a destination that does not exist, without its location.
fn broken(site: &Site, redirect: &Redirect, path: &str, guesses: &mut usize) -> Diagnostic {
    let message = format!("the redirect destination `{path}` does not exist");
    let diagnostic = Diagnostic::new(&BROKEN_REDIRECT, message);
    match guess(site, path, guesses) {
        Some(near) => diagnostic
            .hint(format!("did you mean `{near}`?"))
            .fix(redirect_fix(site, redirect, path, &near)),
        None => diagnostic.hint("correct the destination, or remove the redirect"),
    }
}

/// Replaces the destination in the entry of a redirect, which begins near its source.
fn redirect_fix(site: &Site, redirect: &Redirect, path: &str, near: &str) -> Option<Fix> {
    if !is_same_path(site, path, near) {
        return None;
    }
    let file = site.tree.text(&redirect.location.file)?;
    let source = redirect.location.span;
    let text = file.text();
    let start = text.get(..source.start as usize)?.rfind('{')?;
    let end = source.end as usize + text.get(source.end as usize..)?.find('}')?;
    let entry = Span::from_range(start..end);
    let quoted = |path: &str| format!("\"{path}\"");
    let fix = Fix::replace(file, entry, &quoted(path), &quoted(near))?;
    Some(Fix {
        title: format!("write `{near}`"),
        ..fix
    })
}
