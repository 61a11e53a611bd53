/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What compressed columns save when models are linearised (Andersson 2016, 9.1.1 and 9.3.5): the example
 * (9.4), all models of the catalogue, and chains of growing length. Evaluations are those of one-sided
 * differences, the evaluation at the point included. */
#include <math.h>
#include <stdlib.h>

#include <macrostep/catalogue.h>
#include <macrostep/linearisation.h>
#include "figure.h"
#include "study.h"

static const ms_linearisation_options forward = {MS_PARTIALS_FORWARD, true},
                                      dense = {MS_PARTIALS_FORWARD, false};

/* Counts of one model at its start. */
typedef struct counts {
    int states;
    long parts, parts_dense; /* sums over the subsystems, f and g counted apart */
    long detection;
    int groups, bound;
    long whole, whole_dense; /* of the coupled x' */
    double off;              /* largest difference between matrices with and without compression */
    double residual;         /* largest of the subsystems */
} counts;

static void count(const ms_linearised *l, const ms_linearised *other, counts *c)
{
    const ms_system *s = l->system;
    *c = (counts){.states = s->nx,
                  .groups = l->whole->groups,
                  .bound = l->whole->bound,
                  .whole = l->whole->evaluations,
                  .whole_dense = l->whole->evaluations_dense};
    for (int i = 0; i < s->n; i++) {
        const ms_linearisation *part = l->part[i];
        c->parts += part->evaluations;
        c->parts_dense += part->evaluations_dense;
        c->detection += l->sparsity[i]->evaluations;
        c->residual = fmax(c->residual, part->residual);
        c->off = fmax(c->off, ms_largest_difference((size_t)(part->nx + part->ny) * (size_t)part->n, part->f,
                                                    other->part[i]->f));
    }
}

/* At the start, with and without compression. structure: the coupled pattern as points (column, row,
 * group), or NULL. */
static int measure(const ms_system *system, counts *c, ms_data *structure, ms_error *error)
{
    ms_linearised *with = NULL, *without = NULL;
    ms_compression *groups = NULL;
    double *x = calloc((size_t)system->nx + 1, sizeof *x);
    int status = x != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the states");
    if (status == MS_OK) {
        ms_system_start(system, x);
        status = ms_linearised_create(system, 0.0, x, NULL, -1, &forward, &with, error);
    }
    MS_THEN(status, ms_linearised_create(system, 0.0, x, NULL, -1, &dense, &without, error));
    if (status == MS_OK)
        count(with, without, c);
    if (status == MS_OK && structure != NULL) {
        const int nx = system->nx;
        status = ms_compression_create(nx, nx, with->whole->structure, &groups);
        for (int i = 0; i < nx && status == MS_OK; i++)
            for (int j = 0; j < nx; j++)
                if (with->whole->structure[i * nx + j])
                    MS_ROW(structure, j + 1, i + 1, groups->group[j] + 1);
    }
    ms_compression_destroy(&groups);
    ms_linearised_destroy(&with);
    ms_linearised_destroy(&without);
    free(x);
    return status;
}

static int measure_model(ms_drawing *drawing, counts *c, ms_data *structure, ms_error *error,
                         const char *model, const char *parameter, int value)
{
    ms_study study;
    int status = parameter == NULL
                     ? ms_study_bind(drawing, &study, error, "linearise %s --differences forward", model)
                     : ms_study_bind(drawing, &study, error, "linearise %s --set %s=%d --differences forward",
                                     model, parameter, value);
    MS_THEN(status, measure(study.system, c, structure, error));
    ms_study_destroy(&study);
    return status;
}

static double saved(long with, long without)
{
    return without > 0 ? 100.0 * (double)(without - with) / (double)without : 0.0;
}

/* (9.4) -------------------------------------------------------------------------------------------------- */

static void example_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    (void)data;
    m->A[0] = m->A[4] = m->A[5] = m->A[6] = m->A[8] = 1.0; /* x1' = x1, x2' = x2 + x3, x3' = x1 + x3 */
}

static const ms_variable example_states[] = {{"x1", "1"}, {"x2", "1"}, {"x3", "1"}};
static const ms_subsystem example_ode[] = {
    {.name = "ode", .nx = 3, .x = example_states, .matrices = example_matrices}};
static const ms_case example_case[] = {{.name = "default"}};
static const ms_model example = {.name = "example-9.4",
                                 .summary = "(9.4)",
                                 .source = "Andersson (2016), (9.4)",
                                 .cases = example_case,
                                 .n_cases = 1,
                                 .subsystems = example_ode,
                                 .n_subsystems = 1,
                                 .stop_time = 1.0,
                                 .step_size = 0.1};

static int check_example(ms_drawing *drawing, ms_error *error)
{
    ms_system *system = NULL;
    counts c;
    int status = ms_system_create(&example, NULL, NULL, 0, &system, error);
    MS_THEN(status, measure(system, &c, NULL, error));
    if (status == MS_OK) {
        ms_drawing_check_number(drawing, "(9.4): evaluations for the Jacobian, compressed", 3.0,
                                (double)c.whole, 0.0,
                                "Two groups, x1 with x2 and x3 alone, and one evaluation at the point.");
        ms_drawing_check_number(drawing, "(9.4): evaluations for the Jacobian, column by column", 4.0,
                                (double)c.whole_dense, 0.0, "Three states and the point.");
    }
    ms_system_destroy(&system);
    return status;
}

/* The catalogue ------------------------------------------------------------------------------------------ */

static int tabulate_models(ms_drawing *drawing, ms_error *error)
{
    ms_table *table =
        ms_drawing_table(drawing, "models", "One-sided differences at the start, first case of each model",
                         "model|states|subsystems, compressed|subsystems, by columns|subsystems, saved / "
                         "%|detection of structure|coupled: groups|fewest possible|coupled, "
                         "compressed|coupled, by columns|coupled, saved / %");
    double off = 0.0, residual = 0.0;
    int status = MS_OK, models = 0, optimal = 0;
    for (const ms_model *const *model = ms_catalogue; *model != NULL && status == MS_OK; model++) {
        counts c;
        status = measure_model(drawing, &c, NULL, error, (*model)->name, NULL, 0);
        if (status == MS_UNSUPPORTED || status == MS_NO_SOLUTION) {
            ms_drawing_remark(drawing, "%s is left out: %s.", (*model)->name, error->text);
            status = MS_OK;
            continue;
        }
        if (status != MS_OK)
            break;
        ms_table_add(table, "siIIrIiiIIr", (*model)->name, c.states, (json_int_t)c.parts,
                     (json_int_t)c.parts_dense, saved(c.parts, c.parts_dense), (json_int_t)c.detection,
                     c.groups, c.bound, (json_int_t)c.whole, (json_int_t)c.whole_dense,
                     saved(c.whole, c.whole_dense));
        off = fmax(off, c.off);
        residual = fmax(residual, c.residual);
        models++;
        optimal += c.groups == c.bound;
    }
    if (status != MS_OK)
        return status;
    ms_drawing_check_claim(
        drawing, "compression changes no bit of the subsystems' matrices",
        "variables found together have no function in common", ms_json_real(off),
        ms_judge_is(drawing, off, 0.0),
        "The largest difference between matrices with and without compression, all models.");
    ms_drawing_check_claim(
        drawing, "the structures are complete", "structural information is available", ms_json_real(residual),
        ms_judge_at_most(drawing, residual, 1e-4),
        "The largest distance of one more difference in a random direction from the matrices, relative to "
        "it: one-sided differences leave 1e-8 of the variables' scale.");
    ms_drawing_remark(
        drawing,
        "In %d of %d coupled models the greedy groups are as few as the fullest row allows. Subsystems of "
        "two or three states save little: all of their states meet in one row. Detection of a structure is "
        "counted apart, as it serves all later points; matrices have theirs for nothing.",
        optimal, models);
    return MS_OK;
}

/* Chains ------------------------------------------------------------------------------------------------- */

static int grow(ms_drawing *drawing, const char *part, const char *model, const char *parameter,
                ms_error *error)
{
    static const int lengths[] = {1, 2, 3, 4, 6, 9, 14, 20, 30, 45, 71, 100, 150, 220};
    ms_data *data =
        ms_drawing_data(drawing, part, "states,coupled,coupled_dense,subsystems,subsystems_dense");
    int status = MS_OK;
    for (int k = 0; k < MS_COUNT(lengths) && status == MS_OK; k++) {
        counts c;
        status = measure_model(drawing, &c, NULL, error, model, parameter, lengths[k]);
        if (status == MS_OK)
            MS_ROW(data, c.states, (double)c.whole, (double)c.whole_dense, (double)c.parts,
                   (double)c.parts_dense);
    }
    return status;
}

static int check_large(ms_drawing *drawing, ms_error *error)
{
    counts c;
    MS_TRY(measure_model(drawing, &c, NULL, error, "mass-chain", "masses", 71));
    ms_drawing_check(drawing, "142 states: fewer directional derivatives for A",
                     json_string("reduced by 90 % (9.3.5, chromatography column)"),
                     json_pack("{s:i, s:i, s:f}", "columns", c.states, "groups", c.groups, "reduced by / %",
                               saved(c.groups, c.states)),
                     NULL, MS_NOT_DETERMINED,
                     "The column is a commercial model. A chain of 71 masses has as many states, and "
                     "another structure: a row takes six states at most, whatever the length.");
    return MS_OK;
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    enum { SHOWN = 15 };
    counts shown;
    MS_TRY(check_example(drawing, error));
    MS_TRY(tabulate_models(drawing, error));
    MS_TRY(grow(drawing, "mass-chain", "mass-chain", "masses", error));
    MS_TRY(grow(drawing, "plate-chain", "plate-chain", "plates", error));
    MS_TRY(check_large(drawing, error));
    MS_TRY(measure_model(drawing, &shown, ms_drawing_data(drawing, "structure", "column,row,group"), error,
                         "mass-chain", "masses", SHOWN));
    ms_drawing_remark(
        drawing, "The algebraic loop of the plate chain goes through all plates: every state of the coupled "
                 "model depends on every other one, and nothing can be found together. Its subsystems have "
                 "few variables each: taken one by one, with the loop solved by linear algebra, they need a "
                 "number of (cheap) evaluations that grows with the length, and no solution of the loop.");
    ms_drawing_script(drawing, "masses = %d\ngroups = %d\n", SHOWN, shown.groups);
    ms_drawing_commands_of(drawing, "macrostep_linearisation.gp", 1180, 480);
    return MS_OK;
}

const ms_figure ms_figure_macrostep_linearisation = {
    "macrostep:linearisation",
    "Linearisation: evaluations with and without compressed columns, all models, and growing chains",
    "After Andersson (2016), 9.1.1 and 9.3.5", .draw = draw};
