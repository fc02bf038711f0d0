//! How games end.

texts! {
    GameStopped: ["The game was stopped", "对局已停止"];
    MatchStopped: ["The match was stopped", "比赛已停止"];
    GameOver: ["The game is over", "对局结束"];
    MatchOver: ["The match is over", "比赛结束"];
    DrawFull: ["Draw: the board is full", "和棋：棋盘已满"];
    DrawPasses: ["Draw: both passed", "和棋：双方均停一手"];
    DrawAgreed: ["Draw by agreement", "双方议和"];
    DrawAborted: ["Stopped; it does not count", "已停止，不计结果"];
    DrawAdjudicated: ["Draw by adjudication", "裁定和棋"];
    Side: ["{0} ({1})", "{0}（{1}）"];
    Draw: ["Draw", "和棋"];
    WonAlone: ["{0} won", "{0}胜"];
    Won: ["{0} won: {1}", "{0}胜：{1}"];
    EndOverline: ["{0} made a forbidden overline", "{0}下出长连禁手"];
    EndDoubleFour: ["{0} made a forbidden double four", "{0}下出四四禁手"];
    EndDoubleThree: ["{0} made a forbidden double three", "{0}下出三三禁手"];
    EndIllegal: ["{0} gave an illegal answer", "{0}应答违规"];
    EndTimeout: ["{0} ran out of time", "{0}超时"];
    EndResigned: ["{0} resigned", "{0}认输"];
    EndCrash: ["{0} crashed", "{0}崩溃"];
    EndStall: ["{0} did not answer", "{0}无应答"];
    EndProtocol: ["{0} broke the protocol", "{0}违反协议"];
    EndLimit: ["{0} exceeded a resource limit", "{0}超出资源限制"];
    EndUnasked: ["{0} computed in its opponent's time", "{0}在对方用时内计算"];
    EndAdjudicated: ["adjudicated", "裁定"];
}
