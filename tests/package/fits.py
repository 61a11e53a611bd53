# SPDX-License-Identifier: GPL-3.0-or-later
"""fits.py SCHEMA FILE ..: does the JSON of each file fit? Exit status 0, or 1 with what does not; 2: the schema is none.

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
beside = {other.as_uri(): json.loads(other.read_text(encoding="utf-8")) for other in path.parent.glob("*.json")}
resolver = jsonschema.RefResolver(path.as_uri(), schema, store=beside)
status = 0
for name in sys.argv[2:]:
    value = json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
    for fault in validator(schema, resolver=resolver).iter_errors(value):
        print(f"{pathlib.Path(name).name}: {fault.message[:300]}", file=sys.stderr)
        status = 1
sys.exit(status)
