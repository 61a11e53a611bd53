/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made_component.h - components of the FMUs that decay_fmu.c is the source of. Where a call fails, the test fails. */
#pragma once

#include "fmu.h"
#include "made_fmu.h"

enum { SUPPORT_DECAY_U = 2, SUPPORT_DECAY_Y }; /* value references of its input and output */

extern ms_fmu_use support_fmu_use;             /* of what is opened */
extern const ms_fmu_setup support_plain_setup; /* without a stop time */

/* Makes the FMU, and opens it. The first one gives the status and the error. */
int support_open_made(const support_decay *r, ms_fmu_kind kind, ms_fmu **fmu, ms_error *error);
ms_fmu *support_open_fmu(const support_decay *r, ms_fmu_kind kind);

/* Instantiated; and initialised with that input. */
ms_fmu_component *support_create_component(const ms_fmu *fmu, const ms_fmu_setup *setup);
ms_fmu_component *support_start_component(const ms_fmu *fmu, double u);

double support_value_of(ms_fmu_component *c, unsigned reference);
