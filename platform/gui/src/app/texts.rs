//! Every text of the window, one row a text and one column a language. `{0}` and `{1}` stand for
//! what is put in.

/// A language of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
}

impl Language {
    /// Every language, in the order of the columns.
    pub const ALL: [Language; 1] = [Language::English];
}

macro_rules! texts {
    ($($name:ident: $columns:expr;)*) => {
        /// A text of the window.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Text {
            $(#[doc = stringify!($columns)] $name,)*
        }

        impl Text {
            /// Every text.
            pub const ALL: &'static [Text] = &[$(Text::$name,)*];

            /// The text in that language, its places still open.
            pub const fn text(self, language: Language) -> &'static str {
                let columns: [&'static str; Language::ALL.len()] = match self {
                    $(Text::$name => $columns,)*
                };
                columns[language as usize]
            }
        }
    };
}

texts! {
    // Menus and what they do.
    MenuGame: ["Game"];
    MenuMoves: ["Moves"];
    MenuBoard: ["Board"];
    MenuWindow: ["Window"];
    NewGame: ["New game"];
    Pause: ["Pause"];
    Continue: ["Continue"];
    Stop: ["Stop"];
    NextGame: ["Next game"];
    MatchAgain: ["New match"];
    TakeBack: ["Take back"];
    TakeBackHere: ["Take back to here"];
    Resign: ["Resign"];
    OfferDraw: ["Offer draw"];
    AcceptDraw: ["Accept draw"];
    Hint: ["Hint"];
    Close: ["Close"];
    Dismiss: ["Understood"];
    Confirm: ["Confirm"];
    Start: ["Start"];
    Back: ["Back"];
    Forward: ["Forward"];
    Live: ["Follow live"];
    KeyboardCursor: ["Keyboard cursor"];
    NumbersOff: ["No move numbers"];
    NumbersLast: ["Last five numbers"];
    NumbersAll: ["All move numbers"];
    Coordinates: ["Coordinates"];
    Forbidden: ["Forbidden points"];
    StyleKaya: ["Wood"];
    StyleSlate: ["Slate"];
    StylePaper: ["Paper"];
    ThemeLight: ["Light"];
    ThemeDark: ["Dark"];
    // What they do, in a sentence.
    PauseTip: ["Let the game rest; no clock runs then"];
    StopTip: ["End the game without a result"];
    MatchStopTip: ["Give this game up, and the match with it"];
    NextGameTip: ["Give this game up, uncounted, and begin the next one"];
    TakeBackTip: ["Take back your last move, and its time"];
    HintTip: ["Ask an engine what it would play; nothing is played"];
    LiveTip: ["Stay with the newest move"];
    // The dialog of a new game.
    FirstSeat: ["First seat (begins with black)"];
    SecondSeat: ["Second seat"];
    SwapSeats: ["Swap seats"];
    Person: ["Person"];
    Rule: ["Rule"];
    Freestyle: ["Freestyle"];
    Standard: ["Standard"];
    Renju: ["Renju"];
    Caro: ["Caro"];
    FreestyleTip: ["Five or more in a row win"];
    StandardTip: ["Exactly five in a row win"];
    RenjuTip: ["Five wins; overline, double four and double three are forbidden to black"];
    CaroTip: ["Five wins unless it is blocked at both ends"];
    Board: ["Board"];
    Columns: ["Columns"];
    Rows: ["Rows"];
    Opening: ["Opening"];
    OpeningNone: ["None: black plays anywhere"];
    OpeningBook: ["From a book"];
    OpeningPro: ["Pro"];
    OpeningLongPro: ["Long pro"];
    OpeningSwap: ["Swap"];
    OpeningSwap2: ["Swap2"];
    OpeningRif: ["RIF classic"];
    OpeningContest: ["Contest 2013 (N fifth moves)"];
    OpeningYamaguchi: ["Yamaguchi"];
    OpeningSoosorv8: ["Soosõrv-8"];
    OpeningTaraguchi10: ["Taraguchi-10"];
    Clock: ["Clock"];
    ClockOff: ["None"];
    ClockGame: ["Per game"];
    ClockMove: ["Per move"];
    SecondsGame: ["Seconds a game"];
    SecondsMore: ["More after each move"];
    SecondsMove: ["Seconds a move"];
    EngineThinks: ["Engines think, seconds"];
    Begin: ["Begin"];
    Cancel: ["Cancel"];
    NoEngines: ["The engine folder cannot be read: {0}"];
    SizeProblem: ["A board has 5 to 32 points each way"];
    // Sides and what they owe.
    Black: ["black"];
    White: ["white"];
    Plays: ["{0} plays {1}"];
    AskPlace: ["lays the opening"];
    AskChoose: ["takes a colour"];
    AskChooseOrPlace: ["takes a colour or lays stones"];
    AskSwap: ["may swap"];
    AskDeclare: ["names the number of fifth moves"];
    AskOffer: ["offers fifth moves"];
    AskPick: ["picks a fifth move"];
    AskMove: ["to move"];
    AskMoveOrOffer: ["to move or offer fifth moves"];
    // What a person is asked.
    YouMove: ["Your move, {0}"];
    YouMoveZone: ["Your move, {0}: {1}"];
    YouPlace: ["Lay {0} stones: black, white, black ({1} laid)"];
    YouPlaceTwo: ["Take a colour, or lay {0} stones ({1} laid)"];
    YouChoose: ["Which colour do you take?"];
    YouSwap: ["Swap colours? You hold {0}"];
    YouDeclare: ["How many fifth moves are to be offered?"];
    YouOffer: ["Offer {0} fifth moves ({1} chosen)"];
    YouPick: ["Keep one of the offered fifth moves"];
    YouMoveOrOffer: ["Your move, {0}, or offer {1} fifth moves"];
    TakeBlack: ["Take black"];
    TakeWhite: ["Take white"];
    DoSwap: ["Swap"];
    DoNotSwap: ["Keep colours"];
    LayStones: ["Lay these stones"];
    OfferThese: ["Offer these"];
    PlayOneMove: ["Play one move"];
    OfferInstead: ["Offer {0} fifth moves"];
    Declare: ["{0} fifth moves"];
    ZoneCenter: ["the centre"];
    ZoneWithin: ["inside the central {0}×{0}"];
    ZoneBeyond: ["outside the central {0}×{0}"];
    LookingBack: ["Looking back after move {0} of {1}"];
    // What is refused.
    RefusedOccupied: ["{0} is taken"];
    RefusedForbidden: ["{0} is forbidden for black: {1}"];
    RefusedZone: ["{0} is not {1}"];
    RefusedAlike: ["{0} and {1} are alike: the offered fifth moves must differ"];
    RefusedNotOffered: ["{0} was not offered"];
    RefusedCanonical: ["These three stones make none of the 26 openings"];
    RefusedEnough: ["All {0} are there; click one to take it away"];
    RefusedDecide: ["First answer the question below the board"];
    Overline: ["overline"];
    DoubleFour: ["double four"];
    DoubleThree: ["double three"];
    PointForbidden: ["{0} forbidden: {1}"];
    PointOffered: ["{0} offered"];
    PointCursor: ["{0} cursor"];
    Pass: ["pass"];
    // Draws and hints.
    DrawOffered: ["{0} offers a draw"];
    HintAwaited: ["{0} is thinking about a hint"];
    HintSays: ["{0} would play {1}"];
    HintResign: ["{0} would resign"];
    HintFailed: ["No hint from {0}: {1}"];
    HintNothing: ["it gave no answer"];
    Decided: ["{0}: {1}"];
    Swapping: ["swap"];
    Keeping: ["keep the colours"];
    // What goes on.
    GetReady: ["Getting ready"];
    Pausing: ["Pauses after this answer"];
    Paused: ["Paused; no clock runs"];
    GivingUp: ["Giving the game up"];
    NextSoon: ["The next game begins in a moment"];
    GameStopped: ["The game was stopped"];
    MatchStopped: ["The match was stopped"];
    GameOver: ["The game is over"];
    MatchOver: ["The match is over"];
    // How it ended.
    DrawFull: ["Draw: the board is full"];
    DrawPasses: ["Draw: both passed"];
    DrawAgreed: ["Draw by agreement"];
    DrawAborted: ["Given up; it does not count"];
    DrawAdjudicated: ["Draw by adjudication"];
    Side: ["{0} ({1})"];
    Won: ["{0} won: {1}"];
    EndFive: ["five in a row"];
    EndOverline: ["{0} made a forbidden overline"];
    EndDoubleFour: ["{0} made a forbidden double four"];
    EndDoubleThree: ["{0} made a forbidden double three"];
    EndIllegal: ["{0} gave an illegal answer"];
    EndTimeout: ["{0} overstepped the time"];
    EndResigned: ["{0} resigned"];
    EndCrash: ["{0} crashed"];
    EndStall: ["{0} did not answer"];
    EndProtocol: ["{0} broke the protocol"];
    EndLimit: ["{0} went over a limit"];
    EndAdjudicated: ["adjudicated"];
    // The move stack, clocks, score.
    ColumnPoint: ["Point"];
    ColumnTime: ["Time"];
    ColumnDepth: ["Depth"];
    ColumnEval: ["Eval"];
    WinIn: ["win in {0}"];
    LossIn: ["loss in {0}"];
    StoneBook: ["book"];
    DepthNodes: ["depth {0}, {1} nodes"];
    ClockLabel: ["{0} clock {1} {2}"];
    Running: ["running"];
    Standing: ["standing"];
    NoClock: ["no clock"];
    Spent: ["{0} s"];
    SpentOf: ["{0} of {1} s"];
    TimeControlTip: ["The time control"];
    GameOf: ["Game {0} of {1}"];
    Welcome: ["Five in a row, judged"];
    WelcomeTip: ["Play against an engine, against each other, or watch engines play"];
    Kept: ["Every game is kept as it goes"];
    SeatTip: ["Put somebody else on this seat"];
    Resumed: ["A game that was not over was opened again; it rests until you continue"];
}

/// The text with its places filled.
pub fn fill(text: &str, values: &[&str]) -> String {
    let mut filled = text.to_owned();
    for (place, value) in values.iter().enumerate() {
        filled = filled.replace(&format!("{{{place}}}"), value);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places that are open in a text.
    fn places(text: &str) -> Vec<usize> {
        (0..9).filter(|place| text.contains(&format!("{{{place}}}"))).collect()
    }

    #[test]
    fn every_text_is_there_in_every_language_with_the_same_places() {
        for &text in Text::ALL {
            let english = text.text(Language::English);
            for language in Language::ALL {
                let translated = text.text(language);
                assert!(!translated.trim().is_empty(), "{text:?} in {language:?}");
                assert_eq!(places(translated), places(english), "{text:?} in {language:?}");
            }
        }
    }

    #[test]
    fn places_are_filled() {
        assert_eq!(fill("{0} and {1}, {0}", &["a", "b"]), "a and b, a");
    }
}
