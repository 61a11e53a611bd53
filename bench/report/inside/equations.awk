# SPDX-License-Identifier: GPL-3.0-or-later
# equations.awk - which files name which equation of which paper, from comments of C, and from texts of figure files: a line "PAPER EQUATION
# files|tests PATH" for each. The thesis alone numbers by chapter, (6.82), the other papers by one number, (34), which means something only in a
# file that names one of them alone; numbers that are none of an equation are left to the reader. Ranges, "(6.84)-(6.87)", are all of their numbers.

function begin() {
    split("", found)
    jfm = f3ornits = balance = inside = 0
    path = FILENAME
}

function say(paper, equation) {
    print paper, equation, path ~ /^tests\// ? "tests" : "files", path
}

function finish(    one, paper) {
    paper = jfm + f3ornits + balance == 1 ? (jfm ? "eguillon2021" : f3ornits ? "eguillon2022" : "moshagen2021") : ""
    for (one in found) {
        if (one ~ /\./)
            say("andersson2016", one)
        else if (one !~ /\./ && paper != "")
            say(paper, one)
    }
}

# What of the line is comment; all of it in a figure file.
function comment(line,    text, at) {
    if (path ~ /\.json$/)
        return line
    if (path ~ /\.sh$/)
        return line ~ /^ *#/ ? line : ""
    text = ""
    while (line != "") {
        if (inside) {
            at = index(line, "*/")
            text = text " " (at ? substr(line, 1, at - 1) : line)
            line = at ? substr(line, at + 2) : ""
            inside = !at
        } else {
            at = index(line, "/*")
            line = at ? substr(line, at + 2) : ""
            inside = at > 0
        }
    }
    return text
}

# The numbers from one to the other, of the same chapter.
function range(first, last,    a, b, k, parts) {
    parts = split(first, a, ".")
    if (split(last, b, ".") != parts || parts == 2 && a[1] != b[1])
        return
    for (k = a[parts] + 0; k <= b[parts] + 0; k++)
        found[parts == 2 ? a[1] "." k : k] = 1
}

function equations(text,    number, before) {
    while (match(text, /\([0-9]+(\.[1-9][0-9]?)?[a-e]?\)/)) {
        number = substr(text, RSTART + 1, RLENGTH - 2)
        sub(/[a-e]$/, "", number)
        if (RSTART == 1 || substr(text, RSTART - 1, 1) !~ /[A-Za-z0-9_]/) # not p(1), not 5(4)
            found[number] = 1
        if (before != "" && substr(text, 1, RSTART - 1) ~ /^(-| to )$/)
            range(before, number)
        before = number
        text = substr(text, RSTART + RLENGTH)
    }
}

FNR == 1 {
    if (path != "")
        finish()
    begin()
}
{
    here = FNR == 1 ? FILENAME " " $0 : $0
    jfm = jfm || here ~ /IFOSMONDI-JFM|eguillon2021|Eguillon[^.;]*\(2021\)/
    f3ornits = f3ornits || here ~ /F3ORNITS|eguillon2022|Eguillon[^.;]*\(2022\)/
    balance = balance || here ~ /Moshagen|moshagen2021/
    equations(comment($0))
}
END {
    if (path != "")
        finish()
}
