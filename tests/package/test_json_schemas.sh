#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# System files and answers (figure files: tests/command/test_figure_files.sh) against the schemas in bench/schemas, by a validator that is not this project's (python3-jsonschema): what macrostep
# reads fits, what does not fit it refuses, and answers fit. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
here=$(cd "$(dirname "$0")" && pwd) || exit 1
case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
schemas=$here/../../bench/schemas

# validates SCHEMA FILE
validates() { python3 -W ignore "$here/fits.py" "$schemas/$1.json" "$2" 2>"$folder/err"; }

# good NAME: standard input is a system that is read and fits
good() {
    cat >"$folder/$1.json"
    call show "$folder/$1.json"
    is "$1 is read" test "$status" -eq 0
    is "... and fits" validates system "$folder/$1.json"
}

# bad NAME PATTERN: one that is refused with such a line, and does not fit
bad() {
    cat >"$folder/bad.json"
    refuses 2 "$2" show "$folder/bad.json"
    what=$1
    validates system "$folder/bad.json"
    is "$what does not fit" test $? -eq 1
}

# System files ----------------------------------------------------------------------------------------------

sed -n "/^    cat > loop.json/,/^    END/p" "$here/../../README.md" | sed '1d; $d; s/^    //' >"$folder/text"
good readme <"$folder/text"
sed -n '/^    {"parameters": {"k"/,/step_size": 0.01}$/p' "$here/../../bench/README.md" >"$folder/text"
good manual <"$folder/text"
good times <<'END'
{"start_time": -1, "stop_time": 0, "subsystems": [{"A": [[-1]], "B": [[1]], "C": [[1]]}], "wires": []}
END
good matrices <<'END'
{"$schema": "system.json", "name": "pair", "end": 2, "step_size": 1e-3,
 "subsystems": [{"A": [[-1]], "B": [[1]], "C": [[1]], "x0": [1]}, {"A": [], "D": [[0.5]], "name": "gain"}], "L": [[0, 1], [1, 0]]}
END
good equations <<'END'
{"parameters": {"k": 1, "n": {"value": 2, "integer": true, "min": 1, "max": 3, "unit": "1", "summary": "how many"}},
 "subsystems": [{"name": "ball", "states": {"h": {"derivative": "v", "start": "k", "unit": "m"}, "v": {"derivative": "-9.81 + F"}},
                 "inputs": {"F": {"unit": "m/s^2"}}, "outputs": {"h": {"value": "h", "unit": "m"}, "v": "v"}, "discrete": {"hits": 0},
                 "external": {"wind": "sin(t)"}, "events": [{"when": "h", "direction": "fall", "then": {"v": "-v", "hits": "hits + 1"}}],
                 "energy": "0.5*v^2 + 9.81*h"},
                {"name": "hand", "outputs": {"F": "0.1*h"}, "inputs": ["h"]}],
 "wires": [{"from": "ball.h", "to": "hand.h", "offset": 0.1}, {"from": "hand.F", "to": "ball.F", "gain": -1}]}
END
good catalogued <<'END'
{"subsystems": [{"name": "a", "model": "quarter-car", "subsystem": "chassis", "set": {"kc": "20*1000"}},
                {"name": "b", "model": "quarter-car", "subsystem": "wheel", "case": "physical"}],
 "wires": [[0, 2, 1], [1, 3, 1], [2, 0, 1], [3, 1, 1]]}
END
answers export quarter-car --directory "$folder"
good fmus <<'END'
{"subsystems": [{"name": "wheel", "fmu": "quarter_car_wheel.fmu", "kind": "co-simulation", "set": {"u.x": 0.1}}], "wires": []}
END

bad "no object" 'an object' <<'END'
[]
END
bad "no subsystems" 'subsystems' <<'END'
{"wires": []}
END
bad "an empty list of them" 'subsystems' <<'END'
{"subsystems": [], "wires": []}
END
bad "an end twice" 'stop_time' <<'END'
{"stop_time": 2, "end": 2, "subsystems": [{"A": [[-1]], "B": [[1]], "C": [[1]]}], "wires": []}
END
bad "a member that is misspelt" 'the nearest is step_size' <<'END'
{"subsystems": [{"A": [[-1]], "B": [[1]], "C": [[1]]}], "wires": [], "stepsize": 0.1}
END
bad "... of equations" 'the nearest is derivative' <<'END'
{"subsystems": [{"states": {"x": {"derivatives": "-x"}}, "outputs": {"y": "x"}}], "wires": []}
END
bad "... of a wire" 'the nearest is offset' <<'END'
{"subsystems": [{"name": "s", "inputs": ["u"], "outputs": {"y": "u/2"}}], "wires": [{"from": "s.y", "to": "s.u", "ofset": 1}]}
END
bad "two forms at once" 'unknown member' <<'END'
{"subsystems": [{"A": [[-1]], "states": {"x": {"derivative": "-x"}}}], "wires": []}
END
bad "a matrix that is a number" 'A' <<'END'
{"subsystems": [{"A": 1}], "wires": []}
END
bad "a derivative that is a list" 'derivative' <<'END'
{"subsystems": [{"states": {"x": {"derivative": ["-x"]}}}], "wires": []}
END
bad "a wire of two numbers" 'wires' <<'END'
{"subsystems": [{"A": [[-1]], "B": [[1]], "C": [[1]]}], "wires": [[0, 0]]}
END
bad "a step of zero" 'step_size' <<'END'
{"subsystems": [{"A": [[-1]], "B": [[1]], "C": [[1]]}], "wires": [], "step_size": 0}
END
bad "another kind of FMU" 'kind' <<'END'
{"subsystems": [{"fmu": "quarter_car_wheel.fmu", "kind": "scheduled-execution"}], "wires": []}
END
bad "a parameter that is a text" 'k' <<'END'
{"parameters": {"k": "1"}, "subsystems": [{"A": [["-k"]], "B": [[1]], "C": [[1]]}], "wires": []}
END

# Answers ---------------------------------------------------------------------------------------------------

# fits COMMAND SCHEMA ARGUMENT ..
fits() {
    schema=$1
    shift
    answers "$@" --format json
    is "... fits its schema" validates "$schema" "$folder/out"
}
loop=$folder/readme.json
fits run run "$loop" --stop-time 1
fits compare compare "$loop" --stop-time 0.2 --scheme jacobi,gauss-seidel
fits converge converge "$loop" --stop-time 0.5
fits spectral spectral "$loop" --at equilibrium
fits stability stability "$loop" --at equilibrium --critical --max-step 1
fits linearise linearise "$loop" --at equilibrium
fits integrate integrate "$loop" --stop-time 0.1
fits graph graph "$loop"
fits graph graph "$loop" --draw "$folder/loop.dot"
fits list list schemes
fits export export "$loop" --sources --directory "$folder"
fits export export quarter-car --fmi 3 --subsystem whole --directory "$folder"
answers export quarter-car --scheme gauss-seidel --extrapolation-order 1 --directory "$folder"
fits show_model show "$folder/quarter-car.ssp"
mkdir "$folder/own" && cd "$folder/own" || exit 1
for kind in model scheme; do
    fits new new $kind my-$kind
done
fits show_fmu show "$folder/quarter_car_wheel.fmu" --probe
fits show_model show quarter-car
validates run "$folder/out"
is "an answer does not fit the schema of another" test $? -eq 1

echo "1..$count"
[ "$failed" -eq 0 ]
