//! What engines say while they think, and lines that are tried out.

texts! {
    Analyse: ["Analyse", "分析"];
    AnalysisHint: ["Try variations; the game itself does not change", "试走变化，不影响对局"];
    AnalysisOf: ["Analysis: {0}", "分析：{0}"];
    AnalysisUnsaved: ["Analysis: {0} *", "分析：{0} *"];
    AnalysisChanged: ["Unsaved changes", "改动尚未存入文件"];
    AnalysisChangedIn: ["Changed since saved: {0}", "保存后又有改动：{0}"];
    AnalysisSaved: ["Saved in {0}", "文件：{0}"];
    AnalysisNoEngine: ["No engine", "不用引擎"];
    AnalysisEngine: ["Analysis engine", "分析引擎"];
    AnalysisLines: ["Number of lines", "显示变化数"];
    AnalysisBranch: ["variation {0}", "变化 {0}"];
    AnalyseAll: ["Analyse all", "分析全部"];
    AnalyseAllTip: ["Analyse the moves from the last to the first", "从最后一手起逐手分析"];
    AnalysisMainLine: ["main line", "主变"];
    AnalysisSideLine: ["instead of move {0}: {1}", "第 {0} 手的变化：{1}"];
    AnalysisLinesUnit: [" lines", " 条变化"];
    AnalysisPromote: ["Make main line", "设为主变"];
    AnalysisDelete: ["Delete from here", "从此处删除"];
    AnalysisComment: ["Comment", "评注"];
    LineOn: ["Next move of the engine line", "沿变化前进"];
    LineBack: ["Previous move of the engine line", "沿变化后退"];
    Lines: ["Engine lines", "引擎变化"];
    Graph: ["Evaluations and times", "评分与用时图"];
    PaneMoves: ["Move list", "着法表"];
    PaneLog: ["Log of {0}", "{0} 日志"];
    LogEmpty: ["No output", "没有输出"];
    LogDropped: ["{0} older lines were dropped", "更早的 {0} 行已丢弃"];
    EngineDepth: ["depth {0}", "深度 {0}"];
    EngineNodes: ["{0} node{0:s}", "{0} 节点"];
    EngineSpeed: ["{0} nodes/s", "{0} 节点/秒"];
    EngineRate: ["{0}/s", "{0}/秒"];
    ColumnNodes: ["Nodes", "节点"];
    ColumnSpeed: ["Speed", "速度"];
    GraphLabel: ["Evaluations and times of {0} move{0:s}", "{0} 手的评分与用时"];
    GraphTip: ["{0}: up is good for black; bars are times", "{0}：上方对黑方有利；竖条为用时"];
    LineStone: ["{0} {1} in {2} move{2:s}", "{0} {1} 第 {2} 步"];
    Candidate: ["{0} candidate {1}", "{0} 候选 {1}"];
}
