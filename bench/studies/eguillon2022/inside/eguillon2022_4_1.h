/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eguillon2022_4_1.h - what the figures of section 4.1 share: the car with controlled speed. */
#ifndef MS_EGUILLON2022_4_1_H
#define MS_EGUILLON2022_4_1_H

#include "eguillon2022_log.h"

enum { CAR, CONTROLLER }; /* subsystems */
enum { POSITION, SPEED }; /* states of the car */

#define CAR_RUN  "run controlled-car "
#define JACOBI   CAR_RUN "--scheme jacobi"
#define F3ORNITS CAR_RUN "--scheme f3ornits"

/* The model's values; mass, target and time are printed. */
static const double MASS = 1000.0, TARGET = 16.0, PRESET_END = 10.0; /* [kg], [m/s], [s] */

/* What is not printed. */
void ms_car_remark(ms_drawing *drawing);

#endif
