/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme.h - a coupling scheme (master algorithm): the rule that turns known outputs into inputs.
 *
 * A new scheme is one file and one line in algorithms/schemes/inside/scheme_list.h. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/input.h>
#include <macrostep/input_law.h>
#include <macrostep/modelled.h>
#include <macrostep/option_id.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_cosim ms_cosim;
typedef struct ms_variant ms_variant; /* variant.h */

/* How formulas that are independent of the engine may model a macro-step. */
typedef enum ms_scheme_form {
    MS_FORM_OTHER,        /* nothing that they know */
    MS_FORM_EXTRAPOLATED, /* inputs are extrapolated from remembered outputs (Andersson 2016, Algorithms 3-7); with
                             `sequential` and `integrals` */
    MS_FORM_SPLIT,        /* held inputs, subsystems one after the other and back (Strang) */
    MS_FORM_MULTIRATE, /* in sub-steps, from points of outputs in them (scheme_multirate.c) */
    MS_FORM_DELAYED,   /* forces by waves that lines have delayed (scheme_tlm.c) */
    MS_FORM_IMPEDANCE, /* the same without delay, repeated until bodies and springs agree (scheme_robin.c) */
    MS_FORM_SAMPLED, /* repeated until inputs agree with samples of outputs inside it, through splines (spline.h) */
    MS_FORM_CONVERGED /* repeated until inputs agree with the outputs at its end (Eguillon 2021, 3.2), or as
                             if it had been; with `slopes` and `through_past` */
} ms_scheme_form;

typedef struct ms_scheme {
    const char *name, *summary, *source; /* REQUIRED */
    bool nonlinear; /* its macro-steps are nonlinear even for linear models: no propagation matrix */
    bool laws;      /* its inputs carry laws: no micro-solver for linear subsystems only */
    bool integrals; /* it reads ms_instance_integrals and feeds errors of the balance back */
    bool trapezoid; /* or does without them: `balance-integral` trapezoid */
    ms_scheme_form form;
    bool at_once;  /* its equations are affine in the inputs at the end, and solved without iterations */
    bool predicts; /* step control may compare predicted inputs with final ones */
    /* it repeats macro-steps, so that every subsystem must roll back; not with `rollback` estimated */
    bool rolls_back;
    bool compares;     /* `rtol` and `atol` are its own, without step control */
    bool sequential;   /* one subsystem after the other, with the newest outputs (Gauss-Seidel) */
    bool slopes;       /* iterates on slopes of the inputs, too */
    bool through_past; /* inputs follow polynomials through that at the end and past ones */
    /* REQUIRED: the options that it knows beyond the common ones; ends with MS_OPTIONS */
    const ms_option_id *knows;

    /* OPTIONAL. Sets the scheme's defaults of unset options; all other options are resolved. */
    void (*defaults)(ms_options *options);

    /* OPTIONAL. Doubles that the scheme keeps in the co-simulation's blocks: *lin for memory that it maps linearly
     * (beyond the states; it begins with the ny outputs), *aux for the rest. NULL: only the outputs. */
    void (*memory)(const ms_cosim *cosim, int *lin, int *aux);

    /* OPTIONAL. Laws of feedback (input_law.h) that subsystem i has in every macro-step, into law (MS_INPUT_LAWS). Returns how
     * many. It refuses nothing: create() does. */
    int (*feedback)(const ms_system *system, const ms_variant *variant, int i, ms_input_law *law);

    /* OPTIONAL. The capacity that its inputs need; NULL: the maximum. */
    ms_input_room (*room)(const ms_variant *variant);

    /* OPTIONAL. Are its macro-steps compatible with the steps of subsystem i? Called before create(), and before binaries of FMUs
     * are opened: only the variant, and `sub` and `can` of the instances are set. NULL: ms_cosim_check_steps. Errors: MS_UNSUPPORTED. */
    int (*check_steps)(const ms_cosim *cosim, int i, ms_error *error);

    size_t data; /* bytes of cosim->scheme_data, which are there and zero before create() */

    /* REQUIRED. Checks options against capabilities, except for the above and imposed steps, and allocates scratch by
     * ms_cosim_alloc. Errors: MS_INVALID, MS_UNSUPPORTED with the reason, MS_NO_MEMORY, whose message the caller writes. */
    int (*create)(ms_cosim *cosim, ms_error *error);

    /* REQUIRED. Fills the memory at the start time; the states are set. Returns MS_OK or a negative
     * status. */
    int (*start)(ms_cosim *cosim);

    /* REQUIRED. One macro-step from t to t + h. Allocates nothing. Afterwards cosim->y and cosim->y_raw hold
     * the outputs at t + h. Returns MS_OK, MS_NOT_CONVERGED, MS_STEP_REJECTED (a scheme that keeps the time
     * itself wants steps that do not advance it), or a negative status. */
    int (*step)(ms_cosim *cosim, double t, double h);

    /* step() may return MS_NOT_CONVERGED or MS_SOLVER_FAILED, with everything as it was: the run tries a
     * shorter macro-step. */
    bool retries;

    /* OPTIONAL. When the coming macro-step ends, for a scheme that keeps the time itself; NULL: the run
     * does. */
    double (*next_time)(const ms_cosim *cosim);

    /* OPTIONAL. May step() work on only a block of the system, with outputs of its neighbours from ms_execution_advance and
     * ms_execution_share, if its memory has only values for each output in lin, and in aux values that are the same for all
     * blocks? Such a scheme does not need the state of other blocks. NULL: never. */
    bool (*has_blocks)(const ms_variant *variant);

    /* OPTIONAL. Is there such a variant? NULL: all combinations of the options that the family knows are
     * variants. */
    bool (*has_variant)(const ms_variant *variant);

    /* REQUIRED unless the scheme neither claims an order nor knows `error-controlled`. Order of convergence that the
     * literature claims for the variant on smooth problems: a power of H, ignoring factors of log(1/H). Step control
     * uses it directly; ms_scheme_order_on consults claims first. */
    int (*order)(const ms_variant *variant);

    /* OPTIONAL. The same on a given system, if the order depends on it, e.g. on feed-through and the direction of wires (wire_order.h); 0: none is
     * claimed there. work: (3 n) of scratch. NULL: as order(). */
    int (*order_on)(const ms_system *system, const ms_variant *variant, const ms_options *options, int *work);

    /* OPTIONAL. The options that order() models; NULL: no order is claimed. */
    const ms_modelled *claims;
} ms_scheme;

/* Lines of `claims` where order() holds with every micro-solver that fits, and with capabilities masked. */
#define MS_CLAIMS_OF_ANY_SOLVER                                                                              \
    {"solver", NULL}, {"solver-of", NULL}, {"input-change", "restart proceed correct-1 correct-2"},          \
        {"micro-steps", NULL},                                                                               \
    {                                                                                                        \
        "mask", NULL                                                                                         \
    }

/* Does the family know that option (ms_option_id)? */
bool ms_scheme_knows(const ms_scheme *scheme, int option);

MS_C_LINKAGE_END
