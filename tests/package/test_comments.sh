#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files and functions that comments of sources name are there. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 1

python3 "$here/tests/package/comments.py" "$here" >"$folder/err"
result $? "what comments name is there"

# A tree whose comments are right, and wrong
mkdir -p "$folder/models"
cat >"$folder/models/clock.c" <<'END'
/* clock.c - how time goes on: ms_clock_step, as all of ms_clock_*. A text is no comment: */
const char *ms_clock_step(void) { return "/* ms_nothing in made.c"; }
/* What it writes is made.c; cmd_NAME.c stands for many. */
END
python3 "$here/tests/package/comments.py" "$folder" >"$folder/err"
result $? "names that are there, patterns, and what texts name"
cat >>"$folder/models/clock.c" <<'END'

/* Unlike ms_clock_stop and
 * ms_watch_* of watch.h. */
END
python3 "$here/tests/package/comments.py" "$folder" >"$folder/found"
[ $? -eq 1 ] && printf 'models/clock.c:5: %s\n' 'no file watch.h' 'nothing is called ms_clock_stop' 'nothing is called ms_watch_*' |
    cmp -s - "$folder/found"
result $? "names that are not are told with their lines"

echo "1..$count"
[ "$failed" -eq 0 ]
