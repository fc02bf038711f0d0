//! Events: their form, and how they go.

texts! {
    NewEvent: ["New event…", "新赛事…"];
    EventEngines: ["Engines", "引擎"];
    EventTc: ["Time control", "用时"];
    EventTcTip: [
        "Seconds a game and more after each move: 60+0.5; seconds a move: move=5",
        "每局秒数加每步加秒：60+0.5；每步秒数：move=5"
    ];
    EventGames: ["Games between every two", "每两者对局数"];
    EventConcurrency: ["Games at once", "同时进行局数"];
    EventOpenings: ["File of opening positions", "开局局面文件"];
    EventPreparing: ["The engines are made ready", "正在准备引擎"];
    EventPlaying: ["Is played", "进行中"];
    EventResting: ["Rests before the next answers", "暂停中：下一步之前等待"];
    EventClosing: ["Ends after the games that are played", "正在下的对局结束后停止"];
    EventStopping: ["Is being stopped", "正在停止"];
    EventStopped: ["Stopped", "已停止"];
    EventFinished: ["Every game is finished", "全部对局已结束"];
    EventProgress: ["{0} of {1} games", "{0} / {1} 局"];
    EventPace: ["{0} games a minute, {1} left", "每分钟 {0} 局，剩余 {1}"];
    EventFinish: ["Finish games, then stop", "下完当前对局后停止"];
    EventStop: ["Stop at once", "立即停止"];
    EventResume: ["Resume", "继续赛事"];
    PageStandings: ["Standings", "积分榜"];
    PageWall: ["Games now", "正在进行"];
    PageGames: ["Finished games", "已结束对局"];
    ColumnEngine: ["Engine", "引擎"];
    ColumnPoints: ["Points", "得分"];
    ColumnGames: ["Games", "局数"];
    ColumnWins: ["W", "胜"];
    ColumnDraws: ["D", "和"];
    ColumnLosses: ["L", "负"];
    ColumnElo: ["Elo", "Elo"];
    CrossTable: ["Who beat whom", "对阵成绩"];
    HowEnded: ["How games ended, and who lost so", "终局方式及负者"];
    WallEmpty: ["No game is played now", "当前没有进行中的对局"];
    WallBack: ["All boards", "全部棋盘"];
    WallTip: ["Click to enlarge", "点击放大"];
    BoardOf: ["Game {0}: {1} – {2}, {3} moves", "第 {0} 局：{1} – {2}，{3} 手"];
}
