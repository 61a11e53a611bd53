/* ifosmondi.h - the callback gamma of ifosmondi and zoh-iterative (scheme_ifosmondi.c), for those who study
 * it without a run. */
#ifndef MS_IFOSMONDI_H
#define MS_IFOSMONDI_H

#include "cosim.h"
#include "nonlinear.h"

/* The first call of the macro-step from t, where the co-simulation stands, to t + h: z = (L y, L y') or L y,
 * where a method starts. Errors: those of ms_execution_advance. */
int ms_ifosmondi_begin(ms_cosim *cosim, double t, double h, double *z);

/* gamma(z) = 0 of the macro-step that was begun last, with rule (27). Each call of residual integrates all
 * subsystems from the start of the macro-step and leaves them at its end. */
ms_nonlinear_problem ms_ifosmondi_problem(ms_cosim *cosim);

#endif
