/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_description_read.h"
#include "fmu_experiment.h"
#include "fmu_probe.h"
#include "structure.h"
#include "text_stream.h"
#include "xml.h"

/* Flags -------------------------------------------------------------------------------------------------- */

/* The value of an attribute by what it looks like. */
static json_t *declared_value(const char *text)
{
    double number;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return json_boolean(text[0] == 't');
    if (!ms_xml_number(text, &number))
        return ms_json_text(text);
    return number == floor(number) && fabs(number) < 1e9 ? json_integer((json_int_t)number)
                                                         : ms_json_real(number);
}

/* Flags declared in <CoSimulation> or <ModelExchange>, without the name. */
static json_t *flags(const ms_fmu_description *d, ms_fmu_kind kind)
{
    const char *name, *value;
    json_t *object = json_object();
    for (int k = 0; ms_fmu_declared(d, kind, k, &name, &value); k++)
        if (strcmp(name, "modelIdentifier") != 0)
            ms_json_set(&object, name, declared_value(value));
    return object;
}

static json_t *kinds(const ms_fmu_description *d)
{
    json_t *list = json_array();
    for (int kind = 0; kind < MS_FMU_KINDS; kind++)
        if (d->flags[kind].present)
            ms_json_append(&list, json_string(ms_fmu_kind_names[kind]));
    if (d->scheduled_execution)
        ms_json_append(&list, json_string("scheduled-execution"));
    return list;
}

static json_t *binaries(const ms_fmu_archive *archive)
{
    json_t *list = json_array();
    struct dirent **platform;
    const int n = ms_fmu_list(archive, "binaries", &platform);
    for (int k = 0; k < n; k++) {
        char name[sizeof platform[k]->d_name + sizeof "binaries/"];
        snprintf(name, sizeof name, "binaries/%s", platform[k]->d_name);
        if (ms_fmu_has_folder(archive, name))
            ms_json_append(&list, json_string(platform[k]->d_name));
    }
    ms_fmu_list_free(&platform, n);
    return list;
}

/* Why it is in a process of its own, whatever is wanted; null: it need not be. */
static json_t *own_process(const ms_fmu_archive *archive, const ms_fmu_description *d)
{
    char why[MS_FMU_WHY];
    const ms_fmu_kind kind =
        d->flags[MS_FMU_CO_SIMULATION].present ? MS_FMU_CO_SIMULATION : MS_FMU_MODEL_EXCHANGE;
    return ms_fmu_needs_process(archive, d, kind, why) ? json_string(why) : json_null();
}

/* Variables ---------------------------------------------------------------------------------------------- */

/* A text where it is no number, and where its digits are more than a number has here. */
static json_t *start(const ms_fmu_variable *v)
{
    const bool is_number = isfinite(v->start_value) && v->type != MS_FMU_BOOLEAN;
    if (v->start == NULL)
        return json_null();
    return is_number && !ms_fmu_starts_at_no_double(v) ? ms_json_real(v->start_value)
                                                       : ms_json_text(v->start);
}

/* Words that all variables of one kind have: one text for all of them; and those of the last one. */
typedef struct words {
    json_t *unit, *description;
    json_t *type[MS_FMU_TYPES], *variability[MS_FMU_VARIABILITIES], *initial[MS_FMU_INITIALS];
} words;

/* NULL: none. */
static json_t *word(json_t **known, const char *text)
{
    if (*known == NULL && text != NULL)
        *known = json_string(text);
    return *known;
}

/* The next one mostly has the same. */
static json_t *last_word(json_t **last, const char *text)
{
    if (*last == NULL || strcmp(json_string_value(*last), text) != 0) {
        json_decref(*last);
        *last = ms_json_text(text);
    }
    return *last;
}

static void free_words(words *w)
{
    json_decref(w->unit);
    json_decref(w->description);
    for (int k = 0; k < MS_FMU_TYPES; k++)
        json_decref(w->type[k]);
    for (int k = 0; k < MS_FMU_VARIABILITIES; k++)
        json_decref(w->variability[k]);
    for (int k = 0; k < MS_FMU_INITIALS; k++)
        json_decref(w->initial[k]);
}

static json_t *variable(const ms_fmu_variable *v, words *w)
{
    return ms_json_object(
        "name:s type:O variability:O* initial:O* unit:O start:o min:r max:r value_reference:I "
        "dimensions:i values:i description:O",
        v->name, word(&w->type[v->type], ms_fmu_type_names[v->type]),
        word(&w->variability[v->variability], ms_fmu_variability_names[v->variability]),
        word(&w->initial[v->initial], ms_fmu_initial_names[v->initial]), last_word(&w->unit, v->unit),
        start(v), v->min, v->max, (json_int_t)v->value_reference, v->n_dimensions, v->size,
        last_word(&w->description, v->description));
}

/* The names that an unknown depends on; null where that is not said, so on all. */
static json_t *dependencies(const ms_fmu_description *d, const ms_fmu_unknown *unknown)
{
    json_t *names = unknown != NULL && unknown->n_dependencies >= 0 ? json_array() : json_null();
    for (int k = 0; unknown != NULL && k < unknown->n_dependencies; k++)
        ms_json_append(&names, ms_json_text(d->variables[unknown->dependencies[k]].name));
    return names;
}

static json_t *variables(const ms_fmu_description *d, ms_fmu_causality causality)
{
    json_t *rows = json_array();
    words w = {0};
    for (int k = 0; k < d->n_variables; k++)
        if (d->variables[k].causality == causality)
            ms_json_append(&rows, variable(&d->variables[k], &w));
    free_words(&w);
    return rows;
}

/* In the order of ModelStructure. */
static json_t *outputs(const ms_fmu_description *d)
{
    json_t *rows = json_array();
    words w = {0};
    for (int k = 0; k < d->n_outputs; k++) {
        json_t *row = variable(&d->variables[d->outputs[k].variable], &w);
        ms_json_set(&row, "depends_on", dependencies(d, &d->outputs[k]));
        ms_json_append(&rows, row);
    }
    free_words(&w);
    return rows;
}

static json_t *states(const ms_fmu_description *d)
{
    json_t *rows = json_array();
    for (int k = 0; k < d->n_derivatives; k++) {
        const ms_fmu_variable *derivative = &d->variables[d->derivatives[k].variable],
                              *state = &d->variables[derivative->derivative_of];
        ms_json_append(&rows, ms_json_object("name:s derivative:s unit:s start:o depends_on:o", state->name,
                                             derivative->name, state->unit, start(state),
                                             dependencies(d, &d->derivatives[k])));
    }
    return rows;
}

/* What a run of it alone has, and where that comes from. */
static json_t *run(const ms_fmu_description *d)
{
    ms_fmu_experiment e;
    ms_fmu_experiment_find(
        d, d->flags[MS_FMU_MODEL_EXCHANGE].present ? MS_FMU_MODEL_EXCHANGE : MS_FMU_CO_SIMULATION, &e);
    return ms_json_object(
        "start_time:r stop_time:r step_size:r solver_rtol:o stop_time_from:s step_size_from:s", e.start_time,
        e.stop_time, e.step_size, e.tolerance > 0.0 ? ms_json_real(e.tolerance) : json_null(), e.stop_from,
        e.step_from);
}

/* What it can do ------------------------------------------------------------------------------------------ */

/* In the order of the traits. Of threads nothing is known but that processes do not share any. */
static json_t *abilities(const ms_fmu_abilities *a)
{
    const ms_capabilities *can = &a->can;
    json_t *value[MS_FMU_TRAITS] = {[MS_FMU_ROLLBACK] = json_boolean(can->rollback),
                                    [MS_FMU_VARIABLE_STEP] =
                                        json_boolean(can->step == 0.0 && !can->constant_step),
                                    [MS_FMU_HIDDEN_STEP] = ms_json_real(a->hidden_step),
                                    [MS_FMU_DIRECTIONAL] = json_boolean(can->directional_derivatives),
                                    [MS_FMU_INPUT_DEGREE] = json_integer(can->input_degree),
                                    [MS_FMU_OUTPUT_DERIVATIVES] = json_integer(can->output_derivatives),
                                    [MS_FMU_DETERMINISTIC] = json_boolean(a->deterministic),
                                    [MS_FMU_REEVALUATE] = json_boolean(can->reevaluate_outputs),
                                    [MS_FMU_SERIALISATION] = json_boolean(a->serialisation),
                                    [MS_FMU_EARLY_RETURN] = json_boolean(a->early_return),
                                    [MS_FMU_EVENTS] = json_boolean(a->events),
                                    [MS_FMU_ONCE_PER_PROCESS] = json_boolean(a->once_per_process),
                                    [MS_FMU_THREAD_SAFE] = a->once_per_process ? json_true() : json_null()};
    json_t *object = json_object();
    for (int k = 0; k < MS_FMU_TRAITS; k++)
        ms_json_set(&object, ms_fmu_trait_name[k], value[k]);
    return object;
}

static json_t *reasons(const ms_fmu_abilities *a)
{
    json_t *why = json_object();
    for (int k = 0; k < MS_FMU_TRAITS; k++)
        if (a->why[k][0] != '\0')
            ms_json_set(&why, ms_fmu_trait_name[k], json_string(a->why[k]));
    ms_json_set(&why, ms_fmu_trait_name[MS_FMU_THREAD_SAFE],
                json_string(a->once_per_process
                                ? "components run in their own processes"
                                : "no flag says so, and it is not tried, because an FMU that is not may end "
                                  "the program; with --isolate components run in their own processes"));
    return why;
}

/* {NAME: value} of n values, whose variables these are. */
static json_t *values_by_name(const ms_fmu_description *d, int n, const int *variables, bool derivatives,
                              const double *value, ms_structure *memory)
{
    json_t *object = json_object();
    for (int k = 0, element = 0; k < n; k++) {
        const ms_fmu_variable *v = &d->variables[variables[k]];
        const char *name = ms_fmu_value_name(v, element, memory);
        char text[600];
        snprintf(text, sizeof text, derivatives ? "der(%s)" : "%s", name != NULL ? name : "");
        json_t *shown = ms_json_text(text);
        ms_json_set(&object, json_string_value(shown), ms_json_real(value[k]));
        json_decref(shown);
        element = element + 1 < v->size ? element + 1 : 0;
    }
    return object;
}

static json_t *values_at_start(const ms_fmu_description *d, const ms_fmu_at_start *start)
{
    ms_structure memory = {0};
    json_t *all = ms_json_object("time:r states:o derivatives:o outputs:o", start->time,
                                 values_by_name(d, start->nx, start->x_of, false, start->x, &memory),
                                 values_by_name(d, start->nx, start->x_of, true, start->dx, &memory),
                                 values_by_name(d, start->ny, start->y_of, false, start->y, &memory));
    ms_structure_free(&memory);
    return all;
}

static int probe_exchange(json_t **answer, const char *path, const ms_fmu_use *use, ms_error *error)
{
    ms_fmu *fmu = NULL;
    ms_fmu_abilities found;
    ms_fmu_at_start start = {0};
    int status = ms_fmu_open(path, MS_FMU_MODEL_EXCHANGE, use, &fmu, error);
    MS_THEN(status, ms_fmu_probe_start(fmu, &(ms_fmu_setup){.instance_name = "fmu"}, &found, &start, error));
    if (status == MS_OK) {
        ms_json_set(answer, "probe", abilities(&found));
        ms_json_set(answer, "why", reasons(&found));
        ms_json_set(answer, "at_start", values_at_start(ms_fmu_describe(fmu), &start));
    }
    ms_fmu_at_start_free(&start);
    ms_fmu_close(&fmu);
    return status;
}

int ms_fmu_answer_probe(json_t **answer, const char *path, const ms_fmu_use *use, bool steps, ms_error *error)
{
    if (!steps)
        return probe_exchange(answer, path, use, error);
    ms_fmu *fmu = NULL;
    ms_fmu_abilities found;
    int status = ms_fmu_open(path, MS_FMU_CO_SIMULATION, use, &fmu, error);
    MS_THEN(status, ms_fmu_probe_run(fmu, &(ms_fmu_setup){.instance_name = "fmu"}, MS_FMU_PROBE_STEPS, &found,
                                     error));
    ms_fmu_close(&fmu);
    if (status != MS_OK)
        return status;
    ms_json_set(answer, "probe", abilities(&found));
    ms_json_set(answer, "why", reasons(&found));
    ms_json_set(answer, "probe_steps",
                ms_json_object("taken:i most:i", found.steps, (int)MS_FMU_PROBE_STEPS));
    return MS_OK;
}

/* The FMU ------------------------------------------------------------------------------------------------ */

static json_t *check(const ms_fmu_findings *findings)
{
    json_t *rows = json_array();
    for (int k = 0; k < findings->n; k++) {
        const ms_fmu_finding *f = &findings->finding[k];
        ms_json_append(&rows, ms_json_object("line:l severity:s what:s", f->line,
                                             f->error ? "error" : "warning", f->text));
    }
    return rows;
}

static void set_variables(json_t **answer, const ms_fmu_description *d)
{
    ms_json_set(answer, "parameters", variables(d, MS_FMU_PARAMETER));
    ms_json_set(answer, "structural_parameters", variables(d, MS_FMU_STRUCTURAL_PARAMETER));
    ms_json_set(answer, "calculated_parameters", variables(d, MS_FMU_CALCULATED_PARAMETER));
    ms_json_set(answer, "inputs", variables(d, MS_FMU_INPUT));
    ms_json_set(answer, "outputs", outputs(d));
    ms_json_set(answer, "states", states(d));
    ms_json_set(answer, "locals", variables(d, MS_FMU_LOCAL));
    ms_json_set(answer, "independent", variables(d, MS_FMU_INDEPENDENT));
}

json_t *ms_fmu_answer(const char *path, const ms_fmu_archive *archive, const ms_fmu_description *d,
                      const ms_fmu_findings *findings)
{
    ms_fmu_abilities declared;
    json_t *experiment = ms_json_object("start_time:r stop_time:r tolerance:r step_size:r", d->start_time,
                                        d->stop_time, d->tolerance, d->step_size);
    json_t *answer =
        ms_json_object("name:s fmi:s encoding:s source:s description:s tool:s kinds:o binaries:o sources:b "
                       "own_process:o default_experiment:o event_indicators:i",
                       d->model_name, d->fmi_version, d->encoding, path, d->description, d->tool, kinds(d),
                       binaries(archive), ms_fmu_has_folder(archive, "sources"), own_process(archive, d),
                       experiment, d->n_event_indicators);
    const bool cs = d->flags[MS_FMU_CO_SIMULATION].present, me = d->flags[MS_FMU_MODEL_EXCHANGE].present;
    ms_json_set(&answer, "run", run(d));
    ms_json_set(&answer, "flags", flags(d, cs ? MS_FMU_CO_SIMULATION : MS_FMU_MODEL_EXCHANGE));
    ms_json_set(&answer, "flags_model_exchange", me ? flags(d, MS_FMU_MODEL_EXCHANGE) : json_null());
    ms_fmu_abilities_declared(d, cs ? MS_FMU_CO_SIMULATION : MS_FMU_MODEL_EXCHANGE, &declared);
    ms_json_set(&answer, "declared", abilities(&declared));
    set_variables(&answer, d);
    ms_json_set(&answer, "errors", json_integer(findings->n_errors));
    ms_json_set(&answer, "findings", check(findings));
    return answer;
}

/* Tables ------------------------------------------------------------------------------------------------- */

/* "a, b" of an array of strings, "all" of null; NULL: there is no memory. */
static json_t *joined(const json_t *names)
{
    ms_text_stream stream;
    FILE *file = json_is_array(names) ? ms_text_open(&stream) : NULL;
    if (file == NULL)
        return json_is_array(names) ? NULL : json_string("all");
    for (size_t k = 0; k < json_array_size(names); k++)
        fprintf(file, "%s%s", k > 0 ? ", " : "", json_string_value(json_array_get(names, k)));
    char *text = ms_text_close(&stream);
    json_t *value = text != NULL ? ms_json_text(text) : NULL;
    free(text);
    return value;
}

static json_t *member_or_null(const json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    return value != NULL ? json_incref(value) : json_null();
}

/* Rows of what is declared, what holds and why, in place of an object for each. */
static json_t *rows_of_abilities(const json_t *declared, const json_t *holds, const json_t *why)
{
    json_t *rows = json_array();
    for (int k = 0; k < MS_FMU_TRAITS; k++) {
        const char *name = ms_fmu_trait_name[k];
        json_t *row = ms_json_object("name:s declared:o", name, member_or_null(declared, name));
        if (holds != NULL) {
            ms_json_set(&row, "holds", member_or_null(holds, name));
            ms_json_set(&row, "why", member_or_null(why, name));
        }
        ms_json_append(&rows, row);
    }
    return rows;
}

static void join_abilities(json_t *answer)
{
    static const char *const members[] = {"declared", "probe", "why"};
    json_t *object[3];
    for (int k = 0; k < 3; k++)
        object[k] = json_object_get(answer, members[k]);
    json_t *rows = rows_of_abilities(object[0], object[1], object[2]);
    for (int k = 0; k < 3; k++)
        json_object_del(answer, members[k]);
    ms_json_set(&answer, "capabilities", rows);
}

void ms_fmu_answer_for_table(json_t *answer)
{
    join_abilities(answer);
    static const char *const lists[] = {"outputs", "states"};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        json_t *row;
        size_t i;
        json_array_foreach (json_object_get(answer, lists[k]), i, row) {
            json_object_set_new(row, "depends_on", joined(json_object_get(row, "depends_on")));
        }
    }
}
