//! The scripts of a page: by tags, or by one script in the page that loads the others.
//!
//! Where the repository brings scripts, those may load what they need from elsewhere: the policy of
//! the page trusts what a trusted script loads (`strict-dynamic`) and nothing else, so tags with
//! addresses do not count there. The two scripts that stand in the page are trusted by their
//! digests. Unlike a nonce, which has to be another one in every response, they stay the same, so
//! that pages can be kept, compressed once and answered with 304.

use crate::article::Article;
use crate::assets::names;
use crate::chrome;
use crate::ctx::RenderContext;
use crate::html::Html;

/// A script that a page loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageScript {
    /// Its address.
    pub(crate) url: String,
    /// Whether it is a module.
    pub(crate) module: bool,
}

/// The scripts that stand in a page which has no tags for others.
#[derive(Debug, Clone)]
pub(crate) struct InlineScripts {
    /// Runs before the first paint.
    pub(crate) early: Html,
    /// Loads the others.
    pub(crate) loader: Html,
}

/// The scripts of a page in their order: the program's, then those of the repository.
pub(crate) fn of_page(cx: &RenderContext<'_>, article: &Article) -> Vec<PageScript> {
    let options = &cx.options;
    let base = &options.base_path;
    let plain = |address: String| PageScript {
        url: address,
        module: false,
    };
    let own = plain(format!("{base}/_svc/assets/{}", names(cx.config.theme).js));
    let preview = options
        .dev
        .then(|| plain(format!("{base}/_svc/dev/client.js")));
    let runtime = (!article.modules.is_empty()).then(|| PageScript {
        url: crate::islands::runtime_url(base),
        module: true,
    });
    let repository = options.scripts.iter();
    let repository = repository.map(|path| {
        plain(chrome::resolve_url(base, path) + &cx.options.metadata.fingerprint_query(path))
    });
    let own = [Some(own), preview, runtime].into_iter().flatten();
    own.chain(repository).collect()
}

/// The scripts in a page of a site whose repository brings scripts; nothing for other sites.
pub(crate) fn inline(cx: &RenderContext<'_>, article: &Article) -> Option<InlineScripts> {
    if !cx.options.script_loader || cx.options.scripts.is_empty() {
        return None;
    }
    let scripts = of_page(cx, article);
    let list: Vec<(&str, bool)> = scripts
        .iter()
        .map(|script| (&*script.url, script.module))
        .collect();
    // An address cannot end the script.
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

/// The texts of the scripts that stand in a page, for a policy that names their digests; nothing
/// where the page loads its scripts by tags.
pub fn inline_scripts(cx: &RenderContext<'_>, article: &Article) -> Vec<String> {
    let inline = inline(cx, article);
    let texts = inline.map(|inline| [inline.early, inline.loader]);
    texts.into_iter().flatten().map(Html::into_string).collect()
}
