//! Prerenders the pages of a new site, and creates the variants of its images while there are no
//! pages to render.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use svc_site::Site;

use super::deployer::DeployerInner;
use super::state::PrerenderTask;
use super::{Report, priority};

/// Delay after a change, so that requests have the CPU.
const PRERENDER_DELAY: Duration = Duration::from_millis(700);

impl DeployerInner {
    /// Prerenders one site after another, each until it is replaced.
    pub(super) fn prerender_all(&self, drawings: &mpsc::Receiver<PrerenderTask>) {
        priority::lower();
        // Sites with pages to render, and sites with image variants to create.
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
                // Continues after the pages were rendered.
                if !pages.is_empty() {
                    images.push_front(drawing);
                }
            }
            if self.state().stopped {
                return;
            }
        }
    }

    /// Creates the image variants of a site until it is replaced, or another site has pages to
    /// render.
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
        // Diagnostics of pages are only known after rendering.
        let found = site.page_diagnostics(1);
        if !found.is_empty() {
            let dir = self.reports_dir(&drawing.project);
            let mut report = Report::read(&dir, &drawing.deployment);
            if !report.pages {
                report.pages = true;
                report.add(&found, Some(site));
                report.write(&dir, &drawing.deployment);
            }
        }
    }
}
