#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files of sweeps and parts that were damaged before --resume: refused with the line, left as they are, or repaired.
. "$(dirname "$0")/../support/shell/tap.sh"
grid="--models spring-mass,linear-pair --cases first --scheme jacobi,f3ornits --extrapolation-order 0,1 --outputs inconsistent
    --step-size 0.01,0.02 --stop-time 1"

call sweep $grid --format csv --output "$folder/whole.csv"
is "a sweep to damage" test "$status" -eq 0
call sweep $grid --format json --output "$folder/whole.json"
call sweep $grid --format jsonl --output "$folder/whole.jsonl"
first=$(($(grep -c '^#' "$folder/whole.csv") + 2)) # its first row
in_json=$(grep -n '^"rows": \[' "$folder/whole.json" | cut -d : -f 1)

# damaged WHAT PATTERN FORMAT: what was made of whole.FORMAT in $folder/bad is refused, kept, and repaired
damaged() {
    cp "$folder/bad" "$folder/bad.$3"
    refuses 2 "$2" sweep $grid --format "$3" --output "$folder/bad.$3" --resume
    is "... $1: the file is left as it was" cmp -s "$folder/bad" "$folder/bad.$3"
    call sweep $grid --format "$3" --output "$folder/bad.$3" --resume --repair
    [ "$status" -eq 0 ] && grep -q -e '^macrostep: --repair: .*computed again from there' "$folder/err" &&
        cmp -s "$folder/whole.$3" "$folder/bad.$3"
    result $? "... $1: --repair ends with the bytes of a sweep without damage"
}

# edited WHAT PATTERN FORMAT PROGRAM: the same, of what sed's program makes of it
edited() {
    its_turn || return 0
    sed "$4" "$folder/whole.$3" >"$folder/bad"
    is "$3: $1" test "$(cksum <"$folder/bad")" != "$(cksum <"$folder/whole.$3")"
    damaged "$1" "$2" "$3"
}

for format in csv json jsonl; do
    case $format in
    csv) row=$((first + 2)) ;;
    json) row=$((in_json + 3)) ;;
    jsonl) row=4 ;;
    esac
    next=$((row + 1))
    edited "a row doubled" "line $next: its scheme.step_size is 0.01.*expected row is 0.02" $format "${row}p"
    edited "a row deleted" "line $row: its scheme.step_size is 0.02.*expected row is 0.01" $format "${row}d"
    edited "two rows swapped" "line $row: its scheme.step_size" $format "$row{h;d};$next{G}"
    edited "a row of another model" "line $row: its model is" $format "${row}s/spring-mass/spring-mess/"
    edited "a parameter changed" "line $row: its parameters.m is 0.5, but that of the expected row is 1" $format \
        "${row}s/\"m\"\(\"*\): 1.0/\"m\"\1: 0.5/"
    edited "a word for a number" "line $row: its macro_steps" $format "${row}s/,1,100,0,/,1,1e2,0,/;${row}s/\"macro_steps\": 100/\"macro_steps\": \"100\"/"
    edited "another form of a number" "line $row: " $format "${row}s/,0\.0/,0.00/;${row}s/: 0\.0\([1-9]\)/: 0.00\1e1/g"
    edited "a row cut in the middle of the file" "line $row: " $format "${row}s/^\(.\{60\}\).*/\1/"
    edited "a line of its own" "line $row: " $format "${row}i\\
,,,,
"
    carriage=$(printf '\r')
    edited "one line with CR LF" "line $row: ends with CR LF" $format "${row}s/\$/$carriage/"
    sed "s/\$/$carriage/" "$folder/whole.$format" >"$folder/bad.$format"
    refuses 2 'its lines end with CR LF' sweep $grid --format $format --output "$folder/bad.$format" --resume --repair
done
edited "a member that is missing" "its scheme.micro_steps is missing, but that of the expected row is 1" json \
    "$((in_json + 2))s/\"micro_steps\"/\"mikro_steps\"/"
sed "$first,\$s/.*/$(sed -n "1s/[^,]//gp" "$folder/whole.csv")/" "$folder/whole.csv" >"$folder/bad"
damaged "lines of commas" "line $first: its model is \"\"" csv
head -n "$in_json" "$folder/whole.json" >"$folder/bad.json" # ended before its first row
printf '\n]}\n' >>"$folder/bad.json"
call sweep $grid --format json --output "$folder/bad.json" --resume
[ "$status" -eq 0 ] && cmp -s "$folder/whole.json" "$folder/bad.json"
result $? "a file without rows is resumed to the same bytes"
sed "$((in_json + 1))i\\
\\
" "$folder/whole.json" >"$folder/bad"
damaged "an empty line before the rows" "line $((in_json + 1)): comes after an empty line" json
sed '$p' "$folder/whole.csv" >"$folder/bad"
damaged "a row behind the last one" 'comes after the last row' csv
sed "$((in_json + 2))s/,\$//" "$folder/whole.json" >"$folder/bad"
damaged "a comma that is missing" "line $((in_json + 3)): comes after a row that does not end with a comma" json
sed '$a {}' "$folder/whole.json" >"$folder/bad"
damaged "more behind the end" 'is not a JSON object\|end with a comma' json

# What a process leaves that ends after so many bytes of the write of a row, over the end of the file before it
size=$(wc -c <"$folder/whole.json")
last=$((size - 4 - $(tail -n 2 "$folder/whole.json" | head -n 1 | wc -c) + 1)) # ROW \n ]}\n
for bytes in 0 1 2 3 4 5 100; do
    {
        head -c $((last - 2 + bytes)) "$folder/whole.json"
        printf '\n]}\n' | tail -c +$((bytes + 1))
    } >"$folder/torn.json"
    call sweep $grid --format json --output "$folder/torn.json" --resume
    [ "$status" -eq 0 ] && [ ! -s "$folder/err" ] && cmp -s "$folder/whole.json" "$folder/torn.json"
    result $? "a row of which $bytes bytes were written is written again"
done

# Every model (the first of eight where ensembles are short) and family: rows are recognised as their own, whatever options a run resolves
models=$("$macrostep" list models --format csv | sed -n 's/^model,\([^,]*\),.*/\1/p' | while read -r model; do ! its_turn 8 || echo "$model"; done | paste -s -d ,)
every="sweep --models $models --cases first --extrapolation-order 0 --step-size 0.05 --stop-time 0.05 --errors none --format csv"
call $every --output "$folder/all.csv"
cp "$folder/all.csv" "$folder/again.csv"
call $every --output "$folder/again.csv" --resume
[ "$status" -eq 0 ] && cmp -s "$folder/all.csv" "$folder/again.csv"
result $? "all models, all families: --resume of a whole sweep changes nothing"

"$macrostep" sweep $grid --format csv --wide --output "$folder/wide.csv" 2>"$folder/err"
cp "$folder/wide.csv" "$folder/again.csv"
call sweep $grid --format csv --wide --output "$folder/again.csv" --resume
[ "$status" -eq 0 ] && cmp -s "$folder/wide.csv" "$folder/again.csv"
result $? "--wide: --resume of a whole sweep changes nothing"
sed "$((first + 1))d" "$folder/wide.csv" >"$folder/again.csv"
refuses 2 "line $((first + 1)): its scheme" sweep $grid --format csv --wide --output "$folder/again.csv" --resume

# Parts: each row says which one it is
part="compare spring-mass --scheme jacobi --extrapolation-order 0,1,2 --format json --output $folder/part --shard"
call $part 1/2
grep -q '"row": 0}' "$folder/part"
result $? "a part's rows know their places"
rows=$(grep -n '^"rows": \[' "$folder/part" | cut -d : -f 1)
cp "$folder/part" "$folder/kept"
sed "$((rows + 1))p;$((rows + 2))d" "$folder/kept" >"$folder/part"
refuses 2 "line $((rows + 2)): its row is 0, but that of the expected row is" $part 1/2 --resume
call $part 1/2 --resume --repair
[ "$status" -eq 0 ] && [ "$(grep -c '"row": ' "$folder/part")" -eq "$(grep -c '"row": ' "$folder/kept")" ]
result $? "... and a damaged one is repaired"
call compare spring-mass --scheme jacobi --extrapolation-order 0,1,2 --format json --output "$folder/other" --shard 2/2
call merge "$folder/part" "$folder/other"
is "... and merged" test "$status" -eq 0
sed "$((rows + 1))p;$((rows + 2))d" "$folder/kept" >"$folder/part"
refuses 2 'row 0 is in the place of row 1 of the grid' merge "$folder/part" "$folder/other"
refuses 2 '--repair: requires --resume' sweep $grid --format csv --output "$folder/x.csv" --repair
refuses 2 '--repair: requires --resume' $part 1/2 --repair

# The log is a file of its own, never another one behind a link
echo precious >"$folder/precious"
ln -s precious "$folder/l.csv.log"
call sweep $grid --format csv --output "$folder/l.csv"
[ "$status" -eq 0 ] && [ "$(cat "$folder/precious")" = precious ] && cmp -s "$folder/l.csv" "$folder/whole.csv"
result $? "a symbolic link in place of the log is not followed"
mkfifo "$folder/p.csv.log"
call sweep $grid --format csv --output "$folder/p.csv"
is "... and a pipe is not waited for" test "$status" -eq 0

echo "1..$count"
[ "$failed" -eq 0 ]
