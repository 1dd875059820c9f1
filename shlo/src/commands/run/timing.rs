//! Running a program many times and measuring that.

use std::time::{Duration, Instant};

use interpreter::{Config, EvalError, Host, Value};
use serde_json::{Value as Json, json};

use super::engine::Ready;
use super::show;
use super::watch::Progress;

/// How often to run.
#[derive(Clone, Copy, Debug)]
pub enum Repeat {
    /// So many times.
    Times(usize),
    /// For about this long, but at least three times.
    For(Duration),
}

/// Most runs of one measurement.
const MAX_RUNS: usize = 100_000;

impl Repeat {
    /// The answer to `--bench=N`, where 0 means one second.
    pub fn times(n: usize) -> Self {
        if n == 0 { Repeat::For(Duration::from_secs(1)) } else { Repeat::Times(n.min(MAX_RUNS)) }
    }

    fn is_done(self, n: usize, since: Instant) -> bool {
        match self {
            Repeat::Times(times) => n >= times,
            Repeat::For(time) => n >= 3 && (since.elapsed() >= time || n >= MAX_RUNS),
        }
    }
}

/// Times of runs.
#[derive(Debug)]
pub struct Timing {
    /// The first run, which touches memory for the first time.
    first: Duration,
    /// The others in order of their length.
    sorted: Vec<Duration>,
    /// Bytes of inputs and results.
    bytes: usize,
}

/// Runs once to warm up, then as often as asked; the outcome is the last run's.
///
/// # Errors
/// Those of a run.
pub fn measure(
    ready: &Ready<'_>,
    inputs: &[Value],
    config: &Config,
    host: &mut Host,
    repeat: Repeat,
) -> Result<(Timing, interpreter::Outcome), EvalError> {
    let mut progress = Progress::on_terminal();
    let once = |host: &mut Host| {
        *host = Host::default();
        let inputs = inputs.to_vec();
        let start = Instant::now();
        let outcome = ready.run(inputs, config, host, None)?;
        Ok((start.elapsed(), outcome))
    };
    let (first, mut outcome) = once(host)?;
    let mut sorted = Vec::new();
    let begin = Instant::now();
    while !repeat.is_done(sorted.len(), begin) {
        // Results go back before the next run, which can use their memory again.
        drop(outcome);
        let (time, next) = once(host)?;
        outcome = next;
        sorted.push(time);
        if let Some(progress) = &mut progress {
            progress.show(|| format!("{} runs", sorted.len()));
        }
    }
    sorted.sort_unstable();
    let size = |values: &[Value]| values.iter().map(show::size).fold(0, usize::saturating_add);
    let bytes = size(inputs).saturating_add(size(&outcome.results));
    Ok((Timing { first, sorted, bytes }, outcome))
}

impl Timing {
    fn min(&self) -> Duration {
        self.sorted.first().copied().unwrap_or(self.first)
    }

    fn median(&self) -> Duration {
        let n = self.sorted.len();
        match (n, n % 2) {
            (0, _) => self.first,
            (_, 1) => self.sorted[n / 2],
            _ => (self.sorted[n / 2 - 1] + self.sorted[n / 2]) / 2,
        }
    }

    /// Bytes of inputs and results per second of the fastest run, in GB; none for programs with next to no data, of
    /// which it says nothing.
    fn rate(&self) -> Option<f64> {
        let seconds = self.min().as_secs_f64();
        (self.bytes >= 1 << 16 && seconds > 0.0).then(|| self.bytes as f64 / seconds / 1e9)
    }

    /// One line for people.
    pub fn text(&self) -> String {
        let rate = self.rate().map(|rate| format!(", {rate:.2} GB/s in and out")).unwrap_or_default();
        format!(
            "{} runs: min {}, median {}, first {}{rate}",
            self.sorted.len(),
            duration(self.min()),
            duration(self.median()),
            duration(self.first)
        )
    }

    /// For programs; times in seconds.
    pub fn json(&self) -> Json {
        json!({
            "runs": self.sorted.len(),
            "min_s": self.min().as_secs_f64(),
            "median_s": self.median().as_secs_f64(),
            "first_s": self.first.as_secs_f64(),
            "bytes": self.bytes,
            "gb_per_s": self.rate(),
        })
    }
}

/// A time in the unit that suits it.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        1.0.. => format!("{seconds:.3} s"),
        1e-3.. => format!("{:.3} ms", seconds * 1e3),
        1e-6.. => format!("{:.2} us", seconds * 1e6),
        _ => format!("{} ns", time.as_nanos()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_by_hand() {
        let ms = Duration::from_millis;
        let mut timing = Timing { first: ms(9), sorted: vec![ms(2), ms(4), ms(8)], bytes: 4_000_000 };
        assert_eq!(timing.text(), "3 runs: min 2.000 ms, median 4.000 ms, first 9.000 ms, 2.00 GB/s in and out");
        timing.sorted.push(ms(10));
        assert_eq!(timing.median(), ms(6));
        timing.bytes = 8;
        assert_eq!(timing.json()["gb_per_s"], Json::Null);
        let shown = [0, 999, 1_500, 2_000_000, 3_000_000_000].map(|ns| duration(Duration::from_nanos(ns)));
        assert_eq!(shown, ["0 ns", "999 ns", "1.50 us", "2.000 ms", "3.000 s"]);
    }
}
