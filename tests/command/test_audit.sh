#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make audit's page, with campaigns that are played: what passed, what found something, and where time was over. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

cat >"$folder/make" <<'END'
#!/bin/sh
case $2 in
    truth) echo "truth: 1 of 9 wrong"; exit 1 ;;
    mutants) exec sleep 60 ;;
esac
echo "$2: all well"
END
chmod +x "$folder/make"
MAKE="$folder/make" SEED=3 FOLDER='' sh "$(dirname "$0")/../audit" "$folder/page" 3 >"$folder/out" 2>"$folder/err"
is "status 1 where something was found" test $? -eq 1
is "soak passed with its seed" grep -q '^| make soak SECONDS=[0-9]* SEED=3 | [0-9]* | passed | soak: all well |$' "$folder/page"
is "truth found something" grep -q '^| make truth .* | FOUND | truth: 1 of 9 wrong |$' "$folder/page"
is "... which is shown" grep -q '^    truth: 1 of 9 wrong$' "$folder/page"
is "mutants were ended" grep -q '^| make mutants .* | time was over |' "$folder/page"
is "and no other found anything" test "$(grep -c FOUND "$folder/page")" -eq 1

echo "1..$count"
[ "$failed" -eq 0 ]
