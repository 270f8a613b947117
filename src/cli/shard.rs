//! Which share of a run this machine does: `I/N`, or from the array index that a scheduler gives.

use uuidcap::error::Error;

/// Shares that a run may have.
const MOST: u64 = 1 << 20;

/// One share of several, or the one that a scheduler's index names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shard {
    /// Counted from 1.
    Of(u64, u64),
    /// By the environment; of so many, where that does not say.
    Auto(Option<u64>),
}

const ALLOWED: &str = "I/N with I from 1 to N, auto or auto/N";

/// Reads `3/64`, `auto`, `auto/64`.
pub(super) fn read(text: &str) -> Result<Shard, Error> {
    let refused = || Error::value("a share", text, ALLOWED, "3/64");
    let count = |text: &str| text.trim().parse().ok().filter(|of: &u64| (1..=MOST).contains(of));
    match text.trim().split_once('/') {
        None if text.trim() == "auto" => Ok(Shard::Auto(None)),
        None => Err(refused()),
        Some(("auto", of)) => count(of).map(|of| Shard::Auto(Some(of))).ok_or_else(refused),
        Some((index, of)) => {
            let of = count(of).ok_or_else(refused)?;
            let index = count(index).filter(|index| *index <= of).ok_or_else(refused)?;
            Ok(Shard::Of(index, of))
        }
    }
}

/// How a scheduler names the index of a job in its array, the first index there is, the step, and how many jobs there are.
struct Scheduler {
    index: &'static str,
    first: Option<&'static str>,
    step: Option<&'static str>,
    count: Option<&'static str>,
}

/// Slurm's sbatch --array; a Job of Kubernetes with completionMode Indexed; an array job of AWS Batch.
const SCHEDULERS: [Scheduler; 3] = [
    Scheduler {
        index: "SLURM_ARRAY_TASK_ID",
        first: Some("SLURM_ARRAY_TASK_MIN"),
        step: Some("SLURM_ARRAY_TASK_STEP"),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
    },
    Scheduler { index: "JOB_COMPLETION_INDEX", first: None, step: None, count: None },
    Scheduler {
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        first: None,
        step: None,
        count: Some("AWS_BATCH_JOB_ARRAY_SIZE"),
    },
];

impl Shard {
    /// The index, counted from 0, and of how many.
    ///
    /// # Errors
    /// Where the environment names no index, or not of how many.
    pub(super) fn resolve(&self) -> Result<(u64, u64), Error> {
        self.resolve_in(&|name| std::env::var(name).ok())
    }

    fn resolve_in(&self, environment: &dyn Fn(&str) -> Option<String>) -> Result<(u64, u64), Error> {
        let asked = match *self {
            Shard::Of(index, of) => return Ok((index - 1, of)),
            Shard::Auto(asked) => asked,
        };
        let scheduler = SCHEDULERS.iter().find(|one| environment(one.index).is_some());
        let scheduler = scheduler.ok_or_else(|| {
            let names = SCHEDULERS.map(|one| one.index).join(", ");
            Error::range(format!(
                "--shard auto: none of {names} is set; run it as an array job, or say which, --shard 3/64"
            ))
        })?;
        let read = |name: Option<&'static str>, absent: Option<u64>| {
            let Some((name, text)) = name.and_then(|name| Some((name, environment(name)?))) else {
                return Ok(absent);
            };
            let number = text.trim().parse().ok().filter(|number| *number <= MOST);
            let refused =
                || Error::value(name, &text, "a whole number up to 2^20, as --shard auto reads it", "3");
            number.map(Some).ok_or_else(refused)
        };
        let index = read(Some(scheduler.index), None)?.unwrap_or(0);
        let first = read(scheduler.first, Some(0))?.unwrap_or(0);
        let step = read(scheduler.step, Some(1))?.unwrap_or(1).max(1);
        let count = read(scheduler.count, None)?;
        let of = match (asked, count) {
            (Some(asked), Some(count)) if asked != count => {
                let name = scheduler.count.unwrap_or_default();
                return Err(Error::range(format!(
                    "--shard auto/{asked}: {name} is {count}; they have to be equal, or say auto alone"
                )));
            }
            (Some(of), _) | (None, Some(of)) => of,
            (None, None) => {
                let name = scheduler.index;
                return Err(Error::range(format!(
                    "--shard auto: {name} does not say of how many; try --shard auto/64"
                )));
            }
        };
        let index = index.checked_sub(first).map(|above| above / step).filter(|index| *index < of);
        index.map(|index| (index, of)).ok_or_else(|| {
            let came = environment(scheduler.index).unwrap_or_default();
            Error::value(
                scheduler.index,
                &came,
                &format!("an index of {of} jobs"),
                "the array of the job, e.g. 0-63",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto(of: Option<u64>, set: &[(&str, &str)]) -> Result<(u64, u64), Error> {
        let find =
            |name: &str| set.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
        Shard::Auto(of).resolve_in(&find)
    }

    #[test]
    fn shares_are_counted_from_one() {
        assert_eq!(read("3/64"), Ok(Shard::Of(3, 64)));
        assert_eq!(Shard::Of(3, 64).resolve(), Ok((2, 64)));
        assert_eq!(read(" auto/8 "), Ok(Shard::Auto(Some(8))));
        for wrong in ["0/4", "5/4", "4", "1/0", "-1/4", "auto/0", "a/b", "", "1/2/3", "1/1048577"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn schedulers_name_the_share() {
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "12"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
        ];
        assert_eq!(auto(None, &slurm), Ok((1, 4)));
        assert_eq!(auto(Some(4), &slurm), Ok((1, 4)));
        assert!(auto(Some(5), &slurm).is_err());
        assert_eq!(auto(Some(64), &[("JOB_COMPLETION_INDEX", "63")]), Ok((63, 64)));
        assert!(auto(Some(64), &[("JOB_COMPLETION_INDEX", "64")]).is_err());
        assert!(auto(None, &[("JOB_COMPLETION_INDEX", "3")]).is_err());
        let batch = [("AWS_BATCH_JOB_ARRAY_INDEX", "0"), ("AWS_BATCH_JOB_ARRAY_SIZE", "2")];
        assert_eq!(auto(None, &batch), Ok((0, 2)));
        assert!(auto(None, &[]).is_err() && auto(None, &[("SLURM_ARRAY_TASK_ID", "x")]).is_err());
    }
}
