/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system.h - a model with its parameter values: the structure used by everything else.
 *
 * Vectors of all subsystems are concatenated: state j of subsystem i is x[x_at[i] + j], and likewise for u, y, w.
 * The coupling u = L y is kept by rows (inputs), wires in declared order. */
#pragma once

#include <math.h>

#include <macrostep/c_linkage.h>
#include <macrostep/model.h>
#include <macrostep/series.h>

MS_C_LINKAGE_BEGIN

/* Two ports that exchange energy: the input of each end is fed by the output of the other and by nothing
 * else, and the powers add up to zero wherever the coupling equations hold. Index 0 and 1: the ends, the
 * lower subsystem first. */
typedef struct ms_bond {
    int subsystem[2], port[2]; /* port: in the subsystem's own ports */
    int input[2], output[2];   /* indices in u and y */
    double gain[2];            /* power into the subsystem: gain y[output] u[input] [W] */
} ms_bond;

typedef struct ms_system {
    const ms_model *model;
    double *p;               /* parameter values (model->n_parameters) */
    int n;                   /* subsystems */
    const ms_subsystem *sub; /* (n) */
    ms_blocks *blocks;       /* (n): the matrices of linear subsystems; all NULL for nonlinear ones */
    /* (n): the first subsystem with equal matrices, which are stored once; its own index if it is the first or nonlinear */
    int *equal_to;
    bool linear;             /* every subsystem is, and none has events (breakpoints are none) */
    bool homogeneous;        /* external inputs are zero: set for studies of the homogeneous
                                          problem */
    const ms_series *inputs; /* takes the place of external inputs (ms_system_bind_inputs); NULL: none */
    int *input_column;       /* (nw): the column of each external input, -1: the model's own function */
    const long *input_kink;  /* (rows of inputs) of ms_series_find_kinks */
    int nx, nu, ny, nw, nz;  /* totals; nz: of ms_subsystem_nz() */
    int *x_at, *u_at, *y_at, *w_at, *z_at; /* offsets (n + 1) */
    int *owner;                            /* the subsystem of each output (ny) */
    int *row_at;                           /* wires of input i: row_at[i] .. row_at[i+1]-1  (nu + 1) */
    int *wire_output;                      /* the output (index in y) of each wire */
    double *wire_gain;
    bool *carried; /* (ny): does a wire carry that output? */
    const bool
        *u_held;   /* (nu): inputs fed by values that jump, and therefore held over macro-steps; NULL: none */
    ms_bond *bond; /* (n_bonds) */
    int n_bonds;
    const ms_line *line; /* (n_lines) */
    int n_lines;
    bool *feed_through;              /* (ny): may output j depend directly on an input that is wired? */
    const double *x_scale, *u_scale; /* (nx), (nu): scales of states and inputs for steps of
                                         differences (ms_system_find_scales); NULL: 1 */
    /* of a linearisation: how far its matrices are off by differences, relative (0: they are exact, partials.h in
     * analysis/linearisation) */
    double partials_error;
    double stop_time, step_size; /* of the case [s] */
    int start_eps;               /* perturbs the start values, see ms_system_start; 0: the model's own */
    const char *case_name;
    ms_structure structure; /* owns all of the above */
} ms_system;

/* Binds a model to parameter values: the case's (NULL: the first), then the settings over them.
 * Errors: MS_INVALID (unknown case or parameter, value out of range, a matrix with an entry that is not finite), MS_NO_MEMORY. */
int ms_system_create(const ms_model *model, const char *case_name, const ms_setting *settings, int n_settings,
                     ms_system **system, ms_error *error);
void ms_system_destroy(ms_system **system); /* NULL-safe */

/* The same model bound again to the same values, start values and inputs: a second copy is not affected if a run of the first loses subsystems in
 * other processes (`said`). Errors: as above, and those of the model's build(). */
int ms_system_again(const ms_system *system, ms_system **again, ms_error *error);

/* Is there such a subsystem? */
bool ms_system_can_be_lost(const ms_system *system);

/* Subsystems first .. last - 1 of a system as a system of their own. What others give them is in one more subsystem behind
 * them, "neighbours", which has neither states nor inputs: its outputs are outputs output[0 .. n - 1] (indices in y) of the whole
 * system, each of which one of these reads from outside and none is there twice, and g copies them from value (n). Inputs sum
 * their wires in the order of the whole. Bonds are left out. The whole and value outlive the
 * part. Errors: MS_NO_MEMORY. */
int ms_system_part(const ms_system *whole, int first, int last, int n, const int *output, const double *value,
                   ms_system **part, ms_error *error);

/* Start values of all states (nx), and of all discrete variables (nz). Those of the states are times
 * 1 + start_eps eps, eps = 2^-52; where all of them are zero they are start_eps eps, each in its unit. */
void ms_system_start(const ms_system *system, double *x);
void ms_system_start_discrete(const ms_system *system, double *z);

/* Adds factor times the rows of D L of subsystem i, D (ny_i x nu_i) at `stride` doubles a row, to M (n x n). place (ny): where an output is
 * in M, or negative; NULL: all are there in their order. */
void ms_system_add_feed_through(const ms_system *system, int i, double factor, const double *D, int stride,
                                const int *place, int n, double *M);

/* Entry l of L y. */
static inline double ms_system_coupled(const ms_system *system, int l, const double *y)
{
    double sum = 0.0;
    for (int w = system->row_at[l]; w < system->row_at[l + 1]; w++)
        sum += system->wire_gain[w] * y[system->wire_output[w]];
    return sum;
}

/* u = L y. */
void ms_system_couple(const ms_system *system, const double *y, double *u);

/* other takes the outputs y that jump, which step control does not compare. */
void ms_system_forget_jumps(const ms_system *system, const double *y, double *other);

/* The largest |u - L y| among inputs that are numbers. */
double ms_system_coupling_residual(const ms_system *system, const double *u, const double *y);

/* Fills bond and n_bonds; ms_system_create does it. Errors: MS_INVALID (a port without its opposite),
 * MS_NO_MEMORY. */
int ms_system_find_bonds(ms_system *system, ms_error *error);

/* Takes over the lines of the structure; ms_system_create does it. Errors: MS_INVALID (another wire at the input of an end, a
 * stiffness that is not positive). */
int ms_system_find_lines(ms_system *system, ms_error *error);

/* The port at end 0 or 1 of a line. */
static inline const ms_port *ms_system_line_port(const ms_system *system, const ms_line *line, int end)
{
    return &system->sub[line->subsystem[end]].ports[line->port[end]];
}

/* Can output j of subsystem i depend directly on its input k? */
bool ms_subsystem_feeds_through(const ms_system *system, int i, int j, int k);

/* Stored energy of all subsystems [J], or NaN where one has none declared. */
double ms_system_energy(const ms_system *system, const double *x);

/* Number of subsystems to be shown: the source of offsets of wires comes after them and is not shown. */
static inline int ms_system_shown(const ms_system *system)
{
    return system->n - (system->n > 0 && system->sub[system->n - 1].gives_offsets);
}

/* Index of a subsystem by name, or -1. */
int ms_system_find(const ms_system *system, const char *name);

/* The parameters that the functions of a subsystem get. */
static inline const double *ms_subsystem_parameters(const ms_system *system, const ms_subsystem *sub)
{
    return sub->p != NULL ? sub->p : system->p;
}

/* Which of n a number belongs to, where first[i] is the first number of i; by halving. */
static inline int ms_owner_of(const int *first, int n, int number)
{
    int low = 0, high = n; /* it is one of [low, high) */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (first[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The subsystem that output `output` (index in y) belongs to. */
static inline int ms_system_owner(const ms_system *system, int output)
{
    return system->owner[output];
}

/* Does an output that a wire carries answer directly to an input? */
bool ms_system_exchanges_feed_through(const ms_system *system);

/* Does a subsystem read u'? */
bool ms_system_reads_slopes(const ms_system *system);

/* Is a subsystem differential-algebraic? */
bool ms_system_has_residual(const ms_system *system);

/* The first subsystem that brings its own solver (own_stepper.h), so that there is no monolithic form; NULL: none. */
const ms_subsystem *ms_system_own_stepper(const ms_system *system);
/* MS_UNSUPPORTED if there is one, with a message that names it and says that `what` needs its equations. */
int ms_system_needs_equations(const ms_system *system, const char *what, ms_error *error);

/* The same for partial derivatives, which wires of integers and the like have none of; and of these wires alone. */
int ms_system_needs_partials(const ms_system *system, const char *what, ms_error *error);
int ms_system_needs_smooth_wires(const ms_system *system, const char *what, ms_error *error);

/* External inputs named by the columns of a series, SUBSYSTEM.w.NAME or *.w.NAME for all subsystems that have
 * one of that name, follow it from now on, linearly between its rows; the others stay the model's. To be
 * called before the system is used; the series must outlive it. Rows at which it bends are breakpoints: all micro-solvers
 * integrate from one to the next.
 * Errors: MS_INVALID with file and line (a column that names no external input, or one that another column
 * names), MS_NO_MEMORY. */
int ms_system_bind_inputs(ms_system *system, const ms_series *inputs, ms_error *error);

/* MS_INVALID where [from, to] is not within the times of the series that is bound. */
int ms_system_check_inputs(const ms_system *system, double from, double to, ms_error *error);

/* External inputs of a subsystem at t (nw); zero in a system that is homogeneous. */
void ms_subsystem_external(const ms_system *system, const ms_subsystem *sub, double t, double *w);

/* w' and w'' of a subsystem that has rates (ms_subsystem_has_rates) at t (nw). */
void ms_subsystem_external_rates(const ms_system *system, const ms_subsystem *sub, double t, double *dw,
                                 double *ddw);

/* f and g of subsystem i at a point whose x, u, (du,) z and t are set; p, w and data are filled in.
 * w is scratch (nw of the subsystem). Linear subsystems go through their blocks. */
int ms_subsystem_f(const ms_system *system, int i, ms_point *at, double *w, double *dx);
int ms_subsystem_g(const ms_system *system, int i, ms_point *at, double *w, double *y);

/* Likewise y' and y'' of a nonlinear subsystem that has rates. */
int ms_subsystem_output_rates(const ms_system *system, int i, ms_point *at, double *w, const ms_rates *r);

/* Likewise the residual of a differential-algebraic subsystem (nx), its event indicators, its step event, its
 * handler. */
int ms_subsystem_residual(const ms_system *system, int i, ms_point *at, double *w, const double *dx,
                          double *r);
int ms_subsystem_indicators(const ms_system *system, int i, ms_point *at, double *w, double *r);
/* Likewise its switches (n_switches). */
int ms_subsystem_switches(const ms_system *system, int i, ms_point *at, double *w, double *r);
/* The rates of these along x' (nx) and u' (nu). w: scratch (3 nw). Errors: MS_UNSUPPORTED (it gives none). */
int ms_subsystem_switch_rates(const ms_system *system, int i, ms_point *at, double *w, const double *dx,
                              const double *du, double *dr);
bool ms_subsystem_step_event(const ms_system *system, int i, ms_point *at, double *w);
int ms_subsystem_handle(const ms_system *system, int i, ms_point *at, double *w, const ms_event *event);
/* The first time event or breakpoint behind t, or INFINITY. */
double ms_subsystem_next_time(const ms_system *system, int i, double t, const double *z);
/* By how much such a time may be off by round-off [s]. */
double ms_subsystem_time_round_off(const ms_system *system, int i, double t, const double *z);

/* Does it announce time events? Else times are mere breakpoints, or there are none. */
static inline bool ms_subsystem_announces(const ms_subsystem *sub)
{
    return sub->next_time != NULL && sub->handle != NULL && !sub->times_are_breakpoints;
}

/* Functions that micro-solvers watch for changes of sign: event indicators, and behind them switches. */
static inline int ms_subsystem_watched(const ms_subsystem *sub)
{
    return sub->n_indicators + sub->n_switches;
}

/* Entries of a subsystem in z: its discrete variables, and behind them on which side of zero each event
 * indicator and switch was seen last (events.h; 0: not yet), the last announced time that was served, or where
 * a stepper of its own stands (instance_component.c). */
static inline int ms_subsystem_nz(const ms_subsystem *sub)
{
    return sub->nz + ms_subsystem_watched(sub) + ms_subsystem_announces(sub) + (sub->stepper != NULL);
}

/* Are there times, of events or breakpoints (ms_subsystem_next_time)? */
static inline bool ms_subsystem_has_times(const ms_subsystem *sub)
{
    return sub->next_time != NULL || sub->follows_series;
}

/* The last announced time that was served, in z of a subsystem that announces time events [s]; -DBL_MAX: none yet. */
static inline double *ms_subsystem_served(const ms_subsystem *sub, double *z)
{
    return z + sub->nz + ms_subsystem_watched(sub);
}

/* Are y' and y'' known without differences in time? */
static inline bool ms_subsystem_has_rates(const ms_subsystem *sub)
{
    if (sub->uses_du || sub->residual != NULL) /* y' would need u'', or x' */
        return false;
    if (sub->nw > 0 && !sub->external_constant && sub->external_rates == NULL)
        return false;
    return sub->matrices != NULL || sub->output_rates != NULL;
}

/* Does f or its state jump or bend anywhere? */
static inline bool ms_subsystem_has_events(const ms_subsystem *sub)
{
    return ms_subsystem_watched(sub) > 0 || ms_subsystem_has_times(sub) || sub->step_event != NULL;
}

/* Does it have more than breakpoints and switches? */
static inline bool ms_subsystem_jumps(const ms_subsystem *sub)
{
    return sub->n_indicators > 0 || sub->step_event != NULL || ms_subsystem_announces(sub);
}

/* Half the distance of the two points of a central difference in variable k, whose value is v: 2^(-52/3), about the cube root of
 * round-off, times its scale or |v|, whichever is larger. */
static inline double ms_central_step(const double *scale, int k, double v)
{
    return 6.0554544523933429e-06 * fmax(scale != NULL ? scale[k] : 1.0, fabs(v));
}

/* Steps of central differences are so much longer where a function is computed in single precision: the cube root of 2^29. */
#define MS_CENTRAL_SINGLE 812.74932

/* The scale of time [s]: the duration of the run if it is shorter than half a second. */
static inline double ms_time_scale(const ms_system *system, double t)
{
    const double length = system->stop_time;
    return fmax(length > 0.0 && length < 0.5 ? length : 1.0, fabs(t));
}

/* Half the distance of a central difference in time [s]. */
static inline double ms_central_time_step(const ms_system *system, double t)
{
    return 6e-6 * ms_time_scale(system, t);
}

/* A, B, C, D of subsystem i at a point: its blocks, its own Jacobian, or central differences with one step (ms_central_step).
 * scratch: nx + nu + 2 max(nx, ny) doubles and nw for w. evaluations (may be NULL) is incremented by the number of calls of
 * f and g. */
int ms_subsystem_jacobian(const ms_system *system, int i, ms_point *at, double *w, double *scratch,
                          const ms_blocks *m, long *evaluations);

MS_C_LINKAGE_END
