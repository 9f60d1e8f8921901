//! Other names of icons. Each table is sorted.

/// Names that Font Awesome has given up, with today's.
const FONT_AWESOME: &[(&str, &str)] = &[
    ("add", "plus"), ("ambulance", "truck-medical"), ("analytics", "chart-line"),
    ("area-chart", "chart-area"), ("arrow-alt-circle-right", "circle-right"),
    ("arrow-circle-right", "circle-arrow-right"), ("balance-scale", "scale-balanced"),
    ("bank", "building-columns"), ("bar-chart", "chart-bar"), ("birthday-cake", "cake-candles"),
    ("bitbucket-square", "bitbucket"), ("bot", "robot"), ("broadcast-tower", "tower-broadcast"),
    ("cancel", "ban"), ("chain", "link"), ("chalkboard-teacher", "chalkboard-user"),
    ("check-circle", "circle-check"), ("chevron-circle-right", "circle-chevron-right"),
    ("clock-rotate", "clock-rotate-left"), ("close", "xmark"),
    ("cloud-download", "cloud-arrow-down"), ("cloud-download-alt", "cloud-arrow-down"),
    ("cloud-upload", "cloud-arrow-up"), ("cloud-upload-alt", "cloud-arrow-up"),
    ("cocktail", "martini-glass-citrus"), ("cog", "gear"), ("cogs", "gears"),
    ("comment-alt", "message"), ("commenting", "comment-dots"),
    ("compress-alt", "down-left-and-up-right-to-center"), ("concierge-bell", "bell-concierge"),
    ("contact-card", "address-card"), ("credit-card-alt", "credit-card"), ("cut", "scissors"),
    ("dashboard", "gauge-high"), ("database-alt", "database"), ("deaf", "ear-deaf"),
    ("diagnoses", "person-dots-from-line"), ("digging", "person-digging"),
    ("directions", "diamond-turn-right"), ("dollar", "dollar-sign"),
    ("donate", "circle-dollar-to-slot"), ("drafting-compass", "compass-drafting"),
    ("earth", "earth-americas"), ("edit", "pen-to-square"), ("ellipsis-h", "ellipsis"),
    ("ellipsis-v", "ellipsis-vertical"), ("exchange", "right-left"),
    ("exchange-alt", "right-left"), ("exclamation-circle", "circle-exclamation"),
    ("exclamation-triangle", "triangle-exclamation"),
    ("expand-alt", "up-right-and-down-left-from-center"),
    ("external-link", "arrow-up-right-from-square"),
    ("external-link-alt", "up-right-from-square"), ("eye-dropper-empty", "eye-dropper"),
    ("fast-forward", "forward-fast"), ("feed", "rss"), ("file-alt", "file-lines"),
    ("file-archive", "file-zipper"), ("file-download", "file-arrow-down"),
    ("file-edit", "file-pen"), ("file-text", "file-lines"), ("file-upload", "file-arrow-up"),
    ("fire-alt", "fire-flame-curved"), ("first-aid", "kit-medical"), ("folder-blank", "folder"),
    ("gamepad-alt", "gamepad"), ("globe-americas", "earth-americas"),
    ("globe-europe", "earth-europe"), ("hand-paper", "hand"), ("handshake-alt", "handshake"),
    ("hdd", "hard-drive"), ("headphones-alt", "headphones-simple"),
    ("heart-broken", "heart-crack"), ("history", "clock-rotate-left"), ("home", "house"),
    ("home-alt", "house"), ("hourglass-2", "hourglass-half"), ("id-card-alt", "id-card-clip"),
    ("info-circle", "circle-info"), ("journal-whills", "book-journal-whills"),
    ("laptop-house", "house-laptop"), ("level-down-alt", "turn-down"),
    ("life-saver", "life-ring"), ("line-chart", "chart-line"), ("list-squares", "list"),
    ("location", "location-crosshairs"), ("lock-alt", "lock"), ("magic", "wand-magic"),
    ("magic-wand-sparkles", "wand-magic-sparkles"), ("mail", "envelope"),
    ("map-marked", "map-location"), ("map-marker", "location-pin"),
    ("map-marker-alt", "location-dot"), ("map-signs", "signs-post"),
    ("medkit", "suitcase-medical"), ("microphone-alt", "microphone-lines"),
    ("minus-circle", "circle-minus"), ("mobile-alt", "mobile-screen-button"),
    ("mobile-android", "mobile"), ("money-bill-alt", "money-bill-1"), ("navicon", "bars"),
    ("nodejs", "node-js"), ("paint-brush", "paintbrush"), ("pause-circle", "circle-pause"),
    ("pen-alt", "pen-clip"), ("pencil-alt", "pencil"), ("phone-alt", "phone-flip"),
    ("photo-video", "photo-film"), ("pie-chart", "chart-pie"), ("play-circle", "circle-play"),
    ("plus-circle", "circle-plus"), ("poll", "square-poll-vertical"),
    ("portrait", "image-portrait"), ("print-alt", "print"),
    ("project-diagram", "diagram-project"), ("question-circle", "circle-question"),
    ("quote-left-alt", "quote-left"), ("random", "shuffle"), ("redo", "arrow-rotate-right"),
    ("redo-alt", "rotate-right"), ("refresh", "arrows-rotate"), ("remove", "xmark"),
    ("rss-square", "square-rss"), ("rupee", "indian-rupee-sign"), ("save", "floppy-disk"),
    ("search", "magnifying-glass"), ("search-plus", "magnifying-glass-plus"),
    ("server-alt", "server"), ("settings", "gear"), ("share-alt", "share-nodes"),
    ("shield-alt", "shield-halved"), ("shipping-fast", "truck-fast"),
    ("shopping-cart", "cart-shopping"), ("sign-in", "arrow-right-to-bracket"),
    ("sign-in-alt", "right-to-bracket"), ("sign-out", "arrow-right-from-bracket"),
    ("sign-out-alt", "right-from-bracket"), ("sliders-h", "sliders"), ("smile", "face-smile"),
    ("sort-amount-down", "arrow-down-wide-short"), ("star-half-alt", "star-half-stroke"),
    ("stop-circle", "circle-stop"), ("stream", "bars-staggered"), ("subtract", "minus"),
    ("sync", "arrows-rotate"), ("sync-alt", "rotate"), ("t-shirt", "shirt"),
    ("tachometer-alt", "gauge-high"), ("tasks", "list-check"), ("tasks-alt", "bars-progress"),
    ("television", "tv"), ("text", "font"), ("th", "table-cells"),
    ("th-large", "table-cells-large"), ("th-list", "table-list"), ("thumb-tack", "thumbtack"),
    ("ticket-alt", "ticket-simple"), ("times", "xmark"), ("times-circle", "circle-xmark"),
    ("tools", "screwdriver-wrench"), ("trash-alt", "trash-can"), ("tv-alt", "tv"),
    ("undo", "arrow-rotate-left"), ("undo-alt", "rotate-left"),
    ("university", "building-columns"), ("unlink", "link-slash"),
    ("unlock-alt", "unlock-keyhole"), ("user-alt", "user-large"), ("user-circle", "circle-user"),
    ("user-cog", "user-gear"), ("user-edit", "user-pen"), ("user-friends", "user-group"),
    ("user-md", "user-doctor"), ("users-cog", "users-gear"), ("volume-up", "volume-high"),
    ("warning", "triangle-exclamation"), ("window-alt", "window-maximize"), ("zap", "bolt"),
];

/// Names that Lucide has given up, with today's.
const LUCIDE: &[(&str, &str)] = &[
    ("alert-circle", "circle-alert"), ("alert-triangle", "triangle-alert"),
    ("area-chart", "chart-area"), ("arrow-up-right-square", "square-arrow-up-right"),
    ("bar-chart", "chart-no-axes-column-increasing"), ("bar-chart-2", "chart-no-axes-column"),
    ("bar-chart-3", "chart-column"), ("bolt-lightning", "zap"), ("brackets-curly", "braces"),
    ("check-circle", "circle-check-big"), ("check-circle-2", "circle-check"),
    ("check-square", "square-check-big"), ("code-2", "code-xml"), ("cog", "settings"),
    ("columns", "columns-2"), ("curly-braces", "braces"), ("edit", "square-pen"),
    ("edit-2", "pen"), ("edit-3", "pen-line"), ("file-code-2", "file-code-corner"),
    ("file-edit", "file-pen"), ("filter", "funnel"), ("fingerprint", "fingerprint-pattern"),
    ("gear", "settings"), ("git-commit", "git-commit-horizontal"), ("globe-2", "earth"),
    ("grid", "grid-3x3"), ("help-circle", "circle-question-mark"), ("home", "house"),
    ("laptop-2", "laptop-minimal"), ("layout", "panels-top-left"), ("line-chart", "chart-line"),
    ("list-check", "list-checks"), ("loader-2", "loader-circle"), ("magnifying-glass", "search"),
    ("mic-2", "mic-vocal"), ("more-horizontal", "ellipsis"),
    ("more-vertical", "ellipsis-vertical"), ("pie-chart", "chart-pie"),
    ("play-circle", "circle-play"), ("plus-circle", "circle-plus"),
    ("plus-square", "square-plus"), ("shield-close", "shield-x"), ("sidebar", "panel-left"),
    ("sliders", "sliders-vertical"), ("sort-asc", "arrow-up-narrow-wide"),
    ("stop-circle", "circle-stop"), ("terminal-square", "square-terminal"), ("tool", "wrench"),
    ("trash-2", "trash"), ("unlock", "lock-open"), ("user-2", "user-round"),
    ("user-circle", "circle-user"), ("users-2", "users-round"), ("wand-2", "wand-sparkles"),
    ("x-circle", "circle-x"), ("xmark", "x"),
];

/// Names that no free set has, with one that looks nearly the same.
const NEAREST: &[(&str, &str)] = &[
    ("ai", "sparkles"), ("album-collection", "images"), ("alien-8bit", "gamepad"),
    ("apartment", "building"), ("arrow-progress", "arrow-right-arrow-left"),
    ("badge", "certificate"), ("badge-check", "circle-check"),
    ("badge-dollar", "circle-dollar-to-slot"), ("balloons", "gift"), ("bars-filter", "filter"),
    ("bell-on", "bell"), ("block", "ban"), ("block-brick", "cubes"), ("books", "book"),
    ("box-check", "box"), ("brackets-square", "brackets"), ("browser", "window-maximize"),
    ("browsers", "window-restore"), ("bullseye-arrow", "bullseye"),
    ("calendar-clock", "calendar"), ("chart-mixed", "chart-column"),
    ("chart-network", "circle-nodes"), ("chart-tree-map", "table-cells-large"),
    ("chart-waterfall", "chart-column"), ("circle-bolt", "bolt"), ("circle-code", "code"),
    ("circle-envelope", "envelope"), ("circle-phone", "phone"), ("circle-sparkles", "sparkles"),
    ("circle-star", "star"), ("circle-video", "video"), ("clapperboard-play", "clapperboard"),
    ("cloud-check", "cloud"), ("code-simple", "code"), ("comments-alt", "comments"),
    ("conveyor-belt", "boxes-stacked"), ("cube-alt", "cube"), ("cursor", "arrow-pointer"),
    ("desktop-arrow-down", "desktop"), ("diagram-sankey", "diagram-project"),
    ("diagram-venn", "circle-half-stroke"), ("display-code", "laptop-code"),
    ("distribute-horizontal", "bars"), ("file-check", "file-circle-check"),
    ("file-import-alt", "file-import"), ("files", "copy"), ("filter-list", "filter"),
    ("flag-swallowtail", "flag"), ("flask-round-potion", "flask"),
    ("function", "square-function"), ("gauge-min", "gauge"), ("gear-code", "gears"),
    ("gears-code", "gears"), ("globe-pointer", "globe"), ("grid", "table-cells-large"),
    ("grid-2", "table-cells-large"), ("grid-2-plus", "table-cells-large"),
    ("grid-round", "table-cells-large"), ("hand-wave", "hand"), ("head-side-brain", "brain"),
    ("hexagon-nodes", "circle-nodes"), ("id-badge-alt", "id-badge"), ("input-pipe", "i-cursor"),
    ("input-text", "i-cursor"), ("lambda", "square-function"), ("laptop-arrow-down", "laptop"),
    ("layer-plus", "layer-group"), ("lightbulb-on", "lightbulb"),
    ("magnifying-glass-waveform", "magnifying-glass-chart"), ("memo", "note-sticky"),
    ("memo-pad", "note-sticky"), ("message-bot", "robot"), ("message-code", "comment"),
    ("message-question", "circle-question"), ("messages", "comments"),
    ("messages-question", "circle-question"), ("microchip-ai", "microchip"), ("nfc", "wifi"),
    ("objects-column", "table-columns"), ("package", "box"), ("page", "file"),
    ("party-horn", "bullhorn"), ("pen-swirl", "pen-nib"), ("pipe-section", "grip-lines-vertical"),
    ("play-pause", "play"), ("puzzle", "puzzle-piece"), ("rectangle-code", "code"),
    ("rectangle-terminal", "terminal"), ("rectangles-mixed", "table-cells-large"),
    ("reply-clock", "clock-rotate-left"), ("robot-astromech", "robot"),
    ("rocket-launch", "rocket"), ("route-interstate", "route"), ("scanner", "barcode"),
    ("scroll-old", "scroll"), ("shapes-alt", "shapes"), ("shield-check", "shield-halved"),
    ("shield-keyhole", "shield-halved"), ("sidebar", "table-columns"),
    ("sidebar-flip", "table-columns"), ("signal-stream", "tower-broadcast"),
    ("sitemap-alt", "sitemap"), ("sliders-up", "sliders"), ("sparkle", "sparkles"),
    ("square-code", "code"), ("square-dashed", "square"), ("square-list", "square-check"),
    ("square-sliders", "sliders"), ("square-terminal", "terminal"),
    ("square-user", "circle-user"), ("stars", "star"), ("swatchbook-alt", "swatchbook"),
    ("table-layout", "table-columns"), ("tag-alt", "tag"), ("telescope", "binoculars"),
    ("terminal-window", "terminal"), ("timeline-arrow", "timeline"),
    ("traffic-cone", "triangle-exclamation"), ("transporter", "right-left"),
    ("treasure-chest", "box-open"), ("user-headset", "headset"), ("user-robot", "robot"),
    ("wand", "wand-magic"), ("waveform", "wave-square"), ("waveform-lines", "wave-square"),
    ("webhook-alt", "webhook"), ("window", "window-maximize"), ("window-flip", "window-maximize"),
    ("wrench-simple", "wrench"),
];

fn find(table: &'static [(&str, &str)], name: &str) -> Option<&'static str> {
    let at = table.binary_search_by(|(own, _)| (*own).cmp(name)).ok()?;
    table.get(at).map(|(_, found)| *found)
}

/// Today's name in Font Awesome.
pub(super) fn font_awesome(name: &str) -> Option<&'static str> {
    find(FONT_AWESOME, name)
}

/// Today's name in Lucide.
pub(super) fn lucide(name: &str) -> Option<&'static str> {
    find(LUCIDE, name)
}

/// A free name that looks nearly the same.
pub(super) fn nearest(name: &str) -> Option<String> {
    if let Some(found) = find(NEAREST, name) {
        return Some(found.to_owned());
    }
    if let Some(rest) = name.strip_prefix("message-").or_else(|| name.strip_prefix("comment-alt-")) {
        return Some(format!("comment-{rest}"));
    }
    for end in ["-alt", "-simple", "-lines", "-duotone", "-solid", "-regular", "-light", "-thin", "-2"] {
        if let Some(rest) = name.strip_suffix(end) {
            return Some(rest.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [FONT_AWESOME, LUCIDE, NEAREST] {
            for pair in table.windows(2) {
                assert!(pair[0].0 < pair[1].0, "{} after {}", pair[1].0, pair[0].0);
            }
        }
    }
}
