# SPDX-License-Identifier: GPL-3.0-or-later
"""fits.py SCHEMA FILE: does the JSON of FILE fit? Exit status 0, or 1 with what does not; 2: the schema is none.

By Debian's python3-jsonschema, which knows nothing of this project: what tests/support/answers/json_schema.c says is what others find.
References lead to the files beside the schema."""
import json
import pathlib
import sys

import jsonschema

path = pathlib.Path(sys.argv[1]).resolve()
schema = json.loads(path.read_text(encoding="utf-8"))
validator = jsonschema.Draft202012Validator
try:
    validator.check_schema(schema)
except jsonschema.SchemaError as fault:
    print(f"{path.name}: {fault.message}", file=sys.stderr)
    sys.exit(2)
with open(sys.argv[2], encoding="utf-8") as file:
    value = json.load(file)
beside = {other.as_uri(): json.loads(other.read_text(encoding="utf-8")) for other in path.parent.glob("*.json")}
resolver = jsonschema.RefResolver(path.as_uri(), schema, store=beside)
faults = [fault.message for fault in validator(schema, resolver=resolver).iter_errors(value)]
for fault in faults:
    print(fault[:300], file=sys.stderr)
sys.exit(1 if faults else 0)
