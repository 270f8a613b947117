//! The machine as `bench` sees it: a stopwatch, a wall clock, and what the system tells of itself. What it does
//! not tell is left unknown.

use std::fs;
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use uuidcap::engine::bench::{Aes, Cache, Host, Machine};
use uuidcap::id::clock::Clock;

/// The system's wall clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct WallClock;

impl Clock for WallClock {
    fn unix_ns(&self) -> u64 {
        // Before 1970 it is taken to stand at 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }
}

/// This machine, with a stopwatch that began when it was made.
#[derive(Debug)]
pub(super) struct ThisMachine(Instant);

impl ThisMachine {
    pub(super) fn now() -> ThisMachine {
        ThisMachine(Instant::now())
    }
}

impl Host for ThisMachine {
    fn ns(&self) -> u64 {
        // 584 years.
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn machine(&self) -> Machine {
        let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
        Machine {
            cpu: cpu_name(&cpuinfo),
            cpus: std::thread::available_parallelism().ok().map(usize::from),
            caches: caches(),
            aes: aes(&cpuinfo),
            load_average: read("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
            on_battery: on_battery(),
            governor: read(&format!("{CLOCK}/scaling_governor")),
            clock_limit: clock_limit(),
            stolen_s: read("/proc/stat").and_then(|text| stolen_s(&text)),
        }
    }
}

const CLOCK: &str = "/sys/devices/system/cpu/cpu0/cpufreq";
const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";
const SUPPLIES: &str = "/sys/class/power_supply";

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The value of the first line of `/proc/cpuinfo` with that key.
fn value<'a>(cpuinfo: &'a str, key: &str) -> Option<&'a str> {
    let lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    lines
        .map(|(name, value)| (name.trim(), value.trim()))
        .find(|(name, _)| *name == key)
        .map(|(_, value)| value)
}

fn cpu_name(cpuinfo: &str) -> Option<String> {
    let name = value(cpuinfo, "model name").or_else(|| value(cpuinfo, "Model"))?;
    Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// By the flags of the first processor; of ARM and others without them nothing is said but AES at all.
fn aes(cpuinfo: &str) -> Option<Aes> {
    let flags = value(cpuinfo, "flags").or_else(|| value(cpuinfo, "Features"))?;
    let has = |flag: &str| flags.split(' ').any(|own| own == flag);
    Some(match (has("aes"), has("vaes")) {
        (true, true) => Aes::Vectors,
        (true, false) => Aes::Instructions,
        _ => Aes::Software,
    })
}

fn caches() -> Vec<Cache> {
    let folders = (0..8).map(|index| format!("{CACHES}/index{index}"));
    let cache = |folder: String| {
        let read = |name: &str| read(&format!("{folder}/{name}"));
        let (level, kind) = (read("level")?.parse().ok()?, read("type")?);
        Some(Cache { level, kind, bytes: kernel_bytes(&read("size")?)? })
    };
    folders.filter_map(cache).collect()
}

/// Sizes as the kernel writes them: `48K`, `32768K`, `1M`.
fn kernel_bytes(text: &str) -> Option<u64> {
    let (digits, shift) = match text.strip_suffix('K') {
        Some(digits) => (digits, 10),
        None => text.strip_suffix('M').map_or((text, 0), |digits| (digits, 20)),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Whether a battery of the machine itself is being used up; none where it has none.
fn on_battery() -> Option<bool> {
    let folders = fs::read_dir(SUPPLIES).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let batteries = folders.filter_map(|folder| {
        let read = |name: &str| read(&folder.join(name).to_string_lossy());
        // Batteries of mice and keyboards have the scope Device.
        let own = read("type")? == "Battery" && read("scope").is_none_or(|scope| scope != "Device");
        own.then(|| read("status").is_some_and(|status| status == "Discharging"))
    });
    batteries.reduce(|any, one| any || one)
}

/// The highest clock that is allowed over the highest that there is.
fn clock_limit() -> Option<f64> {
    let khz = |name: &str| read(&format!("{CLOCK}/{name}"))?.parse::<f64>().ok().filter(|khz| *khz > 0.0);
    Some(khz("scaling_max_freq")? / khz("cpuinfo_max_freq")?)
}

/// The eighth number of the first line counts hundredths of a second (proc(5), `steal`).
fn stolen_s(stat: &str) -> Option<f64> {
    let all = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    Some(all.split_whitespace().nth(7)?.parse::<f64>().ok()? / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_from_what_the_kernel_writes() {
        let cpuinfo =
            "processor\t: 0\nmodel name\t: AMD  EPYC\nflags\t\t: fpu aes avx2 vaes\nprocessor\t: 1\n";
        assert_eq!(cpu_name(cpuinfo).as_deref(), Some("AMD EPYC"));
        assert_eq!(aes(cpuinfo), Some(Aes::Vectors));
        assert_eq!(aes("flags: fpu aes"), Some(Aes::Instructions));
        assert_eq!(aes("flags: fpu sse"), Some(Aes::Software));
        assert_eq!(aes("Features: fp asimd aes"), Some(Aes::Instructions));
        assert_eq!((aes(""), cpu_name("")), (None, None));
        assert_eq!(stolen_s("cpu  1 2 3 4 5 6 7 850 9 10\ncpu0 1"), Some(8.5));
        assert_eq!(
            (kernel_bytes("48K"), kernel_bytes("1M"), kernel_bytes("x")),
            (Some(49_152), Some(1 << 20), None)
        );
    }
}
