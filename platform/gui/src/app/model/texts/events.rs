//! Events, as they go.

texts! {
    NewEvent: ["New event…", "新赛事…"];
    OpenEvent: ["Open event…", "打开赛事…"];
    PastTitle: ["Events", "赛事"];
    PastReading: ["Looking for events…", "正在读取……"];
    PastNone: ["No events in {0} yet", "{0} 中还没有赛事"];
    PastOther: ["Other folder…", "其他文件夹…"];
    RunningTitle: ["This event is running", "赛事正在进行"];
    RunningQuestion: [
        "Stop and close it? Finished games are saved; to resume it later, use Event › Open event…",
        "停止并关闭吗？已结束的对局都会保留，之后可从“赛事”菜单的“打开赛事…”继续。"
    ];
    RunningStop: ["Stop and close", "停止并关闭"];
    EventPreparing: ["Starting engines", "正在准备引擎"];
    EventPlaying: ["Running", "进行中"];
    EventResting: ["Paused", "已暂停"];
    EventClosing: ["Stops after the running games", "正在下的对局结束后停止"];
    EventStopping: ["Stopping", "正在停止"];
    EventStopped: ["Stopped", "已停止"];
    EventFinished: ["All games are finished", "全部对局已结束"];
    EventDecided: ["The test is decided", "检验已有结论"];
    EventProgress: ["{0} of {1} game{1:s}", "{0} / {1} 局"];
    EventPace: ["{0} games per minute, {1} left", "每分钟 {0} 局，剩余 {1}"];
    EventRate: ["{0} games per minute", "每分钟 {0} 局"];
    EventCrowded: [
        "There are more concurrent games than CPUs: engines will slow each other down",
        "同时进行的对局多于 CPU 数：引擎之间会互相抢占时间"
    ];
    EventSpoiledGames: [
        "Spoiled by the machine, which was asleep, stopped or short of memory: {0} (games {1})",
        "受机器干扰（休眠、暂停或内存不足）：{0} 局（第 {1} 局）"
    ];
    EventSpoiledLoser: [
        "{0} would have lost {1} of the games that the machine spoiled, its opponents {2} against \
         it: more than by chance (p = {3})",
        "受机器干扰的对局中，{0} 本应负 {1} 局，其对手本应负 {2} 局：已超出偶然（p = {3}）"
    ];
    EventRepeatedGames: [
        "{0} of {1} games are different from each other, and Elo and tests count each once",
        "{1} 局中有 {0} 局互不相同；Elo 与检验只计每局一次"
    ];
    TestOf: ["SPRT of {0} and {1} Elo", "SPRT：{0} 与 {1} Elo"];
    TestLlr: ["LLR {0} ({1} to {2})", "LLR {0}（{1} 至 {2}）"];
    TestOpen: ["Not decided yet", "尚无结论"];
    TestUsedUp: ["Inconclusive: openings are used up", "无结论：开局已用完"];
    TestAccepted: [
        "{0} is stronger by {1} Elo rather than {2}",
        "{0} 的优势更接近 {1} 而非 {2} Elo"
    ];
    EventFinish: ["Finish games, then stop", "下完当前对局后停止"];
    EventStop: ["Stop now", "立即停止"];
    EventAdd: ["Add engine", "添加引擎"];
    EventRemove: ["Remove engine", "移除引擎"];
    EventExtend: ["More games", "增加对局"];
    EventExtendTo: ["{0} games for every two", "每两个引擎 {0} 局"];
    EventRepair: ["Repair", "修复赛事"];
    EventRepaired: [
        "Repaired: {0} of {1} games are intact; the others will be played again",
        "已修复：{1} 局中 {0} 局完好并保留，其余将重下"
    ];
    EventUrl: ["In a browser: {0}", "网页观看：{0}"];
    EventAddRemote: ["Remote engine…", "远程引擎…"];
    ServeTitle: ["Where is the event served?", "赛事在哪个地址提供？"];
    ServeTip: [
        "Remote engines come in there, and the links of their teams lead there. Choose the same \
         address as before, and they come back by themselves",
        "远程引擎从这个地址接入，各队的链接也指向它。沿用原来的地址，各队会自动重新连接"
    ];
    PageTeams: ["Remote engines", "远程引擎"];
    TeamsTip: [
        "Send each team its own link. It plays with Game › Join… of its window, or with \
         tengen play 'LINK' --engine ENGINE. Whoever has a link plays for that team",
        "请把各队的链接分别发给它们。对方在窗口中用“对局”菜单的“加入…”，或运行 tengen play '链接' --engine 引擎 \
         参赛。持有链接者即可代表该队"
    ];
    TeamExpected: ["has not come yet", "尚未到场"];
    TeamThere: ["is there: {0}; {1} game{1:s} at a time", "已到场：{0}；同时 {1} 局"];
    TeamThereUnnamed: ["is there; {0} game{0:s} at a time", "已到场；同时 {0} 局"];
    TeamAway: ["is away, and waited for", "已断线，正在等待"];
    TeamGivenUp: ["was waited for in vain", "等待无果"];
    TeamsNone: ["They get their links when the event runs", "赛事进行时才有链接"];
    // An engine of this window in an event elsewhere.
    TeamPlays: ["It plays in {0} as {1}", "正代表 {1} 参加 {0}"];
    TeamOver: ["It plays no more: {0}", "已不再参赛：{0}"];
    TeamFailed: ["It cannot play: {0}", "无法参赛：{0}"];
    TeamNoGame: ["It waits for a game", "正在等待对局"];
    TeamRunning: ["Running games: {0}", "正在进行：第 {0} 局"];
    TeamScore: ["{0} won, {1} drawn, {2} lost", "{0} 胜 {1} 和 {2} 负"];
    TeamGameNumber: ["Game {0}", "第 {0} 局"];
    TeamWon: ["won", "胜"];
    TeamDrawn: ["drawn", "和"];
    TeamLost: ["lost", "负"];
    TeamAborted: ["given up", "中止"];
    NoteKeysExposed: [
        "Others on this computer could read the keys of the teams in {0}. Now its owner alone can. \
         Remove it, and every team gets a new key",
        "此前本机其他用户能读取 {0} 中各队的密钥，现已只限其主人。删除该文件后，各队会得到新密钥"
    ];
    NoteNoneConnected: [
        "No remote engine is connected, which may be this computer's line: nobody is given up",
        "没有任何远程引擎在线，可能是本机网络的问题：暂不放弃任何一队"
    ];
    NoteSetAside: [
        "{0} was waited for in vain and is left out; its finished games count",
        "等待 {0} 无果，该队退出；已结束的对局仍然有效"
    ];
    NoteForfeits: [
        "{0} was waited for in vain and loses its games by forfeit",
        "等待 {0} 无果，其余对局判负"
    ];
    NoteStops: [
        "{0} was waited for in vain, and no other games are left: the event stops",
        "等待 {0} 无果，且没有其他对局可下：赛事停止"
    ];
    NoteLinksUnwritten: [
        "The links of the teams could not be saved: {0}",
        "各队的链接未能保存：{0}"
    ];
    NoteKept: [
        "{0}: {1} was changed; the event goes on with the copy that was made when it began",
        "{0}：{1} 已被改动；本赛事继续使用开赛时的副本"
    ];
    NoteLeftOut: [
        "{0} is left out: {1} was changed; its finished games count",
        "{0} 退出：{1} 已被改动；已结束的对局仍然有效"
    ];
    NoteStoppedFor: [
        "{0}: {1} was changed; the event stops. Put the old file back to go on",
        "{0}：{1} 已被改动；赛事停止。放回原文件后可以继续"
    ];
    PageStandings: ["Standings", "积分榜"];
    PageRunning: ["Running games", "正在进行"];
    PageGames: ["Finished games", "已结束对局"];
    Engine: ["Engine", "引擎"];
    EloTip: [
        "Elo against all the others, ± half of the 95% confidence interval; > or < where only \
         a bound is known",
        "相对其余对手的 Elo；± 为 95% 置信区间的一半；> 或 < 表示只知道下限或上限"
    ];
    CrossTable: ["Cross table", "交叉表"];
    HowEnded: ["How games ended, and who lost", "终局方式及负者"];
    ToMove: ["{0} to move", "{0}行棋"];
    RunningNone: ["No running games", "当前没有进行中的对局"];
    RunningAll: ["All boards", "全部棋盘"];
    RunningTip: ["Click to enlarge", "点击放大"];
    BoardOf: ["Game {0}: {1} – {2}, {3} move{3:s}", "第 {0} 局：{1} – {2}，{3} 手"];
}
