#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables for a page: --format latex, latex-siunitx and markdown of every answer, digits, what is refused. Where there is pdflatex with
# booktabs and siunitx, it compiles them; else each row is seen to have the cells of its heading. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

# cells: of each row as many as columns; cells of LaTeX hold no &, those of Markdown no | that is not escaped
cat >"$folder/cells.awk" <<'END'
/^%|^    |^$/ {next}
/^\\begin\{tabular\}/ {inside = 1; next}
/^\\end\{tabular\}/ {inside = 0; done = 1; next}
/^\\(top|mid|bottom)rule$/ {next}
/^\\multicolumn/ || !/[&|]/ {next} # what is the same in all rows
{gsub(/\\[&|]/, ""); n = split($0, cell, /&|\|/); if (!columns) columns = n; if (n != columns) wrong = 1; rows++}
END {exit wrong || rows < 2}
END

compiles() {
    tex=no
    if command -v pdflatex >/dev/null && kpsewhich booktabs.sty >/dev/null && kpsewhich siunitx.sty >/dev/null; then
        tex=yes
        cat >"$folder/page.tex" <<'END'
\documentclass{article}
\usepackage[paperwidth=250cm,paperheight=250cm,margin=1cm]{geometry}
\usepackage[utf8]{inputenc}
\usepackage{booktabs, siunitx}
\begin{document}\input{table}\end{document}
END
    fi
}
compiles

# page ARGUMENT ..: the answer in all three forms
page() {
    for form in latex latex-siunitx markdown; do
        call "$@" --format $form --output "$folder/table.tex"
        [ "$status" -eq 0 ] && awk -f "$folder/cells.awk" "$folder/table.tex" >"$folder/err"
        result $? "$form: $*"
        if [ $tex = yes ] && [ $form != markdown ]; then
            (cd "$folder" && pdflatex -interaction=batchmode -halt-on-error page.tex >err)
            result $? "... compiles"
        fi
    done
}
page run quarter-car
page compare quarter-car --scheme jacobi,balance
page converge quarter-car
page best quarter-car --error 1e-2 --scheme jacobi
page stability quarter-car --critical --scheme jacobi,gauss-seidel
page spectral quarter-car
page sweep --models quarter-car --cases first --scheme jacobi
page integrate quarter-car
page linearise quarter-car
page drive quarter-car --subsystem wheel
page show quarter-car
page list figures
page list schemes

# Digits
call converge quarter-car --format latex --digits 2
is "--digits 2: of what was found; step sizes are exact, the order stands beside them" \
    sh -c 'grep -qF "\$3.125 \\times 10^{-5}\$ & \$2.1 \\times 10^{-4}\$ & \$1.0\$" "$1" && grep -qF "{order \$1.0\$}" "$1"' sh "$folder/out"
call converge quarter-car --digits 3
is "... of the terminal's table" grep -q '^ *0.001 *0.00684 ' "$folder/out"
call stability mass-spring-damper --critical --scheme jacobi,gauss-seidel --max-step 5 --format latex --digits 3
is "... of the ends of intervals; step sizes have a unit" \
    sh -c 'grep -q "^member & critical step size / s & stable intervals / s" "$1" && grep -q "^jacobi & .* & 0 to 0\.0[0-9]\{3\} " "$1"' sh "$folder/out"
call run quarter-car --format markdown
is "... by themselves six" grep -q '^| errors.all states.max | 0.00683506 |' "$folder/out"
call run van-der-pol --solver cvode-bdf --format markdown
is "... and no more than the stated error of the reference leaves" \
    grep -q '^| errors.oscillator.x.max | 1\.[0-9]\{1,2\}e-05 |' "$folder/out"
refuses 2 '^macrostep: --digits 3: applies only to tables; csv has all digits' converge quarter-car --digits 3 --format csv
refuses 2 '^macrostep: --digits 0: ' converge quarter-car --digits 0
refuses 2 '^macrostep: --plot -: the answer goes to standard output as well' converge quarter-car --format latex --plot -

# Remarks of a page
call converge quarter-car --format latex --comments no --output "$folder/bare.tex"
is "--comments no: the table alone" test "$(grep -c '^%' "$folder/bare.tex")" -eq 1
call converge quarter-car --format latex --output "$folder/with.tex"
is "... else its origin behind it, as remarks of LaTeX" grep -q '^% command: macrostep converge quarter-car' "$folder/with.tex"
is "... and none of another kind" test "$(grep -c '^#' "$folder/with.tex")" -eq 0

# Parts
call converge quarter-car --format latex --digits 3 --shard 1/2 --output "$folder/1.json"
call converge quarter-car --format latex --digits 3 --shard 2/2 --output "$folder/2.json"
call merge "$folder/1.json" "$folder/2.json"
is "parts are merged to a page" grep -qF '$1 \times 10^{-3}$ & $6.84 \times 10^{-3}$' "$folder/out"

# Groups and columns
call converge quarter-car --scheme jacobi,strang --format latex
is "a rule between schemes, each with its name and order once" \
    sh -c '[ "$(grep -c "^.midrule" "$1")" -eq 2 ] && [ "$(grep -c "^strang & .1\.999.*& " "$1")" -eq 1 ] && grep -q "^ &  & " "$1"' sh "$folder/out"
call converge quarter-car --scheme jacobi,strang --columns error,member,step-size
is "--columns: in the terminal, in that order" grep -q '^  *max error  *member  *step size$' "$folder/out"
call converge quarter-car --scheme jacobi,strang --columns step_size,error --format csv --comments no
is "... of CSV" grep -q '^step_size,error$' "$folder/out"
call run quarter-car --columns errors.max,reason --format csv --comments no
is "... of an answer without rows" test "$(wc -l <"$folder/out")" -eq 2
call sweep --models quarter-car --cases physical --scheme jacobi --variants default --set kc=15000,20000
is "a sweep shows what its lists change" grep -q ' kc  step size ' "$folder/out"
call sweep --models quarter-car --cases physical --scheme jacobi --variants default --columns scheme,kc,error --format csv --comments no
is "... and writes columns that are chosen" grep -q '^scheme.scheme,parameters.kc,error$' "$folder/out"
call converge quarter-car --columns eror --output "$folder/all.txt"
is "a name that is none costs no answer" grep -q '^ *step size *max error' "$folder/all.txt"
refuses 2 "^macrostep: --columns eror: no column is called that; did you mean error?" converge quarter-car --columns eror --output "$folder/all.txt"
refuses 2 '^macrostep: --columns eror: no column is called that; did you mean error?' sweep --models quarter-car --columns eror --format csv
refuses 2 '^macrostep: --columns error: applies only to tables and csv; json has' run quarter-car --columns error --format json
refuses 2 '^macrostep: --columns error: rows that are resumed or joined' sweep --models quarter-car --columns error --format csv --shard 1/2

echo "1..$count"
[ "$failed" -eq 0 ]
