use std::fs;

use serde::Serialize;
use tengen_lineup::joined;
use tengen_tournament::allowed_cpus;

/// What the system tells of itself. What it does not tell is none.
#[derive(Debug, Serialize)]
pub(super) struct MachineInfo {
    /// Logical CPUs that this process may keep busy.
    cores: usize,
    /// Their numbers; empty where the system does not tell.
    allowed_cpus: Vec<usize>,
    /// What the system reads the time from.
    clock_source: Option<String>,
    /// Processes that ran or wanted to, on the average of 1, 5 and 15 minutes.
    load: Option<[f64; 3]>,
    /// The part of the last 10 seconds, in percent, in which something waited for a CPU.
    cpu_pressure: Option<f64>,
    /// The part of all CPU time since the system was started, in percent, that other systems on the
    /// same hardware took from it.
    cpu_stolen: Option<f64>,
}

impl MachineInfo {
    pub(super) fn look() -> MachineInfo {
        MachineInfo {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            allowed_cpus: allowed_cpus(),
            clock_source: clock_source(),
            load: load(),
            cpu_pressure: cpu_pressure(),
            cpu_stolen: cpu_stolen(),
        }
    }

    /// Whether there is more than one CPU, and they are known.
    pub(super) fn has_choice(&self) -> bool {
        self.allowed_cpus.len() > 1
    }

    /// What speaks against fair clocks here, and the sandbox layers that are missing.
    pub(super) fn warnings(&self, missing: &[&str]) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some([now, ..]) = self.load
            && now > self.cores as f64 / 2.0
        {
            warnings.push(format!(
                "the machine is busy (load {now:.1} on {} cores), which affects these figures",
                self.cores
            ));
        }
        if let Some(source) = &self.clock_source
            && !["tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"]
                .contains(&source.as_str())
        {
            warnings.push(format!("the clock source {source} is slow to read"));
        }
        if let Some(stolen) = self.cpu_stolen
            && stolen >= 1.0
        {
            warnings.push(format!("other virtual machines took {stolen:.1}% of the CPU time"));
        }
        if !missing.is_empty() {
            warnings.push(format!("the sandbox has no {}", missing.join(", ")));
        }
        warnings
    }

    pub(super) fn text(&self) -> String {
        let mut out = format!("Cores: {}", self.cores);
        if !self.allowed_cpus.is_empty() {
            out += &format!(" (CPUs {})", joined(&self.allowed_cpus, ", "));
        }
        out += &format!("; play at most {} games at once\n", self.cores);
        if let Some(source) = &self.clock_source {
            out += &format!("Clock source: {source}\n");
        }
        if let Some([one, five, fifteen]) = self.load {
            out += &format!("Load: {one:.2} {five:.2} {fifteen:.2} (1, 5, 15 minutes)\n");
        }
        if let Some(pressure) = self.cpu_pressure {
            out += &format!("Waiting for a CPU: {pressure:.1}% of the last 10 s\n");
        }
        if let Some(stolen) = self.cpu_stolen {
            out += &format!("CPU time taken by other virtual machines: {stolen:.2}%\n");
        }
        out
    }
}

// Only Linux has these files.

fn clock_source() -> Option<String> {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

fn load() -> Option<[f64; 3]> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let mut numbers = text.split_whitespace().map(|word| word.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

fn cpu_pressure() -> Option<f64> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let some = text.lines().find(|line| line.starts_with("some"))?;
    some.split_whitespace().find_map(|word| word.strip_prefix("avg10="))?.parse().ok()
}

fn cpu_stolen() -> Option<f64> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    let all = text.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<f64> = all.split_whitespace().flat_map(str::parse).collect();
    // user nice system idle iowait irq softirq steal; guests are in user already.
    let total: f64 = ticks.iter().take(8).sum();
    (total > 0.0).then_some(100.0 * ticks.get(7)? / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> MachineInfo {
        MachineInfo {
            cores: 4,
            allowed_cpus: vec![0, 1, 2, 3],
            clock_source: Some("tsc".to_owned()),
            load: Some([0.1, 0.2, 0.3]),
            cpu_pressure: Some(0.0),
            cpu_stolen: Some(0.0),
        }
    }

    #[test]
    fn a_quiet_machine_has_nothing_against_it_and_a_bad_one_all() {
        assert!(machine().warnings(&[]).is_empty());
        let bad = MachineInfo {
            clock_source: Some("hpet".to_owned()),
            load: Some([9.0, 0.0, 0.0]),
            cpu_stolen: Some(3.0),
            ..machine()
        };
        assert_eq!(bad.warnings(&["landlock"]).len(), 4);
    }

    #[test]
    fn what_is_not_told_is_not_spoken_of() {
        let (clock_source, load) = (None, None);
        let (cpu_pressure, cpu_stolen) = (None, None);
        let allowed_cpus = Vec::new();
        let silent =
            MachineInfo { cores: 8, allowed_cpus, clock_source, load, cpu_pressure, cpu_stolen };
        assert_eq!(silent.text(), "Cores: 8; play at most 8 games at once\n");
        assert!(silent.warnings(&[]).is_empty());
    }
}
