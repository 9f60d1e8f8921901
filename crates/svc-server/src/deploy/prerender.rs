//! Drawing the pages of a new site before anybody asks for them, and making the variants of its
//! images while nothing else is to be drawn.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, Weak, mpsc};
use std::thread;
use std::time::Duration;

use svc_site::Site;

use super::deployer::DeployerInner;
use super::{Report, priority};
use crate::SiteHandle;

/// How long readers have the processors for themselves after a change.
const PRERENDER_DELAY: Duration = Duration::from_millis(700);

/// A site to draw.
#[derive(Debug)]
pub(super) struct PrerenderTask {
    pub(super) current: SiteHandle,
    pub(super) site: Weak<Site>,
    pub(super) project: String,
    pub(super) deployment: String,
}

impl PrerenderTask {
    /// Whether the site is the present one.
    fn is_current(&self, site: &Arc<Site>) -> bool {
        Arc::ptr_eq(site, &self.current.get())
    }
}

impl DeployerInner {
    /// Draws one site after the other, each until it is replaced.
    pub(super) fn prerender_all(&self, drawings: &mpsc::Receiver<PrerenderTask>) {
        priority::lower();
        // Those whose pages are to be drawn, and those whose variants of images are to be made.
        let (mut pages, mut images) = (VecDeque::new(), VecDeque::<PrerenderTask>::new());
        loop {
            if pages.is_empty() && images.is_empty() {
                match drawings.recv() {
                    Ok(drawing) => pages.push_back(drawing),
                    Err(_) => return,
                }
            }
            pages.extend(drawings.try_iter());
            if let Some(drawing) = pages.pop_front() {
                thread::sleep(PRERENDER_DELAY);
                if self.state().stopped {
                    return;
                }
                if let Some(site) = drawing.site.upgrade() {
                    self.prerender(&drawing, &site);
                }
                images.push_back(drawing);
            } else if let Some(drawing) = images.pop_front() {
                pages.extend(self.make_variants(&drawing, drawings));
                // It goes on when the pages are drawn.
                if !pages.is_empty() {
                    images.push_front(drawing);
                }
            }
            if self.state().stopped {
                return;
            }
        }
    }

    /// Makes variants of the images of a site until it is replaced, or a site comes whose pages are
    /// to be drawn.
    fn make_variants(
        &self,
        drawing: &PrerenderTask,
        drawings: &mpsc::Receiver<PrerenderTask>,
    ) -> Option<PrerenderTask> {
        let site = drawing.site.upgrade()?;
        let next = RefCell::new(None);
        site.make_variants(&|| {
            *next.borrow_mut() = drawings.try_recv().ok();
            next.borrow().is_none() && drawing.is_current(&site) && !self.state().stopped
        });
        next.into_inner()
    }

    fn prerender(&self, drawing: &PrerenderTask, site: &Arc<Site>) {
        let proceed = || drawing.is_current(site) && !self.state().stopped;
        let pages = site.map.routes.len();
        self.state().prerender = Some((drawing.deployment.clone(), 0, pages));
        site.render_all(1, &|| {
            if let Some((_, page, _)) = &mut self.state().prerender {
                *page += 1;
            }
            proceed()
        });
        self.state().prerender = None;
        if !proceed() {
            return;
        }
        // What is wrong with pages is only known now.
        let found = site.page_diagnostics(1);
        if !found.is_empty() {
            let folder = self.reports_dir(&drawing.project);
            let mut report = Report::read(&folder, &drawing.deployment);
            if !report.pages {
                report.pages = true;
                report.add(&found, Some(site));
                report.write(&folder, &drawing.deployment);
            }
        }
    }
}
