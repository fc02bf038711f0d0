//! The form of a new event.

texts! {
    EventEngines: ["Engines", "引擎"];
    EventEnginesNone: ["No engine is known yet; add one", "还没有引擎，请先添加"];
    EventTc: ["Time control", "用时"];
    EventTcTip: [
        "Seconds a game and more after each move: 60+0.5; seconds a move: move=5; nodes=N, depth=N",
        "每局秒数加每步加秒：60+0.5；每步秒数：move=5；nodes=N、depth=N"
    ];
    EventGames: ["Games between every two", "每两者对局数"];
    EventGamesTip: [
        "In pairs from the same opening, with the seats swapped",
        "成对进行：同一开局，双方交换先后手"
    ];
    EventGamesMost: ["Games at most", "最多对局数"];
    EventConcurrency: ["Games at once", "同时进行局数"];
    EventOpenings: ["File of opening positions", "开局局面文件"];
    EventOpeningsTip: [
        "One position a line: h8 h9 i9, or offsets from the centre: 0,0, 1,-1",
        "每行一个局面：h8 h9 i9，或相对中心的偏移：0,0, 1,-1"
    ];
    EventPositions: ["{0} position{0:s}", "{0} 个局面"];
    EventOrder: ["Order of positions", "局面顺序"];
    OrderSequential: ["As in the file", "按文件顺序"];
    OrderRandom: ["By lot", "随机"];
    EventSymmetries: ["Turned and mirrored", "旋转与镜像"];
    SymmetriesNone: ["Not", "不变换"];
    SymmetriesRandom: ["By lot", "随机"];
    SymmetriesAll: ["All eight in turn", "八种依次"];
    EventSprt: ["Stop when decided (SPRT)", "分出高下即停（SPRT）"];
    EventSprtTip: [
        "Ends when it is decided whether the first engine is stronger by Elo 1 or only by Elo 0",
        "一旦能判定第一个引擎强出 Elo 1，或至多强出 Elo 0，即告结束"
    ];
    SprtElo0: ["Elo 0", "Elo 0"];
    SprtElo1: ["Elo 1", "Elo 1"];
    SprtAlpha: ["Alpha", "Alpha"];
    SprtBeta: ["Beta", "Beta"];
    EventMore: ["More", "更多选项"];
    EventEndings: ["How games end", "对局判定"];
    EventClocks: ["Clocks", "计时"];
    EventMachine: ["Engines and machine", "引擎与机器"];
    EventEach: ["Each engine", "各引擎"];
    EventSeed: ["Seed", "随机种子"];
    EventSeedTip: [
        "Everything drawn by lot follows from it: a whole number from 0",
        "一切随机结果由它决定：从 0 起的整数"
    ];
    EventFolder: ["Folder of the event", "赛事文件夹"];
    EventFolderTip: [
        "A new folder; empty: named by itself",
        "新建的文件夹；留空则自动编号"
    ];
    EventFifths: ["Fifth moves declared", "五手打点数"];
    EventFifthsTip: ["3, or 1..5; empty is the usual of the opening", "3 或 1..5；留空按开局规则"];
    EventAlike: ["Fifth moves are alike", "五手打点视为相同"];
    AlikeShape: ["by the shape of the stones", "棋形对称"];
    AlikeBoard: ["by the whole board", "全盘对称"];
    EventPolicy: ["An engine that knows no openings", "引擎不懂开局规则时"];
    PolicyRefuse: ["is refused", "不予参赛"];
    PolicyArbiter: ["is answered for", "由裁判代答"];
    EventAssistant: ["Who answers for it", "代答者"];
    AssistantNone: ["Rules of thumb", "简单规则"];
    EventDraw: ["Draw by the scores", "按评分判和"];
    EventDrawTip: [
        "When both engines' scores were that near to 0 for so many moves, with so many stones",
        "双方评分连续若干手都接近 0，且盘上棋子达到指定数目"
    ];
    EventResign: ["Win by the scores", "按评分判胜"];
    EventResignTip: [
        "When both engines' scores gave the game to the same side for so many moves",
        "双方评分连续若干手都判同一方获胜"
    ];
    WindowMoves: ["moves", "手数"];
    WindowScore: ["score", "评分"];
    WindowStones: ["stones", "棋子"];
    EventMoveLimit: ["Draw at so many stones", "达到棋子数判和"];
    EventMoveLimitTip: ["A number of stones; empty is never", "棋子数目；留空不限"];
    EventIllegal: ["An illegal move", "非法着法"];
    IllegalForfeit: ["loses", "判负"];
    IllegalRetries: ["is asked again", "重新询问"];
    IllegalTimes: ["times", "次数"];
    EventForbidden: ["A forbidden move", "禁手"];
    ForbiddenAutomatic: ["loses at once", "立即判负"];
    ForbiddenClaim: ["loses when claimed", "对方指出才判负"];
    EventLate: ["A late answer", "超时"];
    LateLoss: ["loses", "判负"];
    LateSubstitute: ["is replaced", "由裁判代下"];
    EventDrawOffers: ["Draws may be offered", "允许提和"];
    EventPassing: ["Passing is allowed", "允许虚手"];
    EventMargin: ["Lag forgiven", "容许的延迟"];
    EventMarginTip: ["Seconds for each player: 0.2", "每方的秒数：0.2"];
    EventStall: ["Hung without a clock", "无棋钟时的上限"];
    EventStallTip: [
        "Seconds an engine without a clock may think; 0 is for ever",
        "无棋钟时引擎一步最多思考的秒数；0 为不限"
    ];
    EventStartup: ["Time to get ready", "准备时间"];
    EventStartupTip: ["Seconds an engine has to get ready: 10", "引擎准备就绪的秒数：10"];
    EventMarginPer: ["Lag is forgiven", "延迟的容许方式"];
    MarginPerGame: ["once a game", "每局一次"];
    MarginPerMove: ["in each move", "每步一次"];
    EventSendBoard: [
        "Tell text engines the whole position each time",
        "每次都把整个局面告诉文本引擎",
    ];
    EventCountStartup: ["Getting ready counts on the clock", "准备时间计入棋钟"];
    EventPonder: ["Engines think on their opponent's time", "允许后台思考"];
    EventSpoiled: ["A game the machine spoiled", "因机器而超时的对局"];
    SpoiledKeep: ["counts, flagged", "照算并注明"];
    SpoiledReplay: ["is played again", "重下"];
    EventStrictProtocol: [
        "Text engines lose by any line that is no answer",
        "文本引擎输出非回答的行即判负"
    ];
    EventRestart: ["Engines start anew for each game", "每局重新启动引擎"];
    EventSandbox: ["Refuse where a wall does not hold", "沙箱不完整则不参赛"];
    EventMemory: ["Memory of each engine", "每个引擎的内存"];
    EventMemoryTip: ["350MiB or 2GiB; empty is no limit", "350MiB 或 2GiB；留空不限"];
    EventScratch: ["Folder an engine may write in", "引擎可写的文件夹"];
    EventScratchTip: ["Its size: 350MiB or 2GiB; empty is none", "大小：350MiB 或 2GiB；留空则没有"];
    EventIsolation: ["WASM engines run", "WASM 引擎运行于"];
    IsolationChild: ["in processes of their own", "独立进程"];
    IsolationInside: ["in this one", "本进程"];
    EventCpus: ["CPUs", "CPU"];
    EventCpusTip: ["auto, none, or a list: 0,2,4-7", "auto、none 或列表：0,2,4-7"];
    EntrantLabel: ["Name in results", "成绩中的名称"];
    EntrantTc: ["Own time control", "单独用时"];
    EntrantTcTip: ["60+0.5; empty is the event's", "60+0.5；留空同赛事用时"];
    EntrantOptionsHint: ["for example Depth=6", "例如 Depth=6"];
    EntrantOptions: ["Options, one a line", "选项，每行一个"];
    EntrantAgain: ["Once more", "再加一个"];
    EntrantRemove: ["Take out", "移出"];
    FormField: ["{0}: {1}", "{0}：{1}"];
    FormEntrant: [
        "Engine {0}: its time control is as 60+0.5, its options as Depth=6",
        "第 {0} 个引擎：用时写作 60+0.5，选项写作 Depth=6"
    ];
    FormTooFew: ["Choose two engines or more", "请选择两个或更多引擎"];
    FormNoPositions: ["Name a file of opening positions", "请指定开局局面文件"];
    FormTestOfTwo: ["An SPRT is of two engines", "SPRT 只用于两个引擎"];
    FormTestBounds: [
        "SPRT: Elo 0 is below Elo 1; alpha and beta are above 0 and below 0.5",
        "SPRT：Elo 0 须小于 Elo 1；alpha 与 beta 须大于 0 且小于 0.5"
    ];
    FormFewCpus: ["There are fewer CPUs in the list than games at once", "所列 CPU 少于同时进行的局数"];
}
