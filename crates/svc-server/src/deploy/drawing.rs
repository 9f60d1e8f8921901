//! Drawing the pages of a new site before anybody asks for them.

use std::sync::{Arc, Weak, mpsc};
use std::thread;
use std::time::Duration;

use svc_site::Site;

use super::deployer::Inner;
use super::{Report, priority};
use crate::Current;

/// How long readers have the processors for themselves after a change.
const HEAD_START: Duration = Duration::from_millis(700);

/// A site to draw.
#[derive(Debug)]
pub(super) struct Drawing {
    pub(super) current: Current,
    pub(super) site: Weak<Site>,
    pub(super) project: String,
    pub(super) deployment: String,
}

impl Inner {
    /// Draws one site after the other, each until it is replaced.
    pub(super) fn draw_all(&self, drawings: &mpsc::Receiver<Drawing>) {
        priority::lower();
        while let Ok(drawing) = drawings.recv() {
            thread::sleep(HEAD_START);
            if self.state().stopped {
                return;
            }
            if let Some(site) = drawing.site.upgrade() {
                self.draw(&drawing, &site);
            }
        }
    }

    fn draw(&self, drawing: &Drawing, site: &Arc<Site>) {
        let is_wanted = || Arc::ptr_eq(site, &drawing.current.get());
        let proceed = || is_wanted() && !self.state().stopped;
        let pages = site.map.routes.len();
        self.state().drawing = Some((drawing.deployment.clone(), 0, pages));
        site.render_all(1, &|| {
            if let Some((_, page, _)) = &mut self.state().drawing {
                *page += 1;
            }
            proceed()
        });
        self.state().drawing = None;
        if !proceed() {
            return;
        }
        // What is wrong with pages is only known now.
        let found = site.page_diagnostics(1);
        if !found.is_empty() {
            let folder = self.reports(&drawing.project);
            let mut report = Report::read(&folder, &drawing.deployment);
            if !report.pages {
                report.pages = true;
                report.add(&found, Some(site));
                report.write(&folder, &drawing.deployment);
            }
        }
    }
}
