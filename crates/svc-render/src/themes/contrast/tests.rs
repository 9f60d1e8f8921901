//! Tests of contrast.

use svc_diagnostics::SourceFile;

use super::pairs::surfaces;
use super::*;

fn problems_in(theme: &str, keys: &str) -> Vec<ContrastProblem> {
    let text = format!(r#"{{"theme":"{theme}","name":"T","navigation":{{"pages":["a"]}},{keys}}}"#);
    let config = svc_config::parse(&SourceFile::new("docs.json", text), &|_| None).value;
    contrast_problems(&config.expect("it is an object"), &[])
}

fn summaries(theme: &str, keys: &str) -> Vec<String> {
    let problems = problems_in(theme, keys);
    let line = |one: &ContrastProblem| {
        let nearest = one.nearest.as_deref().unwrap_or("-");
        format!("{} {:.2} {nearest}", one.pointer, one.ratio)
    };
    problems.iter().map(line).collect()
}

#[test]
fn white_text_of_a_button_of_medium_lightness_is_reported() {
    let problems = problems_in("svc", r##""colors":{"primary":"#16a34a"}"##);
    assert_eq!(problems.len(), 1, "{problems:?}");
    let problem = &problems[0];
    assert_eq!(problem.subject, "the text of buttons");
    assert_eq!(
        (&*problem.foreground, &*problem.background),
        ("#ffffff", "#16a34a")
    );
    assert!(problem.ratio > 3.2 && problem.ratio < 3.4);
    // The shade is readable, and the one before it is not.
    let near = problem
        .nearest
        .as_deref()
        .and_then(Rgb::parse)
        .expect("a shade");
    assert!(near.contrast(Rgb(255, 255, 255)) >= 4.5);
    assert!(near.contrast(Rgb(255, 255, 255)) < 4.6, "{near}");
}

#[test]
fn colors_that_pages_make_readable_are_not_reported() {
    // Black text on a pale button, links in a darker tone.
    for theme in ["svc", "maple", "palm", "willow", "linden", "aspen", "luma"] {
        assert_eq!(
            summaries(
                theme,
                r##""colors":{"primary":"#0f766e","light":"#2dd4bf"}"##
            ),
            [""; 0],
            "{theme}"
        );
    }
}

#[test]
fn each_color_is_reported_where_it_is_set() {
    let dark = problems_in(
        "svc",
        r##""colors":{"primary":"#0f766e","dark":"#16a34a"}"##,
    );
    assert_eq!(dark.len(), 1, "{dark:?}");
    assert_eq!(dark[0].pointer, "/colors/dark");
    // Sequoia has buttons in the color of text.
    assert_eq!(
        summaries("sequoia", r##""colors":{"primary":"#16a34a"}"##),
        [""; 0]
    );
}

#[test]
fn modes_that_the_site_never_shows_are_not_checked() {
    let navy = r##""colors":{"primary":"#0b1f4b"}"##;
    let count = |keys: &str| summaries("svc", keys).len();
    assert_eq!(count(navy), 1, "invisible on the dark background");
    let strict = format!(r#"{navy},"appearance":{{"default":"light","strict":true}}"#);
    assert_eq!(count(&strict), 0);
    let own = r##""colors":{"primary":"#0b1f4b","light":"#8ab4ff"}"##;
    assert_eq!(count(own), 0);
}

#[test]
fn a_background_that_reverses_a_mode_is_reported() {
    let keys = r##""colors":{"primary":"#0f766e","light":"#2dd4bf"},"background":{"color":{"light":"#1b1b1b","dark":"#101010"}}"##;
    let problems = problems_in("svc", keys);
    assert!(
        problems
            .iter()
            .any(|one| one.pointer == "/background/color/light" && one.ratio < 3.0),
        "{problems:?}"
    );
    assert!(
        problems
            .iter()
            .all(|one| one.pointer != "/background/color/dark")
    );
}

#[test]
fn every_theme_declares_its_surfaces() {
    for theme in super::super::ALL {
        for mode in [0, 1] {
            let surfaces = surfaces(theme, mode, Rgb(15, 118, 110));
            assert!(surfaces.len() >= 2, "{:?} {mode}", theme.theme);
        }
    }
}
