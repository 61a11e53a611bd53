/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/energy.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim.h>

static double *last_row(const ms_energy *energy)
{
    return energy->row + (size_t)(energy->rows - 1) * (size_t)energy->columns;
}

/* Power -------------------------------------------------------------------------------------------------- */

/* Outputs (y) of those of the subsystems first .. last - 1 that have ports, for given states and inputs. */
static void evaluate_outputs(const ms_energy *energy, const ms_cosim *cosim, int first, int last, double t,
                             const double *x, const double *u)
{
    const ms_system *s = energy->system;
    for (int i = first; i < last; i++) {
        if (s->sub[i].n_ports == 0)
            continue;
        ms_point at = {.t = t, .x = x + s->x_at[i], .u = u + s->u_at[i], .z = cosim->instance[i]->z};
        double *y = energy->y + s->y_at[i];
        if (s->sub[i].uses_du || ms_subsystem_g(s, i, &at, energy->w, y) != 0)
            for (int j = 0; j < s->sub[i].ny; j++)
                y[j] = NAN;
    }
}

/* Power at end k of a bond, from its subsystem's outputs. */
static double power_of(const ms_energy *energy, const ms_bond *bond, int k, const double *u)
{
    return bond->gain[k] * energy->y[bond->output[k]] * u[bond->input[k]];
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* Where a row says something of bond b. */
static double *of_bond(const ms_energy *energy, double *row, int b)
{
    return row + ms_energy_bond(energy, b);
}

static void write_energies(ms_energy *energy, const double *x, double *row)
{
    const ms_system *s = energy->system;
    const int n = ms_system_shown(s);
    for (int i = 0; i < n; i++) {
        const ms_subsystem *sub = &s->sub[i];
        row[ms_energy_of(i)] = sub->energy != NULL
                                   ? sub->energy(x + s->x_at[i], ms_subsystem_parameters(s, sub), sub->data)
                                   : NAN;
    }
    energy->end = row[ms_energy_of(n)] = ms_system_energy(s, x);
    energy->lowest = fmin(energy->lowest, energy->end);
    energy->highest = fmax(energy->highest, energy->end);
}

/* The power at the ends of subsystems first .. last - 1, into the rows at which they have met. */
static void write_power(ms_energy *energy, const ms_cosim *cosim, int first, int last, double t,
                        const double *u)
{
    const ms_system *s = energy->system;
    evaluate_outputs(energy, cosim, first, last, t, energy->x, u);
    for (int b = 0; b < s->n_bonds; b++)
        for (int k = 0; k < 2; k++) {
            const int i = s->bond[b].subsystem[k];
            if (i < first || i >= last)
                continue;
            double *row = energy->row + (size_t)energy->met[i] * (size_t)energy->columns;
            of_bond(energy, row, b)[MS_ENERGY_POWER + k] = power_of(energy, &s->bond[b], k, u);
        }
}

/* The right limits with which the macro-step, or each subsystem's own one, has begun. */
static void write_limits(ms_energy *energy, const ms_cosim *cosim)
{
    for (int k = 0; k < cosim->n_segments; k++) {
        const ms_segment *segment = &cosim->segment[k];
        if (segment->goes_on)
            continue;
        write_power(energy, cosim, segment->first, segment->last, segment->t, segment->u);
    }
}

/* The power where u = L y, of subsystems that communicate at the last row, until their right limits are known. */
static void write_guess(ms_energy *energy, const ms_cosim *cosim)
{
    const ms_system *s = energy->system;
    const double t = last_row(energy)[0];
    for (int b = 0; b < s->n_bonds; b++)
        for (int k = 0; k < 2; k++)
            of_bond(energy, last_row(energy), b)[MS_ENERGY_POWER + k] = NAN;
    ms_system_couple(s, cosim->y, energy->u);
    for (int i = 0; i < s->n; i++)
        if (cosim->communicates[i]) {
            energy->met[i] = energy->rows - 1;
            for (int j = s->x_at[i]; j < s->x_at[i + 1]; j++)
                energy->x[j] = cosim->x[j];
        }
    const bool all = ms_cosim_all_communicate(cosim);
    if (all)
        write_power(energy, cosim, 0, s->n, t, energy->u);
    for (int i = 0; i < s->n && !all; i++)
        if (cosim->communicates[i])
            write_power(energy, cosim, i, i + 1, t, energy->u);
}

/* Adds the work on a segment. */
static void add_work(const ms_energy *energy, const ms_cosim *cosim, const ms_segment *segment, double *row)
{
    const ms_system *s = energy->system;
    for (int b = 0; b < s->n_bonds; b++)
        for (int end = 0; end < 2; end++) {
            const int i = s->bond[b].subsystem[end];
            if (i >= segment->first && i < segment->last)
                of_bond(energy, row, b)[MS_ENERGY_WORK + end] +=
                    segment->work[cosim->port_at[i] + s->bond[b].port[end]];
        }
}

/* Work, residuals and drifts of the macro-step that has been taken; the row holds the drifts before it. */
static void write_work(ms_energy *energy, const ms_cosim *cosim, double *row)
{
    const ms_system *s = energy->system;
    double *sums = row + ms_energy_sums(energy), residual = 0.0;
    if (s->n_bonds == 0)
        return;
    for (int b = 0; b < s->n_bonds; b++)
        memset(of_bond(energy, row, b) + MS_ENERGY_WORK, 0, 2 * sizeof(double));
    for (int k = 0; k < cosim->n_segments; k++)
        add_work(energy, cosim, &cosim->segment[k], row);
    for (int b = 0; b < s->n_bonds; b++) {
        double *bond = of_bond(energy, row, b);
        bond[MS_ENERGY_RESIDUAL] = bond[MS_ENERGY_WORK] + bond[MS_ENERGY_WORK + 1];
        bond[MS_ENERGY_DRIFT] += bond[MS_ENERGY_RESIDUAL];
        residual += bond[MS_ENERGY_RESIDUAL];
    }
    energy->drift += residual;
    sums[MS_ENERGY_SUM_RESIDUAL] = residual;
    sums[MS_ENERGY_SUM_DRIFT] = energy->drift;
    sums[MS_ENERGY_SUM_SUPPLIED] = energy->end - energy->start - energy->drift;
}

/* The row to fill next, as a copy of the last one; without a series that one itself. NULL without memory. */
static double *next_row(ms_energy *energy)
{
    if (!energy->series)
        return last_row(energy);
    energy->status =
        ms_run_series_reserve(&energy->row, &energy->capacity, energy->rows + 1, energy->columns);
    if (energy->status != MS_OK)
        return NULL;
    const double *before = last_row(energy);
    energy->rows++;
    return memcpy(last_row(energy), before, sizeof(double) * (size_t)energy->columns);
}

/* Observer ----------------------------------------------------------------------------------------------- */

static int energy_start(void *self, const ms_cosim *cosim, double t)
{
    ms_energy *energy = self;
    energy->rows = 1;
    energy->status = MS_OK;
    energy->drift = energy->system->n_bonds > 0 ? 0.0 : NAN;
    energy->start = energy->lowest = energy->highest = ms_system_energy(energy->system, cosim->x);
    memset(energy->row, 0, sizeof(double) * (size_t)energy->columns);
    energy->row[0] = t;
    write_energies(energy, cosim->x, energy->row);
    if (energy->series)
        write_guess(energy, cosim);
    if (energy->sink != NULL)
        energy->status = energy->sink->begin(energy->sink->self, cosim);
    return energy->status != MS_OK;
}

/* The time and the right limits of the last row are those with which the macro-step from it began. */
static int energy_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_energy *energy = self;
    if (energy->status != MS_OK)
        return 1;
    double *row = last_row(energy);
    row[0] = t;
    if (energy->series && energy->system->n_bonds > 0)
        write_limits(energy, cosim);
    row = next_row(energy);
    if (row == NULL)
        return 1;
    row[0] = t + h;
    write_energies(energy, cosim->x, row);
    write_work(energy, cosim, row);
    if (energy->series)
        write_guess(energy, cosim);
    if (energy->sink != NULL)
        energy->status = ms_run_series_hand_on(energy->sink, energy->columns, energy->row, &energy->rows,
                                               energy->system->n, energy->met);
    return energy->status != MS_OK;
}

static void energy_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim, (void)reason;
    ms_energy *energy = self;
    ms_run_series_end(energy->row, energy->rows, energy->columns, t);
    if (energy->sink != NULL && energy->status == MS_OK)
        energy->status = energy->sink->take(energy->sink->self, energy->rows, energy->row);
}

bool ms_energy_declared(const ms_system *system)
{
    for (int i = 0; i < ms_system_shown(system); i++)
        if (system->sub[i].energy == NULL)
            return false;
    return true;
}

int ms_energy_create(ms_cosim *cosim, bool series, ms_energy *energy, ms_observer *observer, ms_error *error)
{
    const ms_system *s = cosim->system;
    const size_t scratch = (size_t)(s->nx + s->nu + s->ny + s->nw);
    *energy = (ms_energy){.system = s, .series = series};
    *observer = (ms_observer){.self = energy, .start = energy_start, .step = energy_step, .end = energy_end};
    energy->columns = ms_energy_sums(energy) + (s->n_bonds > 0 ? MS_ENERGY_SUMS : 0);
    energy->x = malloc(sizeof(double) * (scratch + 1));
    energy->met = calloc((size_t)s->n + 1, sizeof *energy->met);
    if (!series)
        energy->row = malloc(sizeof(double) * (size_t)energy->columns);
    int status = series ? ms_run_series_reserve(&energy->row, &energy->capacity, 1, energy->columns) : MS_OK;
    MS_THEN(status, energy->x != NULL && energy->met != NULL && energy->row != NULL ? MS_OK : MS_NO_MEMORY);
    if (status == MS_OK && s->n_bonds > 0)
        status = ms_cosim_measure_work(cosim);
    if (status != MS_OK) {
        const int columns = energy->columns;
        ms_energy_destroy(energy);
        return ms_fail(error, status, "not enough memory for an energy ledger of %d columns", columns);
    }
    energy->u = energy->x + s->nx;
    energy->y = energy->u + s->nu;
    energy->w = energy->y + s->ny;
    return MS_OK;
}

void ms_energy_destroy(ms_energy *energy)
{
    MS_FREE(energy->x, energy->met, energy->row);
    energy->x = energy->row = NULL;
    energy->met = NULL;
    energy->rows = energy->capacity = 0;
}

/* Names -------------------------------------------------------------------------------------------------- */

static void bond_name(const ms_system *s, const ms_bond *bond, int of, char *name, size_t size)
{
    const ms_subsystem *sub[2] = {&s->sub[bond->subsystem[0]], &s->sub[bond->subsystem[1]]};
    const char *port[2] = {sub[0]->ports[bond->port[0]].name, sub[1]->ports[bond->port[1]].name};
    const int end = of % 2;
    if (of < MS_ENERGY_RESIDUAL)
        snprintf(name, size, "%s.%s.%s", sub[end]->name, port[end], of < MS_ENERGY_WORK ? "power" : "work");
    else
        snprintf(name, size, "%s.%s-%s.%s.%s", sub[0]->name, port[0], sub[1]->name, port[1],
                 of == MS_ENERGY_RESIDUAL ? "residual" : "drift");
}

void ms_energy_name(const ms_energy *energy, int column, char *name, size_t size)
{
    static const char *const sums[MS_ENERGY_SUMS] = {"residual", "drift", "supplied"};
    const ms_system *s = energy->system;
    const int of_bonds = column - ms_energy_bond(energy, 0), of_sums = column - ms_energy_sums(energy);
    if (column == 0)
        snprintf(name, size, "time");
    else if (column < ms_energy_of(ms_system_shown(s)))
        snprintf(name, size, "%s.energy", s->sub[column - 1].name);
    else if (of_bonds < 0)
        snprintf(name, size, "energy");
    else if (of_sums < 0)
        bond_name(s, &s->bond[of_bonds / MS_ENERGY_BOND], of_bonds % MS_ENERGY_BOND, name, size);
    else
        snprintf(name, size, "%s", sums[of_sums]);
}
