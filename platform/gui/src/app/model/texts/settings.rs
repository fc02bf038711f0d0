//! Settings, keys and what goes wrong with them.

texts! {
    Settings: ["Settings…", "设置…"];
    Keys: ["Keys…", "快捷键…"];
    Sound: ["Sounds", "声音"];
    FourEdges: ["Coordinates on all sides", "四边坐标"];
    SettingsTitle: ["Settings", "设置"];
    KeysTitle: ["Keys", "快捷键"];
    Done: ["Done", "完成"];
    LanguageLabel: ["Language", "语言"];
    ThemeLabel: ["Theme", "界面"];
    PictureLabel: ["Picture of the board", "棋盘图片"];
    PictureTip: [
        "A PNG or JPEG file; you can also drop one here",
        "PNG 或 JPEG 文件，也可拖放到窗口"
    ];
    BackgroundLabel: ["Picture behind the window", "窗口背景图片"];
    MusicLabel: ["Music", "背景音乐"];
    MusicTip: [
        "A sound file that plays again and again while sounds are on: WAV, and what else the \
         system's player can play",
        "开启声音时循环播放的声音文件：WAV，以及系统播放器支持的其他格式"
    ];
    MusicUnplayable: ["This music cannot be played: {0}", "无法播放音乐：{0}"];
    PictureUse: ["Use", "使用"];
    PictureUnreadable: ["This picture cannot be shown: {0}", "无法显示图片：{0}"];
    NumbersLabel: ["Move numbers", "手数"];
    Off: ["Off", "关"];
    LastOnes: ["Last", "最近"];
    LastHowMany: ["How many", "最近几手"];
    All: ["All", "全部"];
    KeysTip: [
        "Click a key and press a new one; Escape cancels, Delete removes the key",
        "点击按键后按下新的组合；Esc 取消，Delete 删除快捷键"
    ];
    KeyAwaited: ["press a key", "请按键"];
    KeyNone: ["none", "无"];
    KeyConflict: ["also used by {0}", "与“{0}”冲突"];
    KeyTaken: ["its key is now used by {0}", "快捷键已归“{0}”"];
    KeyOf: ["key of {0}: {1}", "{0}的快捷键：{1}"];
    KeysReset: ["Reset all", "全部恢复默认"];
    SettingsDamaged: [
        "The settings file was damaged and has been reset; the old file is {0} ({1})",
        "设置文件已损坏，现使用默认设置；原文件保存为 {0}（{1}）"
    ];
    SettingsUnreadable: [
        "The settings in {0} cannot be read ({1}); changes will not be saved",
        "无法读取设置文件 {0}（{1}）；本次修改不会保存"
    ];
    SettingsUnwritable: [
        "The settings cannot be saved in {0} ({1})",
        "无法把设置保存到 {0}（{1}）"
    ];
}
