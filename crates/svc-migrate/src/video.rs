//! Players of videos on other sites.

/// The URL of the player for the URL of a video; `None` if the site is not known.
pub(crate) fn player(url: &str) -> Option<String> {
    let id_after = |start: &str| {
        let (_, rest) = url.split_once(start)?;
        let id = rest.split(['?', '&', '/', '#']).next().unwrap_or_default();
        (!id.is_empty()).then(|| id.to_owned())
    };
    let youtube = ["youtu.be/", "youtube.com/watch?v=", "youtube.com/embed/"];
    if let Some(id) = youtube.into_iter().find_map(id_after) {
        return Some(format!("https://www.youtube.com/embed/{id}"));
    }
    let loom = ["loom.com/share/", "loom.com/embed/"];
    if let Some(id) = loom.into_iter().find_map(id_after) {
        return Some(format!("https://www.loom.com/embed/{id}"));
    }
    let id = id_after("//vimeo.com/").filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()));
    id.map(|id| format!("https://player.vimeo.com/video/{id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn videos_have_players() {
        for (url, player_url) in [
            (
                "https://youtu.be/a_b?t=1",
                Some("https://www.youtube.com/embed/a_b"),
            ),
            (
                "https://www.youtube.com/watch?v=x&t=2",
                Some("https://www.youtube.com/embed/x"),
            ),
            (
                "https://www.loom.com/share/1?sid=2",
                Some("https://www.loom.com/embed/1"),
            ),
            (
                "https://vimeo.com/12",
                Some("https://player.vimeo.com/video/12"),
            ),
            ("https://vimeo.com/features", None),
            ("https://acme.example/", None),
        ] {
            assert_eq!(player(url).as_deref(), player_url, "{url}");
        }
    }
}
