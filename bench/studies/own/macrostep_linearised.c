/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What compressed columns save when a model is linearised (Andersson 2016, 9.1.1: the matrices (9.2), and 9.3.5: (9.13)):
 *
 *     linearised linearise MODEL ..
 *
 * Evaluations of one-sided differences at the start, the evaluation at the point included, compressed and (.._dense) column by column:
 * parts, of all subsystems, f and g counted apart, and whole, of the coupled x'; detection: of their structures; groups of the coupled
 * columns, and bound: the fewest that are possible; states. off: the largest difference between matrices with and without compression,
 * residual: the largest of the subsystems. The coupled structure as points: column, row, group. */
#include <math.h>

#include <macrostep/linearisation.h>
#include "measurement.h"

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

/* The coupled pattern as points. */
static int give_structure(const ms_coupled *whole, json_t *answer)
{
    const int nx = whole->nx;
    ms_compression *groups = NULL;
    const int status = ms_compression_create(nx, nx, whole->structure, &groups);
    for (int i = 0; i < nx && status == MS_OK; i++)
        for (int j = 0; j < nx; j++)
            if (whole->structure[i * nx + j]) {
                ms_measured_append(answer, "column", j + 1);
                ms_measured_append(answer, "row", i + 1);
                ms_measured_append(answer, "group", groups->group[j] + 1);
            }
    ms_compression_destroy(&groups);
    return status;
}

/* At the start, with and without compression. */
static int measure(const ms_system *system, counts *c, json_t *answer, ms_error *error)
{
    ms_linearised *with = NULL, *without = NULL;
    double *x = calloc((size_t)system->nx + 1, sizeof *x);
    int status = x != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the states");
    if (status == MS_OK) {
        ms_system_start(system, x);
        status = ms_linearised_create(system, 0.0, x, NULL, -1, &forward, &with, error);
    }
    MS_THEN(status, ms_linearised_create(system, 0.0, x, NULL, -1, &dense, &without, error));
    if (status == MS_OK)
        count(with, without, c);
    MS_THEN(status, give_structure(with->whole, answer));
    ms_linearised_destroy(&with);
    ms_linearised_destroy(&without);
    free(x);
    return status;
}

static int measure_words(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    ms_study study;
    counts c = {0};
    int status = ms_study_bind(drawing, &study, error, "%s", words);
    MS_THEN(status, measure(study.system, &c, answer, error));
    if (status == MS_OK) {
        ms_measured_members(answer, MS_COUNTS({"states", c.states}, {"parts", c.parts},
                                              {"parts_dense", c.parts_dense}, {"detection", c.detection},
                                              {"groups", c.groups}, {"bound", c.bound}, {"whole", c.whole},
                                              {"whole_dense", c.whole_dense}));
        ms_measured_members(answer, MS_REALS({"off", c.off}, {"residual", c.residual}));
    }
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_linearised = {"linearised", measure_words, NULL};
