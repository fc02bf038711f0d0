//! The dialog of a new game.

texts! {
    FirstSeat: ["First player (starts with black)", "甲方（先执黑）"];
    SecondSeat: ["Second player", "乙方"];
    SwapSeats: ["Swap players", "交换座位"];
    Person: ["Person", "棋手"];
    Rule: ["Rule", "规则"];
    Freestyle: ["Freestyle", "无禁手"];
    Standard: ["Standard", "标准"];
    Renju: ["Renju", "连珠"];
    Caro: ["Caro", "卡罗"];
    FreestyleTip: ["Five or more in a row win", "五子或五子以上连成一线即胜"];
    StandardTip: ["Exactly five in a row win", "恰好五子连成一线才胜"];
    RenjuTip: [
        "Five wins; overline, double four and double three are forbidden for black",
        "五连即胜；黑方禁长连、四四、三三"
    ];
    CaroTip: ["Five wins unless it is blocked at both ends", "五连即胜，两端均被封堵者除外"];
    Board: ["Board", "棋盘"];
    Columns: ["Columns", "列数"];
    Rows: ["Rows", "行数"];
    Opening: ["Opening", "开局"];
    OpeningNone: ["None: black plays anywhere", "无：黑方任意落子"];
    OpeningBook: ["From a book", "指定开局库"];
    OpeningPro: ["Pro", "Pro 规则"];
    OpeningLongPro: ["Long pro", "长 Pro 规则"];
    OpeningSwap: ["Swap", "三手可交换"];
    OpeningSwap2: ["Swap2", "Swap2 规则"];
    OpeningRif: ["RIF classic", "RIF 传统规则"];
    OpeningContest: ["Contest 2013 (N fifth moves)", "竞赛规则 2013（五手 N 打）"];
    OpeningYamaguchi: ["Yamaguchi", "山口规则"];
    OpeningSoosorv8: ["Soosõrv-8", "索索夫-8 规则"];
    OpeningTaraguchi10: ["Taraguchi-10", "塔拉山口-10 规则"];
    Clock: ["Clock", "棋钟"];
    ClockOff: ["None", "无"];
    ClockGame: ["Per game", "每局限时"];
    ClockMove: ["Per move", "每步限时"];
    SecondsGame: ["Seconds per game", "每局秒数"];
    SecondsMore: ["Increment per move", "每步加秒"];
    SessionLength: ["Moves until that time is added again (0: never)", "多少步后再加这些时间（0：不加）"];
    ByoYomiPeriods: ["Then periods of byo-yomi (0: none)", "之后读秒次数（0：无）"];
    PeriodSeconds: ["Seconds each", "每次秒数"];
    MoveCap: ["At most for one move (0: no limit)", "每步最多秒数（0：不限）"];
    SecondsMove: ["Seconds per move", "每步秒数"];
    EngineThinks: ["Engine time, seconds", "引擎思考秒数"];
    EngineIllegal: ["An engine's invalid move", "引擎的非法着法"];
    Undo: ["Take-backs in a game", "每局悔棋"];
    UndoNone: ["none", "不允许"];
    UndoSome: ["limited", "限次"];
    UndoAny: ["any number", "不限"];
    NamedOpening: ["Begin from", "开局名称"];
    NamedOpeningNone: ["No named opening", "不指定"];
    NamedOpeningTip: ["The first three stones, by the name of the opening", "按名称指定前三手"];
    Preset: ["Preset", "预设"];
    PresetNone: ["Choose…", "选择…"];
    PresetName: ["Keep all this as", "保存为"];
    PresetNameTip: ["The name in the list of presets", "预设列表中的名称"];
    PresetKeep: ["Keep", "保存"];
    PresetForget: ["Remove", "删除"];
    PresetContest: [
        "China contest: renju, contest, 15 min",
        "国内竞赛：连珠，五手 N 打，15 分钟"
    ];
    PresetTaraguchi: [
        "Taraguchi-10: renju, 60 min + 30 s",
        "塔拉山口-10：连珠，60 分钟 + 30 秒"
    ];
    PresetSwap2: ["Swap2: standard, 30 min + 10 s", "Swap2：标准，30 分钟 + 10 秒"];
    PresetGomocup: [
        "For engines: freestyle, 20×20, 3 min, 30 s a move",
        "引擎：无禁手，20×20，3 分钟，每步 30 秒"
    ];
    PresetCasual: ["Casual: freestyle, swap2, 5 min + 3 s", "休闲：无禁手，Swap2，5 分钟 + 3 秒"];
    Begin: ["Begin", "开始"];
    Cancel: ["Cancel", "取消"];
    EngineCannotPlay: ["{0} cannot play: {1}", "{0} 无法对局：{1}"];
    NoEngines: ["The engine folder cannot be read: {0}", "无法读取引擎文件夹：{0}"];
    SizeProblem: ["A board must be 5 to 32 points wide and high", "棋盘每边须为 5 到 32 路"];
    OpeningSize: ["{0} needs a board of 15, not {1}", "{0}须用 15 路棋盘，不能用 {1} 路"];
    OpeningFifths: [
        "The number of fifth moves is 1 to {0}, the smaller number first",
        "五手打点数须为 1 至 {0}，较小者在前"
    ];
    OpeningRoom: ["{0} does not fit on a board of {1}", "{1} 路棋盘放不下{0}"];
}
