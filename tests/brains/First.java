import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** A Gomocup brain that plays the first empty point. It uses threads, a file and memory first. */
class First {
    private static int size = 15;
    private static final Set<String> TAKEN = new HashSet<>();

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (IntStream.range(0, 1000).parallel().sum() != 499500) System.exit(4);
        var notes = Files.createTempFile("notes", ".txt");
        Files.writeString(notes, "notes");
        Files.delete(notes);
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            var words = line.split(" ");
            switch (words[0]) {
                case "START", "RESTART" -> {
                    if (words.length > 1) size = Integer.parseInt(words[1]);
                    TAKEN.clear();
                    System.out.println("OK");
                }
                case "BEGIN" -> play();
                case "TURN" -> {
                    TAKEN.add(words[1]);
                    play();
                }
                case "BOARD" -> {
                    while (!(line = in.readLine()).equals("DONE")) {
                        TAKEN.add(line.substring(0, line.lastIndexOf(',')));
                    }
                    play();
                }
                case "END" -> System.exit(0);
                default -> { }
            }
        }
    }

    private static void play() {
        for (int at = 0; at < size * size; at++) {
            var move = at % size + "," + at / size;
            if (TAKEN.add(move)) {
                System.out.println(move);
                return;
            }
        }
    }
}
