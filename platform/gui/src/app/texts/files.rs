//! Games in files and on the clipboard.

texts! {
    MenuFile: ["File", "文件"];
    Open: ["Open…", "打开…"];
    Save: ["Save", "保存"];
    SaveAs: ["Save as…", "另存为…"];
    SavePicture: ["Save picture…", "保存图片…"];
    CopyPosition: ["Copy position", "复制局面"];
    CopyGame: ["Copy game", "复制棋谱"];
    Paste: ["Paste", "粘贴"];
    PlayHere: ["Play from here", "从此处开始对局"];
    // The dialog in which a file is named.
    FileName: ["File", "文件"];
    FileOpenTip: [
        "A record (jsonl, json), SGF, PSQ, points (pos, offset), an event's folder or toml",
        "对局记录（jsonl、json）、SGF、PSQ、坐标文本（pos、offset）、赛事文件夹或其 toml 文件"
    ];
    FileSaveTip: [
        "The ending names the format",
        "格式由文件名后缀决定"
    ];
    Browse: ["Browse…", "选择…"];
    FolderUp: ["Up", "上一级"];
    FolderEmpty: ["Nothing of this kind lies here", "这里没有此类文件"];
    FolderMore: ["{0} more are not shown here", "另有 {0} 项未列出"];
    FileEngine: ["Add an engine", "添加引擎"];
    FileSuite: ["Opening positions", "开局局面"];
    FileGround: ["Picture of the board", "棋盘图片"];
    DoTake: ["Take", "选用"];
    DoOpen: ["Open", "打开"];
    DoSave: ["Save", "保存"];
    DoCopy: ["Copy", "复制"];
    Copied: ["Copied as {0}", "已复制为 {0}"];
    CopiedWithout: [
        "Copied as {0}. That format does not say: {1}",
        "已复制为 {0}。该格式不包含：{1}"
    ];
    FileLost: ["This format does not say: {0}", "该格式不包含：{0}"];
    FileExists: [
        "{0} is there already; save once more to replace it",
        "{0} 已存在；再次保存即覆盖"
    ];
    // Leaving what is not saved.
    UnsavedTitle: ["Unsaved work", "尚未保存"];
    UnsavedAnalysis: [
        "Variations and comments of this study are in no file. Save them before it is closed?",
        "此研究的变化和评注尚未存入文件。关闭前是否保存？"
    ];
    UnsavedOther: [
        "What lies on this table is in no file. Save it before it is closed?",
        "此桌上的内容尚未存入文件。关闭前是否保存？"
    ];
    CloseQuestion: [
        "What lies on a table is in no file and cannot be kept. Close anyway?",
        "桌上的内容尚未存入文件，也无法自动暂存。是否关闭窗口？"
    ];
    CloseAnyway: ["Close", "关闭"];
    GameNotSaved: ["The game is not kept in {0}: {1}", "本局未能保存到 {0}：{1}"];
    GameDamaged: ["{0}: no game to go on with: {1}", "{0}：无法继续的对局：{1}"];
    AutosaveDamaged: [
        "What was unsaved on a table cannot be read; it lies in {0} ({1})",
        "有一张桌上未保存的内容无法读取，现存于 {0}（{1}）"
    ];
    AutosaveUnwritable: [
        "What is unsaved cannot be kept in {0}: {1}",
        "未保存的内容无法暂存到 {0}：{1}"
    ];
    AutosaveOld: [
        "What lay on a table had become too large to be kept; this is an older state of it",
        "桌上的内容过大，最后的改动未能暂存；此为之前的内容"
    ];
    AutosaveUnclaimed: [
        "What was unsaved lies in {0} and cannot be opened now: {1}",
        "未保存的内容现存于 {0}，现在无法打开：{1}"
    ];
    AutosaveTooLarge: [
        "This is too much to be kept in case of a crash: save it in a file",
        "内容过大，无法自动暂存：请存入文件"
    ];
    UnsavedDiscard: ["Discard", "不保存"];
    Clipboard: ["The clipboard", "剪贴板"];
    Saved: ["Saved: {0}", "已保存：{0}"];
    SavedWithout: ["Saved: {0}. That format does not say: {1}", "已保存：{0}。该格式不包含：{1}"];
    // What a format may not say.
    LostMoves: ["the moves", "着法"];
    LostVariations: ["variations", "变化"];
    LostComments: ["comments", "评注"];
    LostRemarks: ["remarks of other programs", "其他程序的附注"];
    LostOpening: ["the opening procedure", "开局规则"];
    LostChoices: ["who chose what in the opening", "开局中的选择"];
    LostEnding: ["how the game ended", "终局方式"];
    LostResult: ["the result", "结果"];
    LostPlayers: ["the players", "对局者"];
    LostRule: ["the rule", "规则"];
    LostControl: ["the time control", "计时方式"];
    LostTimes: ["the time of each move", "每手用时"];
    LostDecisions: ["decisions other than moves", "落子以外的决定"];
    LostRefused: ["refused answers", "被拒绝的应答"];
    LostPolicies: ["the event's policies", "赛事规定"];
    LostSeed: ["the seed", "随机种子"];
    LostNames: ["names beside ids", "代号以外的名称"];
    LostEngines: ["the engines' versions, hashes and sandboxes", "引擎的版本、校验值与沙箱"];
    LostSeats: ["times of either seat", "双方各自的用时"];
    LostWords: ["the last words", "终局说明"];
    LostSetUp: ["which stones were set up", "哪些是预先摆好的棋子"];
    SomeBad: ["{0} more cannot be read; the first: {1}", "另有 {0} 局无法读取；第一处：{1}"];
    // What is wrong with a file.
    FileSystem: ["{0}: {1}", "{0}：{1}"];
    FileUnknown: [
        "{0}: neither a game nor an event: expected a record, SGF, PSQ or points as in h8 i9",
        "{0}：不是棋谱也不是赛事：应为对局记录、SGF、PSQ 或如 h8 i9 的坐标"
    ];
    FileDamaged: ["{0}: damaged: {1}", "{0}：文件已损坏：{1}"];
    FileEmpty: ["{0}: there is no game in it", "{0}：其中没有对局"];
    FileNoFormat: [
        "{0}: the name must end in .jsonl .json .sgf .psq .pos .offset, or .png for a picture",
        "{0}：文件名须以格式结尾：.jsonl .json .sgf .psq .pos .offset，图片用 .png"
    ];
    FileSingle: [
        "{0}: this format holds one game only: take sgf, jsonl, pos or offset",
        "{0}：该格式只能保存一局：请选用 sgf、jsonl、pos 或 offset"
    ];
    FileUnsaid: ["{0}: {1}", "{0}：{1}"];
    SystemNotFound: ["it is not there, or its folder is gone", "不存在，或其文件夹已消失"];
    SystemDenied: ["you may not read or write there", "没有读写权限"];
    SystemFull: ["the disk is full", "磁盘已满"];
    SystemReadOnly: ["the disk can only be read", "磁盘只读"];
    SystemFolder: ["it is a folder", "这是一个文件夹"];
    SystemNoFolder: ["its folder is no folder", "其所在位置不是文件夹"];
    // Lists of games.
    GamesCount: ["{0} game{0:s}", "{0} 局"];
    ColumnNumber: ["No.", "序号"];
    ColumnFirst: ["First", "先手"];
    ColumnSecond: ["Second", "后手"];
    ColumnResult: ["Result", "结果"];
    ColumnHow: ["Ended by", "终局方式"];
    ColumnStones: ["Stones", "子数"];
    GameTip: ["Click to open the game", "点击打开该局"];
    PositionSetUp: ["Position set up ({0} stone{0:s})", "已摆好的局面（{0} 子）"];
    // How games end, in a word.
    ByFive: ["five in a row", "五连"];
    ByFull: ["full board", "棋盘已满"];
    ByPasses: ["passes", "双方停手"];
    ByOverline: ["overline", "长连禁手"];
    ByDoubleFour: ["double four", "四四禁手"];
    ByDoubleThree: ["double three", "三三禁手"];
    ByIllegal: ["illegal answer", "应答违规"];
    ByTimeout: ["timeout", "超时"];
    ByResignation: ["resignation", "认输"];
    ByAgreement: ["agreement", "议和"];
    ByAdjudication: ["adjudication", "裁定"];
    ByCrash: ["crash", "崩溃"];
    ByStall: ["no answer", "无应答"];
    ByProtocol: ["protocol error", "协议错误"];
    ByLimit: ["resource limit", "资源超限"];
    ByAbort: ["given up", "已放弃"];
}
