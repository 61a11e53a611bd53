/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_read.c - a subsystem of a system file that is an FMU:
 *
 *     {"fmu": "wheel.fmu", "kind": "model-exchange", "set": {"k": "2*k", "linear": true, "n": 3, "table": "soft", "T[2]": 1, "A": [1, 2]}}
 *
 * The path is relative to the folder of the file. Without a kind it is model exchange if the FMU supports it, because then everything
 * that needs equations is possible, otherwise co-simulation. Values are numbers, true, false, or expressions in the file's parameters,
 * for variables of type String texts, and of enumerations names of their items, too; of arrays lists of these, by rows, or single
 * elements; of structural parameters whole numbers, which determine sizes of arrays. An FMU for model exchange, or one set by
 * expressions, is bound again for each system made of the file: if a run loses its component, other runs are not affected. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file_model.h"
#include "fmu_description_read.h"
#include "fmu_model_exchange.h"
#include "fmu_outline.h"
#include "nearest.h"
#include "structure.h"

struct ms_file_fmu {
    ms_file_fmu *next;
    int index;        /* index among the file's subsystems */
    ms_json_place at; /* its place in the file, while that is read */
    ms_fmu *fmu;
    ms_fmu_kind kind;
    const char *name;
    int n;                          /* number of settings */
    int *setting;                   /* (n) indices of values */
    const char **value;             /* (n); NULL for an expression */
    int *expression;                /* (n) index of the expression, if it is one */
    const ms_expressions *value_of; /* NULL: no expressions */
    ms_fmu_probing probing;
    const ms_fmu_map **map; /* (inputs) maps of their wires; NULL: none is mapped */
    bool *carried;          /* (outputs) those that wires carry; NULL: wires are not read yet */
    bool driven;            /* its inputs are external ones */
    bool anew;              /* each system has its own component */
    bool opened;            /* its binary is */
    bool sized;             /* structural parameters have been given values */
};

/* Binding ------------------------------------------------------------------------------------------------ */

/* The texts of all settings at p. A whole number of 2^53 or more may have been rounded: its text is made invalid. */
static const char **evaluate(const ms_file_fmu *f, const double *p, ms_structure *structure)
{
    const double *const values[MS_NAME_GROUPS] = {[MS_NAMES_PARAMETERS] = p};
    const char **text = ms_structure_alloc(structure, (size_t)f->n + 1, sizeof *text);
    for (int k = 0; k < f->n && text != NULL; k++) {
        double number = 0.0;
        if (f->value[k] == NULL)
            ms_expressions_evaluate_some(f->value_of, f->expression[k], 1, values, &number);
        text[k] = f->value[k] != NULL     ? f->value[k]
                  : fabs(number) < 0x1p53 ? ms_structure_name(structure, "%.17g", number)
                                          : ms_structure_name(structure, "%.17e", number);
        if (text[k] == NULL)
            return NULL;
    }
    return text;
}

static int bind(const ms_file_fmu *f, const double *p, ms_structure *structure, ms_subsystem *sub,
                ms_error *error)
{
    const double start = ms_fmu_describe(f->fmu)->start_time;
    const char **text = evaluate(f, p, structure);
    MS_TRY_MEMORY_FOR(text != NULL, error, "subsystem %s", f->name);
    const ms_fmu_wiring wiring = {f->driven, f->map, f->carried};
    if (f->kind == MS_FMU_CO_SIMULATION)
        return ms_fmu_co_simulation(f->fmu,
                                    &(ms_fmu_choice){f->name, f->n, f->setting, text, wiring, f->probing},
                                    structure, sub, error);
    return ms_fmu_model_exchange(
        f->fmu,
        &(ms_fmu_setup){.instance_name = f->name,
                        .start_time = isfinite(start) ? start : 0.0,
                        .tolerance = ms_fmu_default_tolerance(ms_fmu_describe(f->fmu)),
                        .n_settings = f->n,
                        .setting = f->setting,
                        .value = text},
        &wiring, structure, sub, error);
}

/* The information of the description, sufficient for wires, while the file is read; also checks what is set. p NULL: no memory. */
static int outline(const ms_file_fmu *f, const double *p, ms_structure *structure, ms_subsystem *sub,
                   ms_error *error)
{
    ms_error why;
    const char **text = p != NULL ? evaluate(f, p, structure) : NULL;
    MS_TRY_MEMORY_OR(text != NULL, ms_json_no_memory(&f->at, error));
    const ms_fmu_setup setup = {
        .instance_name = f->name, .n_settings = f->n, .setting = f->setting, .value = text};
    if (ms_fmu_check_settings(f->fmu, &setup, &why) != MS_OK)
        return ms_json_fail(&f->at, error, "%s", why.text);
    return ms_fmu_outline(f->fmu, f->kind, &setup, f->driven, structure, sub) == MS_OK
               ? MS_OK
               : ms_json_no_memory(&f->at, error);
}

int ms_file_fmus_bind(const ms_file_fmu *list, const double *p, ms_structure *structure, ms_error *error)
{
    for (const ms_file_fmu *f = list; f != NULL; f = f->next)
        if (!f->opened || f->anew)
            MS_TRY((f->opened ? bind : outline)(f, p, structure, &structure->subsystems[f->index], error));
    return MS_OK;
}

/* Its index among the values of all variables: elements of an array are consecutive. */
static int value_of_input(const ms_fmu_description *d, int input)
{
    int element = 0;
    while (element < input && d->inputs[input - element - 1] == d->inputs[input])
        element++;
    return d->variables[d->inputs[input]].first + element;
}

bool ms_file_fmu_varies(const ms_file_fmu *list, int subsystem, int input)
{
    for (const ms_file_fmu *f = list; f != NULL; f = f->next)
        for (int k = 0; f->index == subsystem && k < f->n; k++)
            if (f->value[k] == NULL && f->setting[k] == value_of_input(ms_fmu_describe(f->fmu), input))
                return true;
    return false;
}

static ms_file_fmu *find(const ms_file_model *file, int subsystem)
{
    ms_file_fmu *f = file->fmus;
    while (f != NULL && f->index != subsystem)
        f = f->next;
    return f;
}

const ms_fmu_description *ms_file_fmu_description(const ms_file_model *file, int subsystem)
{
    const ms_file_fmu *f = find(file, subsystem);
    return f != NULL ? ms_fmu_describe(f->fmu) : NULL;
}

int ms_file_fmu_map(ms_file_model *file, int subsystem, int input, const ms_fmu_map *map)
{
    ms_file_fmu *f = find(file, subsystem);
    const ms_fmu_description *d = ms_fmu_describe(f->fmu);
    if (f->map == NULL)
        f->map = ms_structure_alloc(&file->structure, (size_t)(d->n_inputs + d->n_discrete_inputs),
                                    sizeof(const ms_fmu_map *));
    MS_TRY_MEMORY(f->map);
    f->map[input] = map;
    return MS_OK;
}

bool ms_file_fmu_is_mapped(const ms_file_model *file, int subsystem, int input)
{
    const ms_file_fmu *f = find(file, subsystem);
    return f != NULL && f->map != NULL && f->map[input] != NULL;
}

void ms_file_fmu_experiment(const ms_file_fmu *list, ms_fmu_experiment *experiment)
{
    ms_fmu_experiment_find(ms_fmu_describe(list->fmu), list->kind, experiment);
}

/* Reading ------------------------------------------------------------------------------------------------ */

/* Data of an FMU while its subsystem is read. */
typedef struct reading {
    ms_file_model *file;
    const ms_json_place *at;
    ms_file_fmu *f;
    ms_error *error;
} reading;

/* The path of the FMU relative to the working directory; empty: no room. */
static void find_path(const char *file, const char *fmu, char path[PATH_MAX])
{
    const char *slash = fmu[0] == '/' ? NULL : strrchr(file, '/');
    const int folder = slash != NULL ? (int)(slash - file) + 1 : 0;
    if (snprintf(path, PATH_MAX, "%.*s%s", folder, file, fmu) >= PATH_MAX)
        path[0] = '\0';
}

/* A missing FMU is an error of the file that names it; an existing one that could not be unpacked is not. */
static int fail_to_open(const reading *r, const char *path, int status, const ms_error *why)
{
    if (status == MS_NO_MEMORY)
        return status;
    const int failed = ms_json_fail(r->at, r->error, "%s", why->text);
    return status == MS_IO && access(path, R_OK) == 0 ? MS_IO : failed;
}

/* Opens the FMU for the given kind, or the default. */
static int open_kind(const reading *r, const char *path, const char *kind, ms_fmu **fmu)
{
    ms_error why = {""};
    ms_fmu_kind k = 0;
    while (kind != NULL && k < MS_FMU_KINDS && strcmp(kind, ms_fmu_kind_names[k]) != 0)
        k++;
    if (k == MS_FMU_KINDS)
        return ms_json_fail(r->at, r->error, "kind is %.60s; %s or %s is expected", kind,
                            ms_fmu_kind_names[MS_FMU_CO_SIMULATION],
                            ms_fmu_kind_names[MS_FMU_MODEL_EXCHANGE]);
    const int status =
        ms_fmu_open_description(path, kind != NULL ? k : MS_FMU_KINDS, &r->file->reading.use, fmu, &why);
    if (status == MS_OK)
        r->f->kind = ms_fmu_kind_of(*fmu);
    return status == MS_OK ? status : fail_to_open(r, path, status, &why);
}

static void close_fmu(void *object)
{
    ms_fmu *fmu = object;
    ms_fmu_close(&fmu);
}

static int open_fmu(const reading *r, const json_t *object)
{
    const json_t *name = json_object_get(object, "fmu"), *kind = json_object_get(object, "kind");
    char path[PATH_MAX];
    ms_fmu *fmu = NULL;
    if (!json_is_string(name) || (kind != NULL && !json_is_string(kind)))
        return ms_json_fail(r->at, r->error, "%s is not a string", json_is_string(name) ? "kind" : "fmu");
    find_path(r->at->path, json_string_value(name), path);
    int status = open_kind(r, path, json_string_value(kind), &fmu);
    MS_THEN(status, ms_structure_own(&r->file->structure, close_fmu, fmu));
    r->f->fmu = fmu;
    return status == MS_NO_MEMORY ? ms_json_no_memory(r->at, r->error) : status;
}

static int no_variable(const reading *r, const char *name)
{
    const ms_fmu_description *d = ms_fmu_describe(r->f->fmu);
    if (d->n_variables == 0)
        return ms_json_fail(r->at, r->error, "set: %s has no variables", ms_fmu_path(r->f->fmu));
    return ms_json_fail(r->at, r->error, "set: %s has no variable %.100s; the nearest is %s",
                        ms_fmu_path(r->f->fmu), name, MS_NEAREST_OF(name, d->variables, d->n_variables));
}

/* Only digits, which an expression would round. */
static bool is_whole(const char *text)
{
    text += *text == '-';
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* The next setting: a text, or an expression that is appended. */
static int read_value(const reading *r, const char *name, int number, const json_t *value,
                      ms_expression_text *text, int *n_text)
{
    ms_file_fmu *f = r->f;
    ms_structure *owner = &r->file->structure;
    const ms_fmu_description *d = ms_fmu_describe(f->fmu);
    const int variable = ms_fmu_variable_of(d, number), k = f->n;
    double item;
    if (!json_is_string(value) && !json_is_number(value) && !json_is_boolean(value))
        return ms_json_fail(r->at, r->error,
                            "set: the value of %.100s is neither a number, true, false, nor a string", name);
    f->setting[k] = number;
    if (json_is_boolean(value))
        f->value[k] = json_is_true(value) ? "true" : "false";
    else if (json_is_string(value) && d->variables[variable].type != MS_FMU_STRING &&
             !is_whole(json_string_value(value)) &&
             !ms_fmu_item(d, variable, json_string_value(value), &item) && !r->file->passes_over) {
        f->expression[k] = *n_text;
        text[*n_text] =
            (ms_expression_text){ms_expression_of(owner, value), d->variables[variable].name, NULL};
        MS_TRY_MEMORY_OR(text[(*n_text)++].text != NULL, ms_json_no_memory(r->at, r->error));
    } else if ((f->value[k] = ms_expression_of(owner, value)) == NULL) {
        return ms_json_no_memory(r->at, r->error);
    }
    f->n++;
    return MS_OK;
}

/* One value, which applies to all elements of an array, or a list with a value for each. */
static int read_setting(const reading *r, const char *name, const json_t *value, ms_expression_text *text,
                        int *n_text)
{
    int n = 0;
    const int first = ms_fmu_value_find(ms_fmu_describe(r->f->fmu), name, &n);
    const bool list = json_is_array(value);
    if (first < 0)
        return r->file->passes_over ? MS_OK : no_variable(r, name);
    if (list && json_array_size(value) != (size_t)n)
        return ms_json_fail(r->at, r->error, "set: %.100s is a list of %zu, but it has %d value%s", name,
                            json_array_size(value), n, n == 1 ? "" : "s");
    int status = MS_OK;
    for (int k = 0; k < n && status == MS_OK; k++)
        status =
            read_value(r, name, first + k, list ? json_array_get(value, (size_t)k) : value, text, n_text);
    return status;
}

static bool is_structural(const reading *r, const char *name)
{
    const ms_fmu_description *d = ms_fmu_describe(r->f->fmu);
    const int k = ms_fmu_variable_index(d, name);
    return k >= 0 && d->variables[k].causality == MS_FMU_STRUCTURAL_PARAMETER;
}

/* Structural parameters come first, since the number of values depends on them. */
static int read_sizes(const reading *r, json_t *set)
{
    const size_t most = json_object_size(set);
    int *variable = ms_structure_alloc(&r->file->structure, most + 1, sizeof *variable), n = 0;
    double *size = ms_structure_alloc(&r->file->structure, most + 1, sizeof *size);
    const char *name;
    json_t *value;
    ms_error why = {""};
    MS_TRY_MEMORY_OR(variable != NULL && size != NULL, ms_json_no_memory(r->at, r->error));
    json_object_foreach (set, name, value) {
        if (!is_structural(r, name))
            continue;
        if (!json_is_number(value))
            return ms_json_fail(r->at, r->error,
                                "set: %.100s is a structural parameter, on which sizes depend: a whole "
                                "number is expected",
                                name);
        variable[n] = ms_fmu_variable_index(ms_fmu_describe(r->f->fmu), name);
        size[n++] = json_number_value(value);
    }
    r->f->sized = n > 0;
    const int status = ms_fmu_resize(r->f->fmu, n, variable, size, &why);
    return status == MS_INVALID ? ms_json_fail(r->at, r->error, "%s", why.text)
           : status != MS_OK    ? ms_json_no_memory(r->at, r->error)
                                : MS_OK;
}

static int read_settings(const reading *r, json_t *object)
{
    json_t *set = json_object_get(object, "set"), *value;
    const char *name;
    ms_structure *owner = &r->file->structure;
    size_t values = 1;
    int n_text = 0, n;
    if (set != NULL && !json_is_object(set))
        return ms_json_fail(r->at, r->error, "set is not an object of variables and values");
    MS_TRY(read_sizes(r, set));
    json_object_foreach (set, name, value)
        values += ms_fmu_value_find(ms_fmu_describe(r->f->fmu), name, &n) < 0 ? 0 : (size_t)n;
    ms_expression_text *text = ms_structure_alloc(owner, values, sizeof *text);
    r->f->setting = ms_structure_alloc(owner, values, sizeof *r->f->setting);
    r->f->value = ms_structure_alloc(owner, values, sizeof *r->f->value);
    r->f->expression = ms_structure_alloc(owner, values, sizeof *r->f->expression);
    MS_TRY_MEMORY_OR(text != NULL && r->f->setting != NULL && r->f->value != NULL && r->f->expression != NULL,
                     ms_json_no_memory(r->at, r->error));
    json_object_foreach (set, name, value)
        if (!is_structural(r, name))
            MS_TRY(read_setting(r, name, value, text, &n_text));
    return n_text > 0
               ? ms_file_expressions(r->file, NULL, n_text, text, false, r->at, &r->f->value_of, r->error)
               : MS_OK;
}

/* Checks that start values of inputs can be passed on. */
static int check_starts(const reading *r)
{
    const ms_fmu_description *d = ms_fmu_describe(r->f->fmu);
    for (int i = 0; i < d->n_inputs + d->n_discrete_inputs; i++) {
        const ms_fmu_variable *v = &d->variables[d->inputs[i]];
        bool set = false;
        for (int k = 0; k < r->f->n; k++)
            set = set || ms_fmu_variable_of(d, r->f->setting[k]) == d->inputs[i];
        if (!set && ms_fmu_starts_at_no_double(v))
            return ms_json_fail(
                r->at, r->error,
                "input %.100s starts at %.60s, which is not a double: values are passed as doubles, whole "
                "up to 2^53; set another one by \"set\"",
                v->name, v->start);
    }
    return MS_OK;
}

/* Notes which outputs wires carry. */
static int mark_carried(ms_file_model *file)
{
    ms_structure *s = &file->structure;
    bool **carried = ms_structure_alloc(s, (size_t)s->n_subsystems + 1, sizeof *carried);
    for (ms_file_fmu *f = file->fmus; f != NULL && carried != NULL; f = f->next) {
        f->carried = ms_structure_alloc(s, (size_t)s->subsystems[f->index].ny + 1, sizeof *f->carried);
        if (f->carried == NULL)
            return MS_NO_MEMORY;
        carried[f->index] = f->carried;
    }
    for (int k = 0; k < s->n_wires && carried != NULL; k++)
        if (carried[s->wires[k].from] != NULL)
            carried[s->wires[k].from][s->wires[k].output] = true;
    return carried != NULL ? MS_OK : MS_NO_MEMORY;
}

/* Opens the binary, and reports everything that is wrong at p. */
static int start(ms_file_model *file, ms_file_fmu *f, const double *p, ms_error *error)
{
    ms_structure *owner = &file->structure;
    ms_error why = {""};
    int status = ms_fmu_load(f->fmu, &why);
    f->opened = true;
    f->anew = f->value_of != NULL || f->kind == MS_FMU_MODEL_EXCHANGE;
    MS_THEN(status, bind(f, p, owner, &owner->subsystems[f->index], &why));
    return status == MS_OK          ? MS_OK
           : status == MS_NO_MEMORY ? ms_json_no_memory(&f->at, error)
                                    : ms_json_fail(&f->at, error, "%s", why.text);
}

int ms_file_fmus_start(ms_file_model *file, ms_error *error)
{
    const double *p = ms_file_parameters(file);
    int status = p != NULL && mark_carried(file) == MS_OK
                     ? MS_OK
                     : ms_fail(error, MS_NO_MEMORY, "not enough memory for model %s", file->model.name);
    for (ms_file_fmu *f = file->fmus; f != NULL && status == MS_OK; f = f->next)
        status = start(file, f, p, error);
    return status;
}

int ms_file_read_fmu(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                     ms_error *error)
{
    static const char *const members[] = {"name", "fmu", "kind", "set"};
    ms_structure *owner = &file->structure;
    ms_file_fmu *f = ms_structure_alloc(owner, 1, sizeof *f);
    MS_TRY_MEMORY_OR(f != NULL, ms_json_no_memory(at, error));
    const reading r = {file, at, f, error};
    f->name = sub->name;
    f->at = *at;
    f->index = (int)(sub - owner->subsystems);
    f->probing = file->reading.probing;
    f->driven = file->reading.driven && file->is_fmu;
    MS_TRY(ms_json_members(object, members, MS_COUNT(members), at, error));
    MS_TRY(open_fmu(&r, object));
    MS_TRY(read_settings(&r, object));
    MS_TRY(check_starts(&r));
    ms_file_fmu **last = &file->fmus;
    while (*last != NULL)
        last = &(*last)->next;
    *last = f;
    return outline(f, ms_file_parameters(file), owner, sub, error);
}

/* What is found ------------------------------------------------------------------------------------------ */

bool ms_model_fmu(const ms_model *model, const char *subsystem, ms_model_fmu_found *found)
{
    const ms_file_fmu *f = model->text != NULL ? ((const ms_file_model *)model->data)->fmus : NULL;
    while (f != NULL && strcmp(f->name, subsystem) != 0)
        f = f->next;
    if (f != NULL)
        *found = (ms_model_fmu_found){ms_fmu_path(f->fmu), f->kind == MS_FMU_MODEL_EXCHANGE,
                                      f->n > 0 || f->sized, ms_fmu_describe(f->fmu), f->map};
    return f != NULL;
}
