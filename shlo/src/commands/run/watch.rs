//! Looking on while a plan runs: progress on the terminal, and the times of all steps for a file.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use executor::plan::Step;
use executor::{Plan, Watch};
use serde_json::{Value as Json, json};

use crate::output;

/// Steps that a profile records at most; a file of that many has some 200 MB.
const MAX_EVENTS: usize = 1_000_000;
/// Runs shorter than this show no progress.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often progress is shown.
const EVERY: Duration = Duration::from_millis(200);

/// What looks on.
#[derive(Default)]
pub struct Watches {
    /// Times of the steps, if asked for.
    pub profile: Option<Profile>,
    /// Progress, if there is a terminal.
    pub progress: Option<Progress>,
}

impl Watches {
    /// Whether there is anything to show steps to.
    pub fn is_empty(&self) -> bool {
        self.profile.is_none() && self.progress.is_none()
    }
}

impl Watch for Watches {
    fn begin(&mut self, plan: &Plan<'_>, step: &Step) {
        if let Some(progress) = &mut self.progress {
            progress.depth += 1;
            progress.n_steps += 1;
        }
        if let Some(profile) = &mut self.profile {
            profile.begin(plan, step);
        }
    }

    fn end(&mut self, plan: &Plan<'_>, step: &Step) {
        if let Some(profile) = &mut self.profile {
            profile.end(plan, step);
        }
        if let Some(progress) = &mut self.progress {
            progress.step_done(plan.steps().len());
        }
    }
}

/// The times of steps in the form of Chrome's trace events.
pub struct Profile {
    start: Instant,
    begun: Vec<Instant>,
    events: Vec<Json>,
    n_lost: usize,
}

impl Profile {
    /// An empty profile, its time beginning now.
    pub fn new() -> Self {
        Self { start: Instant::now(), begun: Vec::new(), events: Vec::new(), n_lost: 0 }
    }

    fn begin(&mut self, _: &Plan<'_>, _: &Step) {
        self.begun.push(Instant::now());
    }

    fn end(&mut self, plan: &Plan<'_>, step: &Step) {
        let end = Instant::now();
        let Some(begin) = self.begun.pop() else { return };
        if self.events.len() == MAX_EVENTS {
            self.n_lost += 1;
            return;
        }
        let micros = |duration: Duration| duration.as_nanos() as f64 / 1000.0;
        let module = plan.module().module();
        self.events.push(json!({
            "ph": "X", "pid": 1, "tid": 1,
            "name": plan.title(step),
            "cat": step.action.kind(),
            "ts": micros(begin.duration_since(self.start)),
            "dur": micros(end.duration_since(begin)),
            "args": { "op": module.op_name(step.op), "bytes": plan.step_bytes(step) },
        }));
    }

    /// The file: an object that `chrome://tracing` and Perfetto read.
    pub fn document(self) -> Json {
        json!({
            "displayTimeUnit": "ns",
            "traceEvents": self.events,
            "otherData": { "steps_not_recorded": self.n_lost },
        })
    }
}

/// A line on the terminal that says how far a run is.
pub struct Progress {
    start: Instant,
    shown: Option<Instant>,
    depth: usize,
    n_done: usize,
    n_steps: u64,
}

impl Progress {
    /// Progress, if standard error is a terminal.
    pub fn on_terminal() -> Option<Self> {
        let now = Instant::now();
        let new = Self { start: now, shown: None, depth: 0, n_done: 0, n_steps: 0 };
        std::io::stderr().is_terminal().then_some(new)
    }

    fn step_done(&mut self, n_outer: usize) {
        self.depth = self.depth.saturating_sub(1);
        self.n_done += usize::from(self.depth == 0);
        // Loops have millions of short steps, and looking at the clock takes time too.
        if self.depth == 0 || self.n_steps.is_multiple_of(256) {
            let (done, n_steps) = (self.n_done, self.n_steps);
            self.show(|| format!("{done} of {n_outer} steps done, {n_steps} with those in loops"));
        }
    }

    /// Shows how far it is, unless it is too early for that.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        let now = Instant::now();
        let is_time = now.duration_since(self.shown.unwrap_or(self.start + PATIENCE - EVERY)) >= EVERY;
        if now.duration_since(self.start) >= PATIENCE && is_time {
            self.shown = Some(now);
            output::say_over(&format!("{} ({:.0} s)", text(), now.duration_since(self.start).as_secs_f64()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            output::say_over("");
        }
    }
}
