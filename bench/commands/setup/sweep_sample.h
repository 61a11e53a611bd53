/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_sample.h - a sweep with random parameters: quantiles over the draws in place of their rows. */
#pragma once

#include "call.h"
#include "sweep.h"

/* Does the call fit, and has its picture an axis? Errors: MS_INVALID. */
int ms_sweep_sample_check(const ms_arguments *arguments, ms_error *error);

/* Computes the rows, or a part, or reads those that are given, and answers. */
int ms_sweep_sample_compute(ms_call *call, const ms_sweep *sweep, long rows, ms_error *error);
