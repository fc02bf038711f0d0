//! Games in files and on the clipboard.

texts! {
    MenuFile: ["File", "文件"];
    Open: ["Open…", "打开…"];
    Save: ["Save as…", "另存为…"];
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
    DoOpen: ["Open", "打开"];
    DoSave: ["Save", "保存"];
    Clipboard: ["The clipboard", "剪贴板"];
    Saved: ["Saved: {0}", "已保存：{0}"];
    SavedWithout: ["Saved: {0}. That format does not say: {1}", "已保存：{0}。该格式不包含：{1}"];
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
    FileUnsaid: ["{0}: {1}", "{0}：{1}"];
    SystemNotFound: ["it is not there, or its folder is gone", "不存在，或其文件夹已消失"];
    SystemDenied: ["you may not read or write there", "没有读写权限"];
    SystemFull: ["the disk is full", "磁盘已满"];
    SystemReadOnly: ["the disk can only be read", "磁盘只读"];
    SystemFolder: ["it is a folder", "这是一个文件夹"];
    SystemNoFolder: ["its folder is no folder", "其所在位置不是文件夹"];
    // Lists of games.
    GamesCount: ["{0} games", "{0} 局"];
    ColumnNumber: ["No.", "序号"];
    ColumnFirst: ["First", "先手"];
    ColumnSecond: ["Second", "后手"];
    ColumnResult: ["Result", "结果"];
    ColumnHow: ["Ended by", "终局方式"];
    ColumnStones: ["Stones", "子数"];
    GameTip: ["Click to open the game", "点击打开该局"];
    PositionSetUp: ["Position set up ({0} stones)", "已摆好的局面（{0} 子）"];
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
