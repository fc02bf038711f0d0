//! Messages about games, made from their values.

mod opening;
mod table;

use tengen_arbiter::{ByoYomi, Nanos, Termination, TimeControl};
use tengen_record::SearchInfo;
use tengen_rules::{Answer, Ask, Color, Foul, Move, Point, Rule, Zone};
use tengen_tournament::StandingColumn;

use super::texts::{Language, Text, fill};
use super::{Advice, ClickRefusal, ClockReading, Phase, SeatInfo, Snapshot, format_clock};

/// Translates values into messages of one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Translator {
    pub language: Language,
}

impl Translator {
    /// The text of that name.
    pub fn text(self, text: Text) -> &'static str {
        text.text(self.language)
    }

    /// The title of a column of the standings.
    pub fn column(self, column: StandingColumn) -> &'static str {
        let [english, chinese] = column.titles();
        match self.language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// A text with its places filled.
    pub fn fill(self, text: Text, values: &[&str]) -> String {
        fill(self.text(text), values)
    }

    /// The name of a player; that of an unnamed person in this language.
    pub fn name(self, name: &str) -> &str {
        let is_person = |language: Language| Text::Person.text(language) == name;
        if Language::ALL.into_iter().any(is_person) { self.text(Text::Person) } else { name }
    }

    /// The name of a player; the colour if there is none.
    pub fn seated(self, seated: &SeatInfo) -> &str {
        if seated.name.is_empty() { self.color(seated.color) } else { self.name(&seated.name) }
    }

    /// A colour.
    pub fn color(self, color: Color) -> &'static str {
        self.text(match color {
            Color::Black => Text::Black,
            Color::White => Text::White,
        })
    }

    /// A ply: `H8`, or `pass`.
    pub fn mv(self, mv: Move) -> String {
        mv.point().map_or_else(|| self.text(Text::Pass).to_owned(), point)
    }

    /// Why a point is forbidden.
    pub fn foul(self, foul: Foul) -> &'static str {
        self.text(match foul {
            Foul::Overline => Text::Overline,
            Foul::DoubleFour => Text::DoubleFour,
            Foul::DoubleThree => Text::DoubleThree,
        })
    }

    /// The name of a rule.
    pub fn rule(self, rule: Rule) -> &'static str {
        self.text(match rule {
            Rule::Freestyle => Text::Freestyle,
            Rule::Standard => Text::Standard,
            Rule::Renju => Text::Renju,
            Rule::Caro => Text::Caro,
        })
    }

    /// A description of a rule.
    pub fn rule_tip(self, rule: Rule) -> &'static str {
        self.text(match rule {
            Rule::Freestyle => Text::FreestyleTip,
            Rule::Standard => Text::StandardTip,
            Rule::Renju => Text::RenjuTip,
            Rule::Caro => Text::CaroTip,
        })
    }

    /// What a clock has beside the time that it shows: `in byo-yomi, 2 more periods of 30 s`;
    /// empty where there is nothing.
    pub fn periods(self, reading: &ClockReading) -> String {
        let follows = reading.byo_yomi.map(|ByoYomi { periods, span }| {
            let text = match (reading.in_period, periods) {
                (true, 0) => Text::LastPeriod,
                (true, _) => Text::InByoYomi,
                (false, _) => Text::BeforeByoYomi,
            };
            self.fill(text, &[&periods.to_string(), &self.long(span)])
        });
        let session = reading
            .answers_left
            .map(|answers| self.fill(Text::SessionMoves, &[&answers.to_string()]));
        follows.into_iter().chain(session).collect::<Vec<_>>().join(" · ")
    }

    /// A period: `0:30`, and in seconds where it is no whole number of them.
    fn period(self, nanos: Nanos) -> String {
        if nanos.is_multiple_of(1_000_000_000) { format_clock(nanos) } else { self.long(nanos) }
    }

    /// A span: `30 s`, `5:00`.
    fn long(self, nanos: Nanos) -> String {
        match nanos < 60_000_000_000 {
            true => self.fill(Text::Spent, &[&seconds(nanos)]),
            false => format_clock(nanos),
        }
    }

    /// A time control: `5:00 + 3 s per move`, `10:00 + 3×0:30 byo-yomi`, `40 moves in 1:00`,
    /// `30 s per move`; empty without a time limit.
    pub fn control(self, control: &TimeControl) -> String {
        let main = control.main.map(|main| {
            let main = match control.session {
                Some(moves) => {
                    self.fill(Text::ControlSession, &[&moves.to_string(), &self.long(main)])
                }
                None => self.long(main),
            };
            let more = match control.increment {
                0 => None,
                more => Some(self.fill(Text::ControlMore, &[&main, &seconds(more)])),
            };
            match (control.byo_yomi, more) {
                (Some(ByoYomi { periods, span }), more) => {
                    let main = more.unwrap_or(main);
                    let span = self.period(span);
                    self.fill(Text::ControlByoYomi, &[&main, &periods.to_string(), &span])
                }
                (None, Some(more)) => more,
                (None, None) if control.session.is_some() => main,
                (None, None) => self.fill(Text::ControlMain, &[&main]),
            }
        });
        let cap = control.per_move.map(|cap| self.fill(Text::ControlMove, &[&seconds(cap)]));
        main.into_iter().chain(cap).collect::<Vec<_>>().join(" · ")
    }

    /// What a player does while it owes that answer.
    pub fn ask(self, ask: Ask) -> &'static str {
        self.text(match ask {
            Ask::Place { .. } => Text::AskPlace,
            Ask::Choose => Text::AskChoose,
            Ask::ChooseOrPlace { .. } => Text::AskChooseOrPlace,
            Ask::Swap => Text::AskSwap,
            Ask::Declare { .. } => Text::AskDeclare,
            Ask::Offer { .. } => Text::AskOffer,
            Ask::Pick => Text::AskPick,
            Ask::Move { .. } => Text::AskMove,
            Ask::MoveOrOffer { .. } => Text::AskMoveOrOffer,
        })
    }

    /// Where stones are allowed: `outside the central 5×5`.
    pub fn zone(self, zone: Zone) -> String {
        let side = |radius: u8| (2 * u16::from(radius) + 1).to_string();
        match zone {
            Zone::Anywhere => String::new(),
            Zone::Within(0) => self.text(Text::ZoneCenter).to_owned(),
            Zone::Within(radius) => self.fill(Text::ZoneWithin, &[&side(radius)]),
            Zone::Beyond(radius) => self.fill(Text::ZoneBeyond, &[&side(radius)]),
        }
    }

    /// Why a click was not accepted.
    pub fn refusal(self, refusal: &ClickRefusal) -> String {
        let text = |text, values: &[&str]| self.fill(text, values);
        match *refusal {
            ClickRefusal::Occupied(at) => text(Text::RefusedOccupied, &[&point(at)]),
            ClickRefusal::Forbidden(at, foul) => {
                text(Text::RefusedForbidden, &[&point(at), self.foul(foul)])
            }
            ClickRefusal::Zone(at, zone) => {
                text(Text::RefusedZone, &[&point(at), &self.zone(zone)])
            }
            ClickRefusal::Alike(one, other) => {
                text(Text::RefusedAlike, &[&point(one), &point(other)])
            }
            ClickRefusal::NotOffered(at) => text(Text::RefusedNotOffered, &[&point(at)]),
            ClickRefusal::NotCanonical => text(Text::RefusedCanonical, &[]),
            ClickRefusal::Enough(count) => text(Text::RefusedEnough, &[&count.to_string()]),
            ClickRefusal::Decide => text(Text::RefusedDecide, &[]),
        }
    }

    /// An evaluation for the side that moved: `+35`, `win in 7`, `loss in 6`.
    pub fn eval(self, info: &SearchInfo) -> String {
        match (info.win_in, info.eval) {
            (Some(plies @ 0..), _) => self.fill(Text::WinIn, &[&plies.to_string()]),
            (Some(plies), _) => self.fill(Text::LossIn, &[&plies.unsigned_abs().to_string()]),
            (None, Some(eval)) => minus(&format!("{eval:+}")),
            (None, None) => String::new(),
        }
    }

    /// The depth and nodes of a search.
    pub fn search(self, info: &SearchInfo) -> String {
        self.fill(Text::DepthNodes, &[&info.depth.to_string(), &info.nodes.to_string()])
    }

    /// An answer, as a hint gives it.
    pub fn answer(self, answer: &Answer) -> String {
        let points =
            |points: &[Point]| points.iter().map(|&at| point(at)).collect::<Vec<_>>().join(" ");
        match answer {
            Answer::Place(stones) | Answer::Offer(stones) => points(stones),
            Answer::Declare(number) => self.fill(Text::Declare, &[&number.to_string()]),
            Answer::Swap(true) => self.text(Text::AnswerSwap).to_owned(),
            Answer::Swap(false) => self.text(Text::AnswerKeep).to_owned(),
            Answer::Choose(color) => self.color(*color).to_owned(),
            Answer::Pick(at) => point(*at),
            Answer::Move(mv) => self.mv(*mv),
        }
    }

    /// The hint, as a sentence.
    pub fn hint(self, snapshot: &Snapshot) -> Option<String> {
        let hint = snapshot.hint.as_ref()?;
        Some(match &hint.advice {
            Advice::Awaited => self.fill(Text::HintAwaited, &[&hint.name]),
            Advice::Answer(answer, info) => {
                let says = self.fill(Text::HintSays, &[&hint.name, &self.answer(answer)]);
                match info.as_ref().map(|info| self.eval(info)).filter(|eval| !eval.is_empty()) {
                    Some(eval) => format!("{says}  ·  {eval}"),
                    None => says,
                }
            }
            Advice::Resign => self.fill(Text::HintResign, &[&hint.name]),
            Advice::Failed(reason) if reason.is_empty() => {
                self.fill(Text::HintFailed, &[&hint.name, self.text(Text::HintNothing)])
            }
            Advice::Failed(reason) => self.fill(Text::HintFailed, &[&hint.name, reason]),
        })
    }

    /// The result, as a sentence; none while the game is running.
    pub fn result(self, snapshot: &Snapshot) -> Option<String> {
        let result = snapshot.result?;
        let Some(winner) = result.winner else {
            let draw = match snapshot.is_reason_known {
                true => self.draw(result.termination),
                false => self.text(Text::Draw),
            };
            return Some(draw.to_owned());
        };
        let side = |seat| {
            let seated: &super::SeatInfo = &snapshot.seats[seat];
            self.fill(Text::Side, &[self.name(&seated.name), self.color(seated.color)])
        };
        if !snapshot.is_reason_known {
            return Some(self.fill(Text::WonAlone, &[&side(winner)]));
        }
        let how = match result.termination {
            Termination::Five => Text::ByFive,
            Termination::Overline => Text::EndOverline,
            Termination::DoubleFour => Text::EndDoubleFour,
            Termination::DoubleThree => Text::EndDoubleThree,
            Termination::IllegalAnswer => Text::EndIllegal,
            Termination::Timeout => Text::EndTimeout,
            Termination::Resignation => Text::EndResigned,
            Termination::Crash => Text::EndCrash,
            Termination::Stall => Text::EndStall,
            Termination::ProtocolError => Text::EndProtocol,
            Termination::ResourceLimit => Text::EndLimit,
            Termination::Unasked => Text::EndUnasked,
            _ => Text::EndAdjudicated,
        };
        Some(self.fill(Text::Won, &[&side(winner), &self.fill(how, &[&side(!winner)])]))
    }

    /// The termination in a word or two.
    pub fn termination(self, termination: Termination) -> &'static str {
        self.text(match termination {
            Termination::Five => Text::ByFive,
            Termination::BoardFull => Text::ByFull,
            Termination::Passes => Text::ByPasses,
            Termination::Overline => Text::ByOverline,
            Termination::DoubleFour => Text::ByDoubleFour,
            Termination::DoubleThree => Text::ByDoubleThree,
            Termination::IllegalAnswer => Text::ByIllegal,
            Termination::Timeout => Text::ByTimeout,
            Termination::Resignation => Text::ByResignation,
            Termination::Agreement => Text::ByAgreement,
            Termination::Adjudication => Text::ByAdjudication,
            Termination::Proof => Text::ByProof,
            Termination::Ruling => Text::ByRuling,
            Termination::Crash => Text::ByCrash,
            Termination::Stall => Text::ByStall,
            Termination::ProtocolError => Text::ByProtocol,
            Termination::ResourceLimit => Text::ByLimit,
            Termination::Unasked => Text::ByUnasked,
            Termination::Aborted => Text::ByAbort,
        })
    }

    fn draw(self, termination: Termination) -> &'static str {
        self.text(match termination {
            Termination::BoardFull => Text::DrawFull,
            Termination::Passes => Text::DrawPasses,
            Termination::Agreement => Text::DrawAgreed,
            Termination::Aborted => Text::DrawAborted,
            _ => Text::DrawAdjudicated,
        })
    }

    /// The rules of an engine, each with its boards: `freestyle 5–32`.
    pub fn rules(self, rules: &[String]) -> String {
        let said = |rule: &String| {
            let (name, boards) = rule.split_once(' ').unwrap_or((rule, ""));
            match (self.language, name.parse()) {
                (Language::Chinese, Ok(rule)) => format!("{} {boards}", self.rule(rule)),
                _ => rule.clone(),
            }
        };
        let rules: Vec<String> = rules.iter().map(said).collect();
        rules.join(self.text(Text::ListSeparator))
    }

    /// What the layers of a sandbox deny.
    pub fn sandbox(self, layers: &[String]) -> Vec<&'static str> {
        let mut sandbox: Vec<&'static str> = Vec::new();
        for layer in layers {
            let kept_from: &[Text] = match layer.as_str() {
                "landlock" => &[Text::SandboxFiles],
                "landlock_tcp" => &[Text::SandboxNetwork],
                "landlock_signals" => &[Text::SandboxProcesses],
                "seccomp" => &[Text::SandboxCalls],
                "no_new_privs" | "no_capabilities" => &[Text::SandboxRights],
                "wasm" => &[Text::SandboxFiles, Text::SandboxNetwork, Text::SandboxMemory],
                // The other layers are about when it ends and where it runs.
                _ => &[],
            };
            for wall in kept_from.iter().map(|text| self.text(*text)) {
                if !sandbox.contains(&wall) {
                    sandbox.push(wall);
                }
            }
        }
        sandbox
    }

    /// The phase, as a sentence.
    pub fn status(self, snapshot: &Snapshot) -> String {
        let on_move = || {
            let asked = snapshot.asked?;
            let seated = &snapshot.seats[asked.seat];
            let side = self.fill(Text::Side, &[self.name(&seated.name), self.color(seated.color)]);
            Some(format!("{side} {}", self.ask(asked.ask)))
        };
        let of_match = snapshot.series.is_some();
        let text = match snapshot.phase {
            Phase::Playing => return on_move().unwrap_or_default(),
            Phase::Starting => Text::Starting,
            Phase::Pausing => Text::Pausing,
            Phase::Paused => Text::Paused,
            Phase::Stopping => Text::Stopping,
            Phase::Between => Text::NextGameSoon,
            Phase::Stopped if of_match => Text::MatchStopped,
            Phase::Stopped => Text::GameStopped,
            Phase::Finished if of_match => Text::MatchOver,
            Phase::Finished => Text::GameOver,
        };
        self.text(text).to_owned()
    }
}

/// A number of seconds: `30`, `0.1`.
fn seconds(nanos: Nanos) -> String {
    format!("{}", nanos as f64 / 1e9)
}

/// A point as boards are labelled: `H8`.
pub fn point(point: Point) -> String {
    point.to_string().to_uppercase()
}

/// A number with a minus sign as wide as a plus.
pub fn minus(number: &str) -> String {
    number.replace('-', "−")
}

/// A large number with three digits: `850`, `12.3k`, `1.23M`.
pub fn count(number: u64) -> String {
    let scaled = |unit: f64, letter: &str| {
        let value = number as f64 / unit;
        match value {
            0.0..9.995 => format!("{value:.2}{letter}"),
            9.995..99.95 => format!("{value:.1}{letter}"),
            _ => format!("{value:.0}{letter}"),
        }
    };
    match number {
        0..1000 => number.to_string(),
        1000..999_500 => scaled(1e3, "k"),
        999_500..999_500_000 => scaled(1e6, "M"),
        _ => scaled(1e9, "G"),
    }
}

/// The time of an answer: `0.01 s`, `12.3 s`, `150 s`.
pub fn spent(nanos: Nanos) -> String {
    let seconds = nanos as f64 / 1e9;
    match seconds {
        0.0..9.995 => format!("{seconds:.2} s"),
        9.995..99.95 => format!("{seconds:.1} s"),
        _ => format!("{seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_said_in_words() {
        let said = |language, text: &str| Translator { language }.control(&text.parse().unwrap());
        let english = |text| said(Language::English, text);
        assert_eq!(english("300+3"), "5:00 + 3 s per move");
        assert_eq!(english("10"), "10 s per game");
        assert_eq!(english("60+0.1,move=5"), "1:00 + 0.1 s per move · 5 s per move");
        assert_eq!(
            (english("move=30").as_str(), english("nodes=7").as_str()),
            ("30 s per move", "")
        );
        assert_eq!(said(Language::Chinese, "7200+3"), "2:00:00，每步加 3 秒");
        assert_eq!(english("600,byo=3x30"), "10:00 + 3×0:30 byo-yomi");
        assert_eq!(english("600+5,byo=0.5"), "10:00 + 5 s per move + 1×0.5 s byo-yomi");
        assert_eq!(english("40/60"), "40 moves in 1:00");
        assert_eq!(english("40/30+1"), "40 moves in 30 s + 1 s per move");
        let chinese = |text| said(Language::Chinese, text);
        assert_eq!(chinese("600,byo=3x30"), "10:00，读秒 3×0:30");
        assert_eq!(chinese("40/60"), "每 40 步 1:00");
    }

    #[test]
    fn what_follows_the_time_on_a_clock_is_said_in_words() {
        let reading = |in_period, periods, answers_left| ClockReading {
            byo_yomi: Some(ByoYomi { periods, span: 30_000_000_000 }),
            in_period,
            answers_left,
            ..ClockReading::default()
        };
        let english = |reading| Translator { language: Language::English }.periods(&reading);
        assert_eq!(english(reading(false, 3, None)), "byo-yomi follows: 3 periods of 30 s");
        assert_eq!(english(reading(true, 1, None)), "in byo-yomi, then 1 more period of 30 s");
        assert_eq!(english(reading(true, 0, None)), "in the last period of byo-yomi");
        let session = ClockReading { answers_left: Some(12), ..ClockReading::default() };
        assert_eq!(english(session), "more time in 12 moves");
        assert_eq!(english(ClockReading::default()), "");
        let chinese = Translator { language: Language::Chinese };
        assert_eq!(chinese.periods(&reading(true, 2, None)), "读秒中，之后还有 2 次，每次 30 秒");
    }

    #[test]
    fn rules_and_the_layers_of_a_sandbox_are_said_in_words() {
        let said = |language, layers: &[&str]| {
            let layers: Vec<String> = layers.iter().map(|layer| (*layer).to_owned()).collect();
            Translator { language }.sandbox(&layers)
        };
        let all = ["parent_death", "no_new_privs", "no_capabilities", "landlock", "seccomp"];
        let english = said(Language::English, &all);
        assert_eq!(english, ["new privileges", "files", "system calls"]);
        let rules = ["freestyle 5–32".to_owned(), "renju 15".to_owned()];
        let plays = |language| Translator { language }.rules(&rules);
        assert_eq!(plays(Language::English), "freestyle 5–32, renju 15");
        assert_eq!(plays(Language::Chinese), "无禁手 5–32、连珠 15");
        assert_eq!(said(Language::Chinese, &["wasm", "landlock"]), ["文件", "网络", "其他内存"]);
    }
}
