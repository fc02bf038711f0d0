//! The engines there are.

texts! {
    Engines: ["Engines…", "引擎…"];
    EnginesTitle: ["Engines", "引擎"];
    EngineFolder: ["Engines in {0} appear here automatically", "放入 {0} 的引擎会自动出现在这里"];
    EnginePath: ["Path or command", "路径或命令"];
    EnginePathTip: [
        "A library, a WASM module, a folder with an engine.xml, a program, cmd:COMMAND; or \
         drop a file",
        "动态库、WASM 模块、带 engine.xml 的文件夹、程序，或 cmd:命令；也可以把文件拖放到这里"
    ];
    EngineAdd: ["Add", "添加"];
    EngineRemove: ["Remove", "移除"];
    EngineCheck: ["Test", "测试"];
    EngineCheckAgain: ["Test again", "重新测试"];
    EngineCheckStop: ["Stop the test", "停止测试"];
    EngineRefused: ["Cannot be loaded", "无法加载"];
    EngineLoading: ["Loading…", "正在加载……"];
    EngineCannotStart: ["Cannot be started: {0}", "无法启动：{0}"];
    EngineChoose: ["Select an engine to see its details", "选择一个引擎以查看详情"];
    EngineBy: ["by {0}", "作者：{0}"];
    EnginePlays: ["plays {0}", "支持 {0}"];
    EnginePlaysAll: ["plays every rule", "支持全部规则"];
    EngineSandbox: ["sandbox denies: {0}", "沙箱禁止：{0}"];
    SandboxFiles: ["files", "文件"];
    SandboxNetwork: ["network", "网络"];
    SandboxMemory: ["other programs' memory", "其他内存"];
    SandboxCalls: ["system calls", "系统调用"];
    SandboxProcesses: ["other processes", "其他进程"];
    SandboxRights: ["new privileges", "提升权限"];
    EngineOptions: ["Options", "选项"];
    EngineOptionsNone: ["No options", "没有选项"];
    EngineDefault: ["Default", "默认值"];
    CheckRunning: ["Testing: {0} step{0:s} passed", "正在测试：已通过 {0} 项"];
    CheckPassed: ["All {0} step{0:s} passed", "{0} 项全部通过"];
    CheckFailed: ["{0} of {1} step{1:s} failed", "共 {1} 项，{0} 项未通过"];
    CheckImpossible: ["Cannot be tested: {0}", "无法测试：{0}"];
}
