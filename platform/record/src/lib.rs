//! Game records: text to types and back.
//!
//! **A record** holds all that was settled before a game, every action with its time, and the
//! result. It is one line of JSON, and reads back the same.
//! ```
//! # use tengen_record::{GameRecord, replay};
//! let line = r#"{"format":1,"rule":"freestyle","size":15,"opening":"none","seats":{
//!     "first":{"id":"hoshi","name":"Hoshi","time":"60+1"},
//!     "second":{"id":"keima","name":"Keima","time":"60+1"}},"actions":[
//!     {"seat":"first","move":"h8","ns":2000000000,"clock":59000000000},
//!     {"seat":"second","resign":true,"ns":500000000,"clock":59500000000}],
//!     "result":{"winner":"first","termination":"resignation"}}"#;
//! let record = GameRecord::from_json_line(line)?;
//! assert_eq!(GameRecord::from_json_line(&record.to_json_line())?, record);
//! # Ok::<(), tengen_record::ReadError>(())
//! ```
//!
//! **Replaying** plays it again through the arbiter, so that no record has to be trusted.
//! ```
//! # use tengen_record::{GameRecord, replay};
//! # let line = r#"{"format":1,"rule":"freestyle","size":15,"opening":"none","seats":{
//! #     "first":{"id":"hoshi","name":"Hoshi","time":"60+1"},
//! #     "second":{"id":"keima","name":"Keima","time":"60+1"}},"actions":[
//! #     {"seat":"first","move":"h8","ns":2000000000,"clock":59000000000}],
//! #     "result":{"winner":"first","termination":"five"}}"#;
//! # let record = GameRecord::from_json_line(line)?;
//! let wrong = replay(&record).unwrap_err();
//! assert_eq!(
//!     wrong.to_string(),
//!     "result: the game goes on after the last action and cannot have ended by five"
//! );
//! # Ok::<(), tengen_record::ReadError>(())
//! ```
//!
//! **Packing** keeps the actions in few bytes for a store; the rest of a record is its header.
//! ```
//! # use tengen_arbiter::{Action, HistoryEntry};
//! # use tengen_record::{pack, unpack};
//! # use tengen_rules::Seat;
//! let said = vec!["MESSAGE enough".to_owned()];
//! let entry = HistoryEntry::new(Seat::First, Action::Resign, 500, None);
//! let actions = vec![HistoryEntry { said, ..entry }];
//! assert_eq!(unpack(&pack(&actions))?, actions);
//! # Ok::<(), tengen_record::UnpackError>(())
//! ```
//!
//! [`formats`] has the game texts of other programs, SGF and PSQ among them, and opening suites.
//!
//! [`forbidden_line`] and [`replay_line`] are what the `tengen rules` commands answer to a line.
#![forbid(unsafe_code)]

mod adjudicate;
mod answer;
mod conditions;
mod forbidden;
pub mod formats;
mod header;
mod input;
mod lines;
mod pack;
mod plain;
mod read;
mod record;
mod replay;
mod replay_line;
mod ruling;
mod unpack;
mod unread;
mod worker;
mod write;

pub use adjudicate::{ReplayAnswer, Replayer, replay_line};
pub use answer::{AnsweredLines, answer_lines};
pub use conditions::Conditions;
pub use forbidden::{ForbiddenAnswer, forbidden_line};
pub use header::{Handover, Header, PlayerHeader};
pub use input::{open_stream, read_bytes, read_text};
pub use lines::{LINE_LIMIT, Lines};
pub use pack::pack;
pub use read::{ReadError, Records, RecordsError};
pub use record::GameRecord;
pub use replay::{GameReplay, ReplayError, replay};
pub use ruling::{OverruledResult, RecordRuling};
pub use tengen_arbiter::SearchInfo;
pub use tengen_files::open_file;
pub use unpack::{UnpackError, unpack};
pub use unread::{Unread, UnreadCost, UnreadItem, UnreadList};
pub use worker::{RecordWorker, TimeScale};
