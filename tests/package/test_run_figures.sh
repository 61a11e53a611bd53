#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/run_figures draws what was chosen, each once, and says what failed: with a program in place of macrostep. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

script=$(cd "$(dirname "$0")/.." && pwd)/run_figures
stand_in=$folder/stand_in

# program ENDS: lists three figures, and draws them; the second one as ENDS says
program() {
    cat >"$stand_in" <<END_OF_FILE
#!/bin/sh
case \$1 in
    list) printf '# version: 1\nrow,name\n1,paper:fig1\n2,paper:fig2\n3,study:map\n' ;;
    figure) echo "\$2" >>'$folder/drawn'; [ "\$2" != paper:fig2 ] || { $1; } ;;
esac
END_OF_FILE
    chmod +x "$stand_in"
    rm -f "$folder/drawn"
}

# figures [WORD ..]: the status of the script, its words in out, the names drawn in drawn
figures() {
    MACROSTEP=$stand_in JOBS=2 sh "$script" "$folder/figures" "$@" >"$folder/out" 2>"$folder/err"
}

drawn() {
    [ "$(sort "$folder/drawn" | tr '\n' ' ')" = "$*" ]
}

ends_with() {
    [ "$(tail -n 1 "$folder/out")" = "$1" ]
}

program true
is "all are drawn" figures
is "each once" drawn paper:fig1 paper:fig2 study:map ""
is "and counted" ends_with "3 figures drawn, 0 failed"

program true
is "a word chooses" figures fig
is "those whose names hold it" drawn paper:fig1 paper:fig2 ""

program true
is "of two words either will do" figures fig1 map
is "each chooses its own" drawn paper:fig1 study:map ""

program 'exit 1'
! figures
result $? "a figure that fails makes it fail"
is "after the others" drawn paper:fig1 paper:fig2 study:map ""
is "and is counted" ends_with "2 figures drawn, 1 failed"
is "it is named" grep -q '^failed: paper:fig2, exit status 1, ' "$folder/out"

program 'echo "a.c:1: runtime error: division by zero" >&2; exit 0'
! figures
result $? "a sanitizer that speaks makes it fail, whatever the status"
is "its line is shown" grep -q 'a.c:1: runtime error: division by zero' "$folder/out"

program true
is "what failed before is forgotten" figures fig2

program true
figures nothing-of-this-name
[ $? -eq 2 ] && grep -q "no figure's name holds nothing-of-this-name" "$folder/err"
result $? "a word that no name holds is refused"
[ ! -f "$folder/drawn" ]
result $? "and nothing is drawn"

echo "1..$count"
[ "$failed" -eq 0 ]
