//! An event as a worker gets it: its engines, and what of it can be played here.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;

use async_nats::jetstream::consumer::{Consumer, pull};
use tengen_hosts::HostSettings;
use tengen_lineup::EngineRoster;
use tengen_packages::EngineSpec;
use tengen_record::{RecordWorker, TimeScale};
use tengen_tournament::{ChangedOption, EngineEntry, EventConfig};

use super::{WorkerOptions, WorkerRun, locked};
use crate::bus::consumer;
use crate::files;
use crate::message::{EngineParcel, EventDetails, EventNotice, WorkerEvent, machine, system};

/// An event whose engines are here.
pub(super) struct ReadyEvent {
    pub event: String,
    /// The run and the description that this is of.
    pub notice: EventNotice,
    pub config: EventConfig,
    pub roster: EngineRoster,
    /// The jobs of each class that can be played here.
    pub jobs: Vec<Consumer<pull::Config>>,
    pub worker: RecordWorker,
}

impl WorkerRun<'_> {
    /// Why the coordinator of an event wants no more games of this worker.
    pub(super) fn aside(&self, event: &str) -> Option<String> {
        locked(&self.shared.notices).aside.get(&format!("{event}.{}", self.options.name)).cloned()
    }

    /// Gets the engines of an event that can play here.
    pub(super) async fn prepare(
        &self,
        event: &str,
        notice: &EventNotice,
    ) -> Result<(ReadyEvent, WorkerEvent), String> {
        let WorkerOptions { name, program, tables, cpus, cache, speed, .. } = self.options;
        if notice.program != *program {
            return Err(format!(
                "the event is run by {}, and this is {program}; both must be the same",
                notice.program
            ));
        }
        if let Some(reason) = self.aside(event) {
            return Err(set_aside(&reason));
        }
        let fetch = async |name: &str| {
            let fetched = files::get(&self.bus.files, name).await;
            fetched.map_err(|problem| format!("file {name} of the server: {problem}"))
        };
        let details: EventDetails = serde_json::from_slice(&fetch(&notice.details).await?)
            .map_err(|error| format!("the description of the event: {error}"))?;
        let nowhere = PathBuf::from("event.toml");
        let mut config =
            EventConfig::from_toml(&details.config, &nowhere).map_err(|error| error.to_string())?;
        config.validate().map_err(|error| error.to_string())?;
        if config.engines.len() != details.engines.len() {
            return Err("the description of the event names other engines than it has".to_owned());
        }
        let (classes, labels) = (details.classes(), config.labels());
        let mut lacks: BTreeMap<usize, String> = BTreeMap::new();
        for (place, needs) in classes.engines().iter().enumerate() {
            if let Some(need) = needs.iter().find(|need| !tengen_packages::has(need)) {
                let reason = format!("{}: it needs {need}, which is not here", labels[place]);
                lacks.insert(place, reason);
            } else if let Some(reason) = too_big(&config, place, *tables, &ThisMachine::this()) {
                lacks.insert(place, format!("{}: {reason}", labels[place]));
            }
        }
        let cache = cache.clone().unwrap_or_else(tengen_packages::user_cache);
        let take_in = async |entry: &mut EngineEntry, parcel: &EngineParcel| {
            if let Some(name) = &parcel.files {
                let bundle = fetch(name).await?;
                let taken = EngineSpec::take_in(&bundle, &cache);
                entry.files = taken.map_err(|error| format!("{}: {error}", entry.id))?;
                entry.path = None;
            }
            Ok::<_, String>(())
        };
        let entries = config.engines.iter_mut().zip(&details.engines).enumerate();
        for (place, (entry, parcel)) in entries {
            if !lacks.contains_key(&place) {
                take_in(entry, parcel).await?;
            }
        }
        if let (Some(entry), Some(parcel)) = (&mut config.opening_engine, &details.assistant) {
            take_in(entry, parcel).await?;
        }
        config.changed = ChangedOption::Keep;
        config.concurrency = *tables;
        config.cpus = cpus.clone();
        config.require_sandbox |= self.options.require_sandbox;
        let scale = match config.scale_time {
            Some(reference) => TimeScale::new(reference as f64 / (*speed).max(1) as f64),
            None => TimeScale::ONE,
        };
        config.time_scale = scale;
        let mut here = config.clone();
        if details.system != system() {
            // Another system has other layers. What matters there is that there is a sandbox.
            here.engines.iter_mut().for_each(|entry| entry.layers.clear());
        }
        let sent = EngineRoster::sent(&here, &cache, |place| !lacks.contains_key(&place));
        let (roster, unfit) = sent.map_err(|error| format!("{error:#}"))?;
        lacks.extend(unfit.into_iter().map(|(place, error)| (place, format!("{error:#}"))));
        let playable = classes.playable(|place| !lacks.contains_key(&place));
        let mut jobs = Vec::with_capacity(playable.len());
        for class in &playable {
            let consumer = self.bus.jobs.get_consumer(&consumer(event, *class)).await;
            jobs.push(consumer.map_err(|error| format!("the jobs of the event: {error}"))?);
        }
        let (event, notice) = (event.to_owned(), notice.clone());
        let worker = RecordWorker { name: name.clone(), machine: machine(), scale };
        let about = WorkerEvent { classes: playable, refused: lacks.into_values().collect() };
        Ok((ReadyEvent { event, notice, config, roster, jobs, worker }, about))
    }
}

/// Why a worker does not play an event any more.
fn set_aside(reason: &str) -> String {
    format!("its coordinator has set this worker aside: {reason}")
}

/// What engines may have here.
struct ThisMachine {
    /// In bytes, if the system tells.
    memory: Option<u64>,
    cpus: usize,
}

impl ThisMachine {
    fn this() -> ThisMachine {
        let cpus = thread::available_parallelism().map_or(1, usize::from);
        ThisMachine { memory: HostSettings::machine_memory(), cpus }
    }
}

/// Why an engine cannot have what the event gives it, with another one like it at each table.
fn too_big(
    config: &EventConfig,
    place: usize,
    tables: usize,
    here: &ThisMachine,
) -> Option<String> {
    let engine = &config.engines[place];
    let ThisMachine { memory, cpus } = *here;
    if let Some(threads) = engine.threads.filter(|threads| *threads as usize > cpus) {
        return Some(format!("it may use {threads} threads, and this machine has {cpus} CPUs"));
    }
    let limit = engine.memory_mib.or(config.memory.map(|limit| limit.0))?;
    let (needed, memory) = (2 * tables as u64 * u64::from(limit), memory? >> 20);
    let (at, advice) = match tables {
        1 => ("a table".to_owned(), "let the event give it less with --memory"),
        _ => (format!("each of {tables} tables"), "begin fewer games at once with --concurrency"),
    };
    (needed > memory).then(|| {
        format!(
            "two such engines at {at} may take {needed} MiB of memory, and this machine has \
             {memory}; {advice}"
        )
    })
}

#[cfg(test)]
mod tests {
    use tengen_tournament::Mebibytes;

    use super::*;

    #[test]
    fn an_engine_needs_the_memory_and_the_threads_that_it_may_have() {
        let of = |memory_mib, threads| EngineEntry {
            memory_mib,
            threads,
            ..EngineEntry::new("engine".to_owned())
        };
        let engines = vec![of(None, None), of(Some(4096), None), of(Some(64), Some(8))];
        let config =
            EventConfig { memory: Some(Mebibytes(512)), engines, ..EventConfig::default() };
        let here = ThisMachine { memory: Some(8 << 30), cpus: 4 };
        let reason = |place, tables| too_big(&config, place, tables, &here).unwrap_or_default();
        assert_eq!([reason(0, 8), reason(1, 1)], ["", ""]);
        assert!(reason(0, 9).contains("may take 9216 MiB of memory, and this machine has 8192"));
        assert!(reason(1, 2).contains("16384 MiB"));
        assert_eq!(reason(2, 1), "it may use 8 threads, and this machine has 4 CPUs");
        let untold = ThisMachine { memory: None, cpus: 4 };
        assert_eq!(too_big(&config, 0, 100, &untold), None);
    }
}
