#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that are written: what signals, full and forbidden places leave; names of any bytes; dates.
. "$(dirname "$0")/../support/shell/tap.sh"
model=spring-mass
long="run $model --step-size 1e-7 --stop-time 1000"

# left WHAT: nothing is left beside, and what stood there stands
left() {
    [ -z "$(find "$folder" -name '*.part')" ] && [ "$(cat "$folder/long")" = before ]
    result $? "$1: nothing is left beside, the old file stands"
}

# What ends a process. Sanitizers have handlers of their own for some.
echo before >"$folder/long"
for signal in HUP TERM INT; do
    echo before >"$folder/long"
    "$macrostep" $long --output "$folder/long" --format json >/dev/null 2>"$folder/err" &
    process=$!
    begun
    kill -$signal $process
    wait $process
    is "SIG$signal: exit 130" test $? -eq 130
    grep -q '"reason": "interrupted"' "$folder/long" && [ -z "$(find "$folder" -name '*.part')" ]
    result $? "... with the answer so far"
done
echo before >"$folder/long"
for signal in ABRT XCPU; do
    "$macrostep" $long --output "$folder/long" >/dev/null 2>"$folder/err" &
    process=$!
    begun
    kill -$signal $process
    wait $process 2>/dev/null
    is "SIG$signal ends it" test $? -gt 128
    [ -n "$(find "$folder" -name '*.part')" ] && grep -q Sanitizer "$folder/err" || left "... SIG$signal"
    rm -f "$folder"/*.part
done
(trap '' HUP && exec "$macrostep" $long --output "$folder/long" >/dev/null 2>&1) &
process=$!
begun
kill -HUP $process
sleep 0.5
kill -0 $process
result $? "SIGHUP under nohup ends nothing"
kill -INT $process
wait $process

# Killed: the next one that writes there cleans up, whatever its number is
echo before >"$folder/long"
for k in 1 2; do
    "$macrostep" $long --output "$folder/long" >/dev/null 2>&1 &
    process=$!
    begun $k
    [ $k -eq 2 ] || other=$process
done
is "two write at a time beside one file" test "$(find "$folder" -name 'long.*.part' | wc -l)" -eq 2
{ kill -KILL $process $other && wait $process $other; } 2>/dev/null
is "... killed they leave two files" test "$(find "$folder" -name 'long.*.part' | wc -l)" -eq 2
call run $model --stop-time 1 --output "$folder/long"
[ "$status" -eq 0 ] && [ -z "$(find "$folder" -name '*.part')" ] && grep -q end-time "$folder/long"
result $? "... and the next one that writes there removes both"

# A limit of sizes; the signal of it would leave what was written
echo before >"$folder/long"
(
    ulimit -f 8
    exec "$macrostep" run $model --step-size 1e-4 --stop-time 1 --trajectory "$folder/long" >/dev/null 2>"$folder/err"
)
is "a file beyond ulimit -f: exit 1" test $? -eq 1
grep -q '^macrostep: .*long: File too large' "$folder/err"
result $? "... with a line"
left "... and"
(
    ulimit -f 8
    exec "$macrostep" sweep --models $model --scheme jacobi --format json --output "$folder/sweep" >/dev/null 2>"$folder/err"
)
is "the same of a sweep" test $? -eq 1
for call in 'figure andersson2016:fig6.1' 'export quarter-car' 'export linear-pair --sources'; do
    (
        ulimit -f 0
        # shellcheck disable=SC2086
        exec "$macrostep" $call --directory "$folder/new" 2>&1
    ) | head -n 1 >"$folder/said"
    grep -q '^macrostep: ' "$folder/said" && [ ! -e "$folder/new" ]
    result $? "a folder that nothing could be written into does not stay: $call"
done

# Rows of a run go into their file while it runs: memory does not grow with them. With --plot they are kept, which makes the
# same file.
for of in "$model --step-size 0.001" 'quarter-car --scheme f3ornits --scheduler asynchronous --rtol 1e-4' 'bell --stop-time 1' \
    'mass-spring-damper --step-size 10 --stop-time 10000'; do
    call run $of --trajectory "$folder/streamed.csv" --format json
    call run $of --trajectory "$folder/kept.csv" --plot "$folder/plot.svg" --format json
    [ -s "$folder/kept.csv" ] && cmp -s "$folder/streamed.csv" "$folder/kept.csv"
    result $? "rows written in the run are those written after it: $of"
done
call run coupled-pendula --trajectory "$folder/streamed.csv" --energy "$folder/energy.csv" --format json
call run coupled-pendula --trajectory "$folder/kept.csv" --energy "$folder/kept_energy.csv" --plot "$folder/plot.svg"
cmp -s "$folder/streamed.csv" "$folder/kept.csv" && cmp -s "$folder/energy.csv" "$folder/kept_energy.csv"
result $? "... and of energies"
if ! grep -q __asan_init "$macrostep"; then
    # 4e5 rows of 7 numbers are 22 MB; energies have 13
    for rows in --trajectory --energy; do
        (
            ulimit -v 400000
            exec "$macrostep" run $model --step-size 1e-5 --stop-time 4 --errors none $rows /dev/null \
                >/dev/null 2>"$folder/err" &
            process=$!
            peak=0
            while kill -0 $process 2>/dev/null; do
                now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$process/status 2>/dev/null)
                [ "${now:-0}" -le $peak ] || peak=$now
                sleep 0.1
            done
            wait $process && [ $peak -gt 0 ] && [ $peak -lt 20000 ]
        )
        result $? "$rows of 400,000 rows takes less than 20 MB"
    done
    (
        ulimit -v 1000000
        exec "$macrostep" run mass-chain --set masses=1000000 --stop-time 0.01 >/dev/null 2>"$folder/err"
    )
    [ $? -eq 1 ] && grep -q '^macrostep: not enough memory for .* (.* were requested)$' "$folder/err"
    result $? "memory that is refused is named, with its size"
fi

# What is read: files and pipes, of a size that is said
for call in 'show --system' 'run quarter-car --inputs' 'estimate quarter-car --parameters kw --measurements' merge 'diff /dev/zero'; do
    refuses 2 '/dev/zero: is a device' $call /dev/zero
done
truncate -s 2G "$folder/large.json"
refuses 2 'large.json: has 2.15e+09 bytes; at most 1e+09 are read' show --system "$folder/large.json"
rm "$folder/large.json"
echo '{"subsystems": [{"name": "a", "outputs": {"x": "x"}, "states": {"x": {"derivative": "-x"}}}], "wires": []}' >"$folder/small.json"
# shellcheck disable=SC2002
cat "$folder/small.json" | "$macrostep" show --system /dev/stdin >"$folder/out" 2>"$folder/err"
is "a pipe is read" test $? -eq 0
# ... what is not there, and a folder in the place of a file, are errors of files, whatever reads them
mkdir "$folder/some" "$folder/some.json" "$folder/some.csv" "$folder/some.fmu" "$folder/some.ssp" "$folder/results"
for call in 'show --system' 'run quarter-car --inputs' 'run quarter-car --reference' 'estimate quarter-car --parameters kw --measurements' \
    merge "diff $folder/small.json"; do
    refuses 1 'nothing: .*No such file' $call "$folder/nothing"
    case $call in diff*) ;; *) refuses 1 'some: .*Is a directory' $call "$folder/some" ;; esac
done
refuses 1 'nothing.csv: .*No such file' judge "$folder/nothing.csv" quarter-car
refuses 1 'some.csv: .*Is a directory' judge "$folder/some.csv" quarter-car
for call in 'show some.json' 'figure some.json' 'graph some.json'; do
    refuses 1 'Is a directory' ${call%% *} "$folder/${call#* }"
done
refuses 1 'is not a file; a ZIP archive is expected' show "$folder/some.fmu"
refuses 1 'some.ssp' show "$folder/some.ssp"
refuses 1 'xxx\.\.$' show --system "$(printf '%0600d' 0 | tr 0 x).json" # a line that is cut says so

cp "$folder/small.json" "$folder/results"
ln -s . "$folder/results/again"
answers diff "$folder/results" "$folder/results"
is "... whose links to folders are not followed" test "$(grep -c again "$folder/out")" -eq 0

# Two outputs in one file: links to what is not there yet, and other names of standard output, count as well
ln -s behind.csv "$folder/link"
for pair in 'link behind.csv' 'behind.csv link'; do
    refuses 2 'name another file' run $model --trajectory "$folder/${pair% *}" --output "$folder/${pair#* }"
done
is "... and nothing is written" test ! -e "$folder/behind.csv"
"$macrostep" run $model --trajectory "$folder/redirected" >"$folder/redirected" 2>"$folder/err"
[ $? -eq 2 ] && grep -q 'redirected: the answer goes there; name another file$' "$folder/err"
result $? "standard output in a file that an option names"
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
    refuses 2 'the answer goes there' run $model --trajectory $name
done
refuses 2 'plot -: the trajectory goes there' run $model --plot - --trajectory /dev/stdout --output "$folder/answer"
call run $model --output /dev/null --trajectory /dev/null
is "/dev/null takes any number of outputs" test "$status" -eq 0
refuses 2 'my-model.c: the source goes there' new model my-model --output ./my-model.c
is "... and there is none" test ! -e my-model.c
mkdir "$folder/mine"
for ending in json gp; do
    cp bench/studies/andersson2016/andersson2016_fig6.10.$ending "$folder/mine/andersson2016-fig6.10.$ending"
done
refuses 2 'fig6.10.json: the answer has the same name in that folder; use another --directory' \
    figure "$folder/mine/andersson2016-fig6.10.json" --directory "$folder/mine"
is "... and the figure file stays" cmp -s bench/studies/andersson2016/andersson2016_fig6.10.json "$folder/mine/andersson2016-fig6.10.json"
echo t,x >"$folder/read.csv"
refuses 2 'a result is read from there' diff "$folder/read.csv" "$folder/read.csv" --output "$folder/read.csv"
echo '{}' >"$folder/figure.json"
refuses 2 'the figure is read from there' figure "$folder/figure.json" --output "$folder/figure.json"

# A file that may be written, in a folder that takes no other
chmod 755 "$folder"
mkdir "$folder/closed"
echo before >"$folder/closed/file"
chmod 666 "$folder/closed/file"
chmod 555 "$folder/closed"
as=
[ "$(id -u)" -ne 0 ] || as='setpriv --reuid=65534 --clear-groups'
$as "$macrostep" run $model --output "$folder/closed/file" >"$folder/out" 2>"$folder/err"
[ $? -eq 1 ] && grep -q 'closed/file: no new file can be made in its folder (Permission denied).*--output -' "$folder/err" &&
    [ "$(cat "$folder/closed/file")" = before ]
result $? "a folder that takes no other file: said with what to do"
$as "$macrostep" run $model --output "$folder/closed/new" >"$folder/out" 2>"$folder/err"
[ $? -eq 1 ] && grep -q 'closed/new: Permission denied' "$folder/err"
result $? "... a new one: as the system says it"
chmod 755 "$folder/closed"

# Names that are no UTF-8
odd=$(printf 'x\377')
cat >"$folder/$odd.json" <<'END'
{"subsystems": [{"name": "a", "A": [[-1]], "B": [[1]], "C": [[1]]}, {"name": "b", "A": [[-1]], "B": [[1]], "C": [[1]]}],
 "wires": [[1, 0, 1], [0, 1, -1]]}
END
answers show "$folder/$odd.json" --format json
grep -q '"name": "x?"' "$folder/out"
result $? "a name that is no UTF-8 is shown with ?"
for command in graph linearise spectral integrate converge compare; do
    answers $command "$folder/$odd.json" --format json
done
answers run "$folder/$odd.json" --trajectory "$folder/$odd.csv" --output - --format csv
answers run "$folder/$odd.json" --reference "$folder/$odd.csv"
answers judge "$folder/$odd.csv" "$folder/$odd.json" --format json
answers sweep --system "$folder/$odd.json" --scheme jacobi --format json
answers export "$folder/$odd.json" --directory "$folder/$odd"
is "... its files are where they belong" test -s "$folder/$odd/x_a.fmu" -o -s "$folder/$odd/x__a.fmu"
refuses 2 'the name of an FMU or SSP must be UTF-8' run "$(find "$folder/$odd" -name '*_a.fmu')"

# What offsets come from is nobody's subsystem: neither in answers nor in tables, files or lines of errors, and a subsystem may be called as it was
cat >"$folder/offset.json" <<'JSON'
{"parameters": {"k": 2},
 "subsystems": [{"name": "constant", "inputs": ["u"], "states": {"x": {"derivative": "-x+u", "start": 1}}, "outputs": {"y": "x"}},
                {"name": "b", "inputs": ["v"], "states": {"z": {"derivative": "-z+v+0*sin(z)"}}, "outputs": {"q": "z+0.1*v"}}],
 "wires": [{"from": "constant.y", "to": "b.v", "offset": 0.5}, {"from": "b.q", "to": "constant.u", "gain": 0.3}], "end": 1, "step_size": 0.1}
JSON
hidden() {
    for format in table json csv; do
        call "$@" "$folder/offset.json" --format "$format"
        is "$* says nothing of it ($format)" test -z "$(grep '(offsets)\|\bone\b' "$folder/out" "$folder/err")"
    done
}
hidden show
hidden graph --draw "$folder/offset.dot"
hidden linearise
hidden drive
hidden run --trajectory "$folder/offset.csv"
hidden run --scheme gauss-seidel --order b,constant
hidden integrate --trajectory "$folder/offset_w.csv"
hidden export --directory "$folder/offset.d"
is 'nor do its files' test -z "$(grep -l 'offsets\|\bone\b' "$folder/offset.dot" "$folder/offset.csv" "$folder/offset_w.csv" "$folder"/offset.d/*.csv)"
is 'two FMUs' test "$(find "$folder/offset.d" -name '*.fmu' | wc -l)" -eq 2
call show "$folder/offset.json" --format json
is 'show has the offset' grep -q '"value": 0.5' "$folder/out"
refuses 2 'names 1 of 2 subsystems' run "$folder/offset.json" --scheme gauss-seidel --order b

# Control characters in names: refused in files, never on the terminal
for text in '"name": "m\u001b[31m", "parameters": {}' '"name": "m\u009b31m", "parameters": {}' \
    '"parameters": {"k": {"value": 1, "unit": "N\u001b[31m"}}' '"parameters": {"k\u007f": {"value": 1}}'; do
    echo "{$text, \"subsystems\": [{\"A\": [[-1]], \"B\": [[1]], \"C\": [[1]]}], \"wires\": []}" >"$folder/control.json"
    refuses 2 "control.json: '.*' has a control character" show "$folder/control.json"
    is "... and none is printed" test "$(tr -d '\n' <"$folder/err" | LC_ALL=C tr -d '[:print:]' | wc -c)" -eq 0
done
for name in "$(printf 'no\033[31m')" "$(printf 'no\302\23331m')"; do
    call show "$name.json"
    [ "$status" -eq 1 ] && [ "$(tr -d '\n' <"$folder/err" | LC_ALL=C tr -d '[:print:]' | wc -c)" -eq 0 ]
    result $? "a message prints no control character"
done

# ... nor does a line that ends no call: a reference that could not be kept, a figure that could not be drawn. Files have their whole names, not those of a
# folder that they are drawn in.
mkdir "$folder/drawn-of"
cp bench/studies/andersson2016/andersson2016_fig6.10.* "$folder/drawn-of"
(ulimit -f 0 && exec "$macrostep" run van-der-pol --stop-time 0.1 --cache "$folder/$(printf 'c\342\200\256')" 2>&1 >/dev/null) |
    grep -qx "macrostep: --cache: $folder/c?/.*could not be written: File too large.*"
result $? "a reference that cannot be kept is named in printable characters"
(ulimit -f 0 && exec "$macrostep" report "$folder/drawn-of" --directory "$folder/$(printf 'r\342\200\256')" 2>&1) |
    grep -qx "macrostep: $folder/r?/figures/andersson2016-fig6.10[-a-z0-9]*.csv: File too large"
result $? "... and a file of a figure"

# Pictures do not know when and where they were drawn
for zone in UTC Asia/Kolkata America/St_Johns; do
    for epoch in '' 86400; do
        (
            TZ=$zone
            export TZ
            [ -z "$epoch" ] || export SOURCE_DATE_EPOCH=$epoch
            "$macrostep" figure andersson2016:fig5.4 --directory "$folder/drawn" >/dev/null 2>"$folder/err"
            "$macrostep" figure andersson2016:fig6.1 --directory "$folder/drawn" >/dev/null 2>"$folder/err"
        )
        find "$folder/drawn" -name '*.pdf' -o -name '*.svg' -o -name '*.png' | sort | xargs cksum >"$folder/sums"
        [ -s "$folder/wanted" ] || cp "$folder/sums" "$folder/wanted"
        [ "$(wc -l <"$folder/sums")" -ge 4 ] && cmp -s "$folder/wanted" "$folder/sums"
        result $? "the same pictures with TZ=$zone SOURCE_DATE_EPOCH=$epoch"
    done
done

# An empty file, and a unit behind a number
echo >"$folder/empty.json"
refuses 2 '^macrostep: .*empty.json is empty; a system, ' show "$folder/empty.json"
refuses 2 '^macrostep: .*empty.json is empty; a figure, ' figure "$folder/empty.json"
refuses 2 '^macrostep: --step-size 1ms: must be .* greater than 0, in seconds and without a unit$' run quarter-car --step-size 1ms
refuses 2 '^macrostep: --rtol 1ms: must be .*, without a unit$' run quarter-car --error-controlled richardson --rtol 1ms
refuses 2 '^macrostep: --set kc=15kN/m: the value must be a finite number, without its unit, which `show` lists$' run quarter-car --set kc=15kN/m

echo "1..$count"
[ "$failed" -eq 0 ]
