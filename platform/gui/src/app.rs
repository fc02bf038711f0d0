//! The model behind the window, which knows nothing of windows.

pub mod archive;
mod autosave;
mod clock_face;
mod command;
mod contest;
mod course;
mod deed;
mod diagram;
mod dialog;
mod document;
mod draft;
mod event;
mod files;
mod gather;
mod house;
mod ledger;
mod live;
mod memory;
mod opened;
mod overlay;
mod picture;
mod play;
mod settings;
mod setup;
mod shelf;
mod snapshot;
mod sound;
mod study;
mod texts;
mod unsaved;
mod view;
pub mod words;

pub use archive::Archive;
pub use autosave::AutosaveProblem;
pub use clock_face::{ClockFace, ClockState, on_a_clock};
pub use command::Command;
pub use contest::{MatchCommand, Rosters, Session, SessionConfig};
pub use course::Course;
pub use deed::{Deed, Menu};
pub use diagram::{Diagram, Stone, hoshi};
pub use dialog::Dialog;
pub use document::Document;
pub use draft::{Brush, Draft, DraftCommand, DraftProblem};
pub use event::{
    Board, Entrant, EventCommand, EventDesk, EventForm, EventHost, EventPage, EventPhase,
    EventShown, Field, FormProblem, PastEvent, Players, is_crowded,
};
pub use files::{
    Collection, Entry, FileCommand, FileDialog, FileProblem, Folder, GameLine, Purpose, Reading,
    Written, is_ours,
};
pub use gather::{Clicked, Gathered, Question, Refusal};
pub use house::{EngineCommand, House, Services, Table, Trial, Wake, Workshop};
pub use live::{Live, LogLine};
pub use memory::{Memory, Problem};
pub use opened::Opened;
pub use overlay::Overlay;
pub use picture::Picture;
pub use play::{Play, PlayCommand, Room};
pub use settings::{Arrangement, Settings};
pub use setup::{ClockKind, Occupant, Setup, SetupProblem};
pub use shelf::{
    EngineOption, Finding, GoOn, Hired, Kept, Listed, Listing, OptionKind, Profile, Shelf, Terms,
};
pub use snapshot::{Advice, Asked, Decision, Hint, Phase, Row, Seated, Series, Snapshot, Standing};
pub use sound::Sound;
pub use study::{Advising, Study, StudyCommand};
pub use texts::{Language, Text, fill};
pub use view::{BoardStyle, Edges, Look, Numbers, Pane, Step, View};
pub use words::Words;
