//! What `--version` prints: the version, the commit, the target and the features.

use std::sync::LazyLock;

/// Short form: `0.1.0`, or `0.1.0 (0123456789ab)` with the commit of a released build.
pub static VERSION: LazyLock<String> = LazyLock::new(|| match env!("SVC_COMMIT") {
    "" => env!("CARGO_PKG_VERSION").to_owned(),
    commit => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
});

/// Long form, one fact in each line. Development builds have no commit.
pub static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let or = |text: &'static str, other| if text.is_empty() { other } else { text };
    format!(
        "{}\ncommit: {}\ntarget: {}\nfeatures: {}",
        env!("CARGO_PKG_VERSION"),
        or(env!("SVC_COMMIT"), "unknown"),
        env!("SVC_TARGET"),
        or(env!("SVC_FEATURES"), "none"),
    )
});
