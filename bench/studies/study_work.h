/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_work.h - error over work: what an error costs. */
#pragma once

#include <stddef.h>

/* The least work with which one of n runs reaches an error, on double logarithmic scales between those runs that no other
 * one beats in both; NaN outside the range of their errors. Runs whose error is above 0.5, or is not known, do not count. */
double ms_work_at(size_t n, const double *work, const double *error, double level);
