//! The machine as `bench` and `probe` see it: a stopwatch, a wall clock, and what the system tells of itself. What it does
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
        let times = read("/proc/stat").zip(read("/proc/self/status"));
        let allowed = times.as_ref().and_then(|(_, status)| allowed(status));
        let times = times.and_then(|(stat, _)| processor_s(&stat, allowed.as_ref()?));
        Machine {
            cpu: cpu_name(&cpuinfo),
            cpus: std::thread::available_parallelism().ok().map(usize::from),
            online_cpus: read("/sys/devices/system/cpu/online").and_then(|text| Some(numbers(&text)?.len())),
            caches: caches(),
            aes: aes(&cpuinfo),
            load_average: read("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
            on_battery: on_battery(),
            governor: read(&format!("{CLOCK}/scaling_governor")),
            clock_limit: clock_limit(),
            allowed_cpus: allowed.map(|allowed| allowed.len()),
            busy_s: times.map(|times| times.0),
            own_s: read("/proc/self/stat").and_then(|text| own_s(&text)),
            stolen_s: times.map(|times| times.1),
        }
    }
}

impl uuidcap::engine::probe::Host for ThisMachine {
    fn ns(&self) -> u64 {
        Host::ns(self)
    }

    fn processor_s(&self) -> Option<f64> {
        read("/proc/self/stat").and_then(|text| own_s(&text))
    }
}

/// Bytes that this process has handed to the system to write, to files or to anything else: `wchar` of `/proc/self/io`.
/// What reaches the disk (`write_bytes`) counts whole pages and overstates scattered writes.
pub(super) fn written_bytes() -> Option<u64> {
    value(&read("/proc/self/io")?, "wchar")?.parse().ok()
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

/// Numbers of processors as the kernel writes them: `0-3,6`.
fn numbers(text: &str) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for range in text.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse::<usize>().ok()?);
        // No machine has more; a range without end would take all memory.
        all.extend((first..=last).take(1 << 16));
    }
    Some(all)
}

/// Processors that the process may use, of `/proc/self/status`.
fn allowed(status: &str) -> Option<Vec<usize>> {
    numbers(status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?)
}

/// Hundredths of a second are what times are counted in (proc(5), `USER_HZ`).
const TICKS_PER_S: f64 = 100.0;

/// Seconds at work and seconds stolen, of these processors together, since the start of the machine: `/proc/stat` counts
/// user, nice, system, idle, iowait, irq, softirq and steal (proc(5)).
fn processor_s(stat: &str, processors: &[usize]) -> Option<(f64, f64)> {
    let (mut busy, mut stolen) = (0.0, 0.0);
    for line in stat.lines() {
        let Some((number, times)) = line.strip_prefix("cpu").and_then(|rest| rest.split_once(' ')) else {
            continue;
        };
        if !number.parse().is_ok_and(|number: usize| processors.contains(&number)) {
            continue;
        }
        let times: Vec<f64> = times.split_whitespace().map_while(|time| time.parse().ok()).collect();
        busy += [0, 1, 2, 5, 6].iter().filter_map(|place: &usize| times.get(*place)).sum::<f64>();
        stolen += times.get(7)?;
    }
    Some((busy / TICKS_PER_S, stolen / TICKS_PER_S))
}

/// Seconds that the process has had, of `/proc/self/stat`: fields 14 and 15, counted from behind the name, which is in
/// parentheses and may hold anything.
fn own_s(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system) = (fields.next()?.parse::<f64>().ok()?, fields.next()?.parse::<f64>().ok()?);
    Some((user + system) / TICKS_PER_S)
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
        let stat = "cpu  9 9 9 9 9 9 9 9\ncpu0 100 20 30 4 5 6 7 850 9 10\ncpu1 1 1 1 1 1 1 1 1 1 1\nintr 5";
        assert_eq!(processor_s(stat, &[0]), Some((1.63, 8.5)));
        assert_eq!(processor_s(stat, &[0, 1]), Some((1.68, 8.51)));
        assert_eq!(own_s("7 (a b) c) R 1 2 3 4 5 6 7 8 9 10 150 50 3"), Some(2.0));
        assert_eq!(numbers("0-2,5"), Some(vec![0, 1, 2, 5]));
        assert_eq!((numbers("0-x"), allowed("Cpus_allowed_list:\t1\n")), (None, Some(vec![1])));
        assert_eq!(
            (kernel_bytes("48K"), kernel_bytes("1M"), kernel_bytes("x")),
            (Some(49_152), Some(1 << 20), None)
        );
    }
}
