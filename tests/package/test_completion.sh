#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion: the functions of the scripts, called as the shells call them. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

"$macrostep" --completion bash >"$folder/complete.bash"
"$macrostep" --completion zsh >"$folder/_macrostep"
refuses 2 '--completion fish: must be bash or zsh' --completion fish
refuses 2 "--completion '': must be" --completion
mkdir "$folder/here"
touch "$folder/here/mine.json" "$folder/here/other.csv"

# completes LINE WORD ..: bash puts exactly these words, in any order, behind the line
completes() {
    line=$1
    shift
    (cd "$folder/here" && COMP_LINE="$line" bash -c '
        . "$1"; COMP_POINT=${#COMP_LINE}; _macrostep; printf "%s\n" "${COMPREPLY[@]}"' bash "$folder/complete.bash") 2>"$folder/err" |
        sort >"$folder/found"
    printf '%s\n' "$@" | sort | cmp -s - "$folder/found" && [ ! -s "$folder/err" ]
    result $? "bash: $line -> $*"
}

# offers LINE WORD ..: these are among the words
offers() {
    line=$1
    missing=0
    shift
    (cd "$folder/here" && COMP_LINE="$line" bash -c '
        . "$1"; COMP_POINT=${#COMP_LINE}; _macrostep; printf "%s\n" "${COMPREPLY[@]}"' bash "$folder/complete.bash") >"$folder/found" 2>"$folder/err"
    for word in "$@"; do
        grep -qx -e "$word" "$folder/found" || missing=1
    done
    result $missing "bash: $line offers $*"
}

completes 'macrostep sp' spectral
completes 'macrostep s' show sweep spectral stability
completes 'macrostep help conv' converge
completes 'macrostep --comp' --completion
completes 'macrostep --completion z' zsh
completes 'macrostep run quarter' quarter-car
offers 'macrostep run ' quarter-car mass-chain mine.json
completes 'macrostep run min' mine.json
completes 'macrostep run quarter-car --extrap' --extrapolation-order
completes 'macrostep run quarter-car --scheme gau' gauss-seidel
completes 'macrostep run quarter-car --scheme=gau' gauss-seidel
completes 'macrostep compare quarter-car --scheme jacobi,gau' jacobi,gauss-seidel
completes 'macrostep run quarter-car --outputs ' inconsistent consistent corrected
completes 'macrostep run quarter-car --norm rm' rmse
completes 'macrostep run quarter-car --case ' $("$macrostep" show quarter-car --format json | sed -n '/"cases"/s/.*\[\(.*\)\].*/\1/p' | tr -d '",')
completes 'macrostep run quarter-car --set k' kc= kw=
completes 'macrostep run --set kc=1 quarter-car --set kw' kw=
completes 'macrostep run quarter-car --format json' json jsonl
completes 'macrostep run quarter-car --trajectory ot' other.csv
completes 'macrostep run quarter-car --linear-correction --norm e' end
completes 'macrostep list mo' models
completes 'macrostep figure andersson2016:fig6.10' fig6.10
completes 'macrostep figure moshagen2021:fig12' fig12
completes 'macrostep new sch' scheme
completes 'macrostep diff mi' mine.json
completes 'macrostep spectral quarter-car --nor' ''
completes 'macrostep run quarter-car --rtol ' ''
completes 'macrostep run --help=' all

# Every option of every command, and nothing else
for command in $("$macrostep" --completion bash | sed -n "s/^_macrostep_commands='\(.*\)help --help.*/\1/p"); do
    "$macrostep" "$command" --help=all | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort -u >"$folder/wanted"
    bash -c '. "$1"; _macrostep_options "$2"' bash "$folder/complete.bash" "$command" | tr ' ' '\n' | sort -u | cmp -s - "$folder/wanted"
    result $? "$command: the options of its help"
done
bash -c '. "$1"; tr " " "\n" <<<"$_macrostep_flags" | grep .' bash "$folder/complete.bash" | while read -r option; do
    "$macrostep" --completion bash | grep -q -e "$option" || echo "$option"
done >"$folder/err"
is "flags are options" test ! -s "$folder/err"

# zsh, where it is: with the functions of its completion system replaced by ones that print
if command -v zsh >/dev/null; then
    cat >"$folder/stubs.zsh" <<'END'
compadd() { while [[ $1 != -- ]]; do shift; done; shift; for k in "$@"; do [[ $k == ${words[CURRENT]}* ]] && print -r -- $start$k; done }
compset() { [[ ${words[CURRENT]} == ${~2}* ]] || return 1; local rest=${words[CURRENT]##${~2}}; words[CURRENT]=$rest }
_files() { print -r -- files }
compdef() { : }
END
    # zsh_completes LINE WORD ..
    zsh_completes() {
        line=$1
        shift
        zsh -f -c '. "$1"; . "$2"; words=("${(@s: :)3}"); CURRENT=$#words; _macrostep' zsh "$folder/stubs.zsh" "$folder/_macrostep" "$line" 2>"$folder/err" |
            sort >"$folder/found"
        printf '%s\n' "$@" | sort | cmp -s - "$folder/found" && [ ! -s "$folder/err" ]
        result $? "zsh: $line -> $*"
    }
    zsh_completes 'macrostep sp' spectral
    zsh_completes 'macrostep run quarter' quarter-car files
    zsh_completes 'macrostep run quarter-car --scheme gau' gauss-seidel
    zsh_completes 'macrostep run quarter-car --scheme=gau' gauss-seidel
    zsh_completes 'macrostep compare quarter-car --scheme jacobi,gau' gauss-seidel
    zsh_completes 'macrostep run quarter-car --set k' kc= kw=
    zsh_completes 'macrostep figure andersson2016:fig6.10' andersson2016:fig6.10
fi
sed -n 1p "$folder/_macrostep" | grep -qx '#compdef macrostep'
result $? "zsh: the first line says of which command"

echo "1..$count"
[ $failed -eq 0 ]
