/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.h - the energy ledger of a run: energies, power and work at each port as seen by its subsystem, and the
 * energy produced by the coupling.
 *
 * Through a port the power P = gain y u enters its subsystem (ms_port), with the inputs u actually applied inside the
 * macro-step and the outputs y = g(t, x, u) for them; the work over the macro-step is W = int P dt. What enters one
 * end of a bond should leave the other one, so that in every macro-step the coupling produces
 *
 *     residual = W_0 + W_1 [J],     drift = the sum of the residuals so far,     both 0 for exact coupling
 *
 * (Moshagen 2021, section 3.2: energy that appears on one side without vanishing on the other). With E the
 * energy of all subsystems
 *
 *     E - E(0) = drift + supplied,
 *
 * where `supplied` is the energy from external inputs and through wires without ports, minus dissipation in the
 * subsystems, and the error of the micro-solver: with `exact` 0 for a conservative model.
 *
 * W is found by quadrature that stops at the ends of the pieces of inputs, at known times and at events
 * (port_work.h), also on both half steps of step size control. Outputs that depend on u' (ms_subsystem.uses_du)
 * are not known inside a macro-step: derived values are NaN. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/run_series.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

/* A row: time, the energy of each subsystem, of all, then for each bond MS_ENERGY_BOND numbers, and where
 * there are bonds MS_ENERGY_SUMS of all of them. Powers are those at the communication point with the right
 * limits of the inputs (known when the next macro-step has been taken; in the last row u = L y), work and
 * residuals those of the macro-step that ends there. Where subsystems have clocks of their own there is a row
 * for each time at which one of them communicates: the energy of the others is that of their last
 * communication point, their work 0 and their power NaN, so that a residual closes when both ends have met.
 */
enum {
    MS_ENERGY_POWER = 0, /* of both ends [W] */
    MS_ENERGY_WORK = 2,  /* of both ends [J] */
    MS_ENERGY_RESIDUAL = 4,
    MS_ENERGY_DRIFT = 5,
    MS_ENERGY_BOND = 6
};
enum { MS_ENERGY_SUM_RESIDUAL, MS_ENERGY_SUM_DRIFT, MS_ENERGY_SUM_SUPPLIED, MS_ENERGY_SUMS };

typedef struct ms_energy {
    const ms_system *system;
    double start, end;      /* of all subsystems [J]; NaN where one declares none */
    double lowest, highest; /* at communication points [J] */
    double drift;           /* of all bonds [J]; NaN: there are none */
    bool series;            /* keeps all rows, not only the last one */
    int columns;
    long rows, capacity;        /* capacity: of a series */
    double *row;                /* (rows x columns) */
    const ms_series_sink *sink; /* OPTIONAL, of a series, to be set before the run: rows go there */
    int status; /* MS_OK, or MS_NO_MEMORY or what the sink said, with which the run was ended */

    double *x;         /* states where each subsystem has met the others (nx), then scratch: */
    double *u, *y, *w; /* (nu), (ny), (nw) */
    long *met;         /* the row of that (system->n) */
} ms_energy;

/* Does every subsystem declare its energy? */
bool ms_energy_declared(const ms_system *system);

/* For runs of cosim, which keeps the work that is needed, in any order with other observers; call before
 * ms_cosim_start. series: keep a row for each communication point. Each run starts anew. The observer's self
 * is the ms_energy. Errors: MS_NO_MEMORY. */
int ms_energy_create(ms_cosim *cosim, bool series, ms_energy *energy, ms_observer *observer, ms_error *error);
void ms_energy_destroy(ms_energy *energy);

/* Row n (columns). */
static inline const double *ms_energy_row(const ms_energy *energy, long n)
{
    return energy->row + (size_t)n * (size_t)energy->columns;
}

/* Columns: of the energy of subsystem i (i = ms_system_shown: of all), the first one of bond b, the first one of
 * the sums. */
static inline int ms_energy_of(int i)
{
    return 1 + i;
}

static inline int ms_energy_bond(const ms_energy *energy, int b)
{
    return 2 + ms_system_shown(energy->system) + MS_ENERGY_BOND * b;
}

static inline int ms_energy_sums(const ms_energy *energy)
{
    return ms_energy_bond(energy, energy->system->n_bonds);
}

/* The name of a column, written into name (size characters): "time", "SUB.energy", "energy",
 * "SUB.PORT.power", "SUB.PORT.work", "SUB.PORT-SUB.PORT.residual", "SUB.PORT-SUB.PORT.drift", "residual",
 * "drift", "supplied". */
void ms_energy_name(const ms_energy *energy, int column, char *name, size_t size);

MS_C_LINKAGE_END
