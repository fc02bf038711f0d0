# A Gomocup brain that plays the first empty point, for any shell. It runs programs of the system.
size=15 taken=" "

play() {
    y=0
    while [ $y -lt "$size" ]; do
        x=0
        while [ $x -lt "$size" ]; do
            case $taken in *" $x,$y "*) ;; *) taken="$taken$x,$y "; echo "$x,$y"; return ;; esac
            x=$((x + 1))
        done
        y=$((y + 1))
    done
}

[ "$(printf 'b\na\n' | sort | head -n 1)" = a ] || exit 4
echo notes > "$TMPDIR/notes" && [ "$(cat "$TMPDIR/notes")" = notes ] || exit 5
while read -r word rest; do
    case $word in
    START | RESTART) size=${rest:-$size} taken=" "; echo OK ;;
    BEGIN) play ;;
    TURN) taken="$taken$rest "; play ;;
    BOARD)
        while read -r line && [ "$line" != DONE ]; do taken="$taken${line%,*} "; done
        play
        ;;
    END) exit 0 ;;
    esac
done
