//! `robots.txt` (RFC 9309), with the choices of `seo.crawlers`.
//!
//! Each choice is a `Content-Signal` for all crawlers, and if it is negative, a group that excludes
//! the known crawlers with this purpose.

use svc_config::Crawlers;

use crate::Site;

/// What a crawler of an AI company collects pages for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Training of models.
    Training,
    /// The search index of an AI product.
    Search,
    /// Answering a question of a user who waits.
    Answers,
}

/// Product tokens of the crawlers by purpose, as their operators document them.
const CRAWLERS: [(Purpose, &[&str]); 3] = [
    (
        Purpose::Training,
        &[
            "AI2Bot",
            "Amazonbot",
            "Applebot-Extended",
            "Bytespider",
            "CCBot",
            "ClaudeBot",
            "cohere-training-data-crawler",
            // Not a crawler of its own, but a token that Googlebot's operator reads.
            "Google-Extended",
            "GPTBot",
            "meta-externalagent",
            "PanguBot",
        ],
    ),
    (
        Purpose::Search,
        &[
            "Amzn-SearchBot",
            "Claude-SearchBot",
            "meta-webindexer",
            "OAI-SearchBot",
            "PerplexityBot",
            "YouBot",
        ],
    ),
    (
        Purpose::Answers,
        &[
            "Amzn-User",
            "ChatGPT-User",
            "Claude-User",
            "DuckAssistBot",
            "meta-externalfetcher",
            "MistralAI-User",
            "Perplexity-User",
        ],
    ),
];

pub(super) fn robots(site: &Site, origin: &str) -> String {
    if site.config.seo.is_noindex() {
        return "User-agent: *\nDisallow: /\n".to_owned();
    }
    rules(
        &site.config.seo.crawlers,
        &site.public_url(origin, "/"),
        &site.public_url(origin, "/sitemap.xml"),
    )
}

/// The rules for these choices. `home` is the URL of the site.
fn rules(crawlers: &Crawlers, home: &str, sitemap: &str) -> String {
    let allows = |purpose| match purpose {
        Purpose::Training => crawlers.training,
        Purpose::Search => crawlers.search,
        Purpose::Answers => crawlers.answers,
    };
    let signal = |purpose| if allows(purpose) { "yes" } else { "no" };
    let mut out = format!(
        "User-agent: *\nContent-Signal: ai-train={}, search={}, ai-input={}\nAllow: /\n",
        signal(Purpose::Training),
        signal(Purpose::Search),
        signal(Purpose::Answers),
    );
    let excluded = CRAWLERS.iter().filter(|(purpose, _)| !allows(*purpose));
    let agents: Vec<&str> = excluded.flat_map(|(_, agents)| *agents).copied().collect();
    if !agents.is_empty() {
        out.push('\n');
        for agent in agents {
            out.push_str("User-agent: ");
            out.push_str(agent);
            out.push('\n');
        }
        // The file may be merged into the one at the root of the host.
        out.push_str("Disallow: ");
        out.push_str(path_of(home));
        out.push('\n');
    }
    out.push_str("\nSitemap: ");
    out.push_str(sitemap);
    out.push('\n');
    out
}

/// The path of a URL, or of a path.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |at| &rest[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(training: bool, search: bool, answers: bool) -> String {
        let crawlers = Crawlers {
            training,
            search,
            answers,
        };
        rules(
            &crawlers,
            "https://d.dev/docs/",
            "https://d.dev/docs/sitemap.xml",
        )
    }

    #[test]
    fn by_default_everything_is_allowed() {
        assert_eq!(
            text(true, true, true),
            "User-agent: *\nContent-Signal: ai-train=yes, search=yes, ai-input=yes\nAllow: /\n\nSitemap: https://d.dev/docs/sitemap.xml\n"
        );
    }

    #[test]
    fn a_purpose_that_is_not_allowed_excludes_its_crawlers() {
        let no_training = text(false, true, true);
        assert!(no_training.contains("ai-train=no, search=yes, ai-input=yes"));
        assert!(
            no_training.contains("User-agent: GPTBot\n"),
            "{no_training}"
        );
        assert!(
            no_training.contains("\nDisallow: /docs/\n"),
            "{no_training}"
        );
        assert!(!no_training.contains("OAI-SearchBot") && !no_training.contains("ChatGPT-User"));
        let only_training = text(true, false, false);
        assert!(only_training.contains("ai-train=yes, search=no, ai-input=no"));
        assert!(only_training.contains("OAI-SearchBot") && only_training.contains("Claude-User"));
        assert!(!only_training.contains("GPTBot"));
    }

    #[test]
    fn no_crawler_has_two_purposes() {
        let mut agents: Vec<String> = CRAWLERS
            .iter()
            .flat_map(|(_, agents)| *agents)
            .map(|agent| agent.to_ascii_lowercase())
            .collect();
        let count = agents.len();
        agents.sort();
        agents.dedup();
        assert_eq!(agents.len(), count);
    }
}
