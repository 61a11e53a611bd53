/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_parts.h - the data of an open FMU and its components, and the table of functions implemented for each version of FMI; for
 * the files fmu*.c. */
#pragma once

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "fmi2.h"
#include "fmu.h"
#include "fmu_archive.h"
#include "fmu_arithmetic.h"

/* Of fmi2Status and fmi3Status; and that the FMU asks for the end of the simulation, which no FMU returns. */
enum { MS_FMI_OK, MS_FMI_WARNING, MS_FMI_DISCARD, MS_FMI_ERROR, MS_FMI_FATAL, MS_FMI_END = 1 << 30 };

/* A function of the binary: where its address goes, and what makes it a required one. */
typedef struct ms_fmi_symbol {
    const char *name;
    ms_fmi_need need;
    size_t at; /* in the functions of the version [bytes] */
} ms_fmi_symbol;

/* What an iteration of discrete states has left. */
typedef struct ms_fmi_update {
    bool again, terminate, states_changed, next_time_defined;
    double next_time;
} ms_fmi_update;

/* One version of FMI. Functions return a status of FMI; those that it does not have are NULL. */
typedef struct ms_fmi {
    const ms_fmi_symbol *symbol; /* ends with a NULL name */
    size_t size;                 /* of its functions */
    int (*instantiate)(ms_fmu_component *c, const ms_fmu_setup *setup);
    void (*free_instance)(ms_fmu_component *c);
    int (*configure)(ms_fmu_component *c, bool begins); /* between the two structural parameters are set */
    int (*enter_initialisation)(ms_fmu_component *c);
    int (*exit_initialisation)(ms_fmu_component *c);
    int (*terminate)(ms_fmu_component *c);
    /* Values of one type, as numbers; MS_FMI_DISCARD: not available. Only Float64 is set from `value` itself; values of other types are
     * converted in the component's work, which has room for them. */
    int (*get)(ms_fmu_component *c, const ms_fmu_group *group, double *value);
    int (*set)(ms_fmu_component *c, const ms_fmu_group *group, const double *value);
    int (*set_text)(ms_fmu_component *c, unsigned reference, const char *value);
    int (*directional)(ms_fmu_component *c, int n_unknowns, const unsigned *unknown, int n_knowns,
                       const unsigned *known, const double *seed, double *sensitivity);
    int (*save)(ms_fmu_component *c, ms_fmu_state *state);
    int (*restore)(ms_fmu_component *c, ms_fmu_state state);
    int (*free_state)(ms_fmu_component *c, ms_fmu_state *state);
    int (*copy)(ms_fmu_component *c, ms_fmu_state state, ms_fmu_state *copy); /* by its bytes; *copy: NULL */
    int (*step)(ms_fmu_component *c, double t, double h, bool keep, double *reached);
    int (*set_input_derivatives)(ms_fmu_component *c, int n, const unsigned *reference, const int *order,
                                 const double *value);
    int (*get_output_derivatives)(ms_fmu_component *c, int n, const unsigned *reference, const int *order,
                                  double *value);
    int (*set_time)(ms_fmu_component *c, double t);
    int (*set_states)(ms_fmu_component *c, int nx, const double *x);
    int (*get_states)(ms_fmu_component *c, int nx, double *x);
    int (*get_derivatives)(ms_fmu_component *c, int nx, double *dx);
    int (*get_indicators)(ms_fmu_component *c, int n, double *r);
    int (*completed_step)(ms_fmu_component *c, bool keep, bool *enter_event_mode, bool *terminate);
    int (*enter_event_mode)(ms_fmu_component *c);
    int (*update_discrete)(ms_fmu_component *c, ms_fmi_update *update);
    int (*enter_continuous)(ms_fmu_component *c);
} ms_fmi;

extern const ms_fmi ms_fmi_2, ms_fmi_3;

/* Destination of a component's logger. It exists until the FMU is closed: calls of the logger after the component is freed also write here. */
typedef struct ms_fmu_voice {
    struct ms_fmu_voice *next;
    struct ms_fmu_voice *next_of_all; /* FMUs */
    bool used;
    int severity; /* the highest status so far: lines of lower ones do not take its place */
    char said[400];
    fmi2CallbackFunctions callbacks; /* 2.0 */
    ms_fmu_component *component;     /* NULL: gone */
} ms_fmu_voice;

typedef struct ms_fmu_voices {
    ms_fmu_voice *first; /* taken and given back under the lock of fmu_voice.c */
    long n_before;       /* components that have been instantiated, under the lock as well */
    atomic_bool fatal;   /* a component ended so: the binary stays loaded */
} ms_fmu_voices;

/* The lock for other operations on voices. */
void ms_fmu_voices_lock(void);
void ms_fmu_voices_unlock(void);

/* Takes a voice for a component, which also gets the table of its FMU; NULL: no memory. And returns it. */
ms_fmu_voice *ms_fmu_voice_take(ms_fmu_component *c);
void ms_fmu_voice_give_back(ms_fmu_voice *voice);

/* Whose the environment is that an FMU calls back with: FMUs hand on other ones than they were given, and call when their component is gone. Then
 * it is whom this thread has called; NULL: nobody. */
ms_fmu_voice *ms_fmu_voice_by(const void *environment);

/* Notes a line of the logger, as far as it goes, without control characters. */
void ms_fmu_voice_say(ms_fmu_voice *voice, int status, const char *text);

/* Writes the text of a format of printf. Arguments may be too few or of other types: the text ends there. */
void ms_fmu_log_text(const char *format, va_list *arguments, char *line, size_t size);

/* Of an FMU that is closed. The voices themselves stay if its binary is not gone, which may still call back. */
void ms_fmu_voices_free(ms_fmu_voices *voices, bool gone);

typedef struct ms_fmu_threads {
    long *id; /* (n) */
    int n;
} ms_fmu_threads;

struct ms_fmu {
    const char *path;
    ms_fmu_archive *archive;
    ms_fmu_description *description;
    ms_fmu_kind kind;
    ms_fmu_use use;
    const ms_fmi *fmi;
    void *object;           /* of dlopen */
    ms_fmu_threads threads; /* of this process, before that */
    void *functions;        /* of the version */
    char *resources;        /* as the version wants them said */
    char *home;             /* the working folder of the program */
    ms_fmu_voices *voices;
    struct ms_fmu_processes *processes; /* isolated; NULL: it is opened here */
    bool here;                          /* whatever is wanted */
    bool resized;                       /* structural parameters have been given values */
    ms_fmu_arithmetic arithmetic;       /* before its binary was opened: it is so again after each call */
};

/* An FMU may have gone to another working folder, from which the program's own files would not be found: back. */
void ms_fmu_go_home(const ms_fmu *fmu);

/* What has been said is forgotten. */
void ms_fmu_voice_clear(ms_fmu_voice *voice);

/* From now on new components are in processes of their own. Errors: those of ms_fmu_processes_start; MS_UNSUPPORTED in such a
 * process itself. */
int ms_fmu_move_to_process(const ms_fmu *fmu, ms_error *error);

/* What to add to a line where it does not come to be: that the flag says it needs its tool, which may be there or not; or "". */
const char *ms_fmu_tool_hint(const ms_fmu *fmu);

/* The folder of binaries that is this machine's. */
const char *ms_fmu_platform(int fmi); /* the version */

typedef enum ms_fmu_stage {
    MS_FMU_INSTANTIATED,
    MS_FMU_INITIALISED,
    MS_FMU_LOST,  /* an error: it may still be freed */
    MS_FMU_FATAL, /* nothing may be called any more */
} ms_fmu_stage;

struct ms_fmu_component {
    const ms_fmu *fmu;
    const ms_fmi *fmi; /* its own: those that follow may be in processes */
    void *instance;    /* fmi2Component, fmi3Instance */
    ms_fmu_voice *voice;
    ms_fmu_stage stage;
    bool refuses_event_mode; /* 3.0, co-simulation */
    double start_time, stop_time, tolerance;
    ms_fmu_events events;
    ms_fmu_intermediate *intermediate;
    void *self;                     /* for intermediate */
    struct ms_fmu_process *process; /* isolated: its own */
    bool ended;                     /* it is lost because the FMU asked for the end of the simulation */
    double *work;                   /* room for values set at once, and again for their mapped values */
};

/* Calls into FMUs of this process that have not come back, of a thread, and the file and the voice of the one that was called last. */
typedef struct ms_fmu_calls {
    atomic_int n;
    const char *_Atomic path;
    ms_fmu_voice *_Atomic voice; /* of the component; where n > 0 */
} ms_fmu_calls;

extern _Thread_local ms_fmu_calls *ms_fmu_calls_of_thread; /* NULL: it has not called yet */
void ms_fmu_first_call(void);

/* An FMU has forked: this process is the copy, which must not go on with our work. It ends where the call comes back to us. */
extern volatile bool ms_fmu_is_copy;
void ms_fmu_end_copy(void);

static inline void ms_fmu_count_calls(const ms_fmu *fmu, int more)
{
    if (ms_fmu_is_copy)
        ms_fmu_end_copy();
    if (fmu->processes != NULL)
        return;
    if (ms_fmu_calls_of_thread == NULL)
        ms_fmu_first_call();
    ms_fmu_calls *calls = ms_fmu_calls_of_thread;
    const int n = atomic_load_explicit(&calls->n, memory_order_relaxed);
    atomic_store_explicit(&calls->path, fmu->path, memory_order_relaxed);
    atomic_store_explicit(&calls->n, n + more, memory_order_relaxed);
    if (more < 0)
        ms_fmu_arithmetic_keep(&fmu->arithmetic);
}

static inline ms_fmu_component *ms_fmu_away(ms_fmu_component *component)
{
    ms_fmu_count_calls(component->fmu, 1);
    if (component->fmu->processes == NULL)
        atomic_store_explicit(&ms_fmu_calls_of_thread->voice, component->voice, memory_order_relaxed);
    return component;
}

static inline int ms_fmu_back(const ms_fmu_component *component, int status)
{
    ms_fmu_count_calls(component->fmu, -1);
    return status;
}

#define MS_FMU_CALL(c, function, ...) ms_fmu_back(c, (c)->fmi->function(ms_fmu_away(c), __VA_ARGS__))
#define MS_FMU_CALL_OF(c, function)   ms_fmu_back(c, (c)->fmi->function(ms_fmu_away(c)))

/* Is it a value of that type: of all but reals a whole number within its bounds? */
bool ms_fmu_is_value(ms_fmu_type type, double value);
/* Reports that value k of the group is invalid for its type. Returns MS_FMI_DISCARD. */
int ms_fmu_no_value(ms_fmu_component *component, const ms_fmu_group *group, int k, long double value);
/* The most values that are read or set at once. */
size_t ms_fmu_most_values(const ms_fmu_description *description);

/* A status of FMI as one of this header's: errors take the component. */
int ms_fmu_status_other(ms_fmu_component *component, int status); /* than MS_FMI_OK */
static inline int ms_fmu_status(ms_fmu_component *component, int status)
{
    return status == MS_FMI_OK ? MS_OK : ms_fmu_status_other(component, status);
}

/* The FMU asks for the end of the simulation: it is said, and the component is terminated and lost. MS_SOLVER_FAILED. */
int ms_fmu_end(ms_fmu_component *component);

/* Sets variables by the texts of a file. Errors: MS_INVALID (with a line), MS_SOLVER_FAILED. */
int ms_fmu_apply_settings(ms_fmu_component *component, const ms_fmu_setup *setup, ms_error *error);

/* fmu_compile.c: the binary of an FMU from the sources that it brings, in C.
 *
 * What is compiled, and how, stands in SourceFiles of modelDescription.xml (2.0) or in sources/buildDescription.xml (3.0). The compiler
 * is cc, without a shell. Headers of the standard that an FMU does not bring are looked for where the compiler looks (CPATH). */

/* Does it say what is to be compiled? */
bool ms_fmu_lists_sources(const ms_fmu *fmu);

/* Makes binaries/PLATFORM/NAME.so in the folder of the FMU. Errors: MS_UNSUPPORTED (nothing is to be compiled for this platform, or it
 * is in another language), MS_INVALID (the compiler's first error), MS_IO, MS_NO_MEMORY. */
int ms_fmu_compile(const ms_fmu *fmu, const char *name, ms_error *error);

/* fmu_symbols.c: names that a binary defines and this process has as well: the dynamic linker would have the binary call ours. */

enum { MS_FMU_SYMBOL = 80 };

/* Is there one that a shared object in the folder, or below it, defines? name: the first one. What the C library, and a sanitizer, have is in every
 * process, and is no such name. */
bool ms_fmu_symbol_of_both(const char *folder, char name[MS_FMU_SYMBOL]);
