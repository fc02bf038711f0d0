//! Games in files and on the clipboard.

texts! {
    File: ["File", "文件"];
    Open: ["Open…", "打开…"];
    Save: ["Save", "保存"];
    SaveAs: ["Save as…", "另存为…"];
    SavePicture: ["Save picture…", "保存图片…"];
    CopyPosition: ["Copy position", "复制局面"];
    CopyGame: ["Copy game", "复制棋谱"];
    Paste: ["Paste", "粘贴"];
    PlayHere: ["Play from here", "从此处开始对局"];
    // The dialog in which a file is named.
    FileOpenTip: [
        "A record (jsonl, json), SGF, PSQ, positions (pos, offset), a Chinese contest's record \
         (txt), RenLib (lib), RenjuNet (rif), an event's folder or TOML file",
        "对局记录（jsonl、json）、SGF、PSQ、坐标文本（pos、offset）、博弈大赛棋谱（txt）、\
         RenLib（lib）、RenjuNet（rif）、赛事文件夹或其 toml 文件"
    ];
    FileSaveTip: [
        "The extension decides the format: txt is that of the Chinese contests (CCGC), lib that of \
         RenLib",
        "格式由文件名后缀决定：txt 为计算机博弈大赛棋谱，lib 为 RenLib"
    ];
    Browse: ["Browse…", "选择…"];
    FolderUp: ["Up", "上一级"];
    FolderEmpty: ["No matching files", "没有匹配的文件"];
    FolderMore: ["{0} more not shown", "另有 {0} 项未列出"];
    FileEngine: ["Add an engine", "添加引擎"];
    FileSuite: ["Opening positions", "开局局面"];
    DoTake: ["Choose", "选用"];
    DoOpen: ["Open", "打开"];
    DoCopy: ["Copy", "复制"];
    Copied: ["Copied as {0}", "已复制为 {0}"];
    CopiedWithout: [
        "Copied as {0}. This format does not include: {1}",
        "已复制为 {0}。该格式不包含：{1}"
    ];
    FileLost: ["This format does not include: {0}", "该格式不包含：{0}"];
    FileExists: ["{0} already exists; save again to replace it", "{0} 已存在；再次保存即覆盖"];
    // Leaving what is not saved.
    UnsavedTitle: ["Unsaved changes", "尚未保存"];
    UnsavedAnalysis: [
        "Save the variations and comments of this analysis before closing?",
        "关闭前保存此分析的变化和评注吗？"
    ];
    UnsavedOther: ["Save changes before closing?", "关闭前保存更改吗？"];
    CloseQuestion: [
        "Some tabs have unsaved changes that could not be autosaved. Close anyway?",
        "有标签页的更改尚未保存，也无法自动保存。仍要关闭吗？"
    ];
    GameDamaged: ["{0}: this game cannot be resumed: {1}", "{0}：无法继续的对局：{1}"];
    AutosaveDamaged: [
        "An autosaved tab is damaged; its file is {0} ({1})",
        "自动保存的标签页已损坏，文件为 {0}（{1}）"
    ];
    AutosaveFailed: ["Autosave failed: {0}: {1}", "自动保存失败：{0}：{1}"];
    AutosaveOld: [
        "A tab had become too large to autosave; this is an older version of it",
        "有标签页过大，未能自动保存最后的更改；此为之前的内容"
    ];
    AutosaveUnclaimed: [
        "Unsaved changes in {0} cannot be opened now: {1}",
        "{0} 中未保存的更改现在无法打开：{1}"
    ];
    AutosaveTooLarge: [
        "This tab is too large to autosave: save it in a file",
        "此标签页过大，无法自动保存：请存入文件"
    ];
    UnsavedDiscard: ["Discard", "不保存"];
    Clipboard: ["The clipboard", "剪贴板"];
    Saved: ["Saved: {0}", "已保存：{0}"];
    SavedWithout: [
        "Saved: {0}. This format does not include: {1}",
        "已保存：{0}。该格式不包含：{1}"
    ];
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
    LostSeats: ["each player's own time", "双方各自的用时"];
    LostWords: ["details of the end", "终局说明"];
    LostSetUp: ["which stones were set up", "哪些是预先摆好的棋子"];
    SomeDamaged: ["{0} game{0:s} could not be read; the first: {1}", "{0} 局无法读取；第一处：{1}"];
    SomeUnread: [
        "{0} place{0:s} could not be read as written; the first: {1}",
        "{0} 处未能照原样读取；第一处：{1}"
    ];
    // What is wrong with a file.
    Named: ["{0}: {1}", "{0}：{1}"];
    FileUnknown: [
        "{0}: not a game or an event: expected a record, SGF, PSQ, CCGC, RenLib or moves such \
         as h8 i9",
        "{0}：不是棋谱也不是赛事：应为对局记录、SGF、PSQ、博弈大赛棋谱、RenLib 或如 h8 i9 的坐标"
    ];
    FileDamaged: ["{0}: the file is damaged: {1}", "{0}：文件已损坏：{1}"];
    FileEmpty: ["{0}: no games found", "{0}：没有找到对局"];
    FileNoFormat: [
        "{0}: the name must end in .jsonl .json .sgf .psq .pos .offset .txt .lib, or .png for a \
         picture",
        "{0}：文件名须以格式结尾：.jsonl .json .sgf .psq .pos .offset .txt .lib，图片用 .png"
    ];
    FileSingle: [
        "{0}: this format holds only one game: use sgf, jsonl, pos or offset",
        "{0}：该格式只能保存一局：请选用 sgf、jsonl、pos 或 offset"
    ];
    SystemNotFound: ["file or folder not found", "找不到文件或文件夹"];
    SystemDenied: ["permission denied", "没有读写权限"];
    SystemFull: ["the disk is full", "磁盘已满"];
    SystemReadOnly: ["the disk is read-only", "磁盘只读"];
    SystemFolder: ["it is a folder", "这是一个文件夹"];
    SystemNoFolder: ["not a folder", "不是文件夹"];
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
    ByPasses: ["passes", "双方停一手"];
    ByOverline: ["overline", "长连禁手"];
    ByDoubleFour: ["double four", "四四禁手"];
    ByDoubleThree: ["double three", "三三禁手"];
    ByIllegal: ["illegal answer", "应答违规"];
    ByTimeout: ["timeout", "超时"];
    ByResignation: ["resignation", "认输"];
    ByAgreement: ["agreement", "议和"];
    ByAdjudication: ["adjudication", "裁定"];
    ByProof: ["proved win", "证明必胜"];
    ByRuling: ["referee's ruling", "裁判判定"];
    ByCrash: ["crash", "崩溃"];
    ByStall: ["no answer", "无应答"];
    ByProtocol: ["protocol error", "协议错误"];
    ByLimit: ["resource limit", "超出资源限制"];
    ByUnasked: ["computed while paused", "暂停时计算"];
    ByAbort: ["stopped", "已停止"];
}
