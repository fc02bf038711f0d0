//! What engines say while they think, and lines that are tried out.

texts! {
    LineOn: ["Further along the line", "沿变化前进"];
    LineBack: ["Back along the line", "沿变化后退"];
    Lines: ["Lines of engines", "引擎变化"];
    Graph: ["Evaluations and times", "评分与用时图"];
    PaneMoves: ["Move list", "着法表"];
    PaneLog: ["Log of {0}", "{0} 日志"];
    LogEmpty: ["It has printed nothing", "没有输出"];
    LogDropped: ["{0} older lines were dropped", "更早的 {0} 行已丢弃"];
    EngineDepth: ["depth {0}", "深度 {0}"];
    EngineNodes: ["{0} nodes", "{0} 节点"];
    EngineSpeed: ["{0} nodes/s", "{0} 节点/秒"];
    EngineLine: ["line {0}: {1}", "变化 {0}：{1}"];
    GraphLabel: ["Evaluations and times of {0} moves", "{0} 手的评分与用时"];
    GraphTip: ["{0}: up is good for black; bars are times", "{0}：上方对黑方有利；竖条为用时"];
    LineStone: ["{0} {1} in {2} moves", "{0} {1} 第 {2} 步"];
    Candidate: ["{0} candidate {1}", "{0} 候选 {1}"];
}
