//! A pool of threads that share the work of one step.
//!
//! Waking a parked thread costs tens of microseconds, so workers spin for a short while after each piece of work and then
//! park. The caller works too, and when nothing is left to take it waits only for workers that have taken something: one that
//! wakes up too late finds the job closed. A pool of one thread has no workers.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

/// How often an idle worker looks for work before it parks: some 50 µs.
const SPINS: u32 = 20_000;

/// A function of the task's number, its lifetime forgotten: [`Pool::run`] waits for all workers before it returns.
type Task = *const (dyn Fn(usize) + Sync);

struct Job {
    task: Task,
    n_tasks: usize,
}

// SAFETY: the task is `Sync` and outlives the job, see `Pool::run`.
unsafe impl Send for Job {}

#[derive(Default)]
struct Shared {
    /// Counts jobs; workers wait for it to change.
    epoch: AtomicUsize,
    /// What may be joined; none when there is nothing or nothing is left.
    job: Mutex<Option<Job>>,
    wake: Condvar,
    /// The next task that nobody has taken.
    next: AtomicUsize,
    /// Workers that have joined the current job and not finished.
    busy: AtomicUsize,
    panicked: AtomicBool,
    stop: AtomicBool,
}

/// Threads.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    /// One job at a time.
    running: Mutex<()>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool of {}", self.n_threads())
    }
}

impl Pool {
    /// A pool of `n_threads` threads, the caller's among them.
    pub fn new(n_threads: usize) -> Self {
        let shared = Arc::new(Shared::default());
        let workers = (1..n_threads).map_while(|index| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().name(format!("shlo-{index}")).spawn(move || work(&shared)).ok()
        });
        Self { workers: workers.collect(), shared, running: Mutex::new(()) }
    }

    /// How many threads there are.
    pub fn n_threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Runs `task` for every number below `n_tasks`, on all threads, and waits until all are done.
    ///
    /// # Panics
    /// When a task panics.
    pub fn run(&self, n_tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        if n_tasks <= 1 || self.workers.is_empty() {
            (0..n_tasks).for_each(task);
            return;
        }
        let _one = self.running.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let shared = &*self.shared;
        // SAFETY: only the lifetime is forgotten; this function does not return before the job is closed and every worker that
        // has joined it has finished.
        let erased: Task = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), Task>(task) };
        shared.next.store(0, Ordering::Relaxed);
        {
            let mut job = shared.job.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            *job = Some(Job { task: erased, n_tasks });
            shared.epoch.fetch_add(1, Ordering::Release);
        }
        shared.wake.notify_all();
        let own = catch_unwind(AssertUnwindSafe(|| take_tasks(shared, task, n_tasks)));
        *shared.job.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = None;
        let mut spins = 0u32;
        while shared.busy.load(Ordering::Acquire) != 0 {
            spins += 1;
            if spins < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        assert!(!shared.panicked.swap(false, Ordering::Relaxed), "a task of the pool panicked");
    }

    /// Splits `n` items into runs of at least `grain` and calls `task` with each range.
    pub fn split(&self, n: usize, grain: usize, task: &(dyn Fn(std::ops::Range<usize>) + Sync)) {
        let grain = grain.max(1);
        let n_tasks = (n / grain).clamp(1, self.n_threads());
        if n_tasks == 1 {
            task(0..n);
            return;
        }
        self.run(n_tasks, &|index| task(n * index / n_tasks..n * (index + 1) / n_tasks));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        {
            let _job = self.shared.job.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.shared.epoch.fetch_add(1, Ordering::Release);
        }
        self.shared.wake.notify_all();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

fn take_tasks(shared: &Shared, task: &(dyn Fn(usize) + Sync), n_tasks: usize) {
    loop {
        let index = shared.next.fetch_add(1, Ordering::Relaxed);
        if index >= n_tasks {
            return;
        }
        task(index);
    }
}

fn work(shared: &Shared) {
    let mut seen = 0;
    loop {
        let mut spins = 0;
        while shared.epoch.load(Ordering::Acquire) == seen && spins < SPINS {
            spins += 1;
            std::hint::spin_loop();
        }
        let (task, n_tasks) = {
            let mut job = shared.job.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            while shared.epoch.load(Ordering::Acquire) == seen {
                job = shared.wake.wait(job).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
            seen = shared.epoch.load(Ordering::Acquire);
            if shared.stop.load(Ordering::Relaxed) {
                return;
            }
            match &*job {
                Some(job) => {
                    // Under the lock: the caller closes the job before it looks who is busy.
                    shared.busy.fetch_add(1, Ordering::Relaxed);
                    (job.task, job.n_tasks)
                }
                None => continue,
            }
        };
        // SAFETY: `Pool::run` waits for `busy` to fall to zero, which this worker lowers after its last use of the task.
        let task = unsafe { &*task };
        if catch_unwind(AssertUnwindSafe(|| take_tasks(shared, task, n_tasks))).is_err() {
            shared.panicked.store(true, Ordering::Relaxed);
        }
        shared.busy.fetch_sub(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_runs_once() {
        let pool = Pool::new(3);
        for n in [0, 1, 2, 7, 1000] {
            let counts: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            pool.run(n, &|index| {
                counts[index].fetch_add(1, Ordering::Relaxed);
            });
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{n}");
            let total = AtomicUsize::new(0);
            pool.split(n, 10, &|range| {
                total.fetch_add(range.len(), Ordering::Relaxed);
            });
            assert_eq!(total.load(Ordering::Relaxed), n);
        }
    }

    #[test]
    fn a_panic_in_a_task_reaches_the_caller_and_the_pool_lives_on() {
        let pool = Pool::new(2);
        let result = catch_unwind(AssertUnwindSafe(|| pool.run(8, &|index| assert_ne!(index, 5))));
        assert!(result.is_err());
        pool.run(4, &|_| {});
    }
}
