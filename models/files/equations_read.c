/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equations_read.c - a subsystem of a system file given by equations:
 *
 *     {"states": {"x": {"derivative": "v", "start": 1, "unit": "m", "nominal": 0.1}, ..}, "inputs": ["F"], "outputs": {"x": "x"},
 *      "discrete": {"z": 0}, "events": [{"when": "x", "direction": "fall", "then": {"v": "-e*v"}}]}
 *
 * Inputs may be an object, {"F": {"unit": "N", "start": 1}}, and outputs have one, {"x": {"value": "x", "unit": "m", "start": 1}}: algebraic
 * loops are solved from these starts, and an unconnected input keeps its start value.
 *
 * An event occurs when its indicator `when` changes its sign in the direction ("rise", "fall"; by default both). All
 * assignments use the values before the event. Outputs feed through the inputs named in their expressions. */
#include <math.h>
#include <string.h>

#include "equations.h"
#include "nearest.h"

/* Reading ------------------------------------------------------------------------------------------------ */

/* Data of a subsystem while its equations are read. */
typedef struct reading {
    ms_file_model *file;
    json_t *object;
    const ms_json_place *at;
    ms_subsystem *sub;
    ms_equations_data *data;
    ms_names names;
    ms_error *error;
} reading;

static int no_memory(const reading *r)
{
    return ms_json_no_memory(r->at, r->error);
}

static ms_variable *new_variables(const reading *r, size_t n)
{
    return ms_structure_alloc(&r->file->structure, n + 1, sizeof(ms_variable));
}

/* The member, which must be an object if present. */
static int get_object(const reading *r, const char *name, json_t **list)
{
    *list = json_object_get(r->object, name);
    return *list == NULL || json_is_object(*list)
               ? MS_OK
               : ms_json_fail(r->at, r->error, "%s is not an object with a member for each name", name);
}

static int set_variable(const reading *r, const char *what, const char *name, const json_t *object,
                        ms_variable *variable)
{
    variable->unit = "1";
    variable->name = ms_structure_name(&r->file->structure, "%s", name);
    MS_TRY(ms_file_check_name(name, what, r->at, r->error));
    MS_TRY_MEMORY_OR(variable->name != NULL, no_memory(r));
    return json_is_object(object)
               ? ms_json_string(&r->file->structure, object, "unit", r->at, &variable->unit, r->error)
               : MS_OK;
}

/* Adds an expression, called "what NAME" in errors, with the unit of its value. */
static int set_text(const reading *r, const char *what, const char *name, const json_t *value,
                    const char *unit, ms_expression_text *text)
{
    ms_structure *owner = &r->file->structure;
    if (!json_is_string(value) && !json_is_number(value))
        return ms_json_fail(r->at, r->error, "%s %s is not an expression", what, name);
    *text = (ms_expression_text){ms_expression_of(owner, value),
                                 ms_structure_name(owner, "%s %s", what, name), unit};
    return text->text != NULL && text->what != NULL ? MS_OK : no_memory(r);
}

/* Declares the names of a group; duplicates are errors. */
static int set_names(reading *r, int group, int n, const ms_variable *variables)
{
    if (!ms_file_name_group(r->file, group, n, variables, &r->names))
        return no_memory(r);
    const char *const *name = r->names.name[group];
    for (int k = 0; k < n; k++)
        for (int other = MS_NAMES_PARAMETERS; other < MS_NAME_GROUPS; other++)
            for (int j = 0; j < r->names.n[other]; j++)
                if ((other != group || j != k) && strcmp(r->names.name[other][j], name[k]) == 0)
                    return ms_json_fail(
                        r->at, r->error,
                        "the name %s occurs twice among parameters, states, inputs, external inputs and "
                        "discrete variables",
                        name[k]);
    return MS_OK;
}

/* *unit: that of the derivative; NULL: none. False: no memory. */
static bool unit_per_second(const reading *r, const ms_variable *x, const char **unit)
{
    const bool has = strcmp(x->unit, "1") != 0;
    *unit = has ? ms_structure_name(&r->file->structure, "%s/s", x->unit) : NULL;
    return !has || *unit != NULL;
}

static ms_expression_text *new_texts(const reading *r, size_t n)
{
    return ms_structure_alloc(&r->file->structure, n + 1, sizeof(ms_expression_text));
}

static int read_discrete(reading *r)
{
    json_t *list, *value;
    const char *name;
    int k = 0;
    MS_TRY(get_object(r, "discrete", &list));
    ms_variable *z = new_variables(r, json_object_size(list));
    double *z0 = ms_structure_alloc(&r->file->structure, json_object_size(list) + 1, sizeof *z0);
    MS_TRY_MEMORY_OR(z != NULL && z0 != NULL, no_memory(r));
    json_object_foreach (list, name, value) {
        MS_TRY(set_variable(r, "discrete variable", name, NULL, &z[k]));
        MS_TRY(ms_json_number(list, name, r->at, &z0[k++], r->error));
    }
    r->sub->nz = k;
    r->sub->z = z;
    r->sub->z0 = z0;
    return set_names(r, MS_NAMES_DISCRETE, k, z);
}

/* The attributes of an input, as {"unit": "m", "start": 1}; NULL: none. */
static int check_input(const reading *r, const char *name, json_t *value, double *start)
{
    static const char *const members[] = {"unit", "start"};
    if (value != NULL && !json_is_object(value))
        return ms_json_fail(r->at, r->error, "input %s is not an object, which may have a unit and a start",
                            name);
    MS_TRY(ms_json_members(value, members, MS_COUNT(members), r->at, r->error));
    return ms_json_number(value, "start", r->at, start, r->error);
}

static int read_inputs(reading *r)
{
    json_t *list = json_object_get(r->object, "inputs");
    if (list != NULL && !json_is_array(list) && !json_is_object(list))
        return ms_json_fail(r->at, r->error,
                            "inputs is not a list of names, or an object with a member for each name");
    const bool plain = json_is_array(list);
    const size_t n = plain ? json_array_size(list) : json_object_size(list);
    ms_variable *u = new_variables(r, n);
    double *u0 = ms_structure_alloc(&r->file->structure, n + 1, sizeof *u0);
    int status = MS_OK;
    MS_TRY_MEMORY_OR(u != NULL && u0 != NULL, no_memory(r));
    void *member = plain ? NULL : json_object_iter(list);
    for (size_t k = 0; k < n && status == MS_OK; k++) {
        const char *name = plain ? json_string_value(json_array_get(list, k)) : json_object_iter_key(member);
        json_t *value = plain ? NULL : json_object_iter_value(member);
        status = set_variable(r, "input", name != NULL ? name : "", value, &u[k]);
        MS_THEN(status, check_input(r, name, value, &u0[k]));
        member = plain ? NULL : json_object_iter_next(list, member);
    }
    r->sub->nu = (int)n;
    r->sub->u = u;
    r->sub->u0 = u0;
    return status == MS_OK ? set_names(r, MS_NAMES_INPUTS, (int)n, u) : status;
}

/* The start value of state k: a number, or an expression. */
static int read_start(const reading *r, const json_t *state, int k, ms_json_matrix *x0)
{
    ms_structure *owner = &r->file->structure;
    const json_t *start = json_object_get(state, "start");
    if (!json_is_string(start))
        return ms_json_number(state, "start", r->at, &x0->value[k], r->error);
    if (x0->text == NULL)
        x0->text = ms_structure_alloc(owner, x0->rows, sizeof *x0->text);
    if (x0->text != NULL)
        x0->text[k] = ms_expression_of(owner, start);
    return x0->text != NULL && x0->text[k] != NULL ? MS_OK : no_memory(r);
}

/* States with their start values; their derivatives are read when all names are known. */
static int read_states(reading *r, ms_expression_text **text)
{
    static const char *const members[] = {"derivative", "start", "unit", "nominal"};
    ms_structure *owner = &r->file->structure;
    json_t *list, *value;
    const char *name;
    int k = 0;
    MS_TRY(get_object(r, "states", &list));
    const size_t n = json_object_size(list);
    ms_variable *x = new_variables(r, n);
    ms_json_matrix x0 = {n, 1, ms_structure_alloc(owner, n + 1, sizeof(double)), NULL};
    double *nominal = ms_structure_alloc(owner, n + 1, sizeof *nominal);
    const char *unit;
    *text = new_texts(r, n);
    MS_TRY_MEMORY_OR(x != NULL && x0.value != NULL && nominal != NULL && *text != NULL, no_memory(r));
    r->sub->x_nominal = nominal;
    json_object_foreach (list, name, value) {
        if (!json_is_object(value))
            return ms_json_fail(r->at, r->error,
                                "state %s must be an object, as {\"derivative\": \"-%s\", \"start\": 1}",
                                name, name);
        MS_TRY(ms_json_members(value, members, MS_COUNT(members), r->at, r->error));
        MS_TRY(set_variable(r, "state", name, value, &x[k]));
        MS_TRY_MEMORY_OR(unit_per_second(r, &x[k], &unit), no_memory(r));
        MS_TRY(
            set_text(r, "the derivative of", name, json_object_get(value, "derivative"), unit, &(*text)[k]));
        MS_TRY(read_start(r, value, k, &x0));
        MS_TRY(ms_json_positive(value, "nominal", r->at, &nominal[k], r->error));
        k++;
    }
    r->sub->nx = r->data->nx = k;
    r->sub->x = x;
    MS_TRY(ms_file_read_start(r->file, &x0, r->at, r->sub, &r->data->common, r->error));
    return set_names(r, MS_NAMES_STATES, k, x);
}

static int create(const reading *r, int n, const ms_expression_text *text, const ms_expressions **e)
{
    return ms_file_expressions(r->file, &r->names, n, text, true, r->at, e, r->error);
}

/* An output without a unit that is just a state has its unit; otherwise "1". */
static const char *unit_of_state(const reading *r, const char *text)
{
    for (int i = 0; i < r->sub->nx; i++)
        if (strcmp(r->sub->x[i].name, text) == 0)
            return r->sub->x[i].unit;
    return "1";
}

/* The inputs and states read by each of the n outputs. */
static int note_reads(const reading *r, int n)
{
    const int nu = r->sub->nu, nx = r->sub->nx;
    bool *through = ms_structure_alloc(&r->file->structure, (size_t)n * (size_t)nu + 1, sizeof *through),
         *states = ms_structure_alloc(&r->file->structure, (size_t)n * (size_t)nx + 1, sizeof *states);
    MS_TRY_MEMORY_OR(through != NULL && states != NULL, no_memory(r));
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < nu; i++)
            through[j * nu + i] = ms_expressions_read(r->data->outputs, j, MS_NAMES_INPUTS, i);
        for (int i = 0; i < nx; i++)
            states[j * nx + i] = ms_expressions_read(r->data->outputs, j, MS_NAMES_STATES, i);
    }
    r->sub->feed_through = through;
    r->sub->shows = states;
    return MS_OK;
}

/* Outputs, each an expression or an object with value, unit and start. */
static int read_outputs(reading *r)
{
    static const char *const members[] = {"value", "unit", "start"};
    json_t *list, *value;
    const char *name;
    int k = 0;
    MS_TRY(get_object(r, "outputs", &list));
    const size_t n = json_object_size(list);
    ms_variable *y = new_variables(r, n);
    ms_expression_text *text = new_texts(r, n);
    double *y0 = ms_structure_alloc(&r->file->structure, n + 1, sizeof *y0);
    MS_TRY_MEMORY_OR(y != NULL && text != NULL && y0 != NULL, no_memory(r));
    json_object_foreach (list, name, value) {
        y0[k] = NAN;
        const bool whole = json_is_object(value);
        if (whole) {
            MS_TRY(ms_json_members(value, members, MS_COUNT(members), r->at, r->error));
            MS_TRY(ms_json_number(value, "start", r->at, &y0[k], r->error));
        }
        MS_TRY(set_variable(r, "output", name, value, &y[k]));
        MS_TRY(set_text(r, "output", name, whole ? json_object_get(value, "value") : value, y[k].unit,
                        &text[k]));
        if (strcmp(y[k].unit, "1") == 0)
            y[k].unit = unit_of_state(r, text[k].text);
        k++;
    }
    r->sub->ny = k;
    r->sub->y = y;
    r->sub->y0 = y0;
    if (k > 0)
        MS_TRY(create(r, k, text, &r->data->outputs));
    return note_reads(r, k);
}

/* Events ------------------------------------------------------------------------------------------------- */

/* The index of a state, or nx plus that of a discrete variable. */
static int find_target(const reading *r, const char *name, int *target)
{
    const int nx = r->sub->nx, n = nx + r->sub->nz;
    const char **names = ms_structure_alloc(&r->file->structure, (size_t)n + 1, sizeof *names);
    MS_TRY_MEMORY_OR(names != NULL, no_memory(r));
    for (int k = 0; k < n; k++)
        names[k] = k < nx ? r->sub->x[k].name : r->sub->z[k - nx].name;
    for (*target = 0; *target < n; (*target)++)
        if (strcmp(names[*target], name) == 0)
            return MS_OK;
    if (n == 0)
        return ms_json_fail(r->at, r->error,
                            "an event changes %.100s, but there is no state and no discrete variable", name);
    return ms_json_fail(
        r->at, r->error,
        "an event changes %.100s, which is neither a state nor a discrete variable; the nearest is %s", name,
        ms_nearest(name, names, n));
}

static int read_direction(const reading *r, const json_t *object, ms_file_event *event)
{
    const json_t *value = json_object_get(object, "direction");
    const char *word = json_string_value(value);
    event->direction = MS_EVENT_BOTH;
    if (value == NULL)
        return MS_OK;
    if (word != NULL && strcmp(word, "rise") == 0)
        event->direction = MS_EVENT_RISE;
    else if (word != NULL && strcmp(word, "fall") == 0)
        event->direction = MS_EVENT_FALL;
    else
        return ms_json_fail(r->at, r->error,
                            "direction of an event is neither rise nor fall; without it both count");
    return MS_OK;
}

static int read_consequences(const reading *r, json_t *then, ms_file_event *event)
{
    const char *name;
    json_t *value;
    const size_t n = json_object_size(then);
    if (!json_is_object(then) || n == 0 || n > MS_EVENT_TARGETS_MAX)
        return ms_json_fail(r->at, r->error,
                            "then of an event is not an object with 1 to %d states or discrete variables",
                            MS_EVENT_TARGETS_MAX);
    ms_expression_text *text = new_texts(r, n);
    event->target = ms_structure_alloc(&r->file->structure, n, sizeof *event->target);
    MS_TRY_MEMORY_OR(text != NULL && event->target != NULL, no_memory(r));
    json_object_foreach (then, name, value) {
        MS_TRY(find_target(r, name, &event->target[event->n]));
        const int k = event->target[event->n]; /* discrete variables have no unit */
        MS_TRY(set_text(r, "the new value of", name, value, k < r->sub->nx ? r->sub->x[k].unit : NULL,
                        &text[event->n]));
        event->n++;
    }
    return create(r, event->n, text, &event->then);
}

static int read_event(const reading *r, json_t *object, ms_file_event *event, ms_expression_text *when)
{
    static const char *const members[] = {"when", "direction", "then"};
    if (!json_is_object(object))
        return ms_json_fail(r->at, r->error, "events is not a list of objects with when and then");
    MS_TRY(ms_json_members(object, members, MS_COUNT(members), r->at, r->error));
    MS_TRY(set_text(r, "when", "of an event", json_object_get(object, "when"), NULL, when));
    MS_TRY(read_direction(r, object, event));
    return read_consequences(r, json_object_get(object, "then"), event);
}

static int read_events(reading *r)
{
    const json_t *list = json_object_get(r->object, "events");
    const size_t n = json_array_size(list);
    if (list != NULL && !json_is_array(list))
        return ms_json_fail(r->at, r->error, "events is not a list of objects with when and then");
    if (n == 0)
        return MS_OK;
    ms_file_event *event = ms_structure_alloc(&r->file->structure, n, sizeof *event);
    ms_expression_text *when = new_texts(r, n);
    MS_TRY_MEMORY_OR(event != NULL && when != NULL, no_memory(r));
    for (size_t k = 0; k < n; k++)
        MS_TRY(read_event(r, json_array_get(list, k), &event[k], &when[k]));
    r->data->event = event;
    r->data->n_events = r->sub->n_indicators = (int)n;
    return create(r, (int)n, when, &r->data->indicators);
}

/* Subsystem ---------------------------------------------------------------------------------------------- */

/* Exact derivatives, switches, and matrices if the equations are linear. */
static int find_properties(const reading *r)
{
    ms_equations_data *data = r->data;
    const ms_expressions *const sets[] = {data->derivatives, data->outputs, data->indicators};
    MS_TRY_MEMORY_OR(ms_switches_watched(&r->file->structure, sets, &data->watched) == MS_OK, no_memory(r));
    data->ny = r->sub->ny;
    data->nu = r->sub->nu;
    data->nw = r->sub->nw;
    data->carried = ms_structure_alloc(&r->file->structure, (size_t)data->ny + 1, sizeof *data->carried);
    MS_TRY_MEMORY_OR(data->carried != NULL, no_memory(r));
    ms_equations_give_functions(data, r->sub);
    return ms_file_find_switches(r->file, MS_COUNT(sets), sets, r->at, r->sub, &data->common, r->error);
}

int ms_file_read_equations(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                           ms_error *error)
{
    static const char *const members[] = {"name",     "states", "inputs", "outputs", "external",
                                          "discrete", "events", "energy", "ports"};
    ms_equations_data *data = ms_structure_alloc(&file->structure, 1, sizeof *data);
    reading r = {.file = file, .object = object, .at = at, .sub = sub, .data = data, .error = error};
    ms_expression_text *text = NULL;
    ms_file_name_parameters(file, &r.names);
    MS_TRY_MEMORY_OR(data != NULL, no_memory(&r));
    sub->data = data;
    MS_TRY(ms_json_members(object, members, MS_COUNT(members), at, error));
    MS_TRY(ms_file_read_external(file, object, at, sub, &data->common, error));
    MS_TRY(set_names(&r, MS_NAMES_EXTERNAL, sub->nw, sub->w));
    MS_TRY(read_inputs(&r));
    MS_TRY(read_discrete(&r));
    MS_TRY(read_states(&r, &text));
    if (sub->nx > 0)
        MS_TRY(create(&r, sub->nx, text, &data->derivatives));
    MS_TRY(read_outputs(&r));
    MS_TRY(read_events(&r));
    MS_TRY(find_properties(&r));
    MS_TRY(ms_file_read_energy(file, object, at, sub, &data->common, error));
    return ms_file_read_ports(file, object, at, sub, error);
}
