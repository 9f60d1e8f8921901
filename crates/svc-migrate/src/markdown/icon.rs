//! Shortcodes of icons and emoji.

/// Emoji by shortcode. The set of Material for MkDocs has thousands; these are the common ones.
const EMOJI: &[(&str, &str)] = &[
    ("smile", "😄"),
    ("smiley", "😃"),
    ("grin", "😁"),
    ("joy", "😂"),
    ("wink", "😉"),
    ("blush", "😊"),
    ("heart", "❤️"),
    ("heart_eyes", "😍"),
    ("sunglasses", "😎"),
    ("thinking", "🤔"),
    ("sob", "😭"),
    ("cry", "😢"),
    ("rocket", "🚀"),
    ("tada", "🎉"),
    ("sparkles", "✨"),
    ("star", "⭐"),
    ("star2", "🌟"),
    ("fire", "🔥"),
    ("zap", "⚡"),
    ("bulb", "💡"),
    ("warning", "⚠️"),
    ("x", "❌"),
    ("white_check_mark", "✅"),
    ("heavy_check_mark", "✔️"),
    ("ballot_box_with_check", "☑️"),
    ("heavy_multiplication_x", "✖️"),
    ("exclamation", "❗"),
    ("question", "❓"),
    ("information_source", "ℹ️"),
    ("memo", "📝"),
    ("pencil", "✏️"),
    ("pencil2", "✏️"),
    ("book", "📖"),
    ("books", "📚"),
    ("bug", "🐛"),
    ("wrench", "🔧"),
    ("hammer", "🔨"),
    ("gear", "⚙️"),
    ("lock", "🔒"),
    ("key", "🔑"),
    ("package", "📦"),
    ("link", "🔗"),
    ("mag", "🔍"),
    ("bell", "🔔"),
    ("eyes", "👀"),
    ("thumbsup", "👍"),
    ("+1", "👍"),
    ("thumbsdown", "👎"),
    ("-1", "👎"),
    ("ok_hand", "👌"),
    ("wave", "👋"),
    ("clap", "👏"),
    ("pray", "🙏"),
    ("muscle", "💪"),
    ("point_right", "👉"),
    ("point_up", "☝️"),
    ("point_down", "👇"),
    ("raised_hands", "🙌"),
    ("100", "💯"),
    ("construction", "🚧"),
    ("art", "🎨"),
    ("computer", "💻"),
    ("calendar", "📅"),
    ("chart_with_upwards_trend", "📈"),
    ("speech_balloon", "💬"),
    ("email", "📧"),
    ("hourglass", "⌛"),
    ("coffee", "☕"),
    ("beer", "🍺"),
    ("globe_with_meridians", "🌐"),
    ("red_circle", "🔴"),
    ("green_circle", "🟢"),
    ("yellow_circle", "🟡"),
    ("snake", "🐍"),
    ("whale", "🐳"),
    ("penguin", "🐧"),
    ("apple", "🍎"),
    ("octocat", "🐙"),
    ("arrow_right", "➡️"),
    ("arrow_left", "⬅️"),
    ("arrow_up", "⬆️"),
    ("arrow_down", "⬇️"),
    ("no_entry", "⛔"),
    ("stop_sign", "🛑"),
    ("rotating_light", "🚨"),
    ("trophy", "🏆"),
    ("crown", "👑"),
    ("gift", "🎁"),
    ("pushpin", "📌"),
    ("bookmark", "🔖"),
    ("clipboard", "📋"),
    ("ghost", "👻"),
];

/// Names of Material Design Icons and Octicons, and the icons here.
const ICONS: &[(&str, &str)] = &[
    ("account", "user"),
    ("account-group", "users"),
    ("person", "user"),
    ("people", "users"),
    ("alert", "triangle-alert"),
    ("alert-outline", "triangle-alert"),
    ("alert-circle", "circle-alert"),
    ("alert-circle-outline", "circle-alert"),
    ("api", "webhook"),
    ("arrow-right", "arrow-right"),
    ("arrow-left", "arrow-left"),
    ("arrow-up", "arrow-up"),
    ("arrow-down", "arrow-down"),
    ("book", "book"),
    ("book-open", "book-open"),
    ("bookmark", "bookmark"),
    ("bug", "bug"),
    ("calendar", "calendar"),
    ("check", "check"),
    ("check-all", "check-check"),
    ("check-circle", "circle-check"),
    ("clock", "clock"),
    ("clock-fast", "timer"),
    ("close", "x"),
    ("x", "x"),
    ("cloud", "cloud"),
    ("code", "code"),
    ("code-tags", "code"),
    ("cog", "settings"),
    ("gear", "settings"),
    ("console", "terminal"),
    ("terminal", "terminal"),
    ("content-copy", "copy"),
    ("copy", "copy"),
    ("database", "database"),
    ("delete", "trash-2"),
    ("trash", "trash-2"),
    ("download", "download"),
    ("email", "mail"),
    ("mail", "mail"),
    ("eye", "eye"),
    ("file", "file"),
    ("file-document", "file-text"),
    ("folder", "folder"),
    ("github", "github"),
    ("mark-github", "github"),
    ("git", "git-branch"),
    ("heart", "heart"),
    ("heart-fill", "heart"),
    ("help-circle", "circle-question-mark"),
    ("question", "circle-question-mark"),
    ("home", "house"),
    ("image", "image"),
    ("information", "info"),
    ("information-outline", "info"),
    ("info", "info"),
    ("key", "key"),
    ("language-python", "python"),
    ("lightbulb", "lightbulb"),
    ("light-bulb", "lightbulb"),
    ("lightbulb-outline", "lightbulb"),
    ("link", "link"),
    ("link-external", "external-link"),
    ("open-in-new", "external-link"),
    ("lock", "lock"),
    ("magnify", "search"),
    ("search", "search"),
    ("map", "map"),
    ("menu", "menu"),
    ("package", "package"),
    ("package-variant", "package"),
    ("palette", "palette"),
    ("pencil", "pencil"),
    ("play", "play"),
    ("plus", "plus"),
    ("minus", "minus"),
    ("puzzle", "puzzle"),
    ("rocket", "rocket"),
    ("rocket-launch", "rocket"),
    ("scale-balance", "scale"),
    ("server", "server"),
    ("share", "share-2"),
    ("shield", "shield"),
    ("star", "star"),
    ("sync", "refresh-cw"),
    ("table", "table"),
    ("tag", "tag"),
    ("tools", "wrench"),
    ("translate", "languages"),
    ("upload", "upload"),
    ("video", "video"),
    ("wrench", "wrench"),
    ("zap", "zap"),
    ("flask", "flask-conical"),
    ("beaker", "flask-conical"),
    ("graph", "chart-line"),
    ("chart-line", "chart-line"),
    ("comment", "message-circle"),
    ("forum", "messages-square"),
    ("school", "graduation-cap"),
    ("mortar-board", "graduation-cap"),
    ("set-square", "ruler"),
];

/// A shortcode with an icon or an emoji.
pub(crate) enum Shortcode {
    Emoji(&'static str),
    /// Name of an icon here.
    Icon(String),
    /// An icon that has no equivalent.
    UnknownIcon,
}

/// The meaning of the shortcode `name`; `None` if it is text.
pub(crate) fn shortcode(name: &str) -> Option<Shortcode> {
    if let Some((_, emoji)) = EMOJI.iter().find(|entry| entry.0 == name) {
        return Some(Shortcode::Emoji(emoji));
    }
    for set in ["material-", "octicons-", "fontawesome-", "simple-"] {
        if let Some(rest) = name.strip_prefix(set) {
            return Some(icon(set, rest).map_or(Shortcode::UnknownIcon, Shortcode::Icon));
        }
    }
    None
}

/// The icon for a path of a theme icon: `material/home`, `fontawesome/brands/github`.
pub(crate) fn icon_of_path(path: &str) -> Option<String> {
    match shortcode(&path.replace('/', "-"))? {
        Shortcode::Icon(name) => Some(name),
        _ => None,
    }
}

fn icon(set: &str, name: &str) -> Option<String> {
    match set {
        "fontawesome-" => ["brands-", "solid-", "regular-"]
            .into_iter()
            .find_map(|style| name.strip_prefix(style))
            .map(str::to_owned),
        "simple-" => Some(name.to_owned()),
        _ => {
            let name = name
                .trim_end_matches(|c: char| c.is_ascii_digit())
                .trim_end_matches('-');
            let plain = name.strip_suffix("-outline").unwrap_or(name);
            let entry = ICONS
                .iter()
                .find(|entry| entry.0 == name || entry.0 == plain);
            entry.map(|entry| entry.1.to_owned())
        }
    }
}
