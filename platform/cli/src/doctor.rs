//! `tengen doctor`: measures this machine, and says which time margin it can guarantee.

mod cost;
mod machine;
mod measure;
mod picture;
mod remedy;

#[cfg(feature = "workers")]
pub(crate) use measure::measure_speed;

use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tengen_hosts::{HostSettings, resolve};
use tengen_stats::Spread;
use tengen_tournament::Latency;

use crate::{CommandOutcome, report};
use cost::LayerCost;
use machine::MachineInfo;

/// The engine that is asked: it is always there.
const ENGINE: &str = "builtin:alphabeta";
/// What is promised is this many times the worst of a thousand.
const SAFETY: u64 = 2;

#[derive(Debug, Serialize)]
struct DoctorReport {
    machine: MachineInfo,
    /// Nodes a second of the built-in engine, by which workers compare their machines.
    speed: u64,
    timer: Latency,
    pipe: Latency,
    /// As tables are placed unless `--cpus` says otherwise.
    child: Latency,
    /// Where the system places them.
    child_apart: Latency,
    sandbox: SandboxReport,
    /// In seconds, as `--margin` takes it.
    margin: f64,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct SandboxReport {
    /// What the start of an engine takes with these layers.
    start: Latency,
    held: Vec<String>,
    missing: Vec<MissingLayer>,
    /// What it takes with all of them, and without one each; nothing with `--quick`.
    costs: Vec<LayerCost>,
}

#[derive(Debug, Serialize)]
struct MissingLayer {
    /// How to get it.
    remedy: &'static str,
    layer: String,
    reason: String,
}

struct Spreads {
    timer: Spread,
    pipe: Spread,
    child: Spread,
    apart: Spread,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DoctorArgs {
    /// Print one JSON object instead of tables and a chart
    #[arg(long)]
    pub json: bool,
    /// Do not measure the cost of each layer of the sandbox, which takes 3 seconds
    #[arg(long)]
    pub quick: bool,
}

pub(crate) fn examine(args: &DoctorArgs) -> anyhow::Result<CommandOutcome> {
    let bar = progress();
    let step = |what: &'static str| {
        bar.set_message(what);
        bar.inc(1);
    };
    // Before the measurements, which are a load themselves.
    let machine = MachineInfo::look();
    step("measuring timers");
    let timer = measure::timer()?;
    step("measuring pipes");
    let pipe = measure::pipe()?;
    step("measuring the round trip to an engine");
    let settings = HostSettings { share_cpu: true, ..HostSettings::this_program()? };
    let spec = resolve(ENGINE, "engines".as_ref())?;
    let child = measure::child(&spec, &settings)?;
    step("measuring the round trip on another CPU");
    let apart = HostSettings { share_cpu: false, ..settings.clone() };
    let apart = measure::child(&spec, &apart)?;
    step("checking the sandbox");
    let (found, start) = measure::start(&spec, &settings)?;
    let costs = if args.quick {
        Vec::new()
    } else {
        step("measuring what the layers of the sandbox cost");
        cost::measure(&spec, &settings, &found.layers)?
    };
    let missing = found.gaps.into_iter().map(|gap| MissingLayer {
        remedy: remedy::of(&gap.layer),
        layer: gap.layer,
        reason: gap.reason,
    });
    let start = Latency::of(&start).ok_or_else(|| anyhow::anyhow!("no engine was started"))?;
    let sandbox = SandboxReport { start, held: found.layers, missing: missing.collect(), costs };
    step("measuring how fast it searches");
    let speed = measure::measure_speed()?;
    bar.finish_and_clear();
    let spreads = Spreads { timer, pipe, child, apart };
    let examination = judge(machine, speed, &spreads, sandbox)?;
    report::show(args.json, || &examination, || text(&examination, &spreads))?;
    Ok(CommandOutcome::Done)
}

/// Without a terminal it shows nothing.
fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {msg}").expect("the template is right");
    let bar = ProgressBar::new(7).with_style(style);
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

fn judge(
    machine: MachineInfo,
    speed: u64,
    spreads: &Spreads,
    sandbox: SandboxReport,
) -> anyhow::Result<DoctorReport> {
    let of = |spread: &Spread| {
        Latency::of(spread).ok_or_else(|| anyhow::anyhow!("nothing could be measured in time"))
    };
    let (timer, pipe) = (of(&spreads.timer)?, of(&spreads.pipe)?);
    let (child, child_apart) = (of(&spreads.child)?, of(&spreads.apart)?);
    // Engines that think are where the system places them.
    let margin = margin(timer.p999_ns.max(child.p999_ns).max(child_apart.p999_ns));
    let mut warnings =
        machine.warnings(&sandbox.missing.iter().map(|gap| &*gap.layer).collect::<Vec<_>>());
    warnings.extend(remedy::of_margin(margin, cfg!(windows)).map(str::to_owned));
    Ok(DoctorReport { machine, speed, timer, pipe, child, child_apart, sandbox, margin, warnings })
}

/// The margin, in seconds, that covers such delays: a round number of at least a millisecond.
fn margin(worst: u64) -> f64 {
    let wanted = worst.saturating_mul(SAFETY);
    let mut unit = 1_000_000_u64;
    loop {
        for steps in [1, 2, 5] {
            if unit * steps >= wanted || unit >= 1_000_000_000_000 {
                return (unit * steps) as f64 / 1e9;
            }
        }
        unit *= 10;
    }
}

fn text(found: &DoctorReport, spreads: &Spreads) -> String {
    let mut out = found.machine.text();
    out += &format!("Speed: {} nodes/s of the built-in engine\n", found.speed);
    let head = ["", "median", "99%", "99.9%", "maximum", "of"];
    let mut table = report::table(head);
    let rows = [
        ("delay of a sleep of 1 ms", &found.timer),
        ("round trip through a pipe", &found.pipe),
        ("round trip to an engine's process", &found.child),
        ("the same, on any CPU", &found.child_apart),
    ];
    for (what, latency) in rows {
        let Latency { answers, p50_ns, p99_ns, p999_ns, max_ns } = *latency;
        let mut cells = vec![what.to_owned()];
        cells.extend([p50_ns, p99_ns, p999_ns, max_ns].map(report::span));
        cells.push(answers.to_string());
        table.add_row(cells);
    }
    out += &format!("\n{table}\n\n");
    out += &picture::draw([
        ("sleep", &spreads.timer),
        ("pipe", &spreads.pipe),
        ("engine", &spreads.child),
        ("anywhere", &spreads.apart),
    ]);
    out += &placement(found);
    out += &sandbox_text(&found.sandbox);
    out += &cost::text(&found.sandbox.costs);
    for warning in &found.warnings {
        out += &format!("\nWarning: {warning}\n");
    }
    out += &format!(
        "\nThis machine, as it is now, can guarantee a margin of {} ms: --margin {}\n",
        found.margin * 1e3,
        found.margin
    );
    out
}

/// How a table is placed, and what the two ways cost here.
fn placement(found: &DoctorReport) -> String {
    if !found.machine.has_choice() {
        return "\nCPUs: only one, or unknown; games are not assigned to CPUs\n".to_owned();
    }
    let (shared, apart) = (found.child.p50_ns, found.child_apart.p50_ns);
    format!(
        "\nCPUs: single-threaded engines that answer within 1 ms share a CPU with their game \
         (round trip {}); others run on any CPU ({}); --cpus none turns this off\n",
        report::span(shared),
        report::span(apart),
    )
}

fn sandbox_text(sandbox: &SandboxReport) -> String {
    let mut out = format!("\nSandbox: {}\n", sandbox.held.join(", "));
    for MissingLayer { layer, reason, .. } in &sandbox.missing {
        out += &format!("  missing: {layer} ({reason})\n");
    }
    let mut remedies: Vec<_> = sandbox.missing.iter().map(|missing| missing.remedy).collect();
    remedies.dedup();
    for remedy in remedies.into_iter().filter(|remedy| !remedy.is_empty()) {
        out += &format!("  to get it: {remedy}\n");
    }
    out += &format!(
        "  An engine starts in {} with these layers\n",
        report::span(sandbox.start.p50_ns),
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_round_and_twice_the_worst() {
        assert_eq!(margin(0), 0.001);
        assert_eq!(margin(500_000), 0.001);
        assert_eq!(margin(500_001), 0.002);
        assert_eq!(margin(2_400_000), 0.005);
        assert_eq!(margin(2_600_000), 0.01);
        assert_eq!(margin(300_000_000), 1.0);
        assert!(margin(u64::MAX).is_finite());
    }
}
