/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_expressions.c - an expression wherever a system file takes one, evaluated, and written in C. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/system.h>
#include <macrostep/system_file.h>
#include "equations_source.h"
#include "harness.h"

/* Where the expression stands. */
enum place { EQUATIONS, EVENT, EXTERNAL, PLACES };

/* The system; NULL: the expression is no UTF-8. */
static char *system_with(const char *e, enum place place)
{
    json_t *root = json_pack(
        "{s:{s:f, s:f}, s:[{s:s, s:{s:{s:s, s:f}}, s:[s], s:{s:s}, s:{s:s}, s:s}], s:[]}", "parameters", "p",
        0.5, "q", 2.0, "subsystems", "name", "a", "states", "x", "derivative", place == EXTERNAL ? "w" : e,
        "start", 1.5, "inputs", "u", "outputs", "y", place == EXTERNAL ? "x" : e, "external", "w",
        place == EXTERNAL ? e : "t", "energy", "x^2", "wires");
    json_t *sub = json_array_get(json_object_get(root, "subsystems"), 0);
    if (place == EVENT && sub != NULL)
        json_object_set_new(sub, "events", json_pack("[{s:s, s:{s:s}}]", "when", e, "then", "x", e));
    char *text = root != NULL ? json_dumps(root, 0) : NULL;
    json_decref(root);
    return text;
}

static void write_source(const ms_model *model)
{
    ms_system *system = NULL;
    ms_error error = {{0}};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (harness_check(ms_system_create(model, NULL, NULL, 0, &system, &error), &error) &&
        ms_equations_are(&system->sub[0]))
        ms_equations_write_source(&system->sub[0], file);
    fclose(file);
    free(text);
    ms_system_destroy(&system);
}

static void read_one(const char *text)
{
    ms_model *model = NULL;
    ms_error error = {{0}};
    const char *path = harness_file((const uint8_t *)text, strlen(text), "");
    if (harness_check(ms_model_read(path, &model, &error), &error)) {
        harness_evaluate(model);
        write_source(model);
    }
    ms_model_destroy(&model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *expression = harness_text(data, size);
    for (enum place place = EQUATIONS; place < PLACES; place++) {
        char *text = system_with(expression, place);
        if (text != NULL)
            read_one(text);
        free(text);
    }
    free(expression);
    return 0;
}
