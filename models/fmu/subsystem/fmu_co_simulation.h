/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_co_simulation.h - an FMU for co-simulation as a subsystem that brings its own solver (own_stepper.h).
 *
 * It is y_{n+1} = Phi(H, u_n; p) of Andersson (2016), (2.6):
 *
 *     start     (2.7): instantiated, settings, initialisation with the inputs for which outputs are evaluated: repeated for
 *               other inputs as long as it has not stepped, because the standards let outputs follow inputs there
 *               (Remark 2.3.1). After a step they do not (Restriction 2.1), unless the probe finds that they do
 *     step      inputs at its start, and their course in the step: derivatives k! c_k (2.0), which are (2.10), or their
 *               values at the internal times at which the FMU asks (3.0, intermediate update). The stop time is not
 *               defined, so that a step may end a round-off after it. After an early return the step is continued. A
 *               discarded step has failed: step-size control takes a shorter one if there is rollback
 *     x         the states that ModelStructure lists, if they can be read
 *
 * Capabilities are those of the flags, minus those that the probe (fmu_probe.h) refutes, plus those that it finds in addition. */
#pragma once

#include <macrostep/model.h>
#include "fmu.h"

/* What is done about flags that lie. */
typedef enum ms_fmu_probing {
    MS_FMU_PROBE_ON,   /* refuted flags are removed, with a message */
    MS_FMU_PROBE_OFF,  /* flags are believed, nothing is tried */
    MS_FMU_PROBE_TRUST /* flags are believed, refuted ones are reported */
} ms_fmu_probing;

/* A component of an FMU as it is to be made. */
typedef struct ms_fmu_choice {
    const char *name;         /* of the subsystem, and of its components */
    int n_settings;           /* parameters and start values, as in ms_fmu_setup */
    const int *setting;       /* they are copied */
    const char *const *value; /* their texts are not */
    ms_fmu_wiring wiring;
    ms_fmu_probing probing;
} ms_fmu_choice;

/* Fills *sub; memory comes from the structure, and the FMU (of MS_FMU_CO_SIMULATION) outlives it. Errors: MS_UNSUPPORTED (no
 * inputs and no outputs that could be wired), those of the probe's components (they do not start), MS_NO_MEMORY. */
int ms_fmu_co_simulation(const ms_fmu *fmu, const ms_fmu_choice *choice, ms_structure *structure,
                         ms_subsystem *sub, ms_error *error);
