/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_calls.c - the functions of a component other than its creation and end: none is called on a lost component. */
#include "fmu_parts.h"

#define CALL(c, function, ...)                                                                               \
    ((c)->stage >= MS_FMU_LOST    ? MS_SOLVER_FAILED                                                         \
     : (c)->fmi->function == NULL ? MS_FMU_DISCARD                                                           \
                                  : ms_fmu_status(c, MS_FMU_CALL(c, function, __VA_ARGS__)))

int ms_fmu_directional_derivative(ms_fmu_component *component, int n_unknowns, const unsigned *unknown,
                                  int n_knowns, const unsigned *known, const double *seed,
                                  double *sensitivity)
{
    return CALL(component, directional, n_unknowns, unknown, n_knowns, known, seed, sensitivity);
}

/* States ------------------------------------------------------------------------------------------------- */

int ms_fmu_save(ms_fmu_component *component, ms_fmu_state *state)
{
    return CALL(component, save, state);
}

int ms_fmu_restore(ms_fmu_component *component, ms_fmu_state state)
{
    return CALL(component, restore, state);
}

void ms_fmu_free_state(ms_fmu_component *component, ms_fmu_state *state)
{
    const ms_fmi *fmi = component->fmi;
    /* even after an error, since nothing else frees it */
    if (*state != NULL && component->stage < MS_FMU_FATAL && fmi->free_state != NULL)
        (void)MS_FMU_CALL(component, free_state, state);
    *state = NULL;
}

int ms_fmu_reserialise(ms_fmu_component *component, ms_fmu_state *state)
{
    ms_fmu_state copy = NULL;
    MS_TRY(CALL(component, copy, *state, &copy));
    ms_fmu_free_state(component, state);
    *state = copy;
    return MS_OK;
}

/* Co-simulation ------------------------------------------------------------------------------------------ */

int ms_fmu_step(ms_fmu_component *component, double t, double h, bool keep, double *reached)
{
    *reached = t;
    return CALL(component, step, t, h, keep, reached);
}

int ms_fmu_set_input_derivatives(ms_fmu_component *component, int n, const unsigned *reference,
                                 const int *order, const double *value)
{
    return n > 0 ? CALL(component, set_input_derivatives, n, reference, order, value) : MS_OK;
}

int ms_fmu_get_output_derivatives(ms_fmu_component *component, int n, const unsigned *reference,
                                  const int *order, double *value)
{
    return n > 0 ? CALL(component, get_output_derivatives, n, reference, order, value) : MS_OK;
}

/* Model exchange ----------------------------------------------------------------------------------------- */

int ms_fmu_set_time(ms_fmu_component *component, double t)
{
    return CALL(component, set_time, t);
}

int ms_fmu_set_states(ms_fmu_component *component, int nx, const double *x)
{
    return nx > 0 ? CALL(component, set_states, nx, x) : MS_OK;
}

int ms_fmu_get_states(ms_fmu_component *component, int nx, double *x)
{
    return nx > 0 ? CALL(component, get_states, nx, x) : MS_OK;
}

int ms_fmu_get_derivatives(ms_fmu_component *component, int nx, double *dx)
{
    return nx > 0 ? CALL(component, get_derivatives, nx, dx) : MS_OK;
}

int ms_fmu_get_indicators(ms_fmu_component *component, int n, double *r)
{
    return n > 0 ? CALL(component, get_indicators, n, r) : MS_OK;
}

int ms_fmu_completed_step(ms_fmu_component *component, bool keep, bool *enter_event_mode, bool *terminate)
{
    *enter_event_mode = *terminate = false;
    const int status = CALL(component, completed_step, keep, enter_event_mode, terminate);
    return status == MS_OK && *terminate ? ms_fmu_end(component) : status;
}
