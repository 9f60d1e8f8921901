//! Servers, the database and the object store are killed at random while pages are read and
//! deployments are pushed.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use svc_admin_api::key::Key;
use svc_test_support::wait::wait_until;

use super::rig::{Scene, WAIT_TIMEOUT};
use super::storage::Storage;
use crate::admin::rig::Client;
use crate::admin::server::{key, revoke};
use crate::peer_server::{PeerServer, SITE};

const NAMES: [&str; 3] = ["one", "two", "three"];
/// Kills in CI and with `SVC_THOROUGH=1`, which two tests share.
const KILLS: [usize; 2] = [3, 25];
/// How long a revoked key may work.
const REVOCATION_TIMEOUT: Duration = Duration::from_secs(1);

/// A server that requests are sent to while it is up.
struct Survivor {
    addr: Mutex<std::net::SocketAddr>,
    is_up: AtomicBool,
    /// Number of times that it was killed, so that a request during a kill does not count.
    kills: AtomicUsize,
}

/// Numbers of requests and failures.
#[derive(Default)]
struct Load {
    is_over: AtomicBool,
    requests: AtomicUsize,
    failures: Mutex<Vec<String>>,
}

fn read_pages(survivor: &Survivor, load: &Load) {
    let request = format!("GET / HTTP/1.1\r\nhost: {SITE}\r\nconnection: close\r\n\r\n");
    while !load.is_over.load(Ordering::SeqCst) {
        let kills = survivor.kills.load(Ordering::SeqCst);
        if !survivor.is_up.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(5));
            continue;
        }
        let addr = *survivor.addr.lock().unwrap();
        let response = Client::new(addr).try_raw(request.as_bytes(), false);
        if survivor.kills.load(Ordering::SeqCst) != kills {
            continue;
        }
        load.requests.fetch_add(1, Ordering::SeqCst);
        let problem = match response {
            Ok(response) if response.status == 200 => None,
            Ok(response) => Some(format!("{} {}", response.status, response.text())),
            Err(error) => Some(error.to_string()),
        };
        load.failures.lock().unwrap().extend(problem);
        thread::sleep(Duration::from_millis(2));
    }
}

/// Pseudo-random numbers: a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, max: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % max
    }

    fn millis(&mut self, max: usize) -> Duration {
        Duration::from_millis(self.below(max) as u64)
    }
}

fn start(scene: &Scene, number: usize, survivors: &[Arc<Survivor>]) -> PeerServer {
    let server = scene.start(NAMES[number]);
    *survivors[number].addr.lock().unwrap() = server.sites;
    server
}

fn check_kills(seed: u64, storage: impl FnOnce(&Path) -> Option<Storage>) {
    let Some(scene) = Scene::new(storage) else {
        return;
    };
    let kills = KILLS[usize::from(std::env::var_os("SVC_THOROUGH").is_some())];
    let survivors: Vec<Arc<Survivor>> = NAMES
        .map(|_| {
            Arc::new(Survivor {
                addr: Mutex::new(([127, 0, 0, 1], 1).into()),
                is_up: AtomicBool::new(false),
                kills: AtomicUsize::new(0),
            })
        })
        .into();
    let mut servers: Vec<Option<PeerServer>> = (0..NAMES.len())
        .map(|number| Some(start(&scene, number, &survivors)))
        .collect();
    let up = |servers: &[Option<PeerServer>], text: &str| {
        let all: Vec<&PeerServer> = servers.iter().flatten().collect();
        scene.shows(&all, SITE, text);
    };
    up(&servers, "The first words.");
    let load = Arc::new(Load::default());
    let readers: Vec<_> = survivors
        .iter()
        .map(|survivor| {
            survivor.is_up.store(true, Ordering::SeqCst);
            let (survivor, load) = (Arc::clone(survivor), Arc::clone(&load));
            thread::spawn(move || read_pages(&survivor, &load))
        })
        .collect();
    let mut random = Random(seed);
    let mut commits = Vec::new();
    for round in 0..kills {
        let text = format!("Words of round {round}.");
        commits.push(scene.commit("main", &text));
        let (known, secret) = key(&scene.store_url, "docs");
        // An acknowledged push is not lost, whoever is killed afterwards.
        let pushed = random.below(NAMES.len());
        servers[pushed].as_ref().unwrap().push("main", "");
        thread::sleep(random.millis(400));
        match random.below(5) {
            victim @ 0..=2 => {
                survivors[victim].is_up.store(false, Ordering::SeqCst);
                survivors[victim].kills.fetch_add(1, Ordering::SeqCst);
                drop(servers[victim].take());
                thread::sleep(random.millis(1_500));
                servers[victim] = Some(start(&scene, victim, &survivors));
            }
            3 => {
                scene.database.stop();
                thread::sleep(random.millis(1_500));
                scene.database.resume();
            }
            _ => {
                scene.storage.stop();
                thread::sleep(random.millis(1_500));
                scene.storage.resume();
            }
        }
        up(&servers, &text);
        for survivor in &survivors {
            survivor.is_up.store(true, Ordering::SeqCst);
        }
        check_revocation(&scene, &servers, (known, &secret));
    }
    load.is_over.store(true, Ordering::SeqCst);
    for reader in readers {
        reader.join().unwrap();
    }
    let failures = load.failures.lock().unwrap().clone();
    let requests = load.requests.load(Ordering::SeqCst);
    println!(
        "{kills} kills, {requests} requests, {} failures",
        failures.len()
    );
    assert!(failures.is_empty(), "{failures:?}");
    assert!(requests > 100 * kills, "{requests}");
    let released = scene.releases(&NAMES);
    for (key, count) in &released {
        assert_eq!(*count, 1, "{key} was built to its end {count} times");
    }
    for commit in commits {
        assert!(
            released.contains_key(&commit),
            "{commit} was lost: {}",
            scene.logs()
        );
    }
}

fn check_revocation(scene: &Scene, servers: &[Option<PeerServer>], (key, secret): (Key, &str)) {
    const LINE: &str = "GET /v2/agent/docs/jobs";
    let status = |server: &PeerServer| {
        let response = Client::new(server.admin).try_call(secret, LINE, "");
        response.map_or(0, |response| response.status)
    };
    for server in servers.iter().flatten() {
        wait_until("the key works", WAIT_TIMEOUT, || status(server) == 200);
    }
    revoke(&scene.store_url, &key);
    let begin = Instant::now();
    for server in servers.iter().flatten() {
        while status(server) == 200 {
            assert!(begin.elapsed() < REVOCATION_TIMEOUT, "a revoked key works");
        }
    }
}

#[test]
fn random_kills_with_a_folder() {
    check_kills(7, |dir| Some(Storage::folder(dir)));
}

#[test]
fn random_kills_with_s3() {
    check_kills(11, Storage::s3);
}
