//! Scripts of a page, loaded by tags or by an inline loader.
//!
//! Scripts of a repository may load other scripts, so the policy of their pages uses
//! `strict-dynamic`: it trusts scripts that a trusted script loads, and ignores script tags with
//! URLs. The two inline scripts are trusted by their digests. A digest, unlike a nonce, is the same
//! in every response, so that pages can be cached, compressed once and revalidated with 304.

use crate::article::content::Article;
use crate::assets::names;
use crate::chrome;
use crate::ctx::RenderContext;
use crate::html::Html;
use crate::integrations::Integrations;
use crate::url::resolve_url;

/// A script that a page loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageScript {
    /// URL of the script.
    pub(crate) url: String,
    /// Whether it is a module.
    pub(crate) module: bool,
}

/// The inline scripts of a page that has no tags for other scripts.
#[derive(Debug, Clone)]
pub(crate) struct InlineScripts {
    /// Runs before the first paint.
    pub(crate) early: Html,
    /// Loads the other scripts.
    pub(crate) loader: Html,
}

/// The scripts of a page in order: those of svc, then those of the repository. Only pages that are
/// routes load services of other companies.
pub(crate) fn of_page(
    cx: &RenderContext<'_>,
    article: &Article,
    is_route: bool,
) -> Vec<PageScript> {
    let options = cx.options;
    let base = &options.site.base_path;
    let plain = |url: String| PageScript { url, module: false };
    let own = plain(format!("{base}/_svc/assets/{}", names(cx.config.theme).js));
    let preview = options
        .site
        .dev
        .then(|| plain(format!("{base}/_svc/dev/client.js")));
    let change_marks = (is_route && options.site.change_marks)
        .then(|| plain(format!("{base}/_svc/changes/change_marks.js")));
    let runtime = (!article.modules.is_empty()).then(|| PageScript {
        url: crate::islands::runtime::runtime_url(base),
        module: true,
    });
    let services = is_route
        .then(|| Integrations::new(cx.config, &options.site).script())
        .flatten();
    let services = services.map(|name| plain(format!("{base}/_svc/assets/{name}")));
    let repository = options.scripts.iter();
    let repository = repository
        .map(|path| plain(resolve_url(base, path) + &cx.options.metadata.fingerprint_query(path)));
    let own = [Some(own), preview, change_marks, runtime, services]
        .into_iter()
        .flatten();
    own.chain(repository).collect()
}

/// The inline scripts of a page, if the repository has scripts: one loader for all of them, for a
/// content security policy with `strict-dynamic`. `None` for other sites and in an export.
pub(crate) fn inline(
    cx: &RenderContext<'_>,
    article: &Article,
    is_route: bool,
) -> Option<InlineScripts> {
    if cx.options.site.export || cx.options.scripts.is_empty() {
        return None;
    }
    let scripts = of_page(cx, article, is_route);
    let list: Vec<(&str, bool)> = scripts
        .iter()
        .map(|script| (&*script.url, script.module))
        .collect();
    // A URL must not end the script element.
    let list = serde_json::to_string(&list).unwrap_or_default();
    let list = list.replace('<', "\\u003c");
    let loader = format!(
        "for(const[a,m]of {list}){{const s=document.createElement(\"script\");if(m)s.type=\"module\";s.async=false;s.src=a;document.head.append(s)}}"
    );
    Some(InlineScripts {
        early: Html::trusted(chrome::EARLY_JS.to_owned()),
        loader: Html::trusted(loader),
    })
}

/// The texts of the inline scripts of a page, for the digests in its policy. Empty if the page
/// loads its scripts by tags. `is_route` is whether the page is a route of the site; built-in pages
/// are not.
pub fn inline_scripts(cx: &RenderContext<'_>, article: &Article, is_route: bool) -> Vec<String> {
    let inline = inline(cx, article, is_route);
    let texts = inline.map(|inline| [inline.early, inline.loader]);
    texts.into_iter().flatten().map(Html::into_string).collect()
}
