//! Positions that are set up by hand.

texts! {
    SetUp: ["Set up position", "摆设局面"];
    EditorBrush: ["A click places", "点击落子"];
    BrushInTurn: ["in turn", "黑白交替"];
    BrushBlack: ["black", "黑子"];
    BrushWhite: ["white", "白子"];
    BrushNothing: ["removes", "移除"];
    EditorToMove: ["To move", "轮到"];
    EditorClear: ["Clear the board", "清空棋盘"];
    EditorReady: ["{0} stone{0:s}; a game can start from here", "共 {0} 子；可以从此处开始对局"];
    EditorTurnBlack: [
        "Black to move needs as many black as white stones, not {0} and {1}",
        "轮到黑方时黑白子数须相等，现为 {0} 与 {1}"
    ];
    EditorTurnWhite: [
        "White to move needs one more black than white stones, not {0} and {1}",
        "轮到白方时黑子须比白子多一颗，现为 {0} 与 {1}"
    ];
    EditorOver: [
        "The game would be over: there is a winning row at {0}",
        "棋局已结束：{0} 处已连成"
    ];
    EditorForbidden: [
        "In any order of moves, {0} is forbidden for black: {1}",
        "无论以何种次序落子，{0} 都是黑方禁手：{1}"
    ];
    EditorUnsure: [
        "No order of moves was found in which {0} is not forbidden for black: {1}",
        "未找到使 {0} 不为黑方禁手（{1}）的落子次序"
    ];
    EditorUnsureRow: [
        "No order of moves was found in which the row at {0} does not end the game",
        "未找到使 {0} 处不连成五子的落子次序"
    ];
    EditorFull: ["The board is full", "棋盘已满"];
}
