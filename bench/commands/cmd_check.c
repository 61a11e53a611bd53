/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_check.c - applies the conformance tests of registered schemes and models to the user's own. */
#include <stdio.h>

#include <macrostep/catalogue.h>
#include <macrostep/extension.h>
#include <macrostep/scheme_registry.h>
#include "allocations.h"
#include "call.h"
#include "scheme_check.h"
#include "sweep.h"

typedef struct check_call {
    ms_call base;
    const ms_scheme *scheme; /* of a shared object; NULL: it has none, or a model is checked */
    bool object;             /* of a shared object: its code may allocate */
    json_t *rows;
    bool fails; /* has anything failed? */
} check_call;

/* A scheme on a system; of the options only the scheme's name is set. */
typedef struct pair {
    ms_system *system;
    ms_options options;
} pair;

/* What is opened ------------------------------------------------------------------------------------------ */

static int count_schemes(void)
{
    int n = 0;
    while (ms_schemes[n] != NULL)
        n++;
    return n;
}

static int count_models(void)
{
    int n = 0;
    while (ms_catalogue[n] != NULL)
        n++;
    return n;
}

/* Loads the scheme and the model of a shared object. */
static int open_object(check_call *call, const char *path, ms_error *error)
{
    const int schemes = count_schemes(), models = count_models();
    MS_TRY(ms_extension_open(path, error));
    call->object = true;
    call->scheme = count_schemes() > schemes ? ms_schemes[schemes] : NULL;
    call->base.model = count_models() > models ? ms_catalogue[models] : NULL;
    const char *file = call->base.arguments.text[MS_ARGUMENT_SYSTEM];
    return file != NULL ? ms_arguments_read_system(&call->base.arguments, file, &call->base.owned, error)
                        : MS_OK;
}

static int read_subject(void *self, ms_error *error)
{
    check_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    const char *path = arguments->operand;
    const bool code =
        path != NULL && (ms_arguments_ends_with(path, ".so") || ms_arguments_ends_with(path, ".c"));
    const int status = code ? open_object(call, path, error)
                            : ms_arguments_model(arguments, &call->base.model, &call->base.owned, error);
    ms_allocations_install();
    return status;
}

/* Questions ------------------------------------------------------------------------------------------------ */

static int ask_restore(pair *p, ms_finding *finding, ms_error *error)
{
    return ms_check_restore(p->system, &p->options, p->system->step_size,
                            ms_scheme_find(p->options.scheme)->retries, finding, error);
}

static int ask_repeat(pair *p, ms_finding *finding, ms_error *error)
{
    return ms_check_repeat(p->system, &p->options, p->system->step_size, finding, error);
}

/* Uses a micro-solver that does not allocate; those of libraries do. */
static int ask_allocations(pair *p, ms_finding *finding, ms_error *error)
{
    ms_options options = p->options;
    const int status = p->system->linear ? MS_OK : ms_options_set(&options, "solver", "rk4", error);
    return status == MS_OK ? ms_check_allocations(p->system, &options, p->system->step_size, finding, error)
                           : status;
}

static int ask_masks(pair *p, ms_finding *finding, ms_error *error)
{
    return ms_check_masks(p->system, &p->options, p->system->step_size, finding, error);
}

static int ask_order(pair *p, ms_finding *finding, ms_error *error)
{
    return ms_check_order(p->system, &p->options, finding, error);
}

/* The last test: it makes the system homogeneous. */
static int ask_growth(pair *p, ms_finding *finding, ms_error *error)
{
    json_t *row = json_object();
    ms_options options = p->options;
    options.step_size = p->system->step_size;
    const int status = ms_sweep_add_growth(p->system, &options, &ms_interrupted, &row, error);
    const json_t *agree = json_object_get(row, "agree");
    const char *note = json_string_value(json_object_get(row, "note"));
    finding->verdict = json_is_null(agree)   ? MS_CHECK_NOT_ASKED
                       : json_is_true(agree) ? MS_CHECK_HOLDS
                                             : MS_CHECK_FAILS;
    if (finding->verdict == MS_CHECK_NOT_ASKED)
        snprintf(finding->text, sizeof finding->text, "%s", note != NULL ? note : "");
    else
        snprintf(finding->text, sizeof finding->text, "rho %.6g, memory grows by %.6g a macro-step",
                 json_number_value(json_object_get(row, "growth_predicted")),
                 json_number_value(json_object_get(row, "growth_observed")));
    json_decref(row);
    return status;
}

static const struct {
    const char *name;
    int (*ask)(pair *p, ms_finding *finding, ms_error *error);
    bool of_objects; /* only for schemes of shared objects */
} questions[] = {
    {"restore", ask_restore, false}, {"repeat", ask_repeat, false}, {"allocations", ask_allocations, true},
    {"masks", ask_masks, false},     {"order", ask_order, false},   {"growth", ask_growth, false}};

static void add_row(check_call *call, const pair *p, const char *question, const ms_finding *finding)
{
    static const char *const verdicts[] = {"holds", "fails", "not-asked"};
    call->fails = call->fails || finding->verdict == MS_CHECK_FAILS;
    json_t *text = ms_json_text(finding->text);
    ms_json_append(&call->rows,
                   ms_json_object("scheme:s model:s check:s verdict:s finding:o", p->options.scheme,
                                  p->system->model->name, question, verdicts[finding->verdict], text));
}

/* Can the pair step? If it is refused, a row says so. */
static int may_ask(check_call *call, const pair *p, bool *may, ms_error *error)
{
    ms_cosim *cosim = NULL;
    ms_error why = {""};
    const int status = ms_cosim_of_options(p->system, &p->options, &cosim, &why);
    ms_cosim_destroy(&cosim);
    *may = status == MS_OK;
    if (status == MS_NO_MEMORY)
        return ms_fail(error, status, "%s", why.text);
    const bool silent = why.text[0] == '\0', refuses = status == MS_UNSUPPORTED || status == MS_INVALID;
    ms_finding finding = {refuses && !silent ? MS_CHECK_NOT_ASKED : MS_CHECK_FAILS, ""};
    snprintf(finding.text, sizeof finding.text, "%.300s",
             silent ? "refused without a message: create must fill its error" : why.text);
    if (status != MS_OK)
        add_row(call, p, "takes", &finding);
    return MS_OK;
}

/* Takes ownership of the system. */
static int ask_all(check_call *call, ms_system *system, const char *scheme, ms_error *error)
{
    pair p = {.system = system};
    bool may = false;
    ms_options_default(&p.options);
    int status = ms_options_set(&p.options, "scheme", scheme, error);
    MS_THEN(status, may_ask(call, &p, &may, error));
    for (int k = 0; k < MS_COUNT(questions) && status == MS_OK && may; k++) {
        ms_finding finding = {MS_CHECK_NOT_ASKED, ""};
        if (questions[k].of_objects && !call->object)
            continue;
        status = ms_interrupted != 0 ? ms_fail(error, MS_INTERRUPTED, "interrupted")
                                     : questions[k].ask(&p, &finding, error);
        if (status == MS_OK)
            add_row(call, &p, questions[k].name, &finding);
    }
    ms_system_destroy(&p.system);
    return status;
}

/* Subjects ------------------------------------------------------------------------------------------------- */

/* Systems that differ in what they ask of a scheme: bonds and feed-through, transmission lines, nonlinear equations, several loops. */
static int check_scheme(check_call *call, ms_error *error)
{
    static const struct {
        const char *model, *of_case;
    } homes[] = {{"spring-mass", NULL},
                 {"mass-spring-damper", NULL},
                 {"lim-oscillator", "force-force"},
                 {"example-6.3.1", NULL},
                 {"linear-pair", NULL}};
    int status = MS_OK;
    for (int k = 0; k < MS_COUNT(homes) && status == MS_OK; k++) {
        ms_system *system = NULL;
        status =
            ms_system_create(ms_catalogue_find(homes[k].model), homes[k].of_case, NULL, 0, &system, error);
        MS_THEN(status, ask_all(call, system, call->scheme->name, error));
    }
    return status;
}

static int check_pair(check_call *call, const ms_model *model, const char *scheme, ms_error *error)
{
    ms_system *system = NULL;
    const int status = ms_arguments_bind(&call->base.arguments, model, &system, error);
    return status == MS_OK ? ask_all(call, system, scheme, error) : status;
}

static int check_model(check_call *call, ms_error *error)
{
    static const char *const schemes[] = {"jacobi", "gauss-seidel", "ifosmondi"};
    int status = MS_OK;
    for (int k = 0; k < MS_COUNT(schemes) && status == MS_OK; k++)
        status = check_pair(call, call->base.model, schemes[k], error);
    return status;
}

/* The scheme of a shared object on the file of --system instead of models of the catalogue. */
static int check_on_file(check_call *call, ms_error *error)
{
    if (call->scheme != NULL)
        return check_pair(call, call->base.owned, call->scheme->name, error);
    return ms_fail(error, MS_INVALID, "--system: a shared object without a scheme is checked alone");
}

static int compute(void *self, ms_error *error)
{
    static const ms_column columns[] = {{"scheme", "scheme"},   {"model", "model"},     {"check", "check"},
                                        {"verdict", "verdict"}, {"finding", "finding"}, {0}};
    check_call *call = self;
    call->rows = json_array();
    int status = call->object && call->base.owned != NULL ? check_on_file(call, error)
                 : call->scheme != NULL                   ? check_scheme(call, error)
                                                          : MS_OK;
    if (status == MS_OK && call->base.model != NULL)
        status = check_model(call, error);
    call->base.answer = (ms_answer){.columns = columns, .value = ms_json_object("rows:O", call->rows)};
    if (status == MS_OK && call->fails)
        call->base.exit_status = MS_EXIT_DIFFERENT;
    return status;
}

static void destroy(void *self)
{
    json_decref(((check_call *)self)->rows);
}

const ms_call_steps ms_command_check = {
    .size = sizeof(check_call), .read = read_subject, .compute = compute, .destroy = destroy};
