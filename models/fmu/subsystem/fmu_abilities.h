/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_abilities.h - the capabilities of an FMU, as declared and as found by probing (fmu_probe.h): used by runs and by `show`.
 *
 * Features of Andersson (2016), 2.3, which FMI 2.0 added, and their counterparts here:
 *
 *     2.1  state saved and restored        canGetAndSetFMUstate                rollback, serialisation
 *     2.2  directional derivatives         providesDirectionalDerivative       directional_derivatives: (2.8), (9.3), of outputs (2.9)
 *     2.3  dependencies                    ModelStructure                      feed-through and the evaluation order
 *     2.4  separate initialisation         (always)                            the start of fmu_co_simulation.h
 *     2.5  derivatives of inputs           canInterpolateInputs                input_degree
 *     2.6  derivatives of outputs          maxOutputDerivativeOrder            output_derivatives
 *
 * Restriction 2.1, that outputs are those of the inputs before the step, corresponds to reevaluate_outputs. */
#pragma once

#include <macrostep/own_stepper.h>
#include "fmu.h"

/* In the order of `why`. */
typedef enum ms_fmu_trait {
    MS_FMU_ROLLBACK,
    MS_FMU_VARIABLE_STEP,
    MS_FMU_HIDDEN_STEP,
    MS_FMU_DIRECTIONAL,
    MS_FMU_INPUT_DEGREE,
    MS_FMU_OUTPUT_DERIVATIVES,
    MS_FMU_DETERMINISTIC,
    MS_FMU_DEGRADING, /* from here on a run loses nothing by what differs from a flag */
    MS_FMU_REEVALUATE = MS_FMU_DEGRADING,
    MS_FMU_SERIALISATION,
    MS_FMU_EARLY_RETURN,
    MS_FMU_EVENTS,
    MS_FMU_ONCE_PER_PROCESS,
    MS_FMU_THREAD_SAFE,
    MS_FMU_TRAITS
} ms_fmu_trait;

extern const char *const ms_fmu_trait_name[MS_FMU_TRAITS]; /* "rollback", "variable_step", .. */

typedef struct ms_fmu_abilities {
    ms_capabilities can; /* step: 0 where steps may be of any length */
    bool serialisation;  /* states that are made of their bytes are as good as those that were saved */
    bool early_return;   /* steps may end before their end */
    bool
        events; /* events within a step are handled by us (CS: event mode), or there are event indicators (ME) */
    bool
        once_per_process; /* components are in processes of their own, which share no threads; of others nothing is known of these */
    bool deterministic; /* two components do the same */
    double hidden_step; /* it moves by this, whatever it is asked for [s]; NaN: it does not */
    bool keep;          /* it is told that no state before the current point will be restored */
    bool sums; /* the point that it is told has to be the sum of its last point and step, to the bit */
    int steps; /* that the probe has taken; 0: it is what is declared */
    char why[MS_FMU_TRAITS][160]; /* what differs from its flag, as a sentence; "": nothing */
} ms_fmu_abilities;

/* What the flags say. The degree of inputs is 4 (2.0), or 2 (3.0) where all inputs can be set within a step. */
void ms_fmu_abilities_declared(const ms_fmu_description *description, ms_fmu_kind kind,
                               ms_fmu_abilities *declared);
