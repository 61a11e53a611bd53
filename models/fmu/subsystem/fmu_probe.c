/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_probe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_stepping.h"

const char *const ms_fmu_trait_name[MS_FMU_TRAITS] = {
    "rollback",     "reevaluate_outputs", "variable_step", "directional_derivatives",
    "input_degree", "output_derivatives", "deterministic", "hidden_step"};

/* Small steps that look for a hidden one, in sixteenths of the step. */
enum { SMALL = 16, SMALL_STEPS = 256 };

/* By what part a step may differ from its halves, of what is looked at; 0.02 tells a cubic from a parabola. */
static const double ALIKE = 0.1, ALIKE_CUBIC = 0.02;

typedef struct prober {
    const ms_fmu *fmu;
    const ms_fmu_flags *flags;
    const ms_fmu_description *d;
    ms_fmu_places *at;
    ms_fmu_setup setup;
    ms_fmu_stepping s;
    ms_fmu_probe *found;
    int nv;         /* outputs and states that are looked at */
    double h;       /* [s] */
    double part;    /* by what part of the full move inputs are moved */
    double *u0, *c; /* (nu), (5 x nu): coefficients of the inputs */
    double *v[5];   /* (nv) each */
    double *D;      /* (2 x ny x nu) */
    double *memory;
    bool refused; /* memory for a component was */
    ms_error *error;
} prober;

static void tell(prober *p, ms_fmu_trait trait, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void tell(prober *p, ms_fmu_trait trait, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->found->why[trait], sizeof p->found->why[trait], format, arguments);
    va_end(arguments);
}

/* Components --------------------------------------------------------------------------------------------- */

/* A new one at the start, initialised with u0 + shift at input i (-1: none). */
static int open_component(prober *p, int i, double shift)
{
    const int nu = p->at->nu;
    ms_fmu_component_destroy(&p->s.component);
    int status = ms_fmu_component_create(p->fmu, &p->setup, &p->s.component, p->error);
    p->refused = p->refused || status == MS_NO_MEMORY;
    if (status != MS_OK)
        return status;
    if (nu > 0)
        memcpy(p->c, p->u0, sizeof *p->c * (size_t)nu);
    if (i >= 0)
        p->c[i] += shift;
    status = ms_fmu_component_initialise(p->s.component, nu, p->at->u, p->c);
    if (status != MS_OK)
        ms_fail(p->error, MS_INVALID, "%s: the FMU does not start: %.300s", ms_fmu_path(p->fmu),
                ms_fmu_component_said(p->s.component));
    return status == MS_OK ? MS_OK : MS_INVALID;
}

static int look(prober *p, double *v)
{
    const ms_fmu_places *at = p->at;
    int status = at->ny > 0 ? ms_fmu_get(p->s.component, at->ny, at->y, v) : MS_OK;
    if (status == MS_OK && at->nx > 0)
        status = ms_fmu_get(p->s.component, at->nx, at->x, v + at->ny);
    return status;
}

/* How far input i is moved. */
static double move(const prober *p, int i)
{
    const ms_fmu_description *d = ms_fmu_describe(p->fmu);
    const double nominal = d->variables[d->inputs[i]].nominal, scale = nominal > 0.0 ? nominal : 1.0;
    return p->part * 0.1 * (1.0 + 0.125 * i) * fmax(scale, fabs(p->u0[i]));
}

/* Inputs u0 + move sum_k weight[k] (tau/h)^k from `begin` of the step of length p->h on, re-expanded there. */
static void inputs_of(prober *p, const double *weight, double begin)
{
    const int nu = p->at->nu;
    for (int k = 0; k <= MS_FMU_ORDERS; k++)
        for (int i = 0; i < nu; i++) {
            double sum = 0.0, binomial = 1.0;                                /* of (m over k) begin^(m - k) */
            const int highest = i < p->at->n_continuous ? MS_FMU_ORDERS : 0; /* discrete ones are held */
            for (int m = k; m <= highest; m++) {
                sum += weight[m] * binomial * pow(begin, m - k);
                binomial *= (double)(m + 1) / (m + 1 - k);
            }
            p->c[k * nu + i] = move(p, i) * sum / pow(p->h, k) + (k == 0 ? p->u0[i] : 0.0);
        }
}

/* A step from t over h under inputs of that degree in p->c. */
static int step(prober *p, double t, double h, int degree)
{
    const ms_stepper_step of = {p->setup.start_time + t, h, p->at->nu, degree, p->c};
    return ms_fmu_stepping_step(&p->s, &of);
}

/* From the start over p->h in equal parts under these inputs, and what there is then. */
static int go(prober *p, const double *weight, int degree, int parts, double *v)
{
    int status = open_component(p, -1, 0.0);
    for (int k = 0; k < parts && status == MS_OK; k++) {
        inputs_of(p, weight, (double)k / parts);
        status = step(p, k * p->h / parts, p->h / parts, degree);
    }
    return status == MS_OK ? look(p, v) : status;
}

/* The largest difference, in units of 1 + |v|; infinite where one is no number. */
static double apart(const prober *p, const double *v, const double *w)
{
    double most = 0.0;
    for (int j = 0; j < p->nv; j++) {
        const double d = fabs(v[j] - w[j]) / (1.0 + fabs(w[j]));
        most = isnan(d) ? INFINITY : fmax(most, d);
    }
    return most;
}

static bool same_bits(const prober *p, const double *v, const double *w)
{
    return p->nv == 0 || memcmp(v, w, sizeof *v * (size_t)p->nv) == 0;
}

/* Where it works ----------------------------------------------------------------------------------------- */

static const double still[] = {0.0, 0.0, 0.0, 0.0, 0.0}, held[] = {1.0, 0.0, 0.0, 0.0, 0.0},
                    other[] = {-2.0, 0.0, 0.0, 0.0, 0.0};

/* From the start over so many steps under these inputs; how many of its values are numbers then, -1 where it fails. */
static int numbers_after(prober *p, const double *weight, int steps)
{
    int n = 0, status = open_component(p, -1, 0.0);
    inputs_of(p, weight, 0.0);
    for (int k = 0; k < steps && status == MS_OK; k++)
        status = step(p, k * p->h, p->h, 0);
    if (status != MS_OK || look(p, p->v[0]) != MS_OK)
        return -1;
    for (int j = 0; j < p->nv; j++)
        n += isfinite(p->v[0][j]) ? 1 : 0;
    return n;
}

/* Chooses steps and moves of inputs that keep to where its equations hold: as long as inputs at their start values fail, steps
 * become shorter, and as long as the widest moves fail, or no longer give numbers, moves become smaller. False: all do fail. */
static bool find_domain(prober *p)
{
    enum { STEPS = 4, MOVES = 10, FINER = 16 };
    const double longest = p->h;
    for (int k = 0; k < (p->flags->variable_step ? STEPS : 1); k++, p->h /= FINER) {
        p->part = 1.0;
        const int numbers = numbers_after(p, still, 3);
        for (int m = 0; m < MOVES && numbers >= 0; m++, p->part /= FINER)
            if (numbers_after(p, held, 3) >= numbers && numbers_after(p, other, 2) >= numbers)
                return true;
    }
    p->h = longest;
    return false;
}

/* Experiments -------------------------------------------------------------------------------------------- */

/* From the start over so many whole steps, which have been found to work, and what there is then. */
static int walk(prober *p, int steps, double *v)
{
    int status = open_component(p, -1, 0.0);
    inputs_of(p, held, 0.0);
    for (int k = 0; k < steps && status == MS_OK; k++)
        status = step(p, k * p->h, p->h, 0);
    return status == MS_OK ? look(p, v) : status;
}

static void try_determinism(prober *p)
{
    const bool done = walk(p, 3, p->v[0]) == MS_OK && walk(p, 3, p->v[1]) == MS_OK;
    p->found->deterministic = done && same_bits(p, p->v[0], p->v[1]);
    if (!p->found->deterministic)
        tell(p, MS_FMU_DETERMINISTIC,
             done ? "two components that are told the same do not do the same"
                  : "three steps that one component has done another one does not do");
}

/* Does it go on from where it was, whatever it is told of states to come? */
static void try_keep(prober *p)
{
    p->s.keep = true;
    const bool with = walk(p, 3, p->v[0]) == MS_OK;
    p->s.keep = false;
    const bool without = walk(p, 3, p->v[1]) == MS_OK;
    p->found->keep = with && (!without || (p->found->deterministic && !same_bits(p, p->v[0], p->v[1])));
    p->s.keep = p->found->keep;
}

/* A step from a saved state, a detour, and the step again. */
static bool goes_back(prober *p)
{
    ms_fmu_state state = NULL;
    bool done = open_component(p, -1, 0.0) == MS_OK;
    inputs_of(p, held, 0.0);
    done = done && step(p, 0.0, p->h, 0) == MS_OK && ms_fmu_save(p->s.component, &state) == MS_OK &&
           step(p, p->h, p->h, 0) == MS_OK && look(p, p->v[0]) == MS_OK &&
           step(p, 2.0 * p->h, p->h, 0) == MS_OK && ms_fmu_restore(p->s.component, state) == MS_OK;
    inputs_of(p, other, 0.0);
    done = done && step(p, p->h, p->h, 0) == MS_OK && ms_fmu_restore(p->s.component, state) == MS_OK;
    inputs_of(p, held, 0.0);
    done = done && step(p, p->h, p->h, 0) == MS_OK && look(p, p->v[1]) == MS_OK;
    ms_fmu_free_state(p->s.component, &state);
    return done && same_bits(p, p->v[0], p->v[1]);
}

static void try_rollback(prober *p)
{
    p->found->can.rollback = p->flags->get_and_set_state && !p->found->keep && goes_back(p);
    if (!p->flags->get_and_set_state || p->found->can.rollback)
        return;
    if (p->found->keep)
        tell(p, MS_FMU_ROLLBACK,
             "it goes on from its last step only where it is told that no state will be restored");
    else
        tell(p, MS_FMU_ROLLBACK, "a step that is repeated from a restored state does not give the same bits");
}

/* The number of fewest decimals in (low, high], its ends blurred by round-off. */
static double plainest(double low, double high)
{
    for (int digits = 0; digits <= 12; digits++) {
        const double scale = pow(10.0, digits);
        const double value = floor(high * scale * (1.0 + 1e-12)) / scale;
        if (value > low * (1.0 + 1e-12))
            return value;
    }
    return high;
}

/* The distance of changes where some of many small steps change nothing at all [s]; NaN: all of them do, or none does. The
 * first small step, in which inputs jump, is left aside; between changes in small steps i and k lie n of that length. */
static double hidden_step(prober *p)
{
    const double small = p->h / SMALL;
    double low = 0.0, high = SMALL_STEPS * small;
    int moved = 0, first = 0, last = 0;
    int status = open_component(p, -1, 0.0);
    inputs_of(p, held, 0.0);
    if (status == MS_OK)
        status = look(p, p->v[0]);
    for (int k = 0; k < SMALL_STEPS && status == MS_OK; k++) {
        status = step(p, k * small, small, 0);
        if (status == MS_OK)
            status = look(p, p->v[1]);
        if (status != MS_OK || same_bits(p, p->v[0], p->v[1]))
            continue;
        memcpy(p->v[0], p->v[1], sizeof *p->v[0] * (size_t)p->nv);
        if (k == 0)
            continue;
        if (moved++ == 0)
            first = k;
        last = k;
        if (moved > 1)
            low = fmax(low, (k - first - 1) * small / (moved - 1));
        if (moved > 1)
            high = fmin(high, (k - first + 1) * small / (moved - 1));
    }
    if (status != MS_OK || moved < 2 ||
        2 * moved >= last - first + 1) /* behind the last one it has settled */
        return NAN;
    return low < high ? plainest(low, high) : high;
}

static void try_steps(prober *p, bool *variable)
{
    *variable = p->flags->variable_step;
    if (!*variable) {
        ms_capabilities declared;
        ms_fmu_declared_capabilities(p->fmu, &declared);
        p->found->can.step = declared.step;
        p->found->can.several_steps = declared.several_steps;
        p->found->can.constant_step = declared.constant_step;
        return;
    }
    const bool halves = go(p, held, 0, 2, p->v[0]) == MS_OK;
    p->found->hidden_step = halves && p->nv > 0 ? hidden_step(p) : NAN;
    *variable = halves && isnan(p->found->hidden_step);
    if (!halves)
        tell(p, MS_FMU_VARIABLE_STEP, "it refuses half of a step");
    if (!isnan(p->found->hidden_step)) {
        tell(p, MS_FMU_VARIABLE_STEP, "it takes steps of any length, and moves by %.6g s",
             p->found->hidden_step);
        tell(p, MS_FMU_HIDDEN_STEP, "outputs change every %.6g s, however short the steps are",
             p->found->hidden_step);
    }
    if (!*variable)
        p->found->can.step = halves ? p->found->hidden_step : p->h;
    p->found->can.several_steps = p->found->can.step != 0.0;
}

/* dy/du by central differences, outputs at the start for other inputs, into D; its largest entry in *size. */
static int differences(prober *p, double *D, double *size)
{
    const int nu = p->at->nu, ny = p->at->ny;
    int status = MS_OK;
    *size = 0.0;
    for (int i = 0; i < nu && status == MS_OK; i++) {
        for (int side = 0; side < 2 && status == MS_OK; side++) {
            status = open_component(p, i, side == 0 ? move(p, i) : -move(p, i));
            if (status == MS_OK)
                status = look(p, p->v[side]);
        }
        for (int j = 0; j < ny && status == MS_OK; j++) {
            D[j * nu + i] = (p->v[0][j] - p->v[1][j]) / (2.0 * move(p, i));
            *size = fmax(*size, fabs(D[j * nu + i]));
        }
    }
    return status;
}

static void try_directional(prober *p)
{
    const int n = p->at->ny * p->at->nu;
    double *D = p->D, *by_differences = D + n, size, worst = 0.0;
    ms_capabilities declared;
    ms_fmu_declared_capabilities(p->fmu, &declared);
    p->found->can.directional_derivatives = declared.directional_derivatives;
    if (!declared.directional_derivatives || n == 0 || differences(p, by_differences, &size) != MS_OK)
        return;
    const bool given = open_component(p, -1, 0.0) == MS_OK && ms_fmu_stepping_feed_through(&p->s, D) == MS_OK;
    for (int k = 0; k < n && given; k++) {
        const double d = fabs(D[k] - by_differences[k]);
        worst = isnan(d) ? INFINITY : fmax(worst, d);
    }
    p->found->can.directional_derivatives = given && worst <= ALIKE * (1e-6 + size);
    if (!given)
        tell(p, MS_FMU_DIRECTIONAL, "directional derivatives are refused");
    else if (!p->found->can.directional_derivatives)
        tell(p, MS_FMU_DIRECTIONAL,
             "dy/du differs from differences of outputs by %.3g, the largest being %.3g", worst, size);
}

/* Do outputs follow inputs that are set without a step? They do where they depend on none. */
static void try_reevaluation(prober *p)
{
    const int nu = p->at->nu, ny = p->at->ny;
    double size = 0.0, worst = 0.0, moved = 0.0;
    if (differences(p, p->D, &size) != MS_OK || open_component(p, -1, 0.0) != MS_OK)
        return;
    inputs_of(p, still, 0.0);
    bool done = step(p, 0.0, p->h, 0) == MS_OK && look(p, p->v[0]) == MS_OK;
    inputs_of(p, held, 0.0);
    done = done && (nu == 0 || ms_fmu_set(p->s.component, nu, p->at->u, p->c) == MS_OK) &&
           look(p, p->v[1]) == MS_OK;
    for (int j = 0; j < ny && done; j++) {
        double expected = 0.0;
        for (int i = 0; i < nu; i++)
            expected += p->D[j * nu + i] * move(p, i);
        worst = fmax(worst, fabs(p->v[1][j] - p->v[0][j] - expected));
        moved = fmax(moved, fabs(expected));
    }
    p->found->can.reevaluate_outputs = done && (size == 0.0 || (moved > 0.0 && worst <= ALIKE * moved));
    if (p->found->can.reevaluate_outputs)
        tell(p, MS_FMU_REEVALUATE,
             size == 0.0 ? "outputs depend on no input directly, so that they need not follow them"
                         : "outputs follow inputs that are set without a step, which no flag grants");
}

/* Inputs with tau^k in them: does it answer, on both sides, and do two halves give what the whole gives? They are small against
 * what they are added to, because the answer of an equation that is even in its input is no different on both sides of 0. */
static bool takes_degree(prober *p, int degree, bool variable)
{
    static const double base[] = {0.5, 0.0, 0.0, 0.0, 0.0};
    double up[5] = {0.5}, down[5] = {0.5};
    up[degree] = 0.125;
    down[degree] = -0.125;
    if (go(p, base, 0, 1, p->v[0]) != MS_OK || go(p, up, degree, 1, p->v[1]) != MS_OK ||
        go(p, down, degree, 1, p->v[2]) != MS_OK)
        return false;
    const double effect = apart(p, p->v[1], p->v[0]);
    for (int j = 0; j < p->nv; j++) /* 2 v(0) - v(down): what the other side promises */
        p->v[2][j] = 2.0 * p->v[0][j] - p->v[2][j];
    if (effect == 0.0 || !(apart(p, p->v[1], p->v[2]) <= 0.5 * effect))
        return false;
    if (!variable)
        return true;
    return go(p, up, degree, 2, p->v[3]) == MS_OK &&
           apart(p, p->v[1], p->v[3]) <= (degree < 3 ? ALIKE : ALIKE_CUBIC) * effect;
}

/* Inputs that nothing answers to may be anything. */
static bool answers(prober *p)
{
    return go(p, still, 0, 1, p->v[0]) == MS_OK && go(p, held, 0, 1, p->v[1]) == MS_OK &&
           !same_bits(p, p->v[0], p->v[1]);
}

static void try_inputs(prober *p, int declared, bool variable)
{
    int degree = 0;
    if (declared > 0 && (p->at->nu == 0 || !answers(p)))
        degree = declared;
    while (degree < declared && takes_degree(p, degree + 1, variable))
        degree++;
    p->found->can.input_degree = degree;
    if (degree == 0 && declared > 0)
        tell(p, MS_FMU_INPUT_DEGREE, "slopes of inputs do nothing, or not what two halves of the step do");
    else if (degree < 2 && declared > 0)
        tell(p, MS_FMU_INPUT_DEGREE, "a quadratic input over a step does not do what its two halves do");
}

/* y' after a step against the difference over a small one. */
static int output_order(prober *p, int declared)
{
    const double small = p->h / SMALL;
    const int ny = p->at->ny;
    double most = 0.0, worst = 0.0;
    if (open_component(p, -1, 0.0) != MS_OK)
        return 0;
    inputs_of(p, held, 0.0);
    if (ms_fmu_stepping_derivatives(&p->s, 1, p->v[0]) != MS_OK || step(p, 0.0, p->h, 0) != MS_OK ||
        ms_fmu_stepping_derivatives(&p->s, 1, p->v[0]) != MS_OK)
        return 0;
    const bool second = declared > 1 && ms_fmu_stepping_derivatives(&p->s, 2, p->v[3]) == MS_OK;
    if (look(p, p->v[1]) != MS_OK || p->found->can.step != 0.0 || p->found->can.constant_step)
        return second ? 2 : 1; /* nothing shorter to hold it against */
    if (step(p, p->h, small, 0) != MS_OK || look(p, p->v[2]) != MS_OK ||
        ms_fmu_stepping_derivatives(&p->s, 1, p->v[4]) != MS_OK)
        return 0;
    for (int j = 0; j < ny; j++) { /* the mean of both ends: of second order */
        const double slope = (p->v[2][j] - p->v[1][j]) / small;
        worst = fmax(worst, fabs(0.5 * (p->v[0][j] + p->v[4][j]) - slope));
        most = fmax(most, fabs(slope));
    }
    return worst > ALIKE * most + 1e-6 ? 0 : second ? 2 : 1;
}

static void try_output_derivatives(prober *p, int declared)
{
    p->found->can.output_derivatives = declared > 0 && p->at->ny > 0 ? output_order(p, declared) : declared;
    if (p->found->can.output_derivatives < declared)
        tell(p, MS_FMU_OUTPUT_DERIVATIVES,
             p->found->can.output_derivatives == 0
                 ? "output derivatives are refused, not finite, or not what outputs do over a short step"
                 : "second output derivatives are refused or not finite");
}

/* All ---------------------------------------------------------------------------------------------------- */

void ms_fmu_declared_capabilities(const ms_fmu *fmu, ms_capabilities *can)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    const ms_fmu_flags *flags = ms_fmu_flags_of(fmu);
    bool all = flags->intermediate_update;
    for (int i = 0; i < d->n_inputs; i++)
        all = all && d->variables[d->inputs[i]].intermediate_update;
    *can = (ms_capabilities){
        .rollback = flags->get_and_set_state,
        .input_degree = d->fmi == 3                 ? (all ? 2 : 0)
                        : flags->interpolate_inputs ? MS_FMU_ORDERS
                                                    : 0,
        .output_derivatives = flags->max_output_derivative < 2 ? flags->max_output_derivative : 2,
        .directional_derivatives = flags->directional_derivatives && ms_fmu_n_inputs(fmu) == d->n_inputs};
    if (!flags->variable_step)
        can->step = flags->fixed_internal_step > 0.0 ? flags->fixed_internal_step
                    : d->step_size > 0.0             ? d->step_size
                                                     : 0.0;
    can->several_steps = can->step != 0.0;
    can->constant_step = !flags->variable_step && can->step == 0.0;
}

static double step_of(const ms_fmu_description *d, const ms_fmu_flags *flags)
{
    if (flags->fixed_internal_step > 0.0)
        return flags->fixed_internal_step;
    if (d->step_size > 0.0)
        return d->step_size;
    return d->stop_time > d->start_time ? (d->stop_time - d->start_time) / 100.0 : 0.01;
}

static int allocate(prober *p)
{
    const size_t nu = (size_t)p->at->nu, ny = (size_t)p->at->ny, nv = (size_t)p->nv;
    const size_t values = (MS_FMU_ORDERS + 1) * nu + ny;
    p->memory = calloc(nu + values + (MS_FMU_ORDERS + 1) * nu + 5 * nv + 2 * ny * nu + 1, sizeof *p->memory);
    if (p->memory == NULL)
        return MS_NO_MEMORY;
    p->u0 = p->memory;
    p->s.value = p->u0 + nu;
    p->c = p->s.value + values;
    for (int k = 0; k < 5; k++)
        p->v[k] = p->c + (MS_FMU_ORDERS + 1) * nu + (size_t)k * nv;
    p->D = p->v[4] + nv;
    ms_fmu_start_inputs(p->fmu, p->setup.n_settings, p->setup.setting, p->setup.value, p->u0);
    return MS_OK;
}

static void experiments(prober *p)
{
    ms_capabilities declared;
    bool variable;
    ms_fmu_declared_capabilities(p->fmu, &declared);
    if (!find_domain(p)) {
        p->found->can = declared;
        p->found->deterministic = true;
        tell(p, MS_FMU_DETERMINISTIC,
             "nothing could be tried, because no step from its start succeeds: its flags are believed");
        return;
    }
    try_determinism(p);
    try_keep(p);
    try_rollback(p);
    try_steps(p, &variable);
    try_directional(p);
    try_reevaluation(p);
    try_inputs(p, declared.input_degree, variable);
    try_output_derivatives(p, declared.output_derivatives);
}

int ms_fmu_probe_run(const ms_fmu *fmu, const ms_fmu_setup *settings, ms_fmu_probe *probe, ms_error *error)
{
    ms_error why;
    prober p = {.fmu = fmu,
                .flags = ms_fmu_flags_of(fmu),
                .d = ms_fmu_describe(fmu),
                .at = calloc(1, ms_fmu_places_size(fmu)),
                .found = probe,
                .error = error};
    *probe = (ms_fmu_probe){.hidden_step = NAN};
    p.setup = *settings;
    p.setup.instance_name = settings->instance_name != NULL ? settings->instance_name : "probe";
    p.setup.start_time = p.d->start_time >= 0.0 ? p.d->start_time : 0.0;
    p.setup.stop_time = INFINITY;
    p.setup.intermediate_update = p.d->fmi == 3 && p.flags->intermediate_update;
    if (p.at != NULL)
        ms_fmu_places_fill(fmu, p.at);
    int status = p.at != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        p.nv = p.at->ny + p.at->nx;
        p.h = step_of(p.d, p.flags);
        status = allocate(&p);
    }
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "%s: not enough memory for the probe", ms_fmu_path(fmu));
    p.s.fmu = fmu;
    p.s.at = p.at;
    p.s.intermediate = p.setup.intermediate_update;
    if (status == MS_OK)
        status = open_component(&p, -1, 0.0);
    p.error = &why; /* what fails from here on is an answer */
    if (status == MS_OK)
        experiments(&p);
    if (p.refused)
        status = ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for the probe", ms_fmu_path(fmu));
    ms_fmu_component_destroy(&p.s.component);
    free(p.memory);
    free(p.at);
    return status;
}
