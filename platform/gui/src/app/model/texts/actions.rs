//! Menus and what they let a person do.

texts! {
    MenuGame: ["Game", "对局"];
    MenuEvent: ["Event", "赛事"];
    MenuMoves: ["Moves", "着法"];
    MenuWindow: ["Window", "窗口"];
    MenuHelp: ["Help", "帮助"];
    About: ["About Tengen", "关于 Tengen"];
    AboutVersion: ["Version {0}, {1}", "版本 {0}，{1}"];
    AboutIs: ["An arbiter for five-in-a-row engines", "五子棋引擎的裁判程序"];
    AboutGames: ["Games: {0}", "对局：{0}"];
    AboutEvents: ["Events: {0}", "赛事：{0}"];
    AboutEngines: ["Engines: {0}", "引擎：{0}"];
    Quit: ["Quit", "退出"];
    CloseTab: ["Close {0}", "关闭 {0}"];
    NewGame: ["New game", "新对局"];
    Pause: ["Pause", "暂停"];
    Resume: ["Resume", "继续"];
    Stop: ["Stop", "停止"];
    NextGame: ["Next game", "下一局"];
    MatchAgain: ["New match", "重新比赛"];
    TakeBack: ["Take back", "悔棋"];
    TakeBackHere: ["Take back to here", "悔棋到此处"];
    Resign: ["Resign", "认输"];
    ResignConfirm: ["Really resign?", "确定认输？"];
    OfferDraw: ["Offer draw", "提和"];
    AcceptDraw: ["Accept draw", "同意和棋"];
    Hint: ["Hint", "提示"];
    Close: ["Close", "关闭"];
    Dismiss: ["OK", "知道了"];
    Confirm: ["Confirm", "确认"];
    Start: ["Start", "开头"];
    Back: ["Back", "后退"];
    Forward: ["Forward", "前进"];
    ToEnd: ["End", "最后"];
    Live: ["Follow live", "跟随最新"];
    KeyboardCursor: ["Keyboard cursor", "键盘光标"];
    NumbersOff: ["No move numbers", "不显示手数"];
    NumbersLast: ["Last move numbers", "显示最近几手"];
    NumbersAll: ["All move numbers", "显示全部手数"];
    Coordinates: ["Coordinates", "坐标"];
    Forbidden: ["Forbidden points", "禁手点"];
    StyleKaya: ["Wood", "木纹"];
    StyleSlate: ["Slate", "石板"];
    StylePaper: ["Paper", "纸面"];
    StylePicture: ["Picture", "图片"];
    ThemeLight: ["Light", "浅色"];
    ThemeDark: ["Dark", "深色"];
    // Languages call themselves what they are.
    English: ["English", "English"];
    Chinese: ["中文", "中文"];
    // What they do, in a sentence.
    PauseTip: ["Pause the game; no clock runs", "对局暂停，棋钟停走"];
    ResumeTip: [
        "Play this game on: the same players, clocks and open question",
        "继续本局：棋手、棋钟和待答问题都不变"
    ];
    MatchStopTip: ["Stop this game and the match", "停止本局和整场比赛"];
    NextGameTip: [
        "Stop this game (it does not count) and start the next one",
        "停止本局（不计结果），开始下一局"
    ];
    TakeBackTip: [
        "Take back your last move; you get its time back",
        "收回自己的上一手，时间一并退还"
    ];
    ResignTip: ["Resign this game; you will be asked to confirm", "认输，会再确认一次"];
    HintTip: [
        "Ask an engine what it would play; no move is made",
        "询问引擎会下在哪里，不会真的落子"
    ];
    LiveTip: ["Always show the newest move", "始终显示最新一手"];
}
