//! `cargo xtask bench mdx`, second part: peak memory of parsing a page, including the tree, by a
//! counting allocator. A block that is reallocated counts twice while it is moved.
#![expect(clippy::print_stdout, reason = "the table is the result")]

use std::hint::black_box;
use std::path::Path;

use peak_alloc::PeakAlloc;
use svc_tests::sites;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Minimum size of the measured pages in bytes.
const MIN_PAGE_BYTES: usize = 64 * 1024;

fn main() {
    let mut pages = Vec::new();
    for name in sites::NAMES {
        if let Some(root) = sites::site(name) {
            collect(&root, &mut pages);
        }
    }
    println!("| page | kB | peak, times the page |");
    println!("| --- | ---: | ---: |");
    let large = pages
        .iter()
        .filter(|(_, text)| text.len() >= MIN_PAGE_BYTES);
    large.for_each(|(name, text)| row(name, text));
    for size in [1 << 16, 1 << 18, 1 << 20] {
        row("real pages, one after the other", &joined(&pages, size));
    }
    let every = pages.iter().filter(|(_, text)| text.len() >= 1024);
    if let Some((times, name)) = every
        .map(|(name, text)| (peak(text), name))
        .max_by(|one, other| one.0.total_cmp(&other.0))
    {
        println!("| the most of all pages from 1 kB: {name} | | {times:.1} |");
    }
}

/// Collects the `.mdx` files below a directory, sorted by name.
fn collect(dir: &Path, pages: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "mdx")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            pages.push((name.into_owned(), text));
        }
    }
}

/// Joins entire pages without front matter up to `size` bytes.
fn joined(pages: &[(String, String)], size: usize) -> String {
    let mut out = String::new();
    for (_, text) in pages {
        let front = svc_mdx::parse(text, &svc_mdx::Options::default())
            .value
            .front_matter;
        let start = front.map_or(0, |front| front.span.end as usize);
        out.push_str(text.get(start..).unwrap_or_default());
        out.push_str("\n\n");
        if out.len() >= size {
            break;
        }
    }
    out
}

fn row(name: &str, text: &str) {
    println!("| {name} | {} | {:.1} |", text.len() / 1024, peak(text));
}

/// Returns the peak memory of parsing in multiples of the length of the text.
#[expect(
    clippy::cast_precision_loss,
    reason = "a ratio of sizes needs no more than the digits of a float"
)]
fn peak(text: &str) -> f64 {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let parsed = black_box(svc_mdx::parse(text, &svc_mdx::Options::default()));
    let bytes = MEMORY.peak_usage().saturating_sub(before);
    drop(parsed);
    bytes as f64 / text.len().max(1) as f64
}
