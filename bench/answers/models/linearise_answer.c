/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linearise_answer.h"

#include <math.h>

#include "answer.h"
#include "partials.h"
#include "provenance.h"

enum { WIDEST = 12 }; /* columns of a matrix, and subsystems, in tables */

/* Columns first .. first + columns - 1 of M (rows x n), by rows. */
static json_t *block(const double *M, int rows, int n, int first, int columns)
{
    return ms_json_of_matrix(rows, columns, n, M + first);
}

static json_t *pattern(const bool *at, int rows, int columns)
{
    json_t *all = json_array();
    for (int i = 0; i < rows; i++) {
        json_t *row = json_array();
        for (int j = 0; j < columns; j++)
            ms_json_append(&row, json_integer(at[(size_t)i * (size_t)columns + (size_t)j]));
        ms_json_append(&all, row);
    }
    return all;
}

/* Of all subsystems: states 'x', external inputs 'w' or outputs 'y'. */
static json_t *names_of_all(const ms_system *s, char kind)
{
    json_t *names = json_array();
    for (int i = 0; i < ms_system_shown(s); i++) {
        const ms_subsystem *sub = &s->sub[i];
        ms_json_join(&names, kind == 'x'   ? ms_json_names(sub->nx, sub->x, sub->name)
                             : kind == 'w' ? ms_json_names(sub->nw, sub->w, sub->name)
                                           : ms_json_names(sub->ny, sub->y, sub->name));
    }
    return names;
}

/* The point: {"SUB.NAME": value, ..} of states or coupling inputs. */
static json_t *values_of(const ms_linearised *l, bool states, int only)
{
    const ms_system *s = l->system;
    json_t *values = json_object();
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < (states ? s->sub[i].nx : s->sub[i].nu) && (only < 0 || only == i); k++) {
            const double value = states ? l->x[s->x_at[i] + k] : l->u[s->u_at[i] + k];
            ms_json_set_as(&values, ms_json_real(value), "%s.%s", s->sub[i].name,
                           (states ? s->sub[i].x : s->sub[i].u)[k].name);
        }
    return values;
}

static json_t *point(const ms_linearised *l, const ms_linearisation_point *linearised_at, int only)
{
    static const char *const names[] = {[MS_LINEARISE_AT_START] = "start",
                                        [MS_LINEARISE_AT_TIME] = "time",
                                        [MS_LINEARISE_AT_EQUILIBRIUM] = "equilibrium"};
    return ms_json_object("place:s time:r states:o inputs:o", names[linearised_at->kind], l->t,
                          values_of(l, true, only), values_of(l, false, only));
}

static const char *name_of(ms_differences differences)
{
    return differences == MS_DIFFERENCES_FORWARD ? "forward" : "central";
}

static const char *partials_of(const ms_linearisation *part)
{
    return part->directional ? "directional" : name_of(part->differences);
}

static void say_error(json_t **answer, double error)
{
    char text[300];
    ms_partials_explain(error, text, sizeof text);
    if (text[0] != '\0')
        ms_json_set(answer, "message", json_string(text));
}

void ms_partials_say(json_t **answer, const ms_system *system, double error)
{
    const bool central = ms_linearisation_has_differences(system);
    const bool steps = ms_system_own_stepper(system) != NULL;
    ms_json_set(answer, "partials", json_string(steps ? "steps" : central ? "central" : "directional"));
    ms_json_set(answer, "partials_error", central ? ms_json_real(error) : json_null());
    if (central)
        say_error(answer, error);
}

/* The largest of the matrices that are given. */
static double error_of(const ms_linearised *l)
{
    double error = l->whole != NULL && !l->whole->assembled ? l->whole->partials_error : 0.0;
    for (int i = 0; i < l->system->n; i++)
        if (l->part[i] != NULL)
            error = fmax(error, l->part[i]->partials_error);
    return error;
}

/* ||A - A by differences|| / ||A|| in the Frobenius norm. */
static double difference_of(const ms_coupled *c)
{
    double off = 0.0, size = 0.0;
    for (size_t k = 0; k < (size_t)c->nx * (size_t)c->nx; k++) {
        off = hypot(off, c->A[k] - c->A_differences[k]);
        size = hypot(size, c->A[k]);
    }
    return size > 0.0 ? off / size : off;
}

/* For programs ------------------------------------------------------------------------------------------- */

static json_t *subsystem(const ms_linearised *l, int i)
{
    const ms_subsystem *sub = &l->system->sub[i];
    const ms_linearisation *p = l->part[i];
    const ms_sparsity *s = l->sparsity[i];
    json_t *structure = ms_json_object(
        "from:s entries:i evaluations:l derivatives:o outputs:o", s->detected ? "detection" : "matrices",
        ms_sparsity_entries(s), s->evaluations, pattern(s->f, s->nx, s->n), pattern(s->g, s->ny, s->n));
    return ms_json_object(
        "name:s states:o inputs:o external_inputs:o outputs:o A:o B:o C:o D:o E:o F:o structure:o "
        "partials:s partials_error:o checks:l groups:i groups_lower_bound:i evaluations:l "
        "evaluations_without_compression:l residual:r",
        sub->name, ms_json_names(sub->nx, sub->x, NULL), ms_json_names(sub->nu, sub->u, NULL),
        ms_json_names(sub->nw, sub->w, NULL), ms_json_names(sub->ny, sub->y, NULL),
        block(p->f, p->nx, p->n, 0, p->nx), block(p->f, p->nx, p->n, p->nx, p->nu),
        block(p->g, p->ny, p->n, 0, p->nx), block(p->g, p->ny, p->n, p->nx, p->nu),
        block(p->f, p->nx, p->n, p->nx + p->nu, p->nw), block(p->g, p->ny, p->n, p->nx + p->nu, p->nw),
        structure, partials_of(p), p->differenced ? ms_json_real(p->partials_error) : json_null(), p->checks,
        p->groups, p->bound, p->evaluations, p->evaluations_dense, p->residual);
}

static json_t *coupled(const ms_linearised *l)
{
    const ms_system *s = l->system;
    const ms_coupled *c = l->whole;
    if (c == NULL)
        return json_null();
    const int ny = s->y_at[ms_system_shown(s)], nw = s->w_at[ms_system_shown(s)];
    return ms_json_object(
        "states:o inputs:o outputs:o A:o B:o C:o D:o structure:o partials:s partials_error:r checks:l "
        "groups:i groups_lower_bound:i evaluations:l evaluations_without_compression:l max_difference:o",
        names_of_all(s, 'x'), names_of_all(s, 'w'), names_of_all(s, 'y'), block(c->A, c->nx, c->nx, 0, c->nx),
        c->assembled ? block(c->B, c->nx, c->nw, 0, nw) : json_null(),
        c->assembled ? block(c->C, ny, c->nx, 0, c->nx) : json_null(),
        c->assembled ? block(c->D, ny, c->nw, 0, nw) : json_null(), pattern(c->structure, c->nx, c->nx),
        name_of(c->differences), c->partials_error, c->checks, c->groups, c->bound, c->evaluations,
        c->evaluations_dense, c->assembled ? ms_json_real(difference_of(c)) : json_null());
}

json_t *ms_linearise_answer(const ms_linearised *l, const ms_linearisation_point *linearised_at, int only)
{
    json_t *rows = json_array();
    for (int i = 0; i < ms_system_shown(l->system); i++)
        if (l->part[i] != NULL)
            ms_json_append(&rows, subsystem(l, i));
    json_t *answer = ms_json_object(
        "model:s case:s parameters:o at:o subsystems:o whole:o", l->system->model->name, l->system->case_name,
        ms_parameters_json(l->system), point(l, linearised_at, only), rows, coupled(l));
    say_error(&answer, error_of(l));
    return answer;
}

/* For readers -------------------------------------------------------------------------------------------- */

/* A row of sizes and of what the Jacobians took. */
static const char counts_form[] = "{s:s, s:i, s:i, s:i, s:s, s:i, s:i, s:I, s:I, s:o, s:o}";

static json_t *counts_of_part(const ms_subsystem *sub, const ms_linearisation *p, const ms_sparsity *sparsity)
{
    return json_pack(counts_form, "of", sub->name, "states", p->nx, "inputs", p->nu + p->nw, "outputs", p->ny,
                     "partials", partials_of(p), "entries", ms_sparsity_entries(sparsity), "groups",
                     p->groups, "evaluations", (json_int_t)p->evaluations, "without",
                     (json_int_t)p->evaluations_dense, "off", ms_json_real(p->residual), "partials_error",
                     p->differenced ? ms_json_real(p->partials_error) : json_null());
}

static json_t *counts_of_whole(const ms_system *s, const ms_coupled *c)
{
    int entries = 0;
    for (size_t k = 0; k < (size_t)c->nx * (size_t)c->nx; k++)
        entries += c->structure[k];
    return json_pack(counts_form, "of", "coupled model", "states", c->nx, "inputs",
                     s->w_at[ms_system_shown(s)], "outputs", s->y_at[ms_system_shown(s)], "partials",
                     name_of(c->differences), "entries", entries, "groups", c->groups, "evaluations",
                     (json_int_t)c->evaluations, "without", (json_int_t)c->evaluations_dense, "off",
                     c->assembled ? ms_json_real(difference_of(c)) : json_null(), "partials_error",
                     ms_json_real(c->partials_error));
}

static json_t *counts(const ms_linearised *l)
{
    const ms_system *s = l->system;
    json_t *rows = json_array();
    for (int i = 0; i < ms_system_shown(s); i++)
        if (l->part[i] != NULL)
            ms_json_append(&rows, counts_of_part(&s->sub[i], l->part[i], l->sparsity[i]));
    if (l->whole != NULL)
        ms_json_append(&rows, counts_of_whole(s, l->whole));
    return rows;
}

/* Sets row[prefix NAME] or row[prefix qualifier:NAME] for n variables; dots would be paths. */
static void set_cells(json_t **row, const char *prefix, const char *qualifier, int n,
                      const ms_variable *variables, const double *M)
{
    for (int k = 0; k < n; k++)
        ms_json_set_as(row, ms_json_real(M[k]), "%s%s%s%s", prefix, qualifier != NULL ? qualifier : "",
                       qualifier != NULL ? ":" : "", variables[k].name);
}

/* Rows x' and y of one subsystem. */
static json_t *matrices(const ms_subsystem *sub, const ms_linearisation *p)
{
    json_t *rows = json_array();
    for (int i = 0; i < p->nx + p->ny; i++) {
        const double *M = p->f + (size_t)i * (size_t)p->n; /* g comes after f */
        json_t *row = json_pack("{s:o}", " ",
                                i < p->nx ? json_sprintf("d %s/dt", sub->x[i].name)
                                          : json_sprintf("y %s", sub->y[i - p->nx].name));
        set_cells(&row, "x ", NULL, p->nx, sub->x, M);
        set_cells(&row, "u ", NULL, p->nu, sub->u, M + p->nx);
        set_cells(&row, "w ", NULL, p->nw, sub->w, M + p->nx + p->nu);
        ms_json_append(&rows, row);
    }
    return rows;
}

/* A row of the coupled model: X (nx) and W (nw) of all subsystems. */
static json_t *coupled_row(const ms_system *s, json_t *name, const double *X, const double *W)
{
    json_t *row = json_pack("{s:o}", " ", name);
    for (int i = 0; i < s->n; i++)
        set_cells(&row, "x ", s->sub[i].name, s->sub[i].nx, s->sub[i].x, X + s->x_at[i]);
    for (int i = 0; i < ms_system_shown(s); i++)
        set_cells(&row, "w ", s->sub[i].name, s->sub[i].nw, s->sub[i].w, W + s->w_at[i]);
    return row;
}

static json_t *coupled_matrices(const ms_system *s, const ms_coupled *c)
{
    json_t *rows = json_array();
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->sub[i].nx; k++) {
            const size_t at = (size_t)(s->x_at[i] + k);
            ms_json_append(&rows,
                           coupled_row(s, json_sprintf("d %s:%s/dt", s->sub[i].name, s->sub[i].x[k].name),
                                       c->A + at * (size_t)c->nx, c->B + at * (size_t)c->nw));
        }
    for (int i = 0; i < ms_system_shown(s); i++)
        for (int k = 0; k < s->sub[i].ny; k++) {
            const size_t at = (size_t)(s->y_at[i] + k);
            ms_json_append(&rows, coupled_row(s, json_sprintf("y %s:%s", s->sub[i].name, s->sub[i].y[k].name),
                                              c->C + at * (size_t)c->nx, c->D + at * (size_t)c->nw));
        }
    return rows;
}

json_t *ms_linearise_table(const ms_linearised *l, const ms_linearisation_point *linearised_at, int only)
{
    const ms_system *s = l->system;
    const ms_coupled *c = l->whole;
    json_t *value = ms_json_object("model:s case:s", s->model->name, s->case_name);
    if (!s->linear)
        ms_json_set(&value, "at", point(l, linearised_at, only));
    ms_json_set(&value, "evaluations", counts(l));
    say_error(&value, error_of(l));
    for (int i = 0; i < ms_system_shown(s) && (s->n <= WIDEST || only >= 0); i++)
        if (l->part[i] != NULL && l->part[i]->n <= WIDEST && l->part[i]->nx + l->part[i]->ny > 0)
            ms_json_set(&value, s->sub[i].name, matrices(&s->sub[i], l->part[i]));
    if (c != NULL && c->nx + c->nw <= WIDEST && c->nx + c->ny > 0)
        ms_json_set(&value, "coupled model", coupled_matrices(s, c));
    return value;
}
