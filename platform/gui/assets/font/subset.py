"""Makes NotoSansSC-subset.otf out of Noto Sans CJK: python3 subset.py NotoSansCJK-Regular.ttc

Keeps the 3,755 characters of GB 2312's first level, the kana, Chinese punctuation, and the few
characters beyond them that the names of openings are written with. Needs fonttools.
"""

import sys
from pathlib import Path

from fontTools import subset

BEYOND = "渓疎長雲嵐銀遊疏溪岚彗" + "弈枰帧馈拽邀匹罗夹叉" + "，。、；：？！“”‘’（）《》〈〉【】「」『』—…·～￥％＋－＝×÷　①②③④⑤⑥⑦⑧⑨⑩"


def first_level():
    """The characters of GB 2312's rows 16 to 55."""
    for row in range(0xB0, 0xD8):
        for cell in range(0xA1, 0xFF):
            try:
                yield bytes([row, cell]).decode("gb2312")
            except UnicodeDecodeError:
                pass


kana = {chr(code) for code in range(0x3041, 0x30FF)}
characters = set(first_level()) | set(BEYOND) | kana
subset.main([
    sys.argv[1],
    "--font-number=2",
    "--text=" + "".join(sorted(characters)),
    "--output-file=" + str(Path(__file__).with_name("NotoSansSC-subset.otf")),
    "--layout-features=",
    "--no-hinting",
    "--name-IDs=0,1,2,13,14",
    "--drop-tables+=DSIG,vmtx,vhea,VORG,GPOS,GSUB,GDEF,BASE",
])
