/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wires_read.c - the coupling of a system file: L, or a list of wires, each [input, output, gain] by numbers from 0 over all
 * subsystems, or {"from": "SUB.OUTPUT", "to": "SUB.INPUT", "gain": 1, "offset": 0} (or a "map", wire_signals.c), where both may be arrays of as many values. An offset is a wire from a static subsystem
 * of its own, whose output is 1 and which others than the engine do not see; and so is the start value of an input where no wire ends. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/system.h>
#include "file_model.h"
#include "fmu_description_read.h"
#include "nearest.h"
#include "unit_powers.h"

typedef struct wiring {
    ms_file_model *file;
    const ms_json_place *at;
    ms_error *error;
    int n;
    int *first_u, *first_y; /* (n + 1) number of each subsystem's first input and output */
    size_t room;            /* wires that fit, including those of start values */
    int constant;           /* the source of offsets; -1: there is none yet */
} wiring;

static int no_memory(const wiring *w)
{
    return ms_json_no_memory(w->at, w->error);
}

static ms_subsystem *subsystems(const wiring *w)
{
    return w->file->structure.subsystems;
}

/* Units -------------------------------------------------------------------------------------------------- */

/* The unit of a variable of subsystem i; for an FMU as defined in its description. Returns whether it is known. */
static bool find_unit(const wiring *w, int i, const char *name, ms_unit *unit)
{
    const ms_fmu_description *fmu = ms_file_fmu_description(w->file, i);
    if (strcmp(name, "1") == 0)
        return false;
    return fmu != NULL ? ms_fmu_description_unit(fmu, name, unit) : ms_unit_read(name, unit);
}

/* Compares exponents except that of rad, which is 1; if it differs, scales are not compared. */
static bool fit(ms_unit *from, ms_unit *to, double *gain, double *offset)
{
    const bool scales = from->power[MS_UNIT_RADIAN] == to->power[MS_UNIT_RADIAN];
    from->power[MS_UNIT_RADIAN] = to->power[MS_UNIT_RADIAN] = 0;
    const bool same = ms_unit_convert(from, to, gain, offset);
    if (!scales) {
        *gain = 1.0;
        *offset = 0.0;
    }
    return same;
}

/* Stores the line for ms_model_check_units. A gain other than 1 and -1, or an offset, converts units deliberately. */
static void check_units(wiring *w, const ms_wire *wire, double offset)
{
    const ms_subsystem *to = &subsystems(w)[wire->to], *from = &subsystems(w)[wire->from];
    const ms_variable *u = &to->u[wire->input], *y = &from->y[wire->output];
    ms_unit of_u, of_y;
    double gain, more;
    char right[80] = "";
    if (w->file->passes_over || w->file->units.text[0] != '\0' || !find_unit(w, wire->to, u->unit, &of_u) ||
        !find_unit(w, wire->from, y->unit, &of_y))
        return;
    const bool same = fit(&of_y, &of_u, &gain, &more);
    const bool converts = fabs(gain - 1.0) > 1e-12 || fabs(more) > 0.0;
    const bool plain = !(fabs(fabs(wire->gain) - 1.0) > 0.0) && !(fabs(offset) > 0.0);
    if (same && !(converts && plain))
        return;
    if (same && fabs(more) > 0.0)
        snprintf(right, sizeof right, "; a gain of %.9g and an offset of %.9g are right", wire->gain * gain,
                 wire->gain * more);
    else if (same)
        snprintf(right, sizeof right, "; a gain of %.9g is right", wire->gain * gain);
    ms_json_fail(w->at, &w->file->units,
                 "wire %.100s.%.100s to %.100s.%.100s: %.40s where %.40s is expected: units do not fit%s",
                 from->name, y->name, to->name, u->name, y->unit, u->unit, right);
}

/* Numbers ------------------------------------------------------------------------------------------------ */

static int number_all(wiring *w)
{
    ms_structure *s = &w->file->structure;
    const size_t n = (size_t)s->n_subsystems;
    w->n = s->n_subsystems;
    w->first_u = ms_structure_alloc(s, n + 1, sizeof *w->first_u);
    w->first_y = ms_structure_alloc(s, n + 1, sizeof *w->first_y);
    MS_TRY_MEMORY_OR(w->first_u != NULL && w->first_y != NULL, no_memory(w));
    for (size_t i = 0; i < n; i++) {
        const ms_subsystem *sub = &s->subsystems[i];
        if (sub->nu > INT_MAX - w->first_u[i] || sub->ny > INT_MAX - w->first_y[i])
            return no_memory(w);
        w->first_u[i + 1] = w->first_u[i] + sub->nu;
        w->first_y[i + 1] = w->first_y[i] + sub->ny;
    }
    return MS_OK;
}

/* Adds a wire whose ends match. */
static int add_wire(wiring *w, const ms_wire *made, double offset)
{
    ms_structure *s = &w->file->structure;
    MS_TRY(ms_file_check_signals(w->file, made, offset, w->at, w->error));
    check_units(w, made, offset);
    s->wires[s->n_wires++] = *made;
    return MS_OK;
}

static int add_numbered(wiring *w, int input, int output, double gain)
{
    const int to = ms_owner_of(w->first_u, w->n, input), from = ms_owner_of(w->first_y, w->n, output);
    return add_wire(w, &(ms_wire){to, input - w->first_u[to], from, output - w->first_y[from], gain}, 0.0);
}

static int read_matrix(wiring *w, const json_t *root)
{
    ms_structure *s = &w->file->structure;
    const size_t nu = (size_t)w->first_u[w->n], ny = (size_t)w->first_y[w->n];
    ms_json_matrix L;
    MS_TRY(ms_json_read_matrix(s, root, "L", true, w->at, &L, w->error));
    MS_TRY(ms_json_shape(&L, "L", nu, ny, w->at, w->error));
    if (L.text != NULL)
        MS_TRY(ms_json_fail(w->at, w->error, "L has expressions; its entries are numbers"));
    size_t count = 0;
    for (size_t k = 0; k < nu * ny; k++)
        count += L.value[k] != 0.0;
    s->wires = count <= INT_MAX - nu ? ms_structure_alloc(s, count + nu, sizeof *s->wires) : NULL;
    MS_TRY_MEMORY_OR(s->wires != NULL, no_memory(w));
    for (size_t k = 0; k < nu * ny; k++)
        if (L.value[k] != 0.0)
            MS_TRY(add_numbered(w, (int)(k / ny), (int)(k % ny), L.value[k]));
    return MS_OK;
}

static int read_numbered(wiring *w, const json_t *wire, size_t i)
{
    const int nu = w->first_u[w->n], ny = w->first_y[w->n];
    const json_t *input = json_array_get(wire, 0), *output = json_array_get(wire, 1),
                 *gain = json_array_get(wire, 2);
    if (json_array_size(wire) != 3 || !json_is_integer(input) || !json_is_integer(output) ||
        !json_is_number(gain))
        return ms_json_fail(
            w->at, w->error,
            "wires[%zu] must be {\"from\": \"SUB.OUTPUT\", \"to\": \"SUB.INPUT\"}, or [input, output, gain]",
            i);
    const json_int_t to = json_integer_value(input), from = json_integer_value(output);
    if (to < 0 || to >= nu)
        return ms_json_fail(w->at, w->error,
                            "wires[%zu]: there is no input %" JSON_INTEGER_FORMAT " among %d, counted from 0",
                            i, to, nu);
    if (from < 0 || from >= ny)
        return ms_json_fail(
            w->at, w->error,
            "wires[%zu]: there is no output %" JSON_INTEGER_FORMAT " among %d, counted from 0", i, from, ny);
    return add_numbered(w, (int)to, (int)from, json_number_value(gain));
}

/* Names -------------------------------------------------------------------------------------------------- */

static int unknown_subsystem(const wiring *w, size_t i, const char *name)
{
    return ms_json_fail(w->at, w->error, "wires[%zu]: %.100s belongs to no subsystem; the nearest is %s", i,
                        name, MS_NEAREST_OF(name, subsystems(w), w->n));
}

/* Explains the role of the name in the FMU, and valid alternatives: "; x is a local there". */
static void tell_causality(const wiring *w, int sub, const char *name, bool is_input, char *text, size_t size)
{
    const ms_fmu_description *d = ms_file_fmu_description(w->file, sub);
    const int k = d != NULL ? ms_fmu_variable_index(d, name) : -1;
    text[0] = '\0';
    if (k < 0)
        return;
    const ms_fmu_variable *v = &d->variables[k];
    const char *name_of = ms_fmu_causality_names[v->causality];
    const bool right = v->causality == (is_input ? MS_FMU_INPUT : MS_FMU_OUTPUT);
    if (right)
        snprintf(text, size, " that can be wired: it is %s%s%s",
                 v->n_dimensions > 0 ? "an array of " : "of type ", ms_fmu_type_names[v->type],
                 v->variability == MS_FMU_DISCRETE ? ", discrete" : "");
    else
        snprintf(text, size, ": it is %s %s of its FMU%s", strchr("io", name_of[0]) != NULL ? "an" : "a",
                 name_of, v->causality == MS_FMU_PARAMETER ? ", to which \"set\" gives a value" : "");
}

/* The variable of that name, or its elements NAME[1], NAME[2], ..; returns their number; 0: none. */
static int find_values(const ms_variable *variables, int n, const char *name, int *index)
{
    const size_t length = strlen(name);
    int count = 0;
    for (*index = 0; *index < n; (*index)++)
        if (strcmp(variables[*index].name, name) == 0)
            return 1;
    for (int k = 0; k < n; k++)
        if (strncmp(variables[k].name, name, length) == 0 && variables[k].name[length] == '[') {
            *index = count == 0 ? k : *index;
            if (k != *index + count++)
                return 0; /* they are not consecutive */
        }
    return count;
}

/* One end of a wire, "SUB.NAME", which has this number of values. */
static int find_end(const wiring *w, size_t i, const json_t *wire, bool is_input, int *sub, int *index,
                    int *count)
{
    const char *end = is_input ? "to" : "from", *name = json_string_value(json_object_get(wire, end));
    /* names of variables of FMUs may contain more dots */
    const char *dot = name != NULL ? strchr(name, '.') : NULL;
    if (dot == NULL)
        return ms_json_fail(w->at, w->error, "wires[%zu]: %s is not of the form \"SUBSYSTEM.%s\"", i, end,
                            is_input ? "INPUT" : "OUTPUT");
    const ms_file_name *sorted = w->file->sorted;
    const int at =
        ms_name_search(&sorted->name, sizeof *sorted, w->file->n_sorted, name, (size_t)(dot - name));
    if (at < 0)
        return unknown_subsystem(w, i, name);
    *sub = sorted[at].index;
    const ms_subsystem *s = &subsystems(w)[*sub];
    const int n = is_input ? s->nu : s->ny;
    const ms_variable *variables = is_input ? s->u : s->y;
    *count = find_values(variables, n, dot + 1, index);
    if (*count > 0)
        return MS_OK;
    char causality[160];
    tell_causality(w, *sub, dot + 1, is_input, causality, sizeof causality);
    if (n == 0 && causality[0] != '\0')
        return ms_json_fail(w->at, w->error, "wires[%zu]: subsystem %s has no %s %.100s%s", i, s->name,
                            is_input ? "input" : "output", dot + 1, causality);
    if (n == 0)
        return ms_json_fail(w->at, w->error, "wires[%zu]: subsystem %s has no %s", i, s->name,
                            is_input ? "inputs" : "outputs");
    return ms_json_fail(w->at, w->error, "wires[%zu]: subsystem %s has no %s %.100s%s; the nearest is %s", i,
                        s->name, is_input ? "input" : "output", dot + 1, causality,
                        MS_NEAREST_OF(dot + 1, variables, n));
}

/* Offsets ------------------------------------------------------------------------------------------------ */

static void one(double t, const double *p, const void *data, double *w)
{
    (void)t;
    (void)p;
    (void)data;
    w[0] = 1.0;
}

static void constant_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    (void)data;
    m->F[0] = 1.0;
}

/* Appends the source of offsets after all other subsystems; there is room for it. It cannot be referred to by name. */
static void add_constant(wiring *w)
{
    static const ms_variable variable[] = {{"one", "1"}};
    w->constant = w->file->structure.n_subsystems++;
    subsystems(w)[w->constant] = (ms_subsystem){.name = "(offsets)",
                                                .ny = 1,
                                                .nw = 1,
                                                .y = variable,
                                                .w = variable,
                                                .matrices = constant_matrices,
                                                .external = one,
                                                .external_constant = true,
                                                .gives_offsets = true};
}

static void add_offset(wiring *w, int to, int input, double offset)
{
    ms_structure *s = &w->file->structure;
    if (w->constant < 0)
        add_constant(w);
    s->wires[s->n_wires++] = (ms_wire){.to = to, .input = input, .from = w->constant, .gain = offset};
}

/* Unconnected inputs keep their start values, some of which may be set by expressions. */
static int add_starts(wiring *w)
{
    ms_file_model *file = w->file;
    const int nu = w->first_u[w->n], n_wires = file->structure.n_wires;
    bool *wired = ms_structure_alloc(&file->structure, (size_t)nu + 1, sizeof *wired);
    MS_TRY_MEMORY_OR(wired != NULL, no_memory(w));
    for (int k = 0; k < n_wires; k++) {
        const ms_wire *wire = &file->structure.wires[k];
        const ms_subsystem *to = &subsystems(w)[wire->to];
        bool *is = &wired[w->first_u[wire->to] + wire->input];
        const bool mapped = ms_file_fmu_is_mapped(file, wire->to, wire->input);
        if (*is && (mapped || ms_file_signal(to->u_signal, wire->input) > MS_SIGNAL_INTEGER))
            return ms_json_fail(w->at, w->error,
                                "two wires end in %.100s.%.100s, which is %s%s: only one "
                                "may",
                                to->name, to->u[wire->input].name, mapped ? "mapped" : "of type ",
                                mapped ? "" : ms_signal_names[to->u_signal[wire->input]]);
        *is = true;
    }
    file->first_start = n_wires;
    for (int k = 0; k < nu; k++) {
        const int i = ms_owner_of(w->first_u, w->n, k), input = k - w->first_u[i];
        const double start = subsystems(w)[i].u0 != NULL ? subsystems(w)[i].u0[input] : 0.0;
        if (wired[k] || (start == 0.0 && !ms_file_fmu_varies(file->fmus, i, input)))
            continue;
        add_offset(w, i, input, start);
    }
    return MS_OK;
}

/* Lists -------------------------------------------------------------------------------------------------- */

/* Makes room for more wires, in addition to those of start values. */
static int make_room(wiring *w, size_t more)
{
    ms_structure *s = &w->file->structure;
    const size_t n = (size_t)s->n_wires + more + (size_t)w->first_u[w->n];
    if (n <= w->room)
        return MS_OK;
    ms_wire *wires = 2 * n <= INT_MAX ? ms_structure_alloc(s, 2 * n, sizeof *wires) : NULL;
    MS_TRY_MEMORY_OR(wires != NULL, no_memory(w));
    if (s->n_wires > 0)
        memcpy(wires, s->wires, (size_t)s->n_wires * sizeof *wires);
    s->wires = wires;
    w->room = 2 * n;
    return MS_OK;
}

/* Adds a wire with a map of values. */
static int add_mapped(wiring *w, const json_t *wire, const ms_wire *made, double offset)
{
    ms_structure *s = &w->file->structure;
    MS_TRY(ms_file_map_wire(w->file, json_object_get(wire, "map"), made, offset, w->at, w->error));
    s->wires[s->n_wires++] = *made;
    return MS_OK;
}

static int read_named(wiring *w, json_t *wire, size_t i)
{
    static const char *const members[] = {"from", "to", "gain", "offset", "map"};
    ms_wire made = {.gain = 1.0};
    double offset = 0.0;
    int inputs = 0, outputs = 0, status = ms_json_members(wire, members, MS_COUNT(members), w->at, w->error);
    MS_THEN(status, find_end(w, i, wire, true, &made.to, &made.input, &inputs));
    MS_THEN(status, find_end(w, i, wire, false, &made.from, &made.output, &outputs));
    MS_THEN(status, ms_json_number(wire, "gain", w->at, &made.gain, w->error));
    MS_THEN(status, ms_json_number(wire, "offset", w->at, &offset, w->error));
    if (status == MS_OK && inputs != outputs)
        status = ms_json_fail(w->at, w->error,
                              "wires[%zu]: %s has %d values and %s has %d; equal numbers are "
                              "expected",
                              i, json_string_value(json_object_get(wire, "from")), outputs,
                              json_string_value(json_object_get(wire, "to")), inputs);
    MS_THEN(status, make_room(w, 2 * (size_t)inputs));
    for (int k = 0; k < inputs && status == MS_OK; k++, made.input++, made.output++) {
        status = json_object_get(wire, "map") != NULL ? add_mapped(w, wire, &made, offset)
                                                      : add_wire(w, &made, offset);
        if (status == MS_OK && offset != 0.0)
            add_offset(w, made.to, made.input, offset);
    }
    return status;
}

/* All ---------------------------------------------------------------------------------------------------- */

static int read_list(wiring *w, const json_t *list)
{
    const size_t n = json_array_size(list);
    if (!json_is_array(list))
        return ms_json_fail(w->at, w->error, "wires is not a list");
    int status = make_room(w, n <= INT_MAX / 4 ? 2 * n : INT_MAX);
    for (size_t i = 0; i < n && status == MS_OK; i++) {
        json_t *wire = json_array_get(list, i);
        status = json_is_object(wire) ? read_named(w, wire, i) : read_numbered(w, wire, i);
    }
    return status;
}

int ms_file_read_wires(ms_file_model *file, const json_t *root, const ms_json_place *at, ms_error *error)
{
    wiring w = {.file = file, .at = at, .error = error, .constant = -1};
    const json_t *list = json_object_get(root, "wires");
    const bool dense = json_object_get(root, "L") != NULL;
    if (list != NULL && dense)
        return ms_json_fail(at, error, "L and wires both give the coupling; one of them is expected");
    MS_TRY(number_all(&w));
    if (list == NULL && !dense && file->n_lines == 0 && (w.first_u[w.n] > 0 || w.n > 1))
        return ms_json_fail(at, error, "matrix L is missing: %d x %d, or wires, is expected", w.first_u[w.n],
                            w.first_y[w.n]);
    if (list == NULL && !dense)
        return MS_OK; /* only one subsystem without inputs, or only lines */
    const int read = list != NULL ? read_list(&w, list) : read_matrix(&w, root);
    return read == MS_OK ? add_starts(&w) : read;
}
