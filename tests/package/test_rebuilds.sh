#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Editing options.h compiles those files anew that read values of options, and no others: by the dependency files that the
# compiler has left beside the objects. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

objects=$(dirname "$macrostep")/obj

# 165 of 555 objects of the library and the command read options.h when the number was stated: half of them hold the arguments of a
# call, a sixth a request to estimate, a fourth read values. A header that includes it where choices.h or option_id.h would do adds
# ten to a hundred at once. A command more is one: raise the number by what is new and reads values.
most=178

# Those of sources that are there: a build folder keeps what stood elsewhere before.
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
find "$objects" \( -path "$objects/tests" -o -path "$objects/bench/speed" \) -prune -o -name '*.d' -print |
    while read -r file; do
        source=${file#"$objects"/}
        [ ! -f "$here/${source%.d}.c" ] || echo "$file"
    done >"$folder/all"
xargs grep -l '\(^\|[ /]\)options\.h' <"$folder/all" >"$folder/reading"
all=$(wc -l <"$folder/all") reading=$(wc -l <"$folder/reading")

[ "$reading" -gt 0 ] && [ "$reading" -lt "$all" ]
result $? "the build has left its dependency files: $all, $reading of which name options.h"
[ "$reading" -le "$most" ]
result $? "at most $most objects read options.h: $reading"

echo "1..$count"
[ "$failed" -eq 0 ]
