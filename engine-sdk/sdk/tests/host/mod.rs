//! A host in the same process, through which the tests call an engine's table of exports.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use tengen_abi::{
    Engine, Exports, Game, Host, Info, Limits, MoveCode, Question, Reply, Verdict, Wire, ask,
    question, send, status,
};
use tengen_rules::{Answer, Ask, BySeat, Color, Move, Opening, Point, Procedure, Rule, Seat, Zone};

/// What the host's three services tell and are told.
#[derive(Default)]
pub struct TestHost {
    pub left_us: AtomicI64,
    /// Tells the time left in the place of that.
    pub clock: Option<Box<dyn Fn() -> i64 + Send + Sync>>,
    pub log: Mutex<Vec<String>>,
    pub infos: Mutex<Vec<(Info, Vec<MoveCode>)>>,
    pub file: Vec<u8>,
}

impl TestHost {
    pub fn new() -> Box<TestHost> {
        Box::new(TestHost { left_us: AtomicI64::new(i64::MAX), ..TestHost::default() })
    }

    pub fn host(&self) -> Host {
        Host {
            size: size_of::<Host>() as u32,
            minor: 0,
            context: (&raw const *self).cast_mut().cast(),
            left_us: Some(left_us),
            send: Some(receive),
            fetch: Some(fetch),
        }
    }

    /// Whether some line of the log holds the text.
    pub fn logged(&self, text: &str) -> bool {
        self.log.lock().unwrap().iter().any(|line| line.contains(text))
    }
}

unsafe extern "C" fn left_us(test_host: *mut c_void) -> i64 {
    // SAFETY: the context is a desk that outlives its engine.
    let test_host = unsafe { &*test_host.cast::<TestHost>() };
    match &test_host.clock {
        Some(clock) => clock(),
        None => test_host.left_us.load(Ordering::Relaxed),
    }
}

unsafe extern "C" fn receive(
    test_host: *mut c_void,
    kind: u32,
    data: *const c_void,
    len: u32,
) -> i32 {
    // SAFETY: the context is a desk, and the engine lends `len` bytes.
    let (test_host, bytes) = unsafe {
        (
            &*test_host.cast::<TestHost>(),
            std::slice::from_raw_parts(data.cast::<u8>(), len as usize),
        )
    };
    match kind {
        send::LOG => {
            test_host.log.lock().unwrap().push(String::from_utf8(bytes.to_vec()).expect("UTF-8"));
        }
        send::INFO => {
            let (info, variation) = Info::split(bytes).expect("a whole info");
            test_host.infos.lock().unwrap().push((info, variation.collect()));
        }
        _ => return status::UNSUPPORTED,
    }
    status::OK
}

unsafe extern "C" fn fetch(
    test_host: *mut c_void,
    name: *const c_char,
    offset: u64,
    to: *mut c_void,
    len: u32,
) -> i64 {
    // SAFETY: the context is a desk, the name a C string, and the engine lends `len` bytes.
    let (test_host, name, to) = unsafe {
        (
            &*test_host.cast::<TestHost>(),
            CStr::from_ptr(name),
            std::slice::from_raw_parts_mut(to.cast::<u8>(), len as usize),
        )
    };
    if name != c"book.bin" {
        return status::ARGUMENT.into();
    }
    let part = &test_host.file[(offset as usize).min(test_host.file.len())..];
    let length = part.len().min(to.len());
    to[..length].copy_from_slice(&part[..length]);
    test_host.file.len() as i64
}

/// An engine and its desk.
pub struct HostedEngine {
    pub exports: Exports,
    pub engine: *mut Engine,
    pub test_host: Box<TestHost>,
    _host: Box<Host>,
}

impl HostedEngine {
    pub fn new(exports: Exports) -> HostedEngine {
        let test_host = TestHost::new();
        let host = Box::new(test_host.host());
        // SAFETY: host and desk live as long as the engine.
        let engine = unsafe { (exports.create)(&raw const *host) };
        assert!(!engine.is_null(), "the engine is made");
        HostedEngine { exports, engine, test_host, _host: host }
    }

    /// Seats an engine and begins a game of renju on 15×15.
    pub fn playing(exports: Exports) -> HostedEngine {
        let hosted = HostedEngine::new(exports);
        assert_eq!(hosted.new_game(&game(Rule::Renju, Procedure::None)), status::OK);
        hosted
    }

    pub fn new_game(&self, game: &Game) -> i32 {
        // SAFETY: a live engine, never called from two places; the same holds for all calls below.
        unsafe { (self.exports.new_game)(self.engine, game) }
    }

    pub fn set_position(&self, points: &[MoveCode]) -> i32 {
        // SAFETY: as in `new_game`.
        unsafe { (self.exports.set_position)(self.engine, points.as_ptr(), points.len() as u32) }
    }

    pub fn play(&self, code: MoveCode) -> i32 {
        // SAFETY: as in `new_game`.
        unsafe { self.exports.play.expect("play")(self.engine, code) }
    }

    pub fn undo(&self, count: u32) -> i32 {
        // SAFETY: as in `new_game`.
        unsafe { self.exports.undo.expect("undo")(self.engine, count) }
    }

    pub fn set_option(&self, name: &str, value: &str) -> i32 {
        let (name, value) = (CString::new(name).unwrap(), CString::new(value).unwrap());
        // SAFETY: as in `new_game`.
        unsafe {
            self.exports.set_option.expect("options")(self.engine, name.as_ptr(), value.as_ptr())
        }
    }

    pub fn choose(&self) -> Result<Reply, i32> {
        self.choose_within(&Limits::default())
    }

    pub fn choose_within(&self, limits: &Limits) -> Result<Reply, i32> {
        let mut reply = Reply::default();
        // SAFETY: as in `new_game`.
        match unsafe { (self.exports.choose)(self.engine, limits, &mut reply) } {
            status::OK => Ok(reply),
            refusal => Err(refusal),
        }
    }

    pub fn decide(&self, question: &Question, candidates: &[MoveCode]) -> Result<Verdict, i32> {
        let question = Question { candidates: candidates.len() as u32, ..*question };
        let (limits, mut verdict) = (Limits::default(), Verdict::default());
        let decide = self.exports.decide.expect("decide");
        // SAFETY: as in `new_game`.
        let status =
            unsafe { decide(self.engine, &question, candidates.as_ptr(), &limits, &mut verdict) };
        if status == status::OK { Ok(verdict) } else { Err(status) }
    }

    /// Asks what an opening asks, and reads the verdict as its answer.
    pub fn answer(&self, seat: Seat, ask: Ask, offered: &[Point]) -> Answer {
        if ask == (Ask::Move { zone: Zone::Anywhere }) {
            let reply = self.choose().expect("a move");
            return Answer::Move(Move::Stone(point(reply.mv)));
        }
        let question = question_of(ask);
        let candidates: Vec<MoveCode> = offered.iter().map(|&point| code(point)).collect();
        let verdict = self.decide(&question, &candidates).expect("a verdict");
        let stones: Vec<Point> = verdict.stones().iter().map(|&code| point(code)).collect();
        match (ask, verdict.choice) {
            (Ask::Place { .. }, _) | (Ask::ChooseOrPlace { .. }, 2) => Answer::Place(stones),
            (Ask::Choose, swap @ (0 | 1)) => {
                let held = if seat == Seat::First { Color::Black } else { Color::White };
                Answer::Choose(if swap == 1 { !held } else { held })
            }
            (Ask::ChooseOrPlace { .. }, 0) => Answer::Choose(Color::White),
            (Ask::ChooseOrPlace { .. }, 1) => Answer::Choose(Color::Black),
            (Ask::Swap, swap @ (0 | 1)) => Answer::Swap(swap == 1),
            (Ask::Declare { .. }, count) => Answer::Declare(count as u8),
            (Ask::Offer { .. }, _) | (Ask::MoveOrOffer { .. }, 1) => Answer::Offer(stones),
            (Ask::Pick, index) => Answer::Pick(offered[index as usize]),
            (Ask::Move { .. }, _) | (Ask::MoveOrOffer { .. }, 0) => {
                assert_eq!(stones.len(), 1, "one move");
                Answer::Move(Move::Stone(stones[0]))
            }
            (_, choice) => panic!("choice {choice} answers no {ask:?}"),
        }
    }
}

impl Drop for HostedEngine {
    fn drop(&mut self) {
        if let Some(destroy) = self.exports.destroy {
            // SAFETY: as in `new_game`; the engine is not used again.
            unsafe { destroy(self.engine) };
        }
    }
}

/// Has the engines of the two seats play an opening to its end, and gives its questions. Panics at
/// an answer that is not legal.
pub fn play_opening(opening: &mut Opening, engines: BySeat<&HostedEngine>) -> Vec<Ask> {
    let mut asked = Vec::new();
    while let Some((seat, ask)) = opening.asked() {
        let stones: Vec<_> = opening.stones().iter().map(|&point| code(point)).collect();
        assert_eq!(engines[seat].set_position(&stones), status::OK);
        let answer = engines[seat].answer(seat, ask, opening.offered());
        if let Err(illegal) = opening.answer(seat, &answer) {
            panic!("{answer:?} to {ask:?} after {asked:?}: {illegal}");
        }
        asked.push(ask);
    }
    asked
}

/// The question as the ABI puts it.
fn question_of(ask: Ask) -> Question {
    let stones = |kind: u32, count: u8, zone: Zone| {
        let (radius, flags) = match zone {
            Zone::Anywhere => (0, 0),
            Zone::Within(0) => (0, question::CENTRE),
            Zone::Within(radius) => (radius, 0),
            Zone::Beyond(radius) => (radius, question::BEYOND),
        };
        let (min, max) = (count.into(), count.into());
        Question { kind, min, max, radius: radius.into(), flags, ..Question::default() }
    };
    let choices = |kind: u32, choices: u32| Question { kind, choices, ..Question::default() };
    match ask {
        Ask::Place { count, zone, canonical } => {
            let mut question = stones(ask::PLACE, count, zone);
            question.flags |= if canonical { question::CANONICAL } else { 0 };
            question
        }
        Ask::Choose | Ask::Swap => choices(ask::SWAP, 0b11),
        Ask::ChooseOrPlace { .. } => choices(ask::SWAP2, 0b111),
        Ask::Declare { min, max } => {
            let (min, max) = (min.into(), max.into());
            Question { kind: ask::COUNT, min, max, ..Question::default() }
        }
        Ask::Offer { count } => stones(ask::OFFER, count, Zone::Anywhere),
        Ask::Pick => Question { kind: ask::PICK, ..Question::default() },
        Ask::Move { zone } => stones(ask::PLACE, 1, zone),
        Ask::MoveOrOffer { zone, count } => {
            Question { choices: 0b11, ..stones(ask::TARAGUCHI, count, zone) }
        }
    }
}

/// A game on 15×15 without limits.
pub fn game(rule: Rule, procedure: Procedure) -> Game {
    let (rule, opening) = (rule.number(), procedure.number());
    Game { width: 15, height: 15, rule, opening, threads: 1, ..Game::default() }
}

/// Codes of points written like `h8`.
pub fn codes(points: &str) -> Vec<MoveCode> {
    points.split_whitespace().map(|point| code(point.parse().expect("a point"))).collect()
}

pub fn code(point: Point) -> MoveCode {
    MoveCode::xy(point.x(), point.y())
}

pub fn point(code: MoveCode) -> Point {
    let (x, y) = code.stone().expect("a stone");
    Point::new(x, y)
}

/// The bytes of a struct with another size than its own.
pub fn with_size<T: Wire>(value: &T, size: u32) -> T::Bytes {
    let mut bytes = value.to_bytes();
    bytes.as_mut()[..4].copy_from_slice(&size.to_le_bytes());
    bytes
}
