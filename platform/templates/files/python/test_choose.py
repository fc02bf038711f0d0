"""`python3 -m unittest`: the engine plays legally and completes a row of five."""

import unittest

from choose import choose
from tengen_brain import OPPONENT, OWN, Board, Clock


class ChooseTest(unittest.TestCase):
    def test_it_completes_a_row_of_five(self):
        board = Board(15, 15)
        for x in range(4):
            board.place(7 + x, 7, OWN)
            board.place(x, 0, OPPONENT)
        self.assertIn(choose(board, Clock({})), ((6, 7), (11, 7)))

    def test_it_plays_on_an_empty_board(self):
        self.assertEqual(choose(Board(15, 15), Clock({})), (7, 7))


if __name__ == "__main__":
    unittest.main()
