#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep sweep --sample: quantiles against closed forms, the same bytes for threads and parts, pictures, refusals. TAP on
# standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

# x' = -a x beside a faster one that it does not see: the growth per macro-step is exp(-a H), whatever the scheme
cat >"$folder/decay.json" <<'END'
{"parameters": {"a": 1, "b": 5},
 "subsystems": [{"name": "slow", "states": {"x": {"derivative": "-a*x", "start": 1}}, "outputs": {"x": "x"}},
                {"name": "fast", "inputs": ["u"], "states": {"x": {"derivative": "-b*x + u", "start": 1}}}],
 "wires": [{"from": "slow.x", "to": "fast.u"}], "stop_time": 1, "step_size": 0.1}
END
plain="--scheme jacobi --extrapolation-order 0 --outputs inconsistent --smooth-coupling none"
decay="sweep --system $folder/decay.json $plain"

# lines: the rows of the answer in $folder/lines, each measure on a line of its own
lines() {
    tail -n +2 "$folder/out" |
        sed 's/"\(error\|growth_predicted\|growth_observed\|energy_residual\|integrations\|values\)": /\n&/g' >"$folder/lines"
}

# quantile MEASURE NAME: the first one in $folder/lines
quantile() {
    sed -n "/^\"$1\": {/{s/.*\"$2\": \([-0-9.e+a-z]*\).*/\1/p;q;}" "$folder/lines"
}

# list NAME FILE: the first list of that name, a number a line
list() {
    sed -n "s/.*\"$1\": \[\([^]]*\)\].*/\1/p" "$2" | head -n 1 | tr -d ' ' | tr , '\n'
}

# The growth falls with a, so that its quantile at p is the growth at the quantile of a at 1 - p
for sampling in sobol latin-hypercube; do
    answers $decay --step-size 0.1 --sample 64 --seed 2 --sampling $sampling --set 'a=uniform(1,2)' --format jsonl
    lines
    for at in q05:0.05 q25:0.25 median:0.5 q75:0.75 q95:0.95; do
        awk "BEGIN {d = -log($(quantile growth_predicted ${at%:*})) / 0.1 - (2 - ${at#*:}); exit !(d * d <= (1.5 / 64) ^ 2)}"
        result $? "$sampling: the quantile at ${at#*:} of exp(-a H)"
    done
    head -n 1 "$folder/out" >"$folder/head"
    list a "$folder/head" >"$folder/draws"
    list growth_predicted "$folder/lines" >"$folder/growths"
    list growth_observed "$folder/lines" >"$folder/observed"
    paste "$folder/draws" "$folder/growths" "$folder/observed" |
        awk '{p = exp(-0.1 * $1); if (!((p - $2) ^ 2 < 1e-18 && (p - $3) ^ 2 < 1e-10)) exit 1} END {if (NR != 64) exit 1}'
    result $? "... and each draw has its growth"
    ends="$(sort -g "$folder/growths" | head -n 1) $(sort -g "$folder/growths" | tail -n 1)"
    is "... whose ends are min and max" test "$(quantile growth_predicted min) $(quantile growth_predicted max)" = "$ends"
done
call $decay --step-size 0.1 --sample 64 --seed 3 --sampling latin-hypercube --set 'a=uniform(1,2)' --format jsonl
head -n 1 "$folder/out" >"$folder/head"
! list a "$folder/head" | cmp -s - "$folder/draws"
result $? "another seed draws otherwise"

# Rows of a list of another parameter and of two step sizes are those of calls of their own
answers $decay --step-size 0.1,0.05 --set 'a=uniform(1,2),b=3,8' --sample 5 --format jsonl
tail -n +2 "$folder/out" | sed 's/.*"reasons"/"reasons"/' >"$folder/rows"
for b in 3 8; do
    for step in 0.1 0.05; do
        call $decay --step-size $step --set "a=uniform(1,2),b=$b" --sample 5 --format jsonl
        tail -n +2 "$folder/out" | sed 's/.*"reasons"/"reasons"/'
    done
done | cmp -s - "$folder/rows"
result $? "rows of lists are those of calls of their own"
is "... four of them" test "$(sort -u "$folder/rows" | wc -l)" -eq 4

# Threads, parts
for way in jsonl:sobol table:latin-hypercube csv:latin-hypercube json:sobol; do
    sample="sweep --models quarter-car --cases first $plain --step-size 0.01,0.005 --stop-time 0.1 --sample 7
        --sampling ${way#*:} --set kc=normal(15000,1500),mc=uniform(300,500) --format ${way%:*}"
    call $sample --num-threads 1 --output "$folder/whole"
    call $sample --num-threads 2 --output "$folder/threads"
    [ -s "$folder/whole" ] && cmp -s "$folder/whole" "$folder/threads"
    result $? "$way: the same bytes with 2 threads"
    for i in 1 2 3; do
        call $sample --shard $i/3 --output "$folder/$i"
    done
    call merge "$folder/3" "$folder/1" "$folder/2" --output "$folder/merged"
    cmp -s "$folder/whole" "$folder/merged"
    result $? "... and merged of three parts"
done
cp "$folder/2" "$folder/torn"
head -c $(($(wc -c <"$folder/2") * 2 / 3)) "$folder/torn" >"$folder/2"
call $sample --shard 2/3 --output "$folder/2" --resume
cmp -s "$folder/2" "$folder/torn"
result $? "a torn part goes on to the same bytes"

# A run without an error counts as larger than all others: feed-throughs whose product is above one are unstable
answers sweep --models linear-pair --cases stable $plain --stop-time 100 --step-size 0.01 --sample 8 --set 'd2=uniform(0.5,2)' \
    --format jsonl
lines
ended=$(sed -n 's/.*"ended": \([0-9]*\),.*/\1/p' "$folder/lines")
is "some runs diverge" test "$ended" -gt 0 -a "$ended" -lt 8
grep -q "\"diverged\": $((8 - ended))[,}]" "$folder/lines"
result $? "... which is counted"
[ "$(quantile error max)" = null ] && [ "$(quantile error min)" != null ]
result $? "... and the largest error is not known, the least one is"

# Pictures
case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
cd "$folder" || exit 1
fan="sweep --models quarter-car --cases first --scheme jacobi,gauss-seidel --extrapolation-order 0 --outputs inconsistent
    --smooth-coupling none --derivatives differences --stop-time 0.1 --sample 4 --set kc=uniform(10000,20000)"
answers $fan --step-size 0.002:0.01:log:3 --plot fan.svg --width 8cm --keep --format jsonl
is "three places of two bands of two members" test "$(grep -c '^[0-9]' fan-bands.csv)" -eq 12
is "a median and two edges of each member" test "$(grep -c '^[0-9]' fan-medians.csv)" -eq 18
lines
grep -q "^0.002,$(quantile error q05),$(quantile error q95)$" fan-bands.csv
result $? "... with the quantiles of the answer"
answers $fan --step-size 0.01 --set mc=300,400,500 --plot -
grep -q 'mass of the chassis mc / kg' out
result $? "over a parameter, in the terminal"

# Wrong calls
refuses 2 '--set kc=normal(1e4,1e5): its least draw: .*range is \[0, inf); a smaller spread' sweep --models quarter-car --sample 8 \
    --set 'kc=normal(1e4,1e5)'
refuses 2 '--set coupling=uniform(0,1): its median: .*whole numbers in \[0, 1\]$' sweep --models quarter-car --sample 8 \
    --set 'coupling=uniform(0,1)'
refuses 2 '--set nope=uniform(0,1): its median: .*no parameter nope' sweep --models quarter-car --sample 8 --set 'nope=uniform(0,1)'
refuses 2 '--set kc=lognormal(1e4,1e3): .*of the logarithm' sweep --models quarter-car --sample 8 --set 'kc=lognormal(1e4,1e3)'
refuses 2 '--plot x.svg: quantiles are drawn over a list' $decay --step-size 0.1 --sample 4 --set 'a=uniform(1,2)' --plot x.svg
refuses 2 '--resume: applies only to parts of a sample' $decay --sample 4 --set 'a=uniform(1,2)' --resume --output x --format csv
refuses 2 '--wide: --sample has its own columns' $decay --sample 4 --set 'a=uniform(1,2)' --format csv --wide
refuses 2 '--sample: not an option of this command' compare quarter-car --sample 4

echo "1..$count"
[ $failed -eq 0 ]
