//! The MDX parser: speed compared with two parsers in common use, and the cost of hostile input.
//! Memory is measured by a separate program, `memory.rs`.

use std::hint::black_box;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use svc_tests::loaded_site::LoadedSite;

use super::{BenchRepository, Row, megabytes, per_second};

#[path = "../../crates/svc-mdx/tests/bombs/mod.rs"]
mod bombs;

/// Rounds in which the parsers take turns.
const ROUNDS: usize = 5;
/// Maximum duration of `markdown` for a page; it takes more than linear time.
const PAGE_TIMEOUT: Duration = Duration::from_secs(2);
/// Minimum number of rounds of hostile pages. The fastest counts, as growth is measured and not
/// noise.
const MIN_ROUNDS: usize = 7;
/// Maximum number of rounds.
const MAX_ROUNDS: usize = 60;
/// Stack size of a thread for `markdown`, whose recursion is not limited.
const STACK_BYTES: usize = 256 << 20;

/// Adds the rows of all measurements.
pub(crate) fn mdx(repositories: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let mut texts: Vec<Arc<str>> = Vec::new();
    for repository in repositories {
        let site = LoadedSite::load(&repository.root)?;
        let pages = site.site.pages.iter();
        texts.extend(pages.map(|page| Arc::clone(page.file.text())));
    }
    speed(&texts, rows);
    Ok(())
}

fn ours(text: &str) {
    drop(black_box(svc_mdx::parse(
        text,
        &svc_mdx::Options::default(),
    )));
}

/// Parses with comrak, which reads plain Markdown and GFM, a smaller language.
fn comrak(text: &str) {
    let mut options = comrak::Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.autolink = true;
    options.extension.footnotes = true;
    options.extension.front_matter_delimiter = Some("---".to_owned());
    let arena = comrak::Arena::new();
    black_box(comrak::parse_document(&arena, text, &options));
}

/// Parses with `markdown`, which reads MDX and stops at the first mistake of a page; returns
/// whether it succeeded.
fn markdown(text: &str) -> bool {
    let options = markdown::ParseOptions {
        constructs: markdown::Constructs {
            frontmatter: true,
            math_flow: true,
            math_text: true,
            ..markdown::Constructs::mdx()
        },
        ..markdown::ParseOptions::mdx()
    };
    let read = AssertUnwindSafe(|| markdown::to_mdast(text, &options).is_ok());
    black_box(catch_unwind(read)).unwrap_or(false)
}

/// Returns the duration of one run over all pages.
fn round(texts: &[Arc<str>], parser: impl Fn(&str)) -> Duration {
    let start = Instant::now();
    texts.iter().for_each(|text| parser(text));
    start.elapsed()
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn ratio(slow: Duration, fast: Duration) -> f64 {
    slow.as_secs_f64() / fast.as_secs_f64().max(1e-9)
}

fn speed(texts: &[Arc<str>], rows: &mut Vec<Row>) {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for counted in [false].into_iter().chain(std::iter::repeat_n(true, ROUNDS)) {
        let times = (round(texts, ours), round(texts, comrak));
        if counted {
            first.push(times.0);
            second.push(times.1);
        }
    }
    let (own, other) = (middle(first), middle(second));
    let pages = format!(
        "{} pages, {:.1} MB, one thread, {ROUNDS} rounds in turns",
        texts.len(),
        per_second(bytes, Duration::from_secs(1)) / 1e6
    );
    rows.push(Row {
        name: "mdx, svc-mdx".into(),
        figure: megabytes(bytes, own),
        detail: pages.clone(),
    });
    rows.push(Row {
        name: "mdx, comrak".into(),
        figure: megabytes(bytes, other),
        detail: format!(
            "{pages}; plain GFM without MDX; svc-mdx has {:.2} × its speed",
            ratio(other, own)
        ),
    });
    let read = Measurement::over(texts);
    rows.push(Row {
        name: "mdx, markdown".into(),
        figure: megabytes(read.bytes, read.theirs),
        detail: format!(
            "{} pages, {:.1} MB, one round in turns page by page; left out: {} that it cannot read, \
             {} that take over {} s; svc-mdx has {:.1} × its speed on the same pages ({})",
            read.pages,
            per_second(read.bytes, Duration::from_secs(1)) / 1e6,
            read.failed,
            read.slow,
            PAGE_TIMEOUT.as_secs(),
            ratio(read.theirs, read.own),
            megabytes(read.bytes, read.own)
        ),
    });
}

/// Times of both MDX parsers on the pages that `markdown` can read.
#[derive(Default)]
struct Measurement {
    pages: usize,
    bytes: usize,
    failed: usize,
    slow: usize,
    theirs: Duration,
    own: Duration,
}

impl Measurement {
    fn over(texts: &[Arc<str>]) -> Self {
        let mut measurement = Self::default();
        let mut worker = Worker::start();
        for text in texts {
            let result = worker.as_ref().and_then(|worker| worker.read(text));
            let Some((read, time)) = result else {
                // The thread cannot be stopped and is leaked.
                measurement.slow += 1;
                worker = Worker::start();
                continue;
            };
            if !read {
                measurement.failed += 1;
                continue;
            }
            let start = Instant::now();
            ours(text);
            measurement.own += start.elapsed();
            measurement.theirs += time;
            measurement.pages += 1;
            measurement.bytes += text.len();
        }
        measurement
    }
}

/// A thread that runs `markdown`.
struct Worker {
    pages: mpsc::Sender<Arc<str>>,
    results: mpsc::Receiver<(bool, Duration)>,
}

impl Worker {
    fn start() -> Option<Self> {
        let (pages, texts) = mpsc::channel::<Arc<str>>();
        let (sender, results) = mpsc::channel();
        let run = move || {
            for text in texts {
                let start = Instant::now();
                let read = markdown(&text);
                if sender.send((read, start.elapsed())).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(run)
            .ok()?;
        Some(Self { pages, results })
    }

    fn read(&self, text: &Arc<str>) -> Option<(bool, Duration)> {
        self.pages.send(Arc::clone(text)).ok()?;
        self.results.recv_timeout(PAGE_TIMEOUT).ok()
    }
}

/// Inputs that take other parsers more than linear time, at three sizes. The processor time of this
/// thread is measured, so that other processes do not affect it.
pub(crate) fn hostile(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    const SIZES: [usize; 3] = [1 << 20, 1 << 19, 1 << 18];
    // Largest first: the allocator adapts to large blocks, and then treats all sizes alike.
    let inputs = SIZES.map(bombs::bombs);
    let [large, half, quarter] = &inputs;
    for (((name, large), (_, half)), (_, quarter)) in large.iter().zip(half).zip(quarter) {
        let (times, rounds) = fastest([large, half, quarter]);
        rows.push(Row {
            name: format!("mdx, {name}"),
            figure: format!("{:.1} ms", times[0].as_secs_f64() * 1e3),
            detail: format!(
                "1 MB; × {:.2} from 256 kB to 512 kB, × {:.2} from there to 1 MB; best of {rounds}",
                ratio(times[1], times[2]),
                ratio(times[0], times[1])
            ),
        });
    }
    Ok(())
}

/// Returns the shortest time for each text and the number of rounds. Smaller texts are parsed more
/// often in each round, so that all turns take equally long and a temporary slowdown of the machine
/// affects all of them alike. Ends when no time has improved by more than one percent for
/// [`MIN_ROUNDS`] rounds.
fn fastest(texts: [&String; 3]) -> ([Duration; 3], usize) {
    let mut best = [Duration::MAX; 3];
    let (mut rounds, mut settled) = (0, 0);
    while settled < MIN_ROUNDS && rounds < MAX_ROUNDS {
        rounds += 1;
        settled += 1;
        for ((best, text), often) in best.iter_mut().zip(texts).zip([1, 2, 4]) {
            let start = thread_time();
            (0..often).for_each(|_| ours(text));
            let time = thread_time().saturating_sub(start) / often;
            if time < *best / 100 * 99 {
                settled = 0;
            }
            *best = time.min(*best);
        }
    }
    (best, rounds)
}

/// Returns the processor time of this thread.
#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.try_into().unwrap_or_default()
}

/// Falls back to the clock on other systems.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
