/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_description.h - the contents of an FMU's modelDescription.xml, in the same form for FMI 2.0 and 3.0.
 *
 * Sources: FMI for Model Exchange and Co-Simulation 2.0.x, 2.2; FMI 3.0.x, 2.4. */
#pragma once

#include <macrostep/status.h>
#include "unit_powers.h"

typedef enum ms_fmu_kind { MS_FMU_CO_SIMULATION, MS_FMU_MODEL_EXCHANGE, MS_FMU_KINDS } ms_fmu_kind;

/* Real of 2.0 is FLOAT64, Integer INT32. Those behind MS_FMU_ENUMERATION are never wired. */
typedef enum ms_fmu_type {
    MS_FMU_FLOAT64,
    MS_FMU_FLOAT32,
    MS_FMU_INT8,
    MS_FMU_UINT8,
    MS_FMU_INT16,
    MS_FMU_UINT16,
    MS_FMU_INT32,
    MS_FMU_UINT32,
    MS_FMU_INT64,
    MS_FMU_UINT64,
    MS_FMU_BOOLEAN,
    MS_FMU_ENUMERATION,
    MS_FMU_STRING,
    MS_FMU_BINARY,
    MS_FMU_CLOCK,
    MS_FMU_TYPES
} ms_fmu_type;

typedef enum ms_fmu_causality {
    MS_FMU_PARAMETER,
    MS_FMU_CALCULATED_PARAMETER,
    MS_FMU_STRUCTURAL_PARAMETER,
    MS_FMU_INPUT,
    MS_FMU_OUTPUT,
    MS_FMU_LOCAL,
    MS_FMU_INDEPENDENT,
    MS_FMU_CAUSALITIES
} ms_fmu_causality;

typedef enum ms_fmu_variability {
    MS_FMU_CONSTANT,
    MS_FMU_FIXED,
    MS_FMU_TUNABLE,
    MS_FMU_DISCRETE,
    MS_FMU_CONTINUOUS,
    MS_FMU_VARIABILITIES
} ms_fmu_variability;

typedef enum ms_fmu_initial {
    MS_FMU_INITIAL_NONE,
    MS_FMU_EXACT,
    MS_FMU_APPROX,
    MS_FMU_CALCULATED,
    MS_FMU_INITIALS
} ms_fmu_initial;

typedef struct ms_fmu_variable {
    const char *name;
    const char *description; /* "" if none */
    const char *unit;        /* its name in UnitDefinitions; "1" if none */
    const char *start;       /* as written in the file; NULL: none */
    double start_value;      /* the same as a number (booleans 0, 1); NaN: no number, or none */
    double min, max;         /* -INFINITY, INFINITY where not declared */
    double nominal;          /* 0 where not declared, or not positive */
    unsigned value_reference;
    ms_fmu_type type;
    ms_fmu_causality causality;
    ms_fmu_variability variability;
    ms_fmu_initial initial; /* with the default of the standard's table filled in */
    int derivative_of;      /* index of the variable whose derivative this is; -1: none */
    int n_dimensions;       /* of an array of 3.0; 0: a scalar */
    const int *dimension;   /* (n_dimensions) where structural parameters have their start values */
    int size,
        first; /* its values, by rows where it is an array, and the number of the first one among those of all */
    bool clocked;             /* 3.0: it is there when a clock ticks, and cannot be wired */
    bool ticks;               /* 3.0: an input clock, which is to tick at times of its own */
    bool intermediate_update; /* 3.0 */
    bool is_resized;          /* a structural parameter that has been given another start value */
    int line;                 /* in modelDescription.xml */
} ms_fmu_variable;

/* An unknown of ModelStructure. */
typedef struct ms_fmu_unknown {
    int variable;            /* index */
    int n_dependencies;      /* -1: not given, so all */
    const int *dependencies; /* (n_dependencies) indices of variables */
} ms_fmu_unknown;

/* What <CoSimulation> or <ModelExchange> declares. */
typedef struct ms_fmu_flags {
    bool present;                 /* the FMU has that kind */
    const char *model_identifier; /* name of the binary and prefix of static functions */
    bool needs_execution_tool;
    bool only_once_per_process;
    bool get_and_set_state, serialize_state;
    bool directional_derivatives, adjoint_derivatives;
    bool variable_step;      /* canHandleVariableCommunicationStepSize */
    bool interpolate_inputs; /* 2.0 */
    int max_output_derivative;
    double fixed_internal_step;    /* 3.0 [s]; 0: not given */
    bool intermediate_update;      /* 3.0: providesIntermediateUpdate */
    bool early_return, event_mode; /* 3.0 */
    bool evaluate_discrete_states; /* 3.0 */
    bool
        no_step_completion; /* completedIntegratorStepNotNeeded (2.0), needsCompletedIntegratorStep = false (3.0) */
} ms_fmu_flags;

#define MS_FMU_LOG_DISCARD "logStatusDiscard"

typedef struct ms_fmu_description {
    int fmi;                 /* 2 or 3 */
    const char *fmi_version; /* as written there, "2.0", "3.0" */
    const char *encoding;    /* of the file, as it calls it */
    const char *model_name, *description;
    const char *token;     /* guid or instantiationToken */
    const char *tool;      /* generationTool, "" if none */
    bool structured_names; /* variableNamingConvention */
    bool
        logs_discards; /* MS_FMU_LOG_DISCARD is one of its LogCategories: why it discards a step can be asked for */
    ms_fmu_flags flags[MS_FMU_KINDS];
    bool scheduled_execution;                           /* 3.0: has that kind, too */
    double start_time, stop_time, tolerance, step_size; /* DefaultExperiment; NaN: not given */
    int n_event_indicators;
    int n_variables;
    const ms_fmu_variable *variables;
    int n_outputs, n_derivatives;
    const ms_fmu_unknown *outputs,
        *derivatives; /* of ModelStructure, in its order, and outputs that it does not list behind them; derivative_of tells the states */
    int n_inputs, n_discrete_inputs;
    const int *
        inputs; /* (n_inputs + n_discrete_inputs) the variable of each value that can be wired: continuous ones in the order of
                          the file, then discrete ones of any type, which change at communication points; arrays value by value */
} ms_fmu_description;

/* That of DefaultExperiment, which an FMU is told where nobody says another one; 0: none. */
static inline double ms_fmu_default_tolerance(const ms_fmu_description *d)
{
    return d->tolerance > 0.0 ? d->tolerance : 0.0;
}

/* Can wires carry what is of that type? */
static inline bool ms_fmu_type_is_number(ms_fmu_type type)
{
    return type <= MS_FMU_ENUMERATION;
}

static inline bool ms_fmu_type_is_real(ms_fmu_type type)
{
    return type <= MS_FMU_FLOAT32;
}

/* Can a wire end in it, or begin, if its causality says so? And does what it carries move between communication points? */
static inline bool ms_fmu_can_be_wired(const ms_fmu_variable *v)
{
    return ms_fmu_type_is_number(v->type) && !v->clocked;
}

static inline bool ms_fmu_is_continuous(const ms_fmu_variable *v)
{
    return ms_fmu_type_is_real(v->type) && v->variability == MS_FMU_CONTINUOUS;
}

/* Do the digits of a text, whose double is the value, say a whole number that no double is? One of 64 bits may, from 2^53 on. */
bool ms_fmu_is_no_double(ms_fmu_type type, const char *text, double value);
/* Does a start value as declared? */
bool ms_fmu_starts_at_no_double(const ms_fmu_variable *v);

/* Its values as declared (size), 0 where nothing is. */
void ms_fmu_start_values(const ms_fmu_variable *v, double *value);

/* The words of the standards, by value; NULL if none. Types: as the elements of 3.0. */
extern const char *const ms_fmu_causality_names[MS_FMU_CAUSALITIES];
extern const char *const ms_fmu_variability_names[MS_FMU_VARIABILITIES];
extern const char *const ms_fmu_initial_names[MS_FMU_INITIALS];
extern const char *const ms_fmu_type_names[MS_FMU_TYPES];
extern const char *const ms_fmu_kind_names[MS_FMU_KINDS]; /* "co-simulation", "model-exchange" */

/* What the standard's table gives where a variable says nothing of it. */
ms_fmu_variability ms_fmu_default_variability(ms_fmu_type type, ms_fmu_causality causality);
ms_fmu_initial ms_fmu_default_initial(int fmi, ms_fmu_causality causality, ms_fmu_variability variability);

/* The unit of that name as its UnitDefinitions have it in base units. Returns false where they do not. */
bool ms_fmu_description_unit(const ms_fmu_description *description, const char *name, ms_unit *unit);
