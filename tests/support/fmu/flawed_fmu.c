/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flawed_fmu.c - an FMU for co-simulation, of the version in FMI (2 or 3), whose flags promise everything, with a flaw that its
 * parameter chooses: the source of a binary that tests compile (made_fmu.h), and nothing of the project.
 *
 *     x1' = x2,  x2' = -4 x1 - x2/2 + u,  y1 = x1 + u/2,  y2 = x2      x(0) = (1, 0)
 *
 * by 40 classical Runge-Kutta steps a communication step. ONE: its process has one component, and never another. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum flaw {
    NONE,
    FORGETS,       /* restores all but the last bits */
    HIDDEN_STEP,   /* moves by 0.02 s */
    NO_SLOPES,     /* takes input derivatives, and holds its input */
    ONE_ORDER,     /* keeps the last of several input derivatives */
    NAN_SLOPES,    /* output derivatives are no numbers */
    TWICE_D,       /* directional derivatives are twice what they are */
    FRESH_OUTPUTS, /* outputs follow an input without a step */
    RESTARTS,      /* steps begin where the last one began, unless no state will be restored */
    ODD,           /* no two components do the same */
    DISCARDS,      /* steps that end behind 0.5 s are discarded, */
    BREAKS,        /* or an error, in its own words */
    CRASHES,       /* or the end of the process */
    NARROW,        /* steps with inputs off 0.25 by more than 1e-4 are discarded, */
    SQUARE_ROOT,   /* or give no numbers; */
    BRIEF,         /* steps longer than 0.01 s are discarded, */
    REFUSES,       /* or all; */
    EVEN,          /* x2' has (u - 1/4)^2 for u, and y1 no u */
    STOPS,         /* the second step is an error, unless no state will be restored */
    LATE,          /* inputs are held in the first step */
    EARLY          /* every other step is half of it (3.0) */
};

enum { U, Y1, Y2, FLAW, REALS };

#ifndef FMI
#define FMI 2
#endif
#if FMI == 2
#define NAME(two, three) fmi2##two
#define AND_COUNT(name)
typedef int boolean;
typedef void logger(void *, const char *, int, const char *, const char *, ...);
#else
#define NAME(two, three) fmi3##three
#define AND_COUNT(name)  , __attribute__((unused)) size_t name
typedef bool boolean;
typedef void logger(void *, int, const char *, const char *);
#endif
typedef void update(void *, double, bool, bool, bool, bool, bool *, double *);

typedef struct state {
    double x[2], last[2], u, du[5], y[2], ahead;
    int steps;
} state;

typedef struct component {
    state s;
    int flaw, number;
    logger *log;
    update *ask; /* 3.0 */
    double t;    /* of the step */
    void *environment;
} component;

static void evaluate(component *c, double u)
{
    c->s.y[0] = c->s.x[0] + (c->flaw == EVEN ? 0.0 : 0.5 * u);
    c->s.y[1] = c->s.x[1];
}

static component *make(void)
{
    static int number;
    component *c = calloc(1, sizeof *c);
#ifdef ONE
    if (number > 0)
        abort();
#endif
    c->s.x[0] = 1.0;
    c->s.u = 0.25;
    c->number = ++number;
    evaluate(c, c->s.u);
    return c;
}

#if FMI == 2
void *fmi2Instantiate(const char *name, int kind, const char *token, const char *resources,
                      void *const *callbacks, int visible, int logging)
{
    component *c = make();
    (void)name, (void)kind, (void)token, (void)resources, (void)visible, (void)logging;
    memcpy(&c->log, callbacks, sizeof c->log);
    c->environment = callbacks[4];
    return c;
}

int fmi2SetupExperiment(void *c, int tolerance_defined, double tolerance, double start, int stop_defined,
                        double stop)
{
    (void)c, (void)tolerance_defined, (void)tolerance, (void)start, (void)stop_defined, (void)stop;
    return 0;
}

int fmi2EnterInitializationMode(void *c)
{
    (void)c;
    return 0;
}
#else
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool event_mode, bool early, const unsigned *required,
                                  size_t n, void *environment, logger *log, update *ask)
{
    component *c = make();
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    (void)event_mode, (void)early, (void)required, (void)n;
    c->log = log;
    c->environment = environment;
    c->ask = ask;
    return c;
}

int fmi3EnterInitializationMode(void *c, bool tolerance_defined, double tolerance, double start,
                                bool stop_defined, double stop)
{
    (void)c, (void)tolerance_defined, (void)tolerance, (void)start, (void)stop_defined, (void)stop;
    return 0;
}
#endif

void NAME(FreeInstance, FreeInstance)(void *c)
{
    free(c);
}

int NAME(ExitInitializationMode, ExitInitializationMode)(void *self)
{
    component *c = self;
    evaluate(c, c->s.u);
    return 0;
}

int NAME(Terminate, Terminate)(void *c)
{
    (void)c;
    return 0;
}

int NAME(GetReal, GetFloat64)(void *self, const unsigned *vr, size_t n, double *value AND_COUNT(m))
{
    const component *c = self;
    for (size_t k = 0; k < n; k++) {
        const double values[REALS] = {c->s.u, c->s.y[0], c->s.y[1], (double)c->flaw};
        if (vr[k] >= REALS)
            return 3;
        value[k] = values[vr[k]];
    }
    return 0;
}

int NAME(SetReal, SetFloat64)(void *self, const unsigned *vr, size_t n, const double *value AND_COUNT(m))
{
    component *c = self;
    for (size_t k = 0; k < n; k++) {
        if (vr[k] == FLAW)
            c->flaw = (int)value[k];
        else if (vr[k] == U)
            c->s.u = value[k];
        else
            return 3;
    }
    memset(c->s.du, 0, sizeof c->s.du);
    if (c->s.steps == 0 || c->flaw == FRESH_OUTPUTS)
        evaluate(c, c->s.u);
    return 0;
}

int NAME(GetFMUstate, GetFMUState)(void *self, void **saved)
{
    component *c = self;
    if (*saved == NULL)
        *saved = malloc(sizeof c->s);
    if (*saved == NULL)
        return 3;
    memcpy(*saved, &c->s, sizeof c->s);
    return 0;
}

int NAME(SetFMUstate, SetFMUState)(void *self, void *saved)
{
    component *c = self;
    memcpy(&c->s, saved, sizeof c->s);
    if (c->flaw == FORGETS)
        c->s.x[0] *= 1.0 + 1e-15;
    return 0;
}

int NAME(FreeFMUstate, FreeFMUState)(void *c, void **saved)
{
    (void)c;
    free(*saved);
    *saved = NULL;
    return 0;
}

int NAME(GetDirectionalDerivative, GetDirectionalDerivative)(void *self, const unsigned *unknown,
                                                             size_t n_unknowns, const unsigned *known,
                                                             size_t n_knowns, const double *seed AND_COUNT(m),
                                                             double *sensitivity AND_COUNT(l))
{
    const component *c = self;
    const double D = c->flaw == TWICE_D ? 1.0 : c->flaw == EVEN ? 0.0 : 0.5;
    for (size_t k = 0; k < n_unknowns; k++)
        sensitivity[k] = unknown[k] == Y1 && n_knowns == 1 && known[0] == U ? D * seed[0] : 0.0;
    return 0;
}

#if FMI == 2
int fmi2SetRealInputDerivatives(void *self, const unsigned *vr, size_t n, const int *order,
                                const double *value)
{
    component *c = self;
    (void)vr;
    for (size_t k = 0; k < n; k++) {
        if (order[k] < 1 || order[k] > 4)
            return 3;
        if (c->flaw == ONE_ORDER)
            memset(c->s.du, 0, sizeof c->s.du);
        c->s.du[order[k]] = value[k];
    }
    return 0;
}

#endif

/* At tau after the start of the step: by its derivatives, or by who is asked then. */
static double input(component *c, double tau)
{
    double sum = c->s.u, term = 1.0;
    if (c->flaw == NO_SLOPES || (c->flaw == LATE && c->s.steps == 0))
        return sum;
    if (c->ask != NULL) {
        c->ask(c->environment, c->t + tau, true, true, false, false, NULL, NULL);
        sum = c->s.u;
    }
    for (int k = 1; k <= 4; k++) {
        term *= tau / k;
        sum += c->s.du[k] * term;
    }
    return sum;
}

static void rate(component *c, double tau, const double *x, double *dx)
{
    const double u = input(c, tau);
    dx[0] = x[1];
    dx[1] = -4.0 * x[0] - 0.5 * x[1] + (c->flaw == EVEN ? (u - 0.25) * (u - 0.25) : u);
}

int NAME(GetRealOutputDerivatives, GetOutputDerivatives)(void *self, const unsigned *vr, size_t n,
                                                         const int *order, double *value AND_COUNT(m))
{
    component *c = self;
    double dx[2];
    rate(c, 0.0, c->s.x, dx);
    for (size_t k = 0; k < n; k++) {
        if (order[k] != 1)
            return 3;
        value[k] = c->flaw == NAN_SLOPES ? (double)NAN : dx[vr[k] == Y1 ? 0 : 1];
    }
    return 0;
}

static void advance(component *c, double h)
{
    enum { STEPS = 40 };
    const double e = h / STEPS;
    for (int n = 0; n < STEPS; n++) {
        double k[4][2], x[2];
        rate(c, n * e, c->s.x, k[0]);
        for (int s = 1; s < 4; s++) {
            const double part = s < 3 ? 0.5 * e : e;
            for (int i = 0; i < 2; i++)
                x[i] = c->s.x[i] + part * k[s - 1][i];
            rate(c, n * e + part, x, k[s]);
        }
        for (int i = 0; i < 2; i++)
            c->s.x[i] += e / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

/* The length that it moves by. */
static double length(component *c, double h)
{
    if (c->flaw != HIDDEN_STEP)
        return h;
    c->s.ahead += h;
    const double moved = 0.02 * floor(c->s.ahead / 0.02 + 1e-9);
    c->s.ahead -= moved;
    return moved;
}

static int step(component *c, double t, double h, bool keep)
{
    c->t = t;
    if (c->flaw == STOPS && !keep && c->s.steps > 0)
        return 3;
    if (t + h > 0.5 && c->flaw == DISCARDS)
        return 2;
    if (c->flaw == REFUSES || (c->flaw == BRIEF && h > 0.01) ||
        (c->flaw == NARROW && fmax(fabs(c->s.u - 0.25), fabs(input(c, h) - 0.25)) > 1e-4))
        return 2;
    if (t + h > 0.5 && c->flaw == BREAKS) {
#if FMI == 2
        c->log(c->environment, "flawed", 3, "error", "the spring broke at %g s", t);
#endif
        return 3;
    }
    if (t + h > 0.5 && c->flaw == CRASHES)
        abort();
    if (c->flaw == RESTARTS && !keep && c->s.steps > 0)
        memcpy(c->s.x, c->s.last, sizeof c->s.x);
    memcpy(c->s.last, c->s.x, sizeof c->s.x);
    const double moved = length(c, h), u = input(c, h);
    if (moved > 0.0)
        advance(c, moved);
    if (c->flaw == ODD)
        c->s.x[0] += 1e-12 * c->number;
    evaluate(c, u);
    if (c->flaw == SQUARE_ROOT && fabs(u - 0.25) > 1e-4)
        c->s.y[0] = c->s.y[1] = (double)NAN;
    c->s.u = u;
    memset(c->s.du, 0, sizeof c->s.du);
    c->s.steps++;
    return 0;
}

#if FMI == 2
int fmi2DoStep(void *c, double t, double h, int keep)
{
    return step(c, t, h, keep != 0);
}
#else
int fmi3DoStep(void *c, double t, double h, bool keep, bool *event, bool *terminate, bool *early,
               double *reached)
{
    const component *of_it = c;
    *event = *terminate = false;
    *early = of_it->flaw == EARLY && of_it->s.steps % 2 == 0;
    h = *early ? 0.5 * h : h;
    *reached = t + h;
    return step(c, t, h, keep);
}
#endif

/* BYTES: states can be bytes, but not those that cannot be restored. */
#ifdef BYTES
int NAME(SerializedFMUstateSize, SerializedFMUStateSize)(void *c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = 1;
    return 0;
}

int NAME(SerializeFMUstate, SerializeFMUState)(void *c, void *state, unsigned char *bytes, size_t size)
{
    (void)c, (void)state, (void)size;
    *bytes = 0;
    return 0;
}

int NAME(DeSerializeFMUstate, DeserializeFMUState)(void *c, const unsigned char *bytes, size_t size,
                                                   void **state)
{
    (void)c, (void)bytes, (void)size, (void)state;
    abort();
}
#endif
