#!/bin/sh
# A Gomocup brain that plays the first empty point, or the last one: the file corner.txt beside it
# says from which corner, and `wanted` is what it says of the first.
wanted=first
read -r corner < "${0%/*}/corner.txt"
size=15 taken=" "

play() {
    n=0
    while [ $n -lt $((size * size)) ]; do
        point=$n
        [ "$corner" = "$wanted" ] || point=$((size * size - 1 - n))
        x=$((point % size)) y=$((point / size))
        case $taken in *" $x,$y "*) ;; *) taken="$taken$x,$y "; echo "$x,$y"; return ;; esac
        n=$((n + 1))
    done
}

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
