#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command graph: its answer, the pictures, and what show says of loops and orders. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

# Answers
answers graph example-5.3.1
answers graph example-5.3.1 --format csv
call graph example-5.1.1 --format json
tr -d ' \n' <"$folder/out" >"$folder/line"
grep -q '"loops":\[\["s1.u.u2","s2.u.u1","s3.u.u2","s1.y.y1","s2.y.y1","s3.y.y1"\]\]' "$folder/line"
result $? "json: the loop"
grep -q '"order":\[\["s1.u.u1"\],\["s1.y.y2"\],\["s2.u.u2"\],\[' "$folder/line"
result $? "json: the order"
grep -q '"evaluations":{"tarjan":5,"reduced":5,"minimum":5,' "$folder/line"
result $? "json: evaluations"
grep -q '{"from":"s1.u.u1","to":"s1.y.y2","kind":"feed-through"}' "$folder/line" &&
    grep -q '{"from":"s3.y.y1","to":"s1.u.u2","kind":"wire"}' "$folder/line"
result $? "json: edges"
grep -q '{"name":"s3.y.y2","subsystem":"s3","kind":"output","place":7,"reduced_place":7,"loop":false}' \
    "$folder/line"
result $? "json: nodes"
call graph mass-chain --set masses=60 --format json
is "too large for the exhaustion, but once each is the least" grep -q '"minimum": 60,' "$folder/out"
cat >"$folder/system.json" <<'SYSTEM'
{"subsystems": [{"name": "a", "A": [[-1]], "B": [[1]], "C": [[1]], "D": [[1]]},
                {"name": "b", "A": [[-2]], "B": [[1]], "C": [[1]], "D": [[1]]}], "L": [[0, 1], [1, 0]]}
SYSTEM
call graph --system "$folder/system.json" --format json
is "structure needs no solution: a file whose loop is singular" test "$status" -eq 0
tr -d ' \n' <"$folder/out" | grep -q '"loops":\[\["a.u.u1","b.u.u1","a.y.y1","b.y.y1"\]\]'
result $? "... and its loop"
call show example-5.2.1 --format json
tr -d ' \n' <"$folder/out" >"$folder/line"
grep -q '"evaluation_order":\[\["s1"\],\["s2"\]\]' "$folder/line"
result $? "show: the order of subsystems"
order='\["s1.u.u1"\],\["s1.y.y1"\],\["s2.u.u1"\],\["s2.u.u2"\],\["s2.y.y1","s2.y.y2"\]'
grep -q "\"variable_order\":\[$order\]" "$folder/line"
result $? "show: the reduced order of variables"
grep -q '"loops":\[\],"model_evaluations":{"tarjan":3,"reduced":2}' "$folder/line"
result $? "show: loops and evaluations"

# The start
call run example-5.0.1 --format json
is "Example 5.0.1 starts" grep -q '"reason": "end-time"' "$folder/out"
call run example-5.0.1 --set x1=0 --format json
is "... and not where it divides by zero" grep -q '"reason": "no-solution"' "$folder/out"
grep -q '"message": ".*subsystem s2' "$folder/out"
result $? "... which is said of the subsystem"

# Pictures
answers graph example-5.3.1 --draw "$folder/graph.dot"
grep -q '^digraph {' "$folder/graph.dot" && grep -q 'subgraph cluster_4' "$folder/graph.dot" &&
    [ "$(grep -c 'label=<.*BR' "$folder/graph.dot")" -ge 26 ]
result $? "dot: a cluster for each subsystem, a place for each variable"
answers graph example-5.3.1 --draw "$folder/graph.svg"
grep -q '<svg' "$folder/graph.svg" && grep -q '</svg>' "$folder/graph.svg" &&
    grep -q '>u4<' "$folder/graph.svg"
result $? "svg: a picture"
answers graph example-5.3.1 --draw "$folder/again.svg"
is "svg: the same bytes again" cmp -s "$folder/graph.svg" "$folder/again.svg"
case $macrostep in /*) real=$macrostep ;; *) real=$PWD/$macrostep ;; esac
(cd "$folder" && "$real" graph example-5.0.1 --draw '$(touch x);touch x;-o x.svg' >out 2>err)
is "svg: names are no commands" test -s "$folder/\$(touch x);touch x;-o x.svg" -a ! -e "$folder/x"
refuses 2 'must end with .svg.*or .dot' graph example-5.0.1 --draw "$folder/graph.png"
refuses 2 'must end with' graph example-5.0.1 --draw .svg
refuses 2 'a value is missing' graph example-5.0.1 --draw
refuses 1 'nowhere' graph example-5.0.1 --draw "$folder/nowhere/graph.svg"
refuses 2 'the answer goes there; name another file' graph example-5.0.1 --draw "$folder/a.svg" --output "$folder/./a.svg"
cp "$folder/system.json" "$folder/read.json"
refuses 2 'the system is read from there' graph --system "$folder/read.json" --output "$folder/./read.json"
is "... and is still there" cmp -s "$folder/read.json" "$folder/system.json"
refuses 2 'takes one value' graph example-5.0.1 --set x1=1,2
echo before >"$folder/kept.svg"
env PATH=/nowhere "$real" graph example-5.0.1 --draw "$folder/kept.svg" >"$folder/out" 2>"$folder/err"
status=$?
without_progress "$folder/err"
is "without dot: exit 1" test "$status" -eq 1 -a ! -s "$folder/out" -a "$(wc -l <"$folder/err")" -eq 1
is "... and one line that says so" grep -q '^macrostep: dot is not on PATH.*graphviz' "$folder/err"
is "... and the old file" test "$(cat "$folder/kept.svg")" = before
is "no file is left beside" test "$(find "$folder" -name '*.part' | wc -l)" -eq 0

# Figures that Graphviz draws
mkdir "$folder/results"
for k in 3 4 5 6 7 8 9 10 11; do
    call figure "andersson2016:fig5.$k" --directory "$folder/results/figures" --format json
    wanted=reproduced
    case $k in 7 | 9 | 10) wanted=not-determined ;; esac # their graphs are lost
    is "figure 5.$k" grep -q "^  \"status\": \"$wanted\"" "$folder/out"
    ! grep -q '"verdict": "deviates"' "$folder/out"
    result $? "... no statement about it fails"
done
for suffix in dot svg pdf png json; do
    is "figure 5.11: a file .$suffix" test -s "$folder/results/figures/andersson2016-fig5.11.$suffix"
done
cp "$folder/results/figures/andersson2016-fig5.11.pdf" "$folder/before.pdf"
call figure andersson2016:fig5.11 --directory "$folder/results/figures"
is "figure 5.11: the same PDF again" cmp -s "$folder/before.pdf" \
    "$folder/results/figures/andersson2016-fig5.11.pdf"
grep -q '^checks_held  *[0-9]* of [0-9]*$' "$folder/out"
result $? "figure 5.11: how many of its checks hold"
answers report --directory "$folder/results"
grep -q 'src="figures/andersson2016-fig5.11.svg".*graph of nodes' "$folder/results/report.html"
result $? "report: the picture of a graph"

# Edges through u' are dotted, and the legend says so where there are any
for model in controlled-car quarter-car; do
    answers graph $model --draw "$folder/$model.dot"
done
grep -q 'style=dotted' "$folder/controlled-car.dot" && grep -q 'dotted: through a time derivative' "$folder/controlled-car.dot" &&
    ! grep -q dotted "$folder/quarter-car.dot"
result $? "edges through time derivatives are dotted"

echo "1..$count"
[ $failed -eq 0 ]
