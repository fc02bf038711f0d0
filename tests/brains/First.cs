using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;

/// A Gomocup brain that plays the first empty point. It uses threads and a file first.
static class First {
    static int size = 15;
    static readonly HashSet<string> taken = new HashSet<string>();

    static void Main() {
        Parallel.For(0, 100, _ => { });
        var notes = Path.GetTempFileName();
        File.WriteAllText(notes, "notes");
        File.Delete(notes);
        for (string line; (line = Console.ReadLine()) != null;) {
            var words = line.Split(' ');
            switch (words[0]) {
                case "START": case "RESTART":
                    if (words.Length > 1) size = int.Parse(words[1]);
                    taken.Clear();
                    Console.WriteLine("OK");
                    break;
                case "BEGIN": Play(); break;
                case "TURN": taken.Add(words[1]); Play(); break;
                case "BOARD":
                    while ((line = Console.ReadLine()) != "DONE")
                        taken.Add(line.Substring(0, line.LastIndexOf(',')));
                    Play();
                    break;
                case "END": return;
            }
        }
    }

    static void Play() {
        for (int at = 0; at < size * size; at++) {
            var move = at % size + "," + at / size;
            if (taken.Add(move)) {
                Console.WriteLine(move);
                return;
            }
        }
    }
}
