//! Rendered cards.

use super::*;
use crate::{Color, Image};

fn options() -> OgImageOptions {
    OgImageOptions {
        name: "Acme".to_owned(),
        appearance: Some(Appearance::Light),
        primary: Color(109, 40, 217),
        light: Color(167, 139, 250),
        logos: None,
        background: None,
        faces: Vec::new(),
    }
}

fn card<'a>(title: &'a str, description: Option<&'a str>) -> OgImage<'a> {
    OgImage {
        title,
        description,
        section: Some("Guides"),
        right_to_left: false,
    }
}

fn pixels(png: &[u8]) -> image::RgbaImage {
    image::load_from_memory(png).expect("an image").into_rgba8()
}

/// Number of pixels that differ from the empty background.
fn changed_pixels(studio: &OgImageRenderer, card: &OgImage<'_>) -> usize {
    let empty = studio.background.pixmap.encode_png().expect("an image");
    let png = studio.render(card).expect("it can be rendered");
    let (empty, full) = (pixels(&empty), pixels(&png));
    empty
        .pixels()
        .zip(full.pixels())
        .filter(|(one, other)| one != other)
        .count()
}

#[test]
fn a_card_has_its_size_and_its_texts() {
    let studio = OgImageRenderer::new(options()).expect("there is memory");
    let png = studio
        .render(&card("Webhooks", Some("How to receive them.")))
        .expect("drawn");
    assert_eq!(pixels(&png).dimensions(), SIZE);
    let short = changed_pixels(&studio, &card("Webhooks", None));
    let long = changed_pixels(
        &studio,
        &card("Webhooks and everything about them", Some("A line.")),
    );
    assert!(short > 3_000 && long > 2 * short, "{short} {long}");
    assert_eq!(
        png,
        studio
            .render(&card("Webhooks", Some("How to receive them.")))
            .expect("drawn")
    );
}

#[test]
fn a_card_without_an_image_is_a_small_lossless_file() {
    let studio = OgImageRenderer::new(options()).expect("there is memory");
    let card = card("Webhooks", Some("How to receive them."));
    let png = studio.render(&card).expect("drawn");
    let mut pixmap = studio.background.pixmap.clone();
    studio.render_text(&mut pixmap, &card);
    let usual = pixmap.encode_png().expect("an image");
    assert!(pixels(&png) == pixels(&usual));
    let (own, usual) = (png.len(), usual.len());
    assert!(own * 4 < usual * 3, "{own} {usual}");
}

#[test]
fn scheme_image_and_accent_determine_the_text_color() {
    let dark = |change: fn(&mut OgImageOptions)| {
        let mut options = options();
        change(&mut options);
        let studio = OgImageRenderer::new(options).expect("there is memory");
        studio.background.ink == Color(255, 255, 255)
    };
    assert!(!dark(|_| ()));
    assert!(dark(|options| options.appearance = Some(Appearance::Dark)));
    assert!(dark(|options| options.appearance = None));
    assert!(!dark(|options| {
        options.appearance = None;
        options.primary = Color(250, 220, 60);
    }));
    assert!(!dark(|options| {
        options.appearance = None;
        let white = b"<svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'><rect width='3' height='2' fill='#fff'/></svg>";
        options.background = Image::read(white).ok();
    }));
}

#[test]
fn a_logo_replaces_the_name() {
    let logo = Image::read(b"<svg xmlns='http://www.w3.org/2000/svg' width='100' height='20'><rect width='100' height='20' fill='red'/></svg>").expect("an SVG");
    let studio = OgImageRenderer::new(OgImageOptions {
        logos: Some((logo.clone(), logo)),
        ..options()
    })
    .expect("there is memory");
    assert!(studio.name.is_none());
    let png = studio.render(&card("Title", None)).expect("drawn");
    assert_eq!(pixels(&png).get_pixel(100, 100).0, [255, 0, 0, 255]);
}

#[test]
fn characters_without_a_glyph_are_omitted() {
    let studio = OgImageRenderer::new(options()).expect("there is memory");
    let texts = |title: &str| studio.text_svg(&card(title, None));
    assert!(texts("\u{1f680} Launch <now>").contains(">Launch &lt;now&gt;</text>"));
    for foreign in ["文档", "مرحبا", "שלום", "\u{0}\u{fffe}"] {
        let svg = texts(foreign);
        assert_eq!(svg.matches("<text").count(), 2, "{svg}");
        assert!(studio.render(&card(foreign, Some(foreign))).is_some());
    }
    let right = OgImage {
        right_to_left: true,
        ..card("Title", None)
    };
    assert!(studio.text_svg(&right).contains("text-anchor=\"end\""));
}

#[test]
fn long_texts_stay_on_the_card() {
    let studio = OgImageRenderer::new(options()).expect("there is memory");
    let long = "Word ".repeat(5_000);
    let svg = studio.text_svg(&card(&long, Some(&long)));
    assert_eq!(svg.matches('…').count(), 2);
    assert!(svg.matches("<text").count() <= 7);
}
