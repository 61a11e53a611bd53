#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The READMEs and the manual page say what is true: commands run; options, figures, files and folders exist; pages are
# short. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

here=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
mkdir "$folder/bin" "$folder/help"
ln -s "$macrostep" "$folder/bin/macrostep"
pages=$(cd "$here" && find . \( -name .git -o -name build -o -name results -o -name pages \) -prune -o -name '*.md' -print |
    sed 's|^\./||' | sort)
commands=$("$macrostep" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
for command in $commands; do
    "$macrostep" "$command" --help=all >"$folder/help/$command"
done
"$macrostep" list figures --format csv | sed -n 's/^figure,\([^,]*\),.*/\1/p' | sort >"$folder/figures"
"$macrostep" list models --format csv | sed -n 's/^model,\([^,]*\),.*/\1/p' >"$folder/models"

# sentence WHAT: the lines in $folder/err are what is wrong; none is well
sentence() {
    [ ! -s "$folder/err" ]
    result $? "$1"
}

# Length
is "README.md has at most 150 lines" test "$(wc -l <"$here/README.md")" -le 150
for page in $pages; do
    case $page in
        README.md | bench/README.md | bench/studies/README.md) ;;
        *) is "$page has at most 40 lines" test "$(wc -l <"$here/$page")" -le 40 ;;
    esac
done

# options_of TEXT: the options of the command that a text names, pkg-config's and Slurm's left aside
options_of() {
    sed -e '/#SBATCH/d' -e '/sbatch --/d' -e 's/\\-/-/g' -e 's/pkg-config --cflags\( --libs\)*//g' "$1" | grep -oE -e '(^|[^A-Za-z0-9-])--[a-z][a-z-]*' |
        grep -oE -e '--[a-z-]*[a-z]' | sort -u
}

# Options
cat "$folder"/help/* >"$folder/all"
"$macrostep" --help >>"$folder/all"
options_of "$folder/all" >"$folder/known"
for page in $pages bench/macrostep.1; do
    options_of "$here/$page" | comm -23 - "$folder/known" >"$folder/err"
    sentence "$page: each option exists"
done
options_of "$here/bench/macrostep.1" >"$folder/named"
comm -13 "$folder/named" "$folder/known" >"$folder/err"
sentence "the manual page names each option"
for command in $commands; do
    sed 's/\\-/-/g' "$here/bench/macrostep.1" | grep -qE "^\.(B|BR|BI) (\"\")? ?$command( |\$)" || echo "$command"
done >"$folder/err"
sentence "the manual page names each command"

sed -n '1,/^## /s/^- //p' "$here/bench/README.md" | sed 's/; /\n/g' >"$folder/listed"
sed -n 's/^## //p' "$here/bench/README.md" | diff "$folder/listed" - >"$folder/err"
sentence "bench/README.md: its list of sections has them all, in their order"

# Which commands take an option: a row of the manual has those whose --help has it.
sed -n '/^Which commands take/,/^## /s/^| `\(--[a-z-]*\)` | \(`[a-z-]*`.*\) |$/\1 \2/p' "$here/bench/README.md" | tr -d '\140,' >"$folder/rows"
is "bench/README.md: a table of what commands take" test "$(wc -l <"$folder/rows")" -ge 10
while read -r option takers; do
    # shellcheck disable=SC2086
    printf '%s\n' $takers | sort >"$folder/named"
    (cd "$folder/help" && grep -l -e "^  $option " -- * | sort) | comm -3 - "$folder/named" >"$folder/err"
    sentence "bench/README.md: $option is of the commands that its row names"
done <"$folder/rows"

# Calls of make. made PAGE: those in code and in backticks, a line each
made() {
    sed -n 's/^    make /make /p' "$1" | sed -e 's/  *#.*//' -e 's/[>&|].*//'
    tr -s '\n ' '  ' <"$1" | grep -oE '`make [^`]*`' | tr -d '\140'
}
# makes CALL ..: what of it the Makefile does not know
makes() {
    for word; do
        case $word in
            make | -* | *...*) ;;
            *=*) grep -qE "[$][(]${word%%=*}[)]|^${word%%=*} " "$here/Makefile" || echo "no variable ${word%%=*}" ;;
            *) grep -qE "^([a-z-]+ )*$word( [a-z-]+)*:" "$here/Makefile" || echo "no target $word" ;;
        esac
    done
}
for page in $pages; do
    made "$here/$page" | tr ',' '\n' | while read -r call; do
        # shellcheck disable=SC2086
        makes $call
    done >"$folder/err"
    sentence "$page: each target and variable of make exists"
done
is "... which tells what does not" test "$(makes make SECONDS=1 NO_SUCH=1 lint no-such | tr '\n' ' ')" = 'no variable NO_SUCH no target no-such '

# Files and folders. `PAPER/NAME.c` and `solver_*.c` are patterns; what a call makes is not in the tree.
# paths PAGE: what stands in backticks and looks like a path, and first words of a map
paths() {
    grep -oE '`[A-Za-z0-9_.-]*/[A-Za-z0-9_./-]*`' "$1" | tr -d '\140'
    sed -n 's|^    \([a-z0-9_]*/\) .*|\1|p' "$1"
}
# rooms_of PAGE: the folders that each line of a map names, below its first word
rooms_of() {
    awk '/^    [a-z0-9_]+\/ / {top = $1} !/^    / {top = ""}
         top != "" {sub(/^    [a-z0-9_]+\/ /, ""); gsub(/[(),;:]/, " ")
                    for (i = 1; i <= NF; i++) if ($i ~ /^[a-z0-9_]+\/$/) print top $i}' "$1"
}
# sources_of PAGE: names of C files, those of a user's own programs left aside
sources_of() {
    grep -vE '^    (cat|cc) |^    #include' "$1" | grep -oE '[A-Za-z0-9_*]+\.[ch]\b' |
        grep -vE '[A-Z*]|^macrostep\.h$' | sort -u
}
(cd "$here" && find models algorithms analysis bench tests -name '*.[ch]' | sed 's|.*/||' | sort -u) >"$folder/sources"
(cd "$here" && find models algorithms analysis bench tests -type d) >"$folder/rooms"
for page in $pages; do
    { paths "$here/$page"; rooms_of "$here/$page"; } | sort -u | while read -r path; do
        case $path in
            *NAME* | *PAPER* | *ROOM* | *FILE* | *SCHEME* | *MODEL* | *PREFIX* | *DIR* | build/* | results/figures* | results/report*)
                continue
                ;;
        esac
        [ -e "$here/$path" ] || [ -e "$here/$(dirname "$page")/$path" ] ||
            grep -q "/${path%/}\$" "$folder/rooms" || echo "$path"
    done >"$folder/err"
    sentence "$page: each file and folder exists"
    sources_of "$here/$page" | comm -23 - "$folder/sources" >"$folder/err"
    sentence "$page: each C file exists"
done

# Figures
sed -n 's/^|.*`macrostep figure \([^`]*\)` |$/\1/p' "$here/bench/studies/README.md" | sort >"$folder/table"
comm -3 "$folder/figures" "$folder/table" >"$folder/err"
sentence "bench/studies/README.md: the table has each figure once"

# Commands. text PAGE: as it stands, or what is set as it stands in a page for man
text() {
    case $1 in
        *.1) sed -n '/^\.nf/,/^\.fi/{/^\.[nf][fi]/d; s/^ */    /; s/\\-/-/g; p}' "$here/$1" ;;
        *) cat "$here/$1" ;;
    esac
}

# extract PAGE FOLDER: each command of a code block into a file of its own: 001, 002, ..
extract() {
    text "$1" | awk -v folder="$2" '
        !open && /^    ((build\/)?macrostep|mpirun|gnuplot|cc|cat >) / {
            name = sprintf("%s/%03d", folder, ++n); open = 1; here = $0 ~ /<<.END.$/}
        open {sub(/^    /, ""); print > name; if (here ? $0 == "END" : $0 !~ /\\$/) {open = 0; close(name)}}'
}

# stands CALL: a call that takes long, or needs what is not here, is not made: its command, options and names exist
stands() {
    sed -e 's/  *#.*//' -e 's/.*macrostep //' "$1" | tr '\n\\' '  ' >"$folder/call"
    # shellcheck disable=SC2046
    set -- $(cat "$folder/call")
    [ -f "$folder/help/$1" ] || { echo "no command $1"; return; }
    options_of "$folder/help/$1" >"$folder/its"
    options_of "$folder/call" | comm -23 - "$folder/its"
    case $1:${2-} in
        figure:*) grep -qxF -e "$2" "$folder/figures" || echo "no figure $2" ;;
        *:--* | *: | *:*[A-Z]*) ;;
        *) grep -qxF -e "$2" "$folder/models" || echo "no model $2" ;;
    esac
}

# The compiler of a user links what the library was built with.
with=$("$macrostep" run linear-pair --format json | grep '"compiler_flags"' |
    grep -oE -e '-fsanitize=[^ "]*|--coverage' | tr '\n' ' ')
printf '#!/bin/sh\nexec %s "$@" %s\n' "$(command -v cc)" "$with" >"$folder/bin/cc"
chmod +x "$folder/bin/cc"
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -C "$here" B="$(dirname "$macrostep")" PREFIX="$folder/prefix" install \
    >"$folder/out" 2>"$folder/err" </dev/null
result $? "make install, for the program of the README"
case $with in # the dlopen of a sanitizer does not look where the program has been linked to look
    *-fsanitize*) export LD_LIBRARY_PATH="$folder/prefix/lib/macrostep" ;;
esac

# works CALL: it is made in the scratch folder of its page
works() {
    (cd "$scratch" && PATH=$folder/bin:$PATH PKG_CONFIG_PATH=$folder/prefix/lib/pkgconfig sh -e "$1") \
        >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
    without_progress "$folder/err"
    return $status
}

number=0
for page in $pages bench/macrostep.1 $(cd "$here" && ls bench/commands/inside/help/*.txt); do
    number=$((number + 1))
    scratch=$folder/scratch$number
    mkdir "$scratch" "$scratch.calls"
    extract "$page" "$scratch.calls"
    [ "$page" != bench/macrostep.1 ] || cp "$own" "$scratch"
    for call in "$scratch.calls"/*; do
        [ -f "$call" ] || continue
        sed -i -e 's|^build/macrostep |macrostep |' "$call"
        what="$page: $(head -n 1 "$call")"
        case $(sed 's/  *#.*//' "$call") in
            'macrostep compare'*--load* | 'macrostep figure andersson2016:fig6.1')
                works "$call"
                result $? "$what"
                ;;
            'macrostep figure'* | 'macrostep report'* | 'macrostep sweep'* | 'macrostep compare'* | mpirun* | \
                'macrostep converge double-pendulum'* | macrostep*[A-Z][A-Z]*)
                stands "$call" >"$folder/err"
                sentence "$what"
                ;;
            *)
                works "$call"
                result $? "$what"
                ;;
        esac
    done
    [ "$page" != README.md ] || own=$scratch/loop.json
done

# The system of the manual is one.
sed -n '/^    {"parameters": {"k"/,/step_size": 0.01}$/p' "$here/bench/README.md" >"$folder/system.json"
answers show --system "$folder/system.json"

echo "1..$count"
[ "$failed" -eq 0 ]
