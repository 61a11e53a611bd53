/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - a model: equations and data, independent of coupling and solution.
 *
 * A model is a set of subsystems, (3.5) of Andersson (2016),
 *
 *     x' = f(t, x, u, w, z, p)        y = g(t, x, u, u', w, z, p)
 *
 * or, if they are differential-algebraic, 0 = F(t, x, x', u, w, z, p) instead of f, with events that change x and z,
 * and the wires u = L y between them. A model file holds `static const` descriptors, filled by designated
 * initialisers, and one ms_model that catalogue.c lists. Matrices are stored by rows. */
#pragma once

#include <stddef.h>

#include <macrostep/c_linkage.h>
#include <macrostep/own_stepper.h>

MS_C_LINKAGE_BEGIN

#define MS_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
/* Of an initialiser: the member that is an array, and n_member, the number of its entries. */
#define MS_LIST(member, array) .member = (array), .n_##member = MS_COUNT(array)
/* Of a model whose arrays are called parameters, cases, subsystems and wires. */
#define MS_MODEL_LISTS                                                                                       \
    MS_LIST(parameters, parameters), MS_LIST(cases, cases), MS_LIST(subsystems, subsystems),                 \
        MS_LIST(wires, wires)
/* The same of a case, whose settings stand in it: MS_SETTINGS({"k", 2.0}, {"m", 1.0}). */
#define MS_SETTINGS(...)                                                                                     \
    .settings = (const ms_setting[]){__VA_ARGS__}, .n_settings = MS_COUNT(((const ms_setting[]){__VA_ARGS__}))

typedef struct ms_variable {
    const char *name;
    const char *unit; /* SI unit, "1" if none */
} ms_variable;

/* What an input or output carries. All but the first kind jump and stay between jumps: they are held over macro-steps, have no derivatives,
 * and whole numbers are passed on as they are (booleans 0 and 1). */
typedef enum ms_signal {
    MS_SIGNAL_CONTINUOUS,
    MS_SIGNAL_DISCRETE, /* a real */
    MS_SIGNAL_INTEGER,
    MS_SIGNAL_BOOLEAN,
    MS_SIGNAL_ENUMERATION,
    MS_SIGNALS
} ms_signal;

extern const char *const ms_signal_names[MS_SIGNALS]; /* "continuous real", .. */

/* Where a subsystem's equations are evaluated. */
typedef struct ms_point {
    double t;         /* time [s] */
    const double *x;  /* states (nx) */
    const double *u;  /* coupling inputs (nu) */
    const double *du; /* their time derivatives (nu); NULL unless the subsystem declares uses_du */
    const double *w;  /* external inputs at t (nw) */
    const double *z;  /* discrete variables (nz), constant between events */
    const double *p;  /* the run's parameter values, in the order of the model's parameters */
    const void *data; /* the subsystem's own data, see ms_subsystem */
    /* on which side of zero its switches are to be taken (n_switches), by sign; 0, and NULL: where they are */
    const double *sides;
} ms_point;

/* Partial derivatives, by rows. A pointer may be NULL where that block is not wanted. */
typedef struct ms_blocks {
    double *A; /* df/dx (nx x nx) */
    double *B; /* df/du (nx x nu) */
    double *C; /* dg/dx (ny x nx) */
    double *D; /* dg/du (ny x nu): the feed-through */
    double *E; /* df/dw (nx x nw) */
    double *F; /* dg/dw (ny x nw) */
} ms_blocks;

/* Rates on the trajectory through a point, where x' = f(t, x, u, w). */
typedef struct ms_rates {
    const double *du, *ddu; /* u', u'' (nu); NULL: zero */
    const double *dw, *ddw; /* w', w'' (nw) */
    const double *dx;       /* x' (nx) */
    double *ddx;            /* to be filled: x'' (nx), which y'' needs, ... */
    double *dy, *ddy;       /* ... y' and y'' (ny); NULL: not wanted */
} ms_rates;

/* A port through which energy enters a subsystem. The input is the effort and the output the flow, or the reverse;
 * their product is the power into the subsystem, P = gain y[output] u[input] [W], and its inverse u = P / (gain y).
 * The other end of the wires is the port of another subsystem that reads the same two variables with their roles
 * exchanged (ms_bond). */
typedef struct ms_port {
    const char *name; /* REQUIRED: letters, digits, '-', '_' */
    int input, output;
    double gain;
} ms_port;

/* The highest degree of input polynomials that a subsystem takes. */
typedef enum ms_input_limit {
    MS_INPUTS_ANY,   /* any that a scheme makes */
    MS_INPUTS_HELD,  /* 0: held over a macro-step */
    MS_INPUTS_LINEAR /* 1 */
} ms_input_limit;

/* An event as passed to its handler. More than one cause may coincide. At a time event the point is that of
 * next_time(). Handlers use the directions: after a fall through zero an indicator is slightly below it, and rising
 * again is another event. */
typedef struct ms_event {
    bool state;         /* indicators changed their signs, ... */
    const int *crossed; /* ... (n_indicators): 1 rose through zero, -1 fell, 0 neither */
    bool time;          /* the time that next_time() gave is reached */
    bool step;          /* step_event() says so after a micro-step */
    double *x, *z;      /* (nx), (nz) to be changed in place; the point keeps the values before the event */
} ms_event;

/* One subsystem. Functions return 0, or a positive number where the point lies outside the domain
 * of the equations (a solver then tries a smaller step). */
struct ms_subsystem {
    const char *name;       /* REQUIRED: letters, digits, '-', '_' */
    int nx, nu, ny, nw, nz; /* numbers of states, inputs, outputs, external inputs, discrete variables */
    const ms_variable *x, *u, *y, *w, *z; /* their names and units; REQUIRED where the number is not 0 */
    const ms_signal *u_signal, *y_signal; /* OPTIONAL (nu), (ny); NULL: all are continuous */
    const double *x0;                     /* start values (nx); NULL: zero */
    const double *z0;                     /* start values (nz); NULL: zero */
    /* OPTIONAL: start values from parameters: the index of the parameter that each is (nx; negative: it is x0), or a function */
    const int *x0_parameter;
    void (*start)(const double *p, const void *data, double *x);
    const double *p; /* OPTIONAL: parameters of its own; NULL: those of the system */
    /* OPTIONAL: inputs (nu) that algebraic loops are solved from, and that are there in system files where no wire
     * ends; NULL: zero */
    const double *u0;

    const double
        *y0; /* OPTIONAL (ny): outputs that algebraic loops are solved from; NaN: that of the inputs */

    const double *x_nominal; /* OPTIONAL (nx): nominal value of each state, in its unit; 0: not given */
    const double *u_nominal; /* OPTIONAL (nu): nominal value of each input; 0: not given */

    /* A linear subsystem gives all its blocks (which arrive zeroed), and f, g follow from them. */
    void (*matrices)(const double *p, const void *data, const ms_blocks *m);

    /* A nonlinear subsystem gives f instead where it has states, and g where it has outputs. */
    int (*f)(const ms_point *at, double *dx);
    int (*g)(const ms_point *at, double *y);
    int (*jacobian)(const ms_point *at, const ms_blocks *m); /* OPTIONAL: A, B, C, D; else differences */
    int (*output_rates)(const ms_point *at,
                        const ms_rates *r); /* OPTIONAL: y', y'' of one that is nonlinear */
    const bool *feed_through; /* OPTIONAL (ny x nu): where D may be non-zero; NULL: everywhere (nonlinear) or
                                 where the matrix D is not zero (linear) */
    const bool *shows;        /* OPTIONAL (ny x nx): where C may be non-zero; NULL: everywhere */
    /* A differential-algebraic subsystem gives a residual instead of f: 0 = F(t, x, x', u, w, z, p), r (nx).
     * Solver ida alone integrates it. x0 with x' = 0 is a guess for consistent start values. */
    int (*residual)(const ms_point *at, const double *dx, double *r);
    const bool *algebraic; /* REQUIRED with residual (nx): x' of that variable does not occur */

    /* Events (Andersson 2016, 8.3). An indicator that changes its sign within a micro-step, or with the
     * inputs at the start of a macro-step, stops integration right behind the root. A linear subsystem may
     * have breakpoints and stay linear. A subsystem that has none of these has no events. */
    int n_indicators;
    int (*indicators)(const ms_point *at, double *r); /* REQUIRED if n_indicators > 0 (n_indicators) */
    double (*next_time)(double t, const double *z, const double *p,
                        const void *data); /* OPTIONAL: the first time event or breakpoint of f and w
                                                   behind t; INFINITY: none. Each is served once. Where z
                                                   decides it is served at t once more where it says t again */
    double (*time_round_off)(
        double t, const double *z, const double *p,
        const void
            *data); /* OPTIONAL: by how much t, a time of next_time(), may be off by round-off [s]; NULL:
                                                   by that of t itself */
    /* of next_time(), whether or not there is a handler, which is for other events then */
    bool times_are_breakpoints;
    bool (*step_event)(const ms_point *at); /* OPTIONAL: asked after each micro-step */
    /* step_event() exists only because the simulator's author does not exclude such events: no event is known, and
     * a linearisation omits none */
    bool asks_by_rule;
    int (*handle)(const ms_point *at, const ms_event *event); /* REQUIRED with indicators and step_event;
                                                                 NULL: times are mere breakpoints */

    /* OPTIONAL. Functions of the point that change their sign where f or g jumps or bends, and nothing else follows from it. Micro-solvers
     * locate the change as that of an indicator, and up to there take f and g on one side (ms_point.sides). */
    int n_switches;
    int (*switches)(const ms_point *at, double *r); /* REQUIRED if n_switches > 0 (n_switches) */
    int (*switch_rates)(const ms_point *at, const ms_rates *r,
                        double *dr); /* OPTIONAL: their rates (n_switches) from r->dx, du and dw; NULL: no
                                                   solution slides along them */

    bool uses_du; /* g (and neither f nor jacobian) reads at->du */

    /* What its simulator allows, as in FMI; masks of the command line take more away. */
    ms_input_limit input_limit;
    double imposed_step; /* it communicates every so often and at no other time [s]; 0: at any time */

    /* External inputs are functions of true time, evaluated inside the subsystem. */
    void (*external)(double t, const double *p, const void *data, double *w); /* REQUIRED if nw > 0 */
    bool external_constant;                                                   /* w does not depend on t */
    const bool *w_held;        /* OPTIONAL (nw): held between rows of a series, and not linear */
    const ms_signal *w_signal; /* OPTIONAL (nw): types of values that a series must give; NULL: reals */
    void (*external_rates)(double t, const double *p, const void *data, double *dw,
                           double *ddw); /* OPTIONAL: w' and w'' (nw), right limits; a rate may be infinite */
    /* a series takes the place of some (ms_system_bind_inputs): its rows are breakpoints */
    bool follows_series;

    double (*energy)(const double *x, const double *p, const void *data); /* OPTIONAL: stored energy [J] */
    const ms_port *ports;                                                 /* OPTIONAL (n_ports) */
    int n_ports;
    /* of wires, its one output being 1: made while wires are read, the last one, and seen by the engine alone */
    bool gives_offsets;
    bool single;      /* its functions are computed in single precision */
    bool loose_ports; /* a port without counterpart is ignored; otherwise that is an error */

    /* OPTIONAL. It steps itself, and has no equations that could be evaluated. */
    const ms_own_stepper *stepper;
    /* OPTIONAL. Of one with functions that are carried out elsewhere: why that is over for good, in its own words; "": it is not. */
    const char *(*said)(const void *data);
    bool (*ended)(const void *data); /* OPTIONAL: is that so because it asks for the end of the run? */
    const void *data;                /* for subsystems made by build(): handed back to every function */
};

/* Output `output` of subsystem `from`, times gain, is added to input `input` of subsystem `to`.
 * An input sums its wires in the order in which they are declared. */
typedef struct ms_wire {
    int to, input, from, output;
    double gain;
} ms_wire;

/* A spring between two ports, whose inputs are forces and whose outputs are velocities: a force/force connection. Most schemes
 * use its element, a subsystem between the two; schemes for lines use its stiffness. */
typedef struct ms_line {
    int subsystem[2], port[2]; /* of its ends a and b; port: in the subsystem's own ports */
    int element;               /* the subsystem whose ports are at the other end of both bonds */
    double stiffness;          /* [N/m]: the force that pulls a to b is stiffness times int (v_b - v_a) dt */
} ms_line;

typedef struct ms_parameter {
    const char *name, *unit, *summary;
    double value;      /* default */
    double min, max;   /* valid range, the ends included */
    bool min_excluded; /* value > min instead of value >= min */
    bool integer;
} ms_parameter;

typedef struct ms_setting {
    const char *parameter;
    double value;
} ms_setting;

/* A named set of parameter values, as a paper uses them. */
typedef struct ms_case {
    const char *name, *summary, *source;
    const ms_setting *settings;
    int n_settings;
    double stop_time, step_size; /* [s]; 0: the model's own */
} ms_case;

/* An option of a run as the model's file says it, which holds unless another value is given. */
typedef struct ms_default {
    const char *option, *value; /* as on a command line, without dashes */
    const char *path;           /* the file .. */
    long line;                  /* .. and its line */
} ms_default;

typedef struct ms_model {
    const char *name;    /* as on the command line: lower case and '-' */
    const char *summary; /* one line */
    const char *source;  /* paper, equations */
    const ms_parameter *parameters;
    int n_parameters;
    const ms_case *cases; /* the first is the default; REQUIRED */
    int n_cases;
    const ms_subsystem *subsystems;
    int n_subsystems;
    const ms_wire *wires;
    int n_wires;
    double stop_time, step_size; /* [s] */
    /* OPTIONAL (n_defaults): options of a run (algorithms/options/file_defaults.h) */
    const ms_default *defaults;
    int n_defaults;
    /* Instead of subsystems and wires, where sizes or wires depend on parameters. */
    int (*build)(const double *p, ms_structure *structure, ms_error *error);
    const void *data; /* for build() */
    const char *text; /* the text from which its functions are read; NULL: they are compiled */
    bool slow;        /* a run takes seconds: a sweep of all models leaves it out */
} ms_model;

/* What build() fills. Memory comes from ms_structure_alloc and lives as long as the system. */
struct ms_structure {
    const ms_model *model;
    ms_subsystem *subsystems;
    int n_subsystems;
    ms_wire *wires;
    int n_wires;
    ms_line *lines; /* OPTIONAL */
    int n_lines;
    struct ms_chunk *chunks; /* owned memory */
};

/* Zeroed memory that the structure owns, or NULL. */
void *ms_structure_alloc(ms_structure *structure, size_t count, size_t size);
/* For build(): makes room for these numbers of subsystems, wires and lines. Returns MS_OK, or MS_NO_MEMORY with a line about `what`. */
int ms_structure_make_room(ms_structure *structure, int subsystems, int wires, int lines, const char *what,
                           ms_error *error);
/* A formatted string that the structure owns, or NULL. */
const char *ms_structure_name(ms_structure *structure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the spring of a line, a subsystem `lineN` with its elongation [m] as state, and its wires; N counts from 1. line->element is
 * set here. With a damper [N s/m] parallel to the spring it is a subsystem `spring` instead of a line. The structure must have room
 * for one more subsystem, line, and four more wires. Returns MS_OK or MS_NO_MEMORY. */
int ms_structure_add_spring(ms_structure *structure, const ms_line *line, double damping, double elongation);

/* The index of the named case or parameter, or -1. */
int ms_model_case(const ms_model *model, const char *name);
int ms_model_parameter(const ms_model *model, const char *name);
/* Does it have a parameter of that name? Errors: MS_INVALID, with the nearest one. */
int ms_model_check_parameter(const ms_model *model, const char *name, ms_error *error);

MS_C_LINKAGE_END
