//! Narrow variants of images: in pages, on a server, in an export, and which of them a phone loads.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use svc_server::VariantCache;
use svc_site::{ExportOptions, LoadOptions, RELATIVE_BASE, Site, SiteOptions, VariantStore};
use svc_tests::browser::Browser;
use svc_tests::http::{Client, Response};
use svc_tests::server;

type TestResult = Result<(), Box<dyn std::error::Error>>;

const DOCS: &str = r##"{"theme": "svc", "name": "Variants", "colors": {"primary": "#0f766e"}, "favicon": "/i.svg",
  "navigation": {"pages": ["index", "forms", "wide"]}}"##;
const FORMS: &str = "---\ntitle: Forms\n---\n\
<img src=\"/shot.png\" alt=\"small\" width=\"300\" />\n\n\
<img src=\"/shot.png\" alt=\"own\" srcSet=\"/i.svg 2x\" />\n\n\
<img src=\"/shot.png\" alt=\"part\" className=\"w-full\" />\n\n\
<Frame>\n  <img src=\"/shot.png\" alt=\"framed\" />\n</Frame>\n\n\
<Card title=\"T\" href=\"/\" img=\"/shot.png\">Words</Card>\n\n\
![narrow](/narrow.png)\n\n![light](/light.png)\n\n![drawing](/i.svg)\n";

/// Returns an uncompressed grayscale PNG with `depth` bits per pixel, 1 or 8.
fn png(width: u32, height: u32, depth: u8, point: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let mut data = Vec::new();
    for y in 0..height {
        data.push(0);
        match depth {
            1 => data.extend((0..width / 8).map(|x| point(x, y))),
            _ => data.extend((0..width).map(|x| point(x, y))),
        }
    }
    let (mut one, mut two) = (1_u32, 0_u32);
    for byte in &data {
        one = (one + u32::from(*byte)) % 65_521;
        two = (two + one) % 65_521;
    }
    let mut packed = vec![0x78, 0x01];
    for block in data.chunks(65_535) {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        packed.push(0);
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(block);
    }
    packed.extend([1, 0, 0, 0xff, 0xff]);
    packed.extend((two << 16 | one).to_be_bytes());
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([depth, 0, 0, 0, 0]);
    file(&[(b"IHDR", &header), (b"IDAT", &packed), (b"IEND", &[])])
}

fn file(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, contents) in chunks {
        let length = u32::try_from(contents.len()).unwrap_or(u32::MAX);
        file.extend(length.to_be_bytes());
        let named = [&kind[..], contents].concat();
        file.extend(&named);
        let sum = named.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| match sum & 1 {
                1 => sum >> 1 ^ 0xedb8_8320,
                _ => sum >> 1,
            })
        });
        file.extend((!sum).to_be_bytes());
    }
    file
}

/// Returns an image like a photograph: neighboring pixels differ a little.
fn photo(width: u32, height: u32) -> Vec<u8> {
    png(width, height, 8, |x, y| {
        u8::try_from((x / 7 + y / 5) % 256).unwrap_or(0)
    })
}

/// Returns random black and white pixels: scaled images are larger than the original.
fn noise(width: u32, height: u32) -> Vec<u8> {
    png(width, height, 1, |x, y| {
        let mixed = (x * 2_654_435 + y * 40_503 + 12_345).wrapping_mul(0x9e37_79b1);
        u8::try_from((mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> 24).unwrap_or(0)
    })
}

/// Returns a file that claims to be an image of this size and contains almost no data.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 6, 0, 0, 0]);
    let packed = [&[0x78, 0x01][..], &[0xff; 30_000]].concat();
    file(&[(b"IHDR", &header), (b"IDAT", &packed), (b"IEND", &[])])
}

fn write(root: &Path) -> TestResult {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"2000\" height=\"10\"/>";
    let files: [(&str, &[u8]); 11] = [
        ("docs.json", DOCS.as_bytes()),
        (
            "index.mdx",
            b"---\ntitle: Home\n---\n\n![Shot](/shot.png)\n",
        ),
        ("forms.mdx", FORMS.as_bytes()),
        (
            "wide.mdx",
            b"---\ntitle: Wide\nmode: wide\n---\n\n![Shot](/shot.png)\n",
        ),
        ("i.svg", svg.as_bytes()),
        ("shot.png", &photo(1_600, 900)),
        ("narrow.png", &photo(640, 400)),
        ("light.png", &noise(1_600, 60)),
        ("noise.png", &noise(1_600, 900)),
        ("large.png", &bomb(60_000, 60_000)),
        ("broken.png", &bomb(4_000, 4_000)),
    ];
    for (path, contents) in files {
        std::fs::write(root.join(path), contents)?;
    }
    Ok(())
}

/// Returns a site whose variants are cached in `data`, and its directory.
fn site(
    load: LoadOptions,
    data: Option<&Path>,
) -> Result<(Site, tempfile::TempDir), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    write(dir.path())?;
    svc_site::worker::trust_components();
    let store: Arc<dyn VariantStore> = Arc::new(VariantCache::new(data));
    let load = LoadOptions {
        site: SiteOptions {
            image_variants: true,
            ..load.site.clone()
        },
        variant_store: Some(store),
        ..load
    };
    Ok((svc_site::load(dir.path(), &load)?.value, dir))
}

fn html(site: &Site, path: &str) -> String {
    let page = site.page(path).expect("the page is there");
    String::from_utf8_lossy(&page.html.bytes).into_owned()
}

/// Returns the tag of the image with an alternative text.
fn tag<'h>(html: &'h str, alt: &str) -> &'h str {
    let marks = format!("alt=\"{alt}\"");
    let mut tags = html.split("<img").skip(1);
    let rest = tags.find(|rest| {
        rest.split('>')
            .next()
            .is_some_and(|tag| tag.contains(&marks))
    });
    rest.and_then(|rest| rest.split('>').next())
        .unwrap_or_else(|| panic!("{alt}: {html}"))
}

/// Returns the URLs of the variants in a tag, the narrowest first.
fn variants(tag: &str) -> Vec<String> {
    let list = tag.split_once("srcset=\"").map_or("", |(_, rest)| rest);
    let list = list.split('"').next().unwrap_or_default();
    let urls = list.split(", ").filter_map(|item| item.split(' ').next());
    urls.filter(|item| item.contains("/_svc/images/"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn only_large_images_have_variants() -> TestResult {
    let load = LoadOptions::from(SiteOptions {
        base_path: "/docs".to_owned(),
        ..SiteOptions::default()
    });
    let (own, _dir) = site(load, None)?;
    let home = html(&own, "/");
    let shot = tag(&home, "Shot");
    let names = variants(shot);
    assert_eq!(names.len(), 2, "{shot}");
    for (name, width) in names.iter().zip([480, 960]) {
        let digest = name
            .strip_prefix("/docs/_svc/images/")
            .expect("the base path");
        let end = format!("-{width}.webp");
        let digest = digest.strip_suffix(&*end).expect("the width");
        assert_eq!(digest.len(), 32);
    }
    for part in [
        "src=\"/docs/shot.png\"",
        ", /docs/shot.png 1600w\"",
        " sizes=\"(max-width:768px) 100vw,768px\"",
        " width=\"1600\" height=\"900\" loading=\"lazy\"",
    ] {
        assert!(shot.contains(part), "{part}: {shot}");
    }
    let forms = html(&own, "/forms");
    assert!(tag(&forms, "small").contains(" sizes=\"(max-width:300px) 100vw,300px\""));
    assert!(!tag(&forms, "own").contains("_svc/images") && tag(&forms, "own").contains("i.svg 2x"));
    for with in ["part", "framed", ""] {
        assert_eq!(variants(tag(&forms, with)), names, "{with}");
    }
    for without in ["narrow", "light", "drawing"] {
        assert!(!tag(&forms, without).contains("srcset"), "{without}");
    }
    assert!(tag(&html(&own, "/wide"), "Shot").contains(" sizes=\"(max-width:992px) 100vw,992px\""));
    // The output does not depend on whether a variant has been created already.
    own.make_variants(&|| true);
    let rebuilt = svc_site::rebuild(
        &own,
        &LoadOptions::from(SiteOptions {
            base_path: "/docs".to_owned(),
            image_variants: true,
            ..SiteOptions::default()
        }),
    )?;
    assert_eq!(html(&rebuilt.value, "/"), home);
    // With variants disabled, none are in the page and none are served.
    let without = svc_site::rebuild(&own, &LoadOptions::default())?.value;
    assert!(!html(&without, "/").contains("srcset"));
    let path = names[0].trim_start_matches("/docs");
    assert!(own.variant(path).is_some() && without.variant(path).is_none());
    Ok(())
}

#[test]
fn a_changed_image_gets_new_variants_and_others_retain_theirs() -> TestResult {
    let (before, dir) = site(LoadOptions::default(), None)?;
    let load = LoadOptions::from(SiteOptions {
        image_variants: true,
        ..SiteOptions::default()
    });
    let old = variants(tag(&html(&before, "/"), "Shot"));
    std::fs::write(dir.path().join("shot.png"), photo(1_000, 900))?;
    // A variant of a missing image cannot be created.
    let variant = before.variant(&old[0]).expect("it is named");
    assert!(before.make_variant(&variant).is_err());
    let changed = svc_site::Changes::Paths(["shot.png".to_owned()].into());
    let after = svc_site::reload(&before, dir.path(), &changed, &load)?.value;
    let new = variants(tag(&html(&after, "/"), "Shot"));
    assert_eq!(new.len(), 1, "960 is nearly as wide as 1000");
    assert!(after.variant(&new[0]).is_some() && after.variant(&old[0]).is_none());
    let fresh = svc_site::load(dir.path(), &load)?.value;
    let paths = |site: &Site| {
        site.variants()
            .iter()
            .map(svc_site::Variant::path)
            .collect::<Vec<_>>()
    };
    assert_eq!(paths(&after), paths(&fresh));
    Ok(())
}

fn get(
    running: &server::RunningServer,
    path: &str,
) -> Result<Response, Box<dyn std::error::Error>> {
    Ok(Client::connect(running.addr)?.get(path, &[])?)
}

#[test]
fn variants_are_immutable_and_nothing_else_is_created() -> TestResult {
    let data = tempfile::tempdir()?;
    let (own, _dir) = site(LoadOptions::default(), Some(data.path()))?;
    let all: Vec<String> = own.variants().iter().map(svc_site::Variant::path).collect();
    let names = variants(tag(&html(&own, "/"), "Shot"));
    let of = |path: &str, width: u32| {
        let variant = own.variants().into_iter().find(|variant| {
            variant.original() == path && variant.path().contains(&format!("-{width}."))
        });
        variant
            .map(|variant| variant.path())
            .expect("it has variants")
    };
    let (quiet, small) = (of("/noise.png", 960), of("/noise.png", 480));
    let hostile = [of("/large.png", 480), of("/broken.png", 480)];
    let running = server::serve(Arc::new(own))?;
    let original = get(&running, "/shot.png")?;
    for name in &names {
        let first = get(&running, name)?;
        assert_eq!(first.status, 200);
        assert_eq!(first.header("content-type"), Some("image/webp"));
        assert_eq!(
            first.header("cache-control"),
            Some("public, max-age=31536000, immutable")
        );
        assert!(
            first.body.len() < original.body.len() / 4,
            "{}",
            first.body.len()
        );
        let second = get(&running, name)?;
        assert_eq!(second.body, first.body);
        let tag = first.header("etag").expect("a tag").to_owned();
        let known = Client::connect(running.addr)?.get(name, &[("if-none-match", &tag)])?;
        assert_eq!(known.status, 304);
    }
    // A variant that would be larger than the image is the image itself.
    let (quiet, small) = (get(&running, &quiet)?, get(&running, &small)?);
    let noise = get(&running, "/noise.png")?;
    assert_eq!(quiet.header("content-type"), Some("image/png"));
    assert!(quiet.body == noise.body && small.body.len() < noise.body.len());
    // Images that cannot be decoded are served unchanged, and the server continues.
    for (name, path) in hostile.iter().zip(["/large.png", "/broken.png"]) {
        for _ in 0..2 {
            let response = get(&running, name)?;
            assert_eq!(
                (response.status, response.header("content-type")),
                (200, Some("image/png"))
            );
            assert_eq!(response.header("cache-control"), Some("public, max-age=60"));
            assert_eq!(response.body, get(&running, path)?.body);
        }
    }
    // Only images of the site, and only the widths in pages.
    let (name, other) = (&names[0], "0".repeat(32));
    let digest = name
        .trim_start_matches("/_svc/images/")
        .split('-')
        .next()
        .unwrap_or_default();
    for invalid in [
        name.replace("-480", "-481"),
        name.replace("-480", "-1600"),
        name.replace("-480", "-0480"),
        name.replace(".webp", ".jpg"),
        name.replace(".webp", ""),
        name.replace(digest, &other),
        name.replace(digest, ""),
        "/_svc/images/".to_owned(),
        "/_svc/images/../shot.png-480.webp".to_owned(),
    ] {
        let status = get(&running, &invalid)?.status;
        assert_eq!(status, 404, "{invalid}");
    }
    assert_eq!(get(&running, name)?.status, 200);
    // The next server reuses the stored variants.
    let stored = std::fs::read_dir(data.path().join("images"))?.count();
    assert_eq!(stored, 4, "{all:?}");
    let (next, _dir) = site(LoadOptions::default(), Some(data.path()))?;
    let variant = next.variant(name).expect("it is named");
    assert!(next.stored_variant(&variant).is_some());
    Ok(())
}

#[test]
fn an_export_writes_variants_if_they_are_enabled() -> TestResult {
    for base in ["", RELATIVE_BASE] {
        let load = LoadOptions::from(SiteOptions {
            base_path: base.to_owned(),
            export: true,
            ..SiteOptions::default()
        });
        let (own, dir) = site(load.clone(), None)?;
        let out = tempfile::tempdir()?;
        let report = svc_site::export(&own, out.path(), &ExportOptions::default())?;
        let page = std::fs::read_to_string(out.path().join("forms/index.html"))?;
        let names = variants(tag(&page, "framed"));
        assert_eq!(names.len(), 2, "{page}");
        for name in &names {
            let path = name.trim_start_matches("../").trim_start_matches('/');
            assert_eq!(name.starts_with('/'), base.is_empty());
            let bytes = std::fs::read(out.path().join(path))?;
            assert!(bytes.starts_with(b"RIFF"), "{path}");
            assert!(report.manifest.iter().any(|item| item.path == path));
        }
        // These are in pages too, so the export contains them: as the image itself.
        let written = report
            .manifest
            .iter()
            .filter(|item| item.path.starts_with("_svc/images/"));
        assert_eq!(written.count(), own.variants().len());
        let plain = svc_site::load(dir.path(), &load)?.value;
        let out = tempfile::tempdir()?;
        let report = svc_site::export(&plain, out.path(), &ExportOptions::default())?;
        assert!(
            !report
                .manifest
                .iter()
                .any(|item| item.path.starts_with("_svc/images/"))
        );
        let page = std::fs::read_to_string(out.path().join("index.html"))?;
        assert!(!page.contains("srcset"));
    }
    Ok(())
}

#[test]
fn a_phone_loads_less_and_enlarges_the_image_itself() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let (own, _dir) = site(LoadOptions::default(), None)?;
    let running = server::serve(Arc::new(own))?;
    let shown = "document.querySelector('article img, main img')";
    let loaded = format!("{shown}.complete && {shown}.naturalWidth > 0");
    let end = |width: &str| format!("{shown}.currentSrc.endsWith('{width}')");
    let bytes = "performance.getEntriesByType('resource').filter(one => /shot|_svc.images/.test(one.name)).reduce((sum, one) => sum + one.encodedBodySize, 0)";
    let mut sizes = Vec::new();
    for (width, variant) in [(390, "-480.webp"), (1440, "-960.webp")] {
        browser.screen(width, 900, "light")?;
        browser.open(&running.url("/"))?;
        browser.wait(&loaded)?;
        assert_eq!(browser.evaluate(&end(variant))?, json!(true), "{width}");
        sizes.push(browser.evaluate(bytes)?.as_u64().unwrap_or_default());
        // It has the aspect ratio of the image.
        let ratio = format!("{shown}.width / {shown}.height");
        let ratio = browser.evaluate(&ratio)?.as_f64().unwrap_or_default();
        assert!((ratio - 16.0 / 9.0).abs() < 0.02, "{ratio}");
    }
    let whole = u64::try_from(photo(1_600, 900).len())?;
    assert!(
        sizes.iter().all(|size| (1..whole / 10).contains(size)),
        "{sizes:?}"
    );
    browser.evaluate(&format!("{shown}.click()"))?;
    browser.wait("document.querySelector('.svc-zoom img')?.naturalWidth === 1600")?;
    // If a variant is missing, the image is loaded instead.
    browser.evaluate(&format!(
        "{shown}.srcset = '/_svc/images/gone-480.webp 480w'"
    ))?;
    browser.wait(&format!(
        "!{shown}.srcset && {shown}.currentSrc.endsWith('/shot.png')"
    ))?;
    Ok(())
}
