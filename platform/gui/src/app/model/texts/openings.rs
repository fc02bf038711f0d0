//! What happens in each opening procedure. The seats are those of the dialog.

texts! {
    OpeningBookTip: ["The game starts from the stones of the position", "对局从指定局面开始"];
    OpeningProTip: [
        "Black's first stone is on the centre, the second one outside the central 5×5",
        "黑方第一手下在天元，第二手须下在中央 5×5 之外"
    ];
    OpeningLongProTip: [
        "Black's first stone is on the centre, the second one outside the central 7×7",
        "黑方第一手下在天元，第二手须下在中央 7×7 之外"
    ];
    OpeningSwapTip: [
        "The first player places three stones, the second one chooses a colour",
        "甲方摆三子，乙方选择执黑或执白"
    ];
    OpeningSwap2Tip: [
        "The first player places three stones; the second one chooses a colour, or places two \
         more, after which the first one chooses a colour",
        "甲方摆三子；乙方选择执黑或执白，或再摆两子，由甲方选择"
    ];
    OpeningRifTip: [
        "The first player places one of the 26 openings, the second one may swap; black \
         offers two fifth moves, of which white picks one",
        "甲方摆出 26 种开局之一，乙方可交换；黑方提出两个五手打点，白方选定其一"
    ];
    OpeningContestTip: [
        "The first player places one of the 26 openings and declares how many fifth moves are \
         offered, up to 5; the second one may swap; white picks one of them",
        "甲方摆出 26 种开局之一并宣布五手打点数（最多 5 个），乙方可交换；白方选定其一"
    ];
    OpeningYamaguchiTip: [
        "The first player places one of the 26 openings and declares how many fifth moves are \
         offered, up to 12; the second one may swap; white picks one of them",
        "甲方摆出 26 种开局之一并宣布五手打点数（最多 12 个），乙方可交换；白方选定其一"
    ];
    OpeningSoosorv8Tip: [
        "The first player places one of the 26 openings, the second one may swap; white \
         places the fourth stone and declares how many fifth moves are offered, up to 8; \
         black may swap; white picks one of them",
        "甲方摆出 26 种开局之一，乙方可交换；白方下第四手并宣布五手打点数（最多 8 个），黑方可交换；白方选定其一"
    ];
    OpeningTaraguchi10Tip: [
        "The first five stones are placed in larger and larger squares, and after each one the \
         other player may swap; instead of the fifth stone, black may offer ten, of which white \
         picks one",
        "前五手依次下在逐渐扩大的方形之内，每一手之后对方可交换；黑方也可改为提出十个五手打点，由白方选定其一"
    ];
}
