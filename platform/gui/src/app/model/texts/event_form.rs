//! The form of a new event.

texts! {
    EventEnginesNone: ["No engines yet; add one", "还没有引擎，请先添加"];
    EventRemoteName: ["Name of a team elsewhere", "异地队名"];
    EventRemoteTip: [
        "It plays with its engine from another computer, and gets a link when the event starts",
        "该队在另一台电脑上用自己的引擎参赛；赛事开始时会有它的链接"
    ];
    EventRemoteAdd: ["Add remote engine", "添加远程引擎"];
    EventRemoteOf: ["{0} (remote)", "{0}（远程）"];
    EventServe: ["Show it in a browser while it runs", "进行时可在网页上观看"];
    EventServer: ["Server", "服务器"];
    EventRemoteWait: ["Wait for a remote engine", "等待远程引擎"];
    EventRemoteWaitTip: [
        "Seconds that one is waited for that is away; leave empty for 600",
        "断线后最多等待的秒数；留空为 600"
    ];
    EventAbsent: ["An engine that does not come", "引擎未能参赛时"];
    AbsentAside: ["is left out", "退出赛事"];
    AbsentForfeit: ["loses its games", "判负"];
    AbsentRefuse: ["stops the event", "停止赛事"];
    EventTc: ["Time control", "用时"];
    EventTcTip: [
        "Seconds per game plus increment: 60+0.5; seconds per move: move=5; nodes=N, depth=N",
        "每局秒数加每步加秒：60+0.5；每步秒数：move=5；nodes=N、depth=N"
    ];
    EventGames: ["Games per pairing", "每两者对局数"];
    EventGamesTip: [
        "In pairs from the same opening; the players change places for the second game",
        "成对进行：同一开局，双方交换先后手"
    ];
    EventGamesMost: ["Maximum games", "最多对局数"];
    EventConcurrency: ["Concurrent games", "同时进行局数"];
    EventOpenings: ["File of opening positions", "开局局面文件"];
    EventOpeningsTip: [
        "One position per line: h8 h9 i9, or offsets from the centre: 0,0, 1,-1",
        "每行一个局面：h8 h9 i9，或相对中心的偏移：0,0, 1,-1"
    ];
    EventPositions: ["{0} position{0:s}", "{0} 个局面"];
    EventOrder: ["Order of positions", "局面顺序"];
    OrderSequential: ["As in the file", "按文件顺序"];
    Random: ["Random", "随机"];
    EventSymmetries: ["Symmetries", "旋转与镜像"];
    EventOpeningsStart: ["First position", "起始局面"];
    EventOpeningsStartTip: [
        "The number of the first position to play, from 1; empty: the first",
        "从第几个局面开始，由 1 起数；留空则从第一个开始"
    ];
    EventOpeningsCount: ["Number of positions", "局面数"];
    EventOpeningsCountTip: [
        "How many positions to play from there on before one is repeated; empty: all. Two machines \
         with the same seed can each play a part of one file",
        "从该处起使用多少个局面后才重复；留空则用完全部。两台机器用同一种子，可各下同一文件的一部分"
    ];
    SymmetriesUsual: ["Random in a test, else none", "检验时随机，否则不变换"];
    SymmetriesNone: ["None", "不变换"];
    SymmetriesAll: ["All eight in turn", "八种依次"];
    EventSprt: ["Stop when decided (SPRT)", "分出高下即停（SPRT）"];
    EventSprtTip: [
        "Stops when it is clear whether the first engine is stronger by Elo 1 or only by Elo 0",
        "一旦能判定第一个引擎强出 Elo 1，或至多强出 Elo 0，即告结束"
    ];
    SprtElo0: ["Elo 0", "Elo 0"];
    SprtElo1: ["Elo 1", "Elo 1"];
    SprtAlpha: ["Alpha", "Alpha"];
    SprtBeta: ["Beta", "Beta"];
    EventFormat: ["Format", "赛制"];
    FormatRoundRobin: ["Round-robin", "循环赛"];
    FormatGauntlet: ["Gauntlet", "擂台赛"];
    FormatSwiss: ["Swiss", "瑞士制"];
    FormatKnockout: ["Knockout", "单淘汰"];
    FormatDouble: ["Double elimination", "双败淘汰"];
    FormatLadder: ["Ladder", "阶梯赛"];
    FormatGroups: ["Groups", "分组循环"];
    FormatStages: ["Stages, as in the file", "多阶段，按文件"];
    EventRounds: ["Rounds", "轮数"];
    EventGroups: ["Number of groups", "组数"];
    EventMore: ["More", "更多选项"];
    EventEndings: ["How games end", "对局判定"];
    EventClocks: ["Clocks", "计时"];
    EventMachine: ["Engines and machine", "引擎与机器"];
    EventEach: ["Each engine", "各引擎"];
    EventSeed: ["Seed", "随机种子"];
    EventSeedTip: [
        "All random choices follow from it: a whole number from 0",
        "一切随机结果由它决定：从 0 起的整数"
    ];
    EventFolder: ["Folder of the event", "赛事文件夹"];
    EventFolderTip: [
        "A new folder; leave empty to number it automatically",
        "新建的文件夹；留空则自动编号"
    ];
    EventFifths: ["Number of fifth moves", "五手打点数"];
    EventFifthsTip: [
        "3, or 1..5; leave empty for the opening's default",
        "3 或 1..5；留空按开局规则"
    ];
    EventAlike: ["Fifth moves are alike", "五手打点视为相同"];
    AlikeShape: ["by the shape of the stones", "棋形对称"];
    AlikeBoard: ["by the whole board", "全盘对称"];
    EventPolicy: ["An engine without this opening", "引擎不懂开局规则时"];
    PolicyRefuse: ["is refused", "不予参赛"];
    PolicyArbiter: ["gets help", "由裁判代答"];
    EventAssistant: ["Who helps", "代答者"];
    AssistantNone: ["Simple rules", "简单规则"];
    EventDraw: ["Draw by scores", "按评分判和"];
    EventDrawTip: [
        "When both scores were this close to 0 for this many moves, with at least this many stones",
        "双方评分连续若干手都接近 0，且盘上棋子达到指定数目"
    ];
    EventResign: ["Win by scores", "按评分判胜"];
    EventResignTip: [
        "When both scores showed the same winner for this many moves",
        "双方评分连续若干手都判同一方获胜"
    ];
    EventProof: ["Win by a proof", "按证明判胜"];
    EventProofTip: [
        "When the player to move wins by fours, whatever is replied",
        "轮到的一方连续冲四必胜，无论对方如何应对"
    ];
    WindowNodes: ["nodes", "节点"];
    WindowMoves: ["moves", "手数"];
    WindowScore: ["score", "评分"];
    WindowStones: ["stones", "棋子"];
    EventMoveLimit: ["Draw at this number of stones", "达到棋子数判和"];
    EventMoveLimitTip: ["A number of stones; leave empty for no limit", "棋子数目；留空不限"];
    EventIllegal: ["An illegal move", "非法着法"];
    Loses: ["loses", "判负"];
    IllegalRetries: ["is asked again", "重新询问"];
    IllegalReplaced: ["is replaced", "由内置引擎代下"];
    IllegalTimes: ["times", "次数"];
    EventForbidden: ["A forbidden move", "禁手"];
    ForbiddenAutomatic: ["loses immediately", "立即判负"];
    ForbiddenClaim: ["loses when claimed", "对方指出才判负"];
    EventLate: ["A late answer", "超时"];
    LateSubstitute: ["is replaced", "由裁判代下"];
    EventDrawOffers: ["Draws may be offered", "允许提和"];
    EventPassing: ["Passing is allowed", "允许停一手"];
    EventMargin: ["Margin for late answers", "超时宽限"];
    EventMarginTip: ["Seconds for each player: 0.2", "每方的秒数：0.2"];
    EventStall: ["Longest move without a clock", "无棋钟时的上限"];
    EventStallTip: [
        "Seconds an engine may think without a clock; 0 means no limit",
        "无棋钟时引擎一步最多思考的秒数；0 为不限"
    ];
    EventStartup: ["Startup time", "准备时间"];
    EventStartupTip: ["Seconds an engine has to start: 10", "引擎准备就绪的秒数：10"];
    EventMarginPer: ["The margin applies", "超时宽限的计算"];
    MarginPerGame: ["once per game", "每局一次"];
    MarginPerMove: ["to each move", "每步一次"];
    EventSendBoard: [
        "Send text engines the whole position each time",
        "每次都把整个局面告诉文本引擎"
    ];
    EventCountStartup: ["Startup time counts on the clock", "准备时间计入棋钟"];
    EventPonder: ["Engines think on their opponent's time", "允许后台思考"];
    EventSpoiled: ["A game spoiled by the machine", "受机器干扰的对局"];
    SpoiledKeep: ["counts, but is marked", "照算并注明"];
    SpoiledReplay: ["is played again", "重下"];
    SpoiledReplayPair: ["is played again with its pair", "连同另一局重下"];
    EventStrictProtocol: [
        "Text engines lose if they send an unexpected line",
        "文本引擎输出非回答的行即判负"
    ];
    EventChanged: ["An engine whose file is changed during the event", "赛中文件被改动的引擎"];
    ChangedKeep: ["plays on as it was", "仍用原来的文件"];
    ChangedStop: ["plays no more", "不再参赛"];
    EventRestart: ["A new process for each game", "每局启动新进程"];
    RestartAuto: ["if the board may not be cleared", "棋盘可能未清空时"];
    RestartOn: ["always", "总是"];
    RestartOff: ["never", "从不"];
    EventSandbox: ["Require a complete sandbox", "沙箱不完整则不参赛"];
    EventMemory: ["Memory of each engine", "每个引擎的内存"];
    EventMemoryTip: ["350MiB or 2GiB; leave empty for no limit", "350MiB 或 2GiB；留空不限"];
    EventScratch: ["Folder an engine may write in", "引擎可写的文件夹"];
    EventScratchTip: ["Its size: 350MiB or 2GiB; leave empty for none", "大小：350MiB 或 2GiB；留空则没有"];
    EventIsolation: ["WASM engines run", "WASM 引擎运行于"];
    IsolationChild: ["in separate processes", "独立进程"];
    IsolationInside: ["in this process", "本进程"];
    EventCpus: ["CPUs", "CPU"];
    EventCpusTip: ["auto, none, or a list: 0,2,4-7", "auto、none 或列表：0,2,4-7"];
    EntrantLabel: ["Name in results", "成绩中的名称"];
    EntrantTc: ["Own time control", "单独用时"];
    EntrantTcTip: ["60+0.5; leave empty for the event's", "60+0.5；留空同赛事用时"];
    EntrantOptionsHint: ["for example Depth=6", "例如 Depth=6"];
    EntrantOptions: ["Options, one per line", "选项，每行一个"];
    EntrantAgain: ["Add again", "再加一个"];
    EntrantRemove: ["Remove", "移出"];
    FormEntrant: [
        "Engine {0}: write its time control as 60+0.5 and its options as Depth=6",
        "第 {0} 个引擎：用时写作 60+0.5，选项写作 Depth=6"
    ];
    FormTooFew: ["Choose two engines or more", "请选择两个或更多引擎"];
    FormNoPositions: [
        "Choose a file of opening positions, or another opening; balanced positions are there for \
         boards from 13x13 on",
        "请指定开局局面文件，或改选其他开局规则；自带的均衡局面只用于 13x13 及更大的棋盘"
    ];
    FormTestOfTwo: ["An SPRT needs exactly two engines", "SPRT 只用于两个引擎"];
    FormTestBounds: [
        "SPRT: Elo 0 must be below Elo 1; alpha and beta must be between 0 and 0.5",
        "SPRT：Elo 0 须小于 Elo 1；alpha 与 beta 须大于 0 且小于 0.5"
    ];
    FormFewCpus: ["The list has fewer CPUs than concurrent games", "所列 CPU 少于同时进行的局数"];
}
