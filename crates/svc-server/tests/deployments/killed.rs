//! A killed server serves the complete old or new site after a restart.

use std::thread;
use std::time::{Duration, Instant};

use crate::deployments::rig::{Harness, Reader, read_whole, times};

#[test]
fn a_kill_at_any_point_leaves_the_old_or_the_new_site_whole() {
    let rig = Harness::new(20);
    let mut program = rig.start();
    let begin = Instant::now();
    assert_eq!(program.deploy()["deployment"]["state"], "live");
    rig.write(1);
    let first = Instant::now();
    program.deploy();
    // Slightly longer than a deployment.
    let span = first.elapsed().as_micros() * 5 / 4;
    let kills = times("SVC_KILLS", 4);
    let mut before = 1;
    let (mut old, mut new) = (0, 0);
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    for number in 2..2 + kills {
        rig.write(number);
        program.trigger();
        // Pseudo-random delays, equal in every run.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let after = u64::try_from((u128::from(state >> 33) * span) >> 31).unwrap();
        thread::sleep(Duration::from_micros(after));
        // With SIGKILL.
        drop(program);
        // The source is unavailable, so only an earlier snapshot can be served.
        let (docs, away) = (rig.docs(), rig.docs().with_extension("away"));
        std::fs::rename(&docs, &away).unwrap();
        program = rig.start();
        let mut reader = Reader::new(program.addr).unwrap();
        let mut numbers: Vec<usize> = (0..rig.pages)
            .map(|page| read_whole(&mut reader, &format!("/p{page}")).unwrap())
            .collect();
        numbers.dedup();
        assert!(
            numbers == [before] || numbers == [number],
            "{numbers:?} after {before} and {number}"
        );
        assert_eq!(rig.partial(), 0, "a temporary folder is left");
        if numbers == [number] {
            new += 1;
        } else {
            old += 1;
        }
        std::fs::rename(&away, &docs).unwrap();
        // The requested deployment is eventually live.
        let reply = program.deploy();
        assert_eq!(reply["deployment"]["state"], "live", "{reply}");
        assert_eq!(read_whole(&mut reader, "/p0"), Ok(number));
        before = number;
    }
    println!(
        "{kills} kills within {span} µs of a deployment in {:.0} s: {old} times the old site, {new} times the new one",
        begin.elapsed().as_secs_f64()
    );
}
