/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi_functions.h - the functions common to both versions of FMI, for the one whose names these macros give: FMI(Reset),
 * FMI_STATE(Serialized, Size), and FMI_TEXT and FMI_STATE_TEXT the same as text. */
#pragma once

#include "fmi_instance.h"

/* Life ----------------------------------------------------------------------------------------------------- */

MS_FMI_EXPORT int FMI(ExitInitializationMode)(void *c)
{
    return ms_fmi_may(c, MS_MODE_INITIALISATION, FMI_TEXT(ExitInitializationMode))
               ? ms_fmi_exit_initialisation(c)
               : MS_FMI_ERROR;
}

MS_FMI_EXPORT int FMI(Terminate)(void *c)
{
    return ms_fmi_may(c, MS_MODE_RUNNING, FMI_TEXT(Terminate)) ? ms_fmi_terminate(c) : MS_FMI_ERROR;
}

MS_FMI_EXPORT int FMI(Reset)(void *c)
{
    return ms_fmi_may(c, MS_MODE_ANY, FMI_TEXT(Reset)) ? ms_fmi_reset(c) : MS_FMI_ERROR;
}

/* States --------------------------------------------------------------------------------------------------- */

MS_FMI_EXPORT int FMI_STATE(Get, )(void *c, void **state)
{
    return ms_fmi_may(c, MS_MODE_ANY, FMI_STATE_TEXT(Get)) ? ms_fmi_save(c, state) : MS_FMI_ERROR;
}

MS_FMI_EXPORT int FMI_STATE(Set, )(void *c, void *state)
{
    return ms_fmi_may(c, MS_MODE_ANY, FMI_STATE_TEXT(Set)) ? ms_fmi_restore(c, state) : MS_FMI_ERROR;
}

MS_FMI_EXPORT int FMI_STATE(Free, )(void *c, void **state)
{
    (void)c;
    return ms_fmi_free_state(state);
}

MS_FMI_EXPORT int FMI_STATE(Serialized, Size)(void *c, void *state, size_t *size)
{
    (void)state;
    *size = ms_fmi_serialised_size(c);
    return MS_FMI_OK;
}

MS_FMI_EXPORT int FMI_STATE(Serialize, )(void *c, void *state, unsigned char bytes[], size_t size)
{
    return ms_fmi_serialise(c, state, size, bytes);
}

/* Model exchange ------------------------------------------------------------------------------------------- */

MS_FMI_EXPORT int FMI(EnterEventMode)(void *c)
{
    return ms_fmi_enter(c, MS_MODE_EXCHANGE, FMI_TEXT(EnterEventMode), MS_MODE_EVENT);
}

MS_FMI_EXPORT int FMI(EnterContinuousTimeMode)(void *c)
{
    return ms_fmi_enter(c, MS_MODE_EVENT, FMI_TEXT(EnterContinuousTimeMode), MS_MODE_CONTINUOUS);
}

MS_FMI_EXPORT int FMI(SetTime)(void *c, double t)
{
    return ms_fmi_set_time(c, FMI_TEXT(SetTime), t);
}

MS_FMI_EXPORT int FMI(SetContinuousStates)(void *c, const double x[], size_t n)
{
    return ms_fmi_set_states(c, FMI_TEXT(SetContinuousStates), x, n);
}

MS_FMI_EXPORT int FMI(GetContinuousStates)(void *c, double x[], size_t n)
{
    return ms_fmi_get_all(c, FMI_TEXT(GetContinuousStates), ms_component_n_states, ms_component_get_states, x,
                          n);
}

MS_FMI_EXPORT int FMI(GetEventIndicators)(void *c, double r[], size_t n)
{
    return ms_fmi_get_all(c, FMI_TEXT(GetEventIndicators), ms_component_n_indicators, ms_component_indicators,
                          r, n);
}

MS_FMI_EXPORT int FMI(GetNominalsOfContinuousStates)(void *c, double nominal[], size_t n)
{
    (void)c;
    return ms_fmi_nominals(nominal, n);
}
