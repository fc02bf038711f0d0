//! A game that goes on: sides, questions, refusals, clocks, moves.

texts! {
    ListSeparator: [", ", "、"];
    // Sides and what they owe.
    Black: ["black", "黑方"];
    White: ["white", "白方"];
    Plays: ["{0} plays {1}", "{0} 执{1}"];
    AskPlace: ["to place the opening", "摆开局"];
    AskChoose: ["to choose a colour", "选择执黑或执白"];
    AskChooseOrPlace: ["to choose a colour or place stones", "选色或继续摆子"];
    AskSwap: ["may swap", "可以交换"];
    AskDeclare: ["to declare the number of fifth moves", "宣布五手打点数"];
    AskOffer: ["to offer fifth moves", "提出五手打点"];
    AskPick: ["to pick a fifth move", "选定第五手"];
    AskMove: ["to move", "行棋"];
    AskMoveOrOffer: ["to move or offer fifth moves", "行棋或提出五手打点"];
    // What a person is asked.
    YouMove: ["Your move, {0}", "轮到你了：{0}"];
    YouMoveZone: ["Your move, {0}: {1}", "轮到你了：{0}，须下在{1}"];
    YouPlace: [
        "Place {0} stones: black, white, black ({1} placed)",
        "请摆 {0} 子：黑、白、黑（已摆 {1} 子）"
    ];
    YouPlaceTwo: [
        "Choose a colour, or place {0} stones ({1} placed)",
        "请选色，或再摆 {0} 子（已摆 {1} 子）"
    ];
    YouChoose: ["Which colour do you want?", "你执哪一方？"];
    YouSwap: ["Swap colours? You are {0}", "是否交换？你现在执{0}"];
    YouDeclare: ["How many fifth moves should be offered?", "要求提出几个五手打点？"];
    YouOffer: ["Offer {0} fifth move{0:s} ({1} chosen)", "请提出 {0} 个五手打点（已选 {1} 个）"];
    YouPick: ["Pick one of the offered fifth moves", "请从打点中选定第五手"];
    YouMoveOrOffer: [
        "Your move, {0}, or offer {1} fifth moves",
        "轮到你了：{0}；也可提出 {1} 个五手打点"
    ];
    TakeBlack: ["Take black", "执黑"];
    TakeWhite: ["Take white", "执白"];
    DoSwap: ["Swap", "交换"];
    DoNotSwap: ["Keep colours", "不交换"];
    LayStones: ["Place these stones", "摆上这些子"];
    OfferThese: ["Offer these", "提出这些打点"];
    PlayOneMove: ["Play one move", "改为直接落子"];
    OfferInstead: ["Offer {0} fifth move{0:s}", "提出 {0} 个五手打点"];
    Declare: ["{0} fifth move{0:s}", "{0} 个五手打点"];
    ZoneCenter: ["the centre", "天元"];
    ZoneWithin: ["inside the central {0}×{0}", "中央 {0}×{0} 之内"];
    ZoneBeyond: ["outside the central {0}×{0}", "中央 {0}×{0} 之外"];
    LookingBack: ["Showing move {0} of {1}", "回看：第 {0} 手，共 {1} 手"];
    // What is refused.
    RefusedOccupied: ["{0} is occupied", "{0} 已有棋子"];
    RefusedForbidden: ["{0} is forbidden for black: {1}", "{0} 是黑方禁手：{1}"];
    RefusedZone: ["{0} is not {1}", "{0} 不在{1}"];
    RefusedAlike: [
        "{0} and {1} are alike: the offered fifth moves must differ",
        "{0} 与 {1} 相互对称：打点不得雷同"
    ];
    RefusedNotOffered: ["{0} was not offered", "{0} 不是对方提出的打点"];
    RefusedCanonical: [
        "These three stones are not one of the 26 openings",
        "这三子不构成 26 种开局中的任何一种"
    ];
    RefusedEnough: [
        "All {0} are selected; click one to remove it",
        "{0} 个已经齐了；点击其中一个可取消"
    ];
    RefusedDecide: ["First answer the question below the board", "请先回答棋盘下方的问题"];
    Overline: ["overline", "长连"];
    DoubleFour: ["double four", "四四"];
    DoubleThree: ["double three", "三三"];
    PointForbidden: ["{0} forbidden: {1}", "{0} 禁手：{1}"];
    PointOffered: ["{0} offered", "{0} 打点"];
    PointCursor: ["{0} cursor", "{0} 光标"];
    Pass: ["pass", "停一手"];
    // What happened beside the moves.
    PaneHappened: ["History", "经过"];
    HappenedNothing: ["Nothing has happened yet", "还没有发生什么"];
    HappenedRefused: ["An answer of {0} was refused", "{0} 的回答被拒绝"];
    HappenedMovedFor: ["{0} was late: the arbiter moved", "{0} 超时：由裁判代行一步"];
    HappenedSeat: ["{0} takes the seat", "{0} 入座"];
    HappenedLeft: ["{0} leaves the seat", "{0} 离座"];
    HappenedAway: ["{0} is away", "{0} 离线"];
    HappenedBack: ["{0} is back", "{0} 回来了"];
    HappenedTakenBack: ["Moves were taken back", "悔棋"];
    HappenedPaused: ["The game was paused", "对局暂停"];
    HappenedResumed: ["The game goes on", "对局继续"];
    PlaysFromHere: ["{0} plays from here", "此后由 {0} 行棋"];
    Score: ["{0} {1} – {2} {3}", "{0} {1} – {2} {3}"];
    ScoreTip: ["The points of all finished games between the two", "两人之间所有已完成对局的得分"];
    // Draws and hints.
    DrawDeclined: ["{0} declined the draw", "{0} 拒绝了和棋"];
    PositionOf: ["Position of {0} stone{0:s}", "{0} 子的局面"];
    DrawOffered: ["{0} offers a draw", "{0} 提和"];
    HintAwaited: ["{0} is looking for a hint", "{0} 正在思考提示"];
    HintSays: ["{0} would play {1}", "{0} 会下 {1}"];
    HintResign: ["{0} would resign", "{0} 会认输"];
    HintFailed: ["No hint from {0}: {1}", "{0} 没有给出提示：{1}"];
    HintNothing: ["it gave no answer", "它没有回答"];
    AnswerSwap: ["swap", "交换"];
    AnswerKeep: ["keep the colours", "不交换"];
    // What goes on.
    Starting: ["Starting", "准备中"];
    Pausing: ["Pausing after this answer", "本步之后暂停"];
    Paused: ["Paused; no clock runs", "已暂停，棋钟停走"];
    Stopping: ["Stopping the game", "正在停止本局"];
    NextGameSoon: ["The next game starts in a moment", "下一局即将开始"];
    Resumed: [
        "An unfinished game was reopened; it is paused until you resume it",
        "已重新打开上次未下完的对局；点“继续”再开始"
    ];
    ResumedWithout: [
        "{0} is not among the engines here: its seat is a person's until you choose another player",
        "这里没有引擎 {0}：该座位暂由棋手执子，可另选棋手"
    ];
    NamePerson: ["Name…", "姓名…"];
    NamePersonTitle: ["Name the player", "棋手姓名"];
    NamePersonField: ["Name", "姓名"];
    NamePersonTip: [
        "It stands in the records of this game and of later ones",
        "会写入本局和以后各局的棋谱"
    ];
    // The move stack, clocks, score.
    ColumnPoint: ["Point", "落点"];
    ColumnTime: ["Time", "用时"];
    ColumnDepth: ["Depth", "深度"];
    MoveByArbiter: ["by the arbiter", "裁判代行"];
    ColumnEval: ["Eval", "评分"];
    WinIn: ["win in {0}", "{0} 手胜"];
    LossIn: ["loss in {0}", "{0} 手负"];
    StoneBook: ["book", "开局库"];
    DepthNodes: ["depth {0}, {1} node{1:s}", "深度 {0}，节点 {1}"];
    ClockLabel: ["{0} clock {1} {2}", "{0}棋钟 {1} {2}"];
    ClockRunning: ["running", "走时"];
    ClockRunningLow: ["running, low on time", "走时，时间不多"];
    ClockStopped: ["stopped", "停走"];
    ClockPaused: ["paused", "暂停"];
    ClockExpired: ["out of time", "超时"];
    ControlMain: ["{0} per game", "每局 {0}"];
    ControlMore: ["{0} + {1} s per move", "{0}，每步加 {1} 秒"];
    ControlSession: ["{0} move{0:s} in {1}", "每 {0} 步 {1}"];
    ControlByoYomi: ["{0} + {1}×{2} byo-yomi", "{0}，读秒 {1}×{2}"];
    BeforeByoYomi: [
        "byo-yomi follows: {0} period{0:s} of {1}",
        "之后有读秒：{0} 次，每次 {1}"
    ];
    InByoYomi: [
        "in byo-yomi, then {0} more period{0:s} of {1}",
        "读秒中，之后还有 {0} 次，每次 {1}"
    ];
    LastPeriod: ["in the last period of byo-yomi", "最后一次读秒"];
    SessionMoves: ["more time in {0} move{0:s}", "再走 {0} 步加时"];
    ControlMove: ["{0} s per move", "每步 {0} 秒"];
    NoClock: ["no clock", "不计时"];
    Spent: ["{0} s", "{0} 秒"];
    SpentOf: ["{0} of {1} s", "{0} / {1} 秒"];
    Used: ["used {0}", "共用 {0}"];
    UsedTip: ["The time used in the whole game", "全局已用时间"];
    TimeControlTip: ["The time control", "用时规定"];
    GameOf: ["Game {0} of {1}", "第 {0} 局，共 {1} 局"];
    WelcomeTip: [
        "Play against an engine or each other, or watch engines play",
        "与引擎对弈、两人对弈，或观看引擎对战"
    ];
    GamesAutosaved: ["Every game is saved automatically", "每一局都会自动保存"];
    SeatTip: ["Change the player", "更换棋手"];
}
