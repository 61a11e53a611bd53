/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu.h - an FMU: its description, its functions, and components (instances in the words of FMI), in the same form for FMI
 * 2.0 and 3.0. Independent of models and schemes.
 *
 * Functions that return int give MS_OK, MS_FMU_DISCARD (the FMU cannot do that at this point, but can continue), or
 * MS_SOLVER_FAILED (error or fatal; the component is lost, and ms_fmu_component_said has the FMU's own words). */
#pragma once

#include "fmu_archive.h"
#include "fmu_description.h"

enum { MS_FMU_DISCARD = 100 };

typedef struct ms_fmu ms_fmu;                     /* may be shared between threads */
typedef struct ms_fmu_component ms_fmu_component; /* one thread at a time */
typedef void *ms_fmu_state;                       /* FMUState */

/* How an FMU is opened and called; zero: the default. */
typedef struct ms_fmu_use {
    bool compile_sources; /* if it has no binary for this platform */
    /* Components run in separate processes (macrostep-fmu). Results are the same to the bit; if a process dies, its component is
     * lost and reports how. */
    bool isolate;
    double
        call_timeout; /* time limit of a call into such a process [s], which is then killed; 0: no limit. Above 0: isolated */
} ms_fmu_use;

/* Opens the archive, reads the description and opens the binary for linux64 of that kind (RTLD_NOW | RTLD_LOCAL). use: copied;
 * NULL: the default. Errors: MS_INVALID, MS_UNSUPPORTED (not that kind, no binary for this platform, a function that its flags
 * promise is missing), MS_NO_MEMORY. */
int ms_fmu_open(const char *path, ms_fmu_kind kind, const ms_fmu_use *use, ms_fmu **fmu, ms_error *error);
/* The same in two steps: after the first the description is known, and no code of the binary has run; components are created
 * after the second. kind MS_FMU_KINDS: model exchange if supported, otherwise co-simulation. */
int ms_fmu_open_description(const char *path, ms_fmu_kind kind, const ms_fmu_use *use, ms_fmu **fmu,
                            ms_error *error);
/* 3.0: sets structural parameters before it is loaded; the sizes of its arrays, and the numbers of values, follow. Errors: MS_INVALID (not a
 * structural parameter, not a value of it), MS_NO_MEMORY. */
int ms_fmu_resize(ms_fmu *fmu, int n, const int *variable, const double *value, ms_error *error);
int ms_fmu_load(ms_fmu *fmu, ms_error *error);
/* Opens one that another process has unpacked into `folder`, in this process; path: its name in messages. */
int ms_fmu_open_unpacked(const char *folder, const char *path, ms_fmu_kind kind, ms_fmu **fmu,
                         ms_error *error);
/* Must it run in a separate process? It must if there can be only one component per process, which then ends with it, or if
 * its binaries define a function that this process defines as well, such as those of a solver that both contain: it would
 * call ours. why: a sentence about the reason. */
enum { MS_FMU_WHY = 160 };
bool ms_fmu_needs_process(const ms_fmu_archive *archive, const ms_fmu_description *description,
                          ms_fmu_kind kind, char why[MS_FMU_WHY]);
void ms_fmu_close(ms_fmu **fmu); /* NULL-safe */
const ms_fmu_description *ms_fmu_describe(const ms_fmu *fmu);
ms_fmu_kind ms_fmu_kind_of(const ms_fmu *fmu);          /* that is open */
const ms_fmu_flags *ms_fmu_flags_of(const ms_fmu *fmu); /* of the kind that is open */

const char *ms_fmu_path(const ms_fmu *fmu);

/* Life of a component: created (instantiated); parameters and start values are set; initialise() enters and leaves initialization mode with
 * `inputs` set in between; then model exchange is in continuous-time mode, its first event iteration done, co-simulation ready to step. */
typedef struct ms_fmu_setup {
    const char *instance_name;    /* REQUIRED */
    double start_time, stop_time; /* stop_time INFINITY: not defined */
    double tolerance;             /* 0: not defined */
    int n_settings;               /* parameters and start values */
    const int *setting;           /* (n_settings) numbers of values (ms_fmu_value_find) */
    const char *const *value;     /* (n_settings) as in a file: numbers, true, false, text */
    bool intermediate_update; /* 3.0, co-simulation: ms_fmu_component_intermediate is going to be called */
} ms_fmu_setup;
/* Maps the values of a wire to those of its input: image[k] for value[k]; other values are errors. */
typedef struct ms_fmu_map {
    int n;
    const double *value, *image; /* (n) */
} ms_fmu_map;
/* What is connected to the inputs and outputs of a subsystem. */
typedef struct ms_fmu_wiring {
    bool driven;                  /* its inputs are external ones */
    const ms_fmu_map *const *map; /* (inputs) maps of the values on their wires; NULL: none is */
    const bool *carried; /* (outputs) those that wires carry: others need not be numbers. NULL: all */
} ms_fmu_wiring;
/* Result of an iteration of discrete states. */
typedef struct ms_fmu_events {
    bool terminate;      /* the FMU asks for the end of the simulation; its component is lost */
    bool states_changed; /* continuous states changed: read them again */
    double next_time;    /* [s]; INFINITY: none */
} ms_fmu_events;

/* Variables whose values are read or set together, in order: all variables of a group have the same type, and an array has
 * one value per element. Values of types other than Float64 are whole numbers, of Boolean 0 and 1. */
typedef struct ms_fmu_group {
    ms_fmu_type type;
    int n, n_values;
    const unsigned *reference; /* (n) */
    const ms_fmu_map *const
        *map; /* (n_values) maps of values on writing, NULL: no map; NULL: no maps at all */
} ms_fmu_group;
typedef struct ms_fmu_values {
    int n_groups;
    const ms_fmu_group *group;
} ms_fmu_values;

/* Can the settings be made, by the description? Errors: MS_INVALID (a variable that cannot be set, a value that is none of its type or
 * out of its range). */
int ms_fmu_check_settings(const ms_fmu *fmu, const ms_fmu_setup *setup, ms_error *error);

/* Start values of all connectable inputs: from settings, otherwise as declared, otherwise 0. By FMI and SSP an unconnected input
 * keeps this value. */
void ms_fmu_start_inputs(const ms_fmu *fmu, int n_settings, const int *setting, const char *const *value,
                         double *u);

/* Errors: MS_INVALID (a variable that cannot be set, an invalid value), MS_SOLVER_FAILED, MS_NO_MEMORY. */
int ms_fmu_component_create(const ms_fmu *fmu, const ms_fmu_setup *setup, ms_fmu_component **component,
                            ms_error *error);
void ms_fmu_component_destroy(
    ms_fmu_component **component); /* NULL-safe; terminates where the state allows it */
int ms_fmu_component_initialise(ms_fmu_component *component, const ms_fmu_values *values,
                                const double *value); /* values NULL: none */
/* Result of the last event iteration, including that of the initialisation. Model exchange. */
const ms_fmu_events *ms_fmu_component_events(const ms_fmu_component *component);
/* Is it lost, after an error? It can then no longer be used. */
bool ms_fmu_component_is_lost(const ms_fmu_component *component);
/* Has it asked for the end of the simulation? It is lost then, without an error. */
bool ms_fmu_component_has_ended(const ms_fmu_component *component);
const char *
ms_fmu_component_said(const ms_fmu_component *component); /* the last line of its logger, "" if none */

/* Values, in any mode that allows it: of scalars of type Float64, or of any types. A value outside its type, such as 300 for an
 * Int8, one that a double cannot represent (64 bits, beyond 2^53), or one missing from a map gives MS_FMU_DISCARD, and the component reports
 * which. */
int ms_fmu_get(ms_fmu_component *component, int n, const unsigned *reference, double *value);
int ms_fmu_set(ms_fmu_component *component, int n, const unsigned *reference, const double *value);
int ms_fmu_read(ms_fmu_component *component, const ms_fmu_values *values, double *value);
int ms_fmu_write(ms_fmu_component *component, const ms_fmu_values *values, const double *value);
/* Do the values read equal the values that writing these would give? */
bool ms_fmu_is_written(const ms_fmu_values *values, const double *value, const double *read);
/* d(unknowns)/d(knowns) seed. */
int ms_fmu_directional_derivative(ms_fmu_component *component, int n_unknowns, const unsigned *unknown,
                                  int n_knowns, const unsigned *known, const double *seed,
                                  double *sensitivity);

/* FMUState: *state NULL makes a new one, else it is overwritten. */
int ms_fmu_save(ms_fmu_component *component, ms_fmu_state *state);
int ms_fmu_restore(ms_fmu_component *component, ms_fmu_state state);
void ms_fmu_free_state(ms_fmu_component *component, ms_fmu_state *state); /* NULL-safe */
/* Replaces *state, which is freed, by one restored from its bytes. */
int ms_fmu_reserialise(ms_fmu_component *component, ms_fmu_state *state);

/* Co-simulation. `keep`: noSetFMUStatePriorToCurrentPoint. *reached: the time reached, t + h unless it returned early. */
int ms_fmu_step(ms_fmu_component *component, double t, double h, bool keep, double *reached);
/* 2.0: value[k] is a derivative of input reference[k] at the start of the next step. */
int ms_fmu_set_input_derivatives(ms_fmu_component *component, int n, const unsigned *reference,
                                 const int *order, const double *value);
int ms_fmu_get_output_derivatives(ms_fmu_component *component, int n, const unsigned *reference,
                                  const int *order, double *value);
/* 3.0: called by the FMU within a step, at an internal time; inputs may be set and outputs read by ms_fmu_set and
 * ms_fmu_get as `may_set` and `may_get` say. */
typedef void ms_fmu_intermediate(void *self, double t, bool may_set, bool may_get);
void ms_fmu_component_intermediate(ms_fmu_component *component, ms_fmu_intermediate *call, void *self);

/* Number of calls that exceeded their time limit (ms_fmu_use.call_timeout). */
int ms_fmu_late_calls(const ms_fmu *fmu);

/* For signal handlers: kills the processes of FMUs whose calls have not returned; their components are lost. Returns whether such a call
 * is running in this process, where nothing can end it. */
bool ms_fmu_interrupt(void);
/* The file of the FMU in this process whose call this thread is waiting for; NULL: none. */
const char *ms_fmu_called(void);

/* Model exchange. */
int ms_fmu_set_time(ms_fmu_component *component, double t);
int ms_fmu_set_states(ms_fmu_component *component, int nx, const double *x);
int ms_fmu_get_states(ms_fmu_component *component, int nx, double *x);
int ms_fmu_get_derivatives(ms_fmu_component *component, int nx, double *dx);
int ms_fmu_get_indicators(ms_fmu_component *component, int n, double *r);
int ms_fmu_completed_step(ms_fmu_component *component, bool keep, bool *enter_event_mode, bool *terminate);
/* Enters event mode, sets inputs (NULL: none), iterates discrete states until they settle, and returns to continuous-time mode. The FMU determines
 * the events itself. If an FMU asks for the end of the simulation, here or above, its component is terminated and lost: MS_SOLVER_FAILED. */
int ms_fmu_handle_events(ms_fmu_component *component, const ms_fmu_values *inputs, const double *value,
                         ms_fmu_events *events);
