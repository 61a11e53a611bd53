#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --cache DIR: answers have the same bytes without it, with an empty one, and with one that another command, another number of
# threads, or several commands at once have filled; what is damaged is made anew. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

cache=$folder/cache

# plain FILE: without what no two calls have in common
plain() {
    sed -e 's/"wall_seconds": [^,}]*//' -e '/"date"/d' -e 's/"date": "[^"]*"//' "$1"
}

# compares FILE WHAT: the last answer is that of the file
compares() {
    plain "$1" >"$folder/one"
    plain "$folder/out" >"$folder/two"
    [ "$status" -eq 0 ] && [ ! -s "$folder/err" ] && [ -s "$folder/one" ] && cmp -s "$folder/one" "$folder/two"
    result $? "$2"
}

# without ARGUMENT ..: the answer without the cache, in $folder/wanted
without() {
    call "$@" --format json
    [ "$status" -eq 0 ] && [ ! -s "$folder/err" ]
    result $? "exit 0: $*"
    cp "$folder/out" "$folder/wanted"
}

# files: how many there are
files() {
    find "$cache" -name '*.reference' | wc -l
}

# Each command that has errors
for command in "run quarter-car" "run bell --step-size 0.02" "converge double-pendulum --step-size 0.04,0.02,0.01 --stop-time 1" \
    "compare linear-pair --extrapolation-order 0" "integrate double-pendulum --stop-time 1" \
    "sweep --models spring-mass,impact-oscillator --cases first --scheme jacobi --extrapolation-order 0 --outputs inconsistent --stop-time 1" \
    "drive quarter-car --subsystem wheel --segments 1000 --solver exact" "linearise double-pendulum --at 0.5" \
    "spectral double-pendulum --at 0.5" "figure andersson2016:table6.1 --directory $folder"; do
    rm -rf "$cache"
    # shellcheck disable=SC2086
    without $command
    for turn in empty filled; do
        # shellcheck disable=SC2086
        call $command --format json --cache "$cache"
        compares "$folder/wanted" "... the same with a cache that is $turn"
        [ "$turn" = empty ] && kept=$(files)
    done
    is "... something is kept, and no more in the second call" test "$kept" -ge 1 -a "$(files)" -eq "$kept"
done

# Filled by another command, by other numbers of threads
rm -rf "$cache"
call run double-pendulum --stop-time 0.3 --cache "$cache"
without converge double-pendulum --step-size 0.04,0.02,0.01 --stop-time 1
for threads in 2 1; do
    call converge double-pendulum --step-size 0.04,0.02,0.01 --stop-time 1 --format json --num-threads $threads --cache "$cache"
    compares "$folder/wanted" "filled by run, then by converge, $threads threads"
done
is "... they are one reference" test "$(files)" -eq 1

# Two system files of one name, which differ in an equation alone
rm -rf "$cache"
for power in 2 3; do
    printf '{"name": "own", "subsystems": [{"states": {"x": {"derivative": "-x^%s", "start": 1}}, "outputs": {}}], "wires": []}' \
        $power >"$folder/own.json"
    without run "$folder/own.json" --stop-time 1
    call run "$folder/own.json" --stop-time 1 --format json --cache "$cache"
    compares "$folder/wanted" "... with a cache, x' = -x^$power"
done
is "... they are two references" test "$(files)" -eq 2

# Several commands at once
rm -rf "$cache"
without sweep --models spring-mass,impact-oscillator --cases first --scheme jacobi --extrapolation-order 0 --outputs inconsistent --stop-time 1
for k in 1 2 3 4; do
    "$macrostep" sweep --models spring-mass,impact-oscillator --cases first --scheme jacobi --extrapolation-order 0 --outputs inconsistent --stop-time 1 --format json \
        --num-threads $k --cache "$cache" >"$folder/part$k" 2>"$folder/err$k" &
done
wait
for k in 1 2 3 4; do
    cp "$folder/part$k" "$folder/out"
    cp "$folder/err$k" "$folder/err"
    without_progress "$folder/err"
    status=0
    compares "$folder/wanted" "four commands at once: $k"
done
is "... no file is left beside" test -z "$(find "$cache" -name '*.part')"

# Damaged, cut, not ours
without run quarter-car
for damage in flipped cut empty text; do
    rm -rf "$cache"
    call run quarter-car --cache "$cache"
    file=$(find "$cache" -name '*.reference')
    case $damage in
    flipped) printf 'x' | dd of="$file" bs=1 seek=5000 conv=notrunc 2>/dev/null ;;
    cut) truncate -s 5000 "$file" ;;
    empty) : >"$file" ;;
    text) echo 'something else' >"$file" ;;
    esac
    call run quarter-car --format json --cache "$cache"
    is "$damage: one line tells" test "$(grep -c '^macrostep: --cache: .* is damaged and is computed again$' "$folder/err")" -eq 1 \
        -a "$(wc -l <"$folder/err")" -eq 1
    : >"$folder/err"
    compares "$folder/wanted" "... the answer is the same"
    call run quarter-car --format json --cache "$cache"
    compares "$folder/wanted" "... and the file is whole again"
done

# Folders
: >"$folder/file"
refuses 1 "--cache $folder/file" run quarter-car --cache "$folder/file"
refuses 1 '--cache /nowhere/at/all' sweep --models spring-mass --cache /nowhere/at/all
refuses 2 '--cache' run quarter-car --cache ''
refuses 2 '--cache: not an option of this command' show quarter-car --cache "$cache"
is "the provenance of an answer does not name it" test "$(grep -c -- --cache "$folder/wanted")" -eq 0

echo "1..$count"
exit $((failed > 0))
