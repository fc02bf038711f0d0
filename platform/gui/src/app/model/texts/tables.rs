//! Tables on a server: opening one, going to one, playing there.

texts! {
    HostTable: ["Host…", "创建网络对局…"];
    JoinTable: ["Join…", "加入网络对局…"];
    // The form that opens a table.
    HostTitle: ["Host a table", "创建网络对局"];
    HostTip: [
        "Others join with this window, or with any browser, by the link that you send them",
        "把链接发给对方，对方用本程序或打开网页即可加入"
    ];
    HostOpen: ["Open the table", "创建"];
    HostStarting: ["Starting the server…", "正在启动服务……"];
    TableTitle: ["Title", "标题"];
    TableTitleTip: ["What the list calls the table", "在列表中显示的名称"];
    OwnName: ["Your name", "你的名字"];
    OwnNameTip: ["What the others see", "其他人看到的名字"];
    OwnSeat: ["You sit", "你的座位"];
    SeatOfFirst: ["first (black begins)", "甲方（先执黑）"];
    SeatOfSecond: ["second", "乙方"];
    SeatOfNobody: ["nowhere, you look on", "不入座，只旁观"];
    WhoComes: ["Who may come", "谁可以来"];
    TablePublic: ["Anybody: it is in the list", "任何人：列入公开列表"];
    TablePrivate: ["Only with the link", "只限有链接的人"];
    ListenAt: ["Listen at", "监听地址"];
    ListenAddress: ["Address", "地址"];
    ListenPort: ["Port", "端口"];
    ListenLocal: [
        "127.0.0.1 is for this computer alone. 0.0.0.0 lets everybody in who can reach this \
         computer; from outside your network, the router has to pass the port on",
        "127.0.0.1 只限本机。0.0.0.0 让能连到本机的人都能加入；如需从外网加入，还须在路由器上转发端口"
    ];
    ListenAll: [
        "Everybody who can reach this computer over a network can come to this address",
        "凡能通过网络连到本机的人，都可以访问这个地址"
    ];
    ListenWrong: [
        "The address is written as 127.0.0.1, 0.0.0.0 or ::1",
        "地址的写法如 127.0.0.1、0.0.0.0 或 ::1"
    ];
    TableMore: ["More settings", "更多设置"];
    TableMargin: ["Margin for late answers (tenths of a second)", "超时宽限（十分之一秒）"];
    TableSubstitutes: ["The server moves for a late player", "超时由服务器代下一手"];
    TableSubstitutesTip: [
        "A late answer costs the choice, not the game",
        "超时只失去这一手的选择，不判负"
    ];
    TableMoveLimit: ["Draw at this many stones (0: never)", "下满多少子判和（0 为不限）"];
    TableAbsence: ["Seconds away before the game is lost (0: never)", "离线多少秒判负（0 为不限）"];
    TableAllows: ["Allowed", "允许"];
    AllowDraw: ["Draws", "提和"];
    AllowPause: ["Pauses", "暂停"];
    Chat: ["Chat", "聊天"];
    AllowPassing: ["Passing", "停一手"];
    TableSwaps: ["Seats are exchanged when they play again", "再来一局时交换座位"];
    ServerTitle: ["The server", "服务器"];
    ServerShown: ["Host in the links", "链接中的主机名"];
    ServerShownTip: [
        "Empty: this computer's address. Else a name, such as play.example.org",
        "留空即用本机地址；否则填写别人访问本机所用的名称，例如 play.example.org"
    ];
    ServerShownWrong: [
        "The host in the links is written as play.example.org, or with a port: 192.0.2.7:8443",
        "链接中的主机名写法如 play.example.org，也可带端口：192.0.2.7:8443"
    ];
    ServerPassword: ["Owner's password", "主人密码"];
    ServerPasswordTip: [
        "Who has it opens tables here too and enters private ones. Empty: only you do",
        "知道它的人也能在此创建对局、进入私人对局；留空则只有你可以"
    ];
    ServerPasswordShort: [
        "The owner's password has fewer than 8 characters; choose a longer one, or none",
        "主人密码不足 8 个字符；请用更长的，或留空"
    ];
    ServerCertificate: ["Certificate", "证书"];
    ServerCertificateTip: [
        "A PEM file, as from Let's Encrypt. Empty: not encrypted",
        "PEM 文件，例如 Let's Encrypt 签发的；留空则不加密"
    ];
    ServerKey: ["Its key", "证书私钥"];
    ServerKeyTip: ["The PEM file of the certificate's key", "证书私钥的 PEM 文件"];
    ServerKeyMissing: [
        "A certificate and its key go together: name both files, or none",
        "证书和私钥须同时填写，或都留空"
    ];
    HostDiffers: [
        "A server of this window listens at {0} with other settings, engines or another \
         certificate. Close its tables, or choose another port",
        "本窗口已有服务器在 {0} 上以不同的设置运行。请先关闭它的对局，或换一个端口"
    ];
    TableEngines: ["Engines that seats may be handed to", "可以代下的引擎"];
    TableEnginesNone: ["There are no engines", "没有引擎"];
    // The form that goes to a table.
    JoinTitle: ["Join a table", "加入网络对局"];
    JoinAddress: ["Address or link", "地址或链接"];
    JoinAddressTip: [
        "A link that you were sent, or the address of a server, such as 192.168.1.7:8080",
        "对方发来的链接，或服务器地址，例如 192.168.1.7:8080"
    ];
    JoinWrong: [
        "This is neither an address such as 192.168.1.7:8080 nor a link to a table",
        "这既不是 192.168.1.7:8080 这样的地址，也不是对局链接"
    ];
    JoinPassword: ["Password", "密码"];
    JoinPasswordTip: [
        "Only where the server's owner has given you one",
        "只在服务器主人给了你密码时填写"
    ];
    JoinCertificateTip: [
        "Only where the server's certificate is its own, of no known authority: its PEM file",
        "只在服务器用自签证书时填写：该证书的 PEM 文件"
    ];
    JoinList: ["Show tables", "显示对局列表"];
    JoinPlay: ["Play", "入座对局"];
    JoinWatch: ["Look on", "旁观"];
    JoinTeam: ["Play with this engine", "用该引擎参赛"];
    JoinTeamTip: [
        "This is the link of a team: an engine of this window plays for it in an event",
        "这是参赛队的链接：由本窗口的一个引擎代表该队参赛"
    ];
    JoinTablesAtOnce: ["Games at a time", "同时对局数"];
    JoinTables: ["Tables at {0}", "{0} 上的对局"];
    JoinNone: ["There are no public tables now", "当前没有公开的对局"];
    JoinFree: ["free", "空位"];
    JoinAgain: ["Tables where you have a seat", "你有座位的对局"];
    JoinReturn: ["Return", "返回"];
    JoinForget: ["Forget", "忘记"];
    // The connection.
    LinkConnecting: ["Connecting to {0}…", "正在连接 {0}……"];
    LinkBroken: [
        "No connection: {0}. It is tried again; the clocks run on",
        "连接中断：{0}。正在重新连接，棋钟照常走"
    ];
    ListBroken: ["No connection: {0}. It is tried again", "连接中断：{0}。正在重新连接"];
    LinkAway: ["No connection; it is tried again", "连接中断，正在重新连接"];
    LinkRetry: ["Try now", "立即重试"];
    LinkClosed: ["The table is gone: {0}", "对局已关闭：{0}"];
    // At a table.
    TableWaiting: ["Waiting for a player", "等待对手入座"];
    TableHandOn: [
        "Waiting for a player: send the link in the pane “Table”",
        "等待对手入座：请发送“对局”栏中的链接"
    ];
    TableHeld: ["Waiting until {0} is back", "等待 {0} 回来"];
    TableScore: ["Game {2} · {0} : {1}", "第 {2} 局 · {0} : {1}"];
    TableViewers: ["{0} looking on", "{0} 人旁观"];
    SeatFree: ["Free seat", "空位"];
    SitHere: ["Sit here", "在此入座"];
    StandUp: ["Stand up", "离座"];
    PlayerAway: ["away", "离线"];
    PlayerLag: ["{0} ms", "{0} 毫秒"];
    PlayerLagTip: ["How long a message to the player and back takes", "消息往返所需时间"];
    PlayerServerEngine: ["engine", "引擎"];
    PlayerRemoteEngine: ["engine elsewhere", "远程引擎"];
    PlayAgain: ["Play again", "再来一局"];
    AskedUndo: ["{0} asks to take back", "{0} 请求悔棋"];
    AskedPause: ["{0} asks for a pause", "{0} 请求暂停"];
    AskedAgain: ["{0} wants to play again", "{0} 想再来一局"];
    AskingUndo: ["You asked to take back", "你已请求悔棋"];
    AskingDraw: ["You offered a draw", "你已提和"];
    AskingPause: ["You asked for a pause", "你已请求暂停"];
    AskingAgain: ["You asked to play again", "你已请求再来一局"];
    DeclinedUndo: ["{0} declined the take-back", "{0} 拒绝了悔棋"];
    DeclinedPause: ["{0} declined the pause", "{0} 拒绝了暂停"];
    DeclinedAgain: ["{0} declined another game", "{0} 拒绝了再来一局"];
    RequestAccept: ["Accept", "同意"];
    RequestDecline: ["Decline", "拒绝"];
    RequestWithdraw: ["Withdraw", "撤回"];
    AskToTakeBack: ["Ask to take back", "请求悔棋"];
    AskForPause: ["Ask for a pause", "请求暂停"];
    PassNow: ["Pass", "停一手"];
    YouYourself: ["You", "你自己"];
    HandToServer: ["{0} (of the server)", "{0}（服务器）"];
    HandToOwn: ["{0} (of this computer)", "{0}（本机）"];
    // The panes.
    PaneChatNew: ["Chat ({0})", "聊天（{0}）"];
    PaneTable: ["Table", "对局"];
    ChatEmpty: ["Nothing has been said yet", "还没有人说话"];
    ChatNone: ["There is no chat at this table", "本局不开放聊天"];
    ChatField: ["Say something", "输入聊天内容"];
    ChatSend: ["Send", "发送"];
    ChatPicture: ["Picture…", "图片…"];
    ChatPictureTitle: ["Show a picture to the table", "向本桌发送图片"];
    ChatPictureBy: ["Picture from {0}", "{0} 的图片"];
    ChatPictureGone: ["{0} showed a picture, which is not kept any more", "{0} 的图片已不再保存"];
    ChatLookingOn: ["{0} (looking on)", "{0}（旁观）"];
    LinkPlay: ["Link to play", "对局链接"];
    LinkWatch: ["Link to look on", "旁观链接"];
    LinkCopied: ["Copied: {0}", "已复制：{0}"];
    TableAt: ["{0} at {1}", "{1} 上的{0}"];
    TableLate: ["The server moves for a late player", "超时由服务器代下"];
    TableMarginIs: ["An answer may be {0} s late", "应答可迟到 {0} 秒"];
    TableUndos: ["take-backs of each player: {0}", "每人悔棋 {0} 次"];
    TableLimit: ["Draw at {0} stones", "下满 {0} 子判和"];
    TableAway: ["Who is away for {0} s loses", "离线 {0} 秒判负"];
    TableIsPublic: ["Public", "公开"];
    TableIsPrivate: ["Only with a link", "凭链接进入"];
    RemovePlayer: ["Remove {0}", "请 {0} 离座"];
    EndTable: ["Close the table", "关闭对局"];
    // Before it is left.
    LeaveTitle: ["People are at this table", "对局中有人"];
    LeavePlaying: [
        "Leave it? Your clock runs on. You come back by Game › Join…",
        "离开吗？你的棋钟会继续走。可从“对局”菜单的“加入网络对局…”返回。"
    ];
    LeaveHosted: [
        "Close it? The server runs in this window: the table ends for everybody",
        "关闭吗？服务器在本窗口中运行，对局会对所有人结束。"
    ];
    LeaveTeamTitle: ["This engine plays in an event", "该引擎正在参赛"];
    LeaveTeam: [
        "Stop it? Its clock runs on, and the event waits for it for a while. It comes back with \
         the same link",
        "停止吗？它的棋钟会继续走，赛事会等待它一段时间；用同一链接可以回来。"
    ];
    LeaveTeamDo: ["Stop it", "停止"];
    LeaveDo: ["Leave the table", "离开对局"];
    LeaveEnd: ["End the table", "结束对局"];
    LeaveWindow: [
        "Close the window? Games with others are under way; tables that it hosts end for everyone",
        "关闭窗口吗？有网络对局正在进行；由本窗口提供的对局会对所有人结束。"
    ];
    // What a server refuses.
    RefusedRules: ["Not allowed by the rules", "不合规则"];
    RefusedNow: ["Not now", "现在不行"];
    RefusedKey: ["The link does not allow that", "此链接无此权限"];
    RefusedTable: ["There is no such table", "没有这个对局"];
    RefusedSeat: ["No seat", "座位不可用"];
    RefusedSettings: ["The server does not take these settings", "服务器不接受这些设置"];
    RefusedEngine: ["The engine cannot play", "引擎无法对局"];
    RefusedOwnEngine: ["The engine of this computer stopped", "本机引擎已停止"];
    RefusedPicture: ["The picture was not taken", "图片没有发出"];
    RefusedTooFast: ["Too much at once", "操作过于频繁"];
    RefusedTooMany: ["The server has no room", "服务器已满"];
    RefusedPassword: ["The password is wrong", "密码不对"];
    RefusedVersion: ["The server speaks another version", "服务器的协议版本不同"];
    RefusedOther: ["The server refused that", "服务器拒绝了请求"];
}
