/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equations_source.h - the equations of a subsystem of a system file as C functions, which need only math.h. */
#pragma once

#include <stdio.h>

#include <macrostep/model.h>

/* Is the subsystem given by equations? */
bool ms_equations_are(const ms_subsystem *sub);

/* Writes, for a subsystem by equations without events and discrete variables,
 *
 *     static void derivatives(double t, const double *p, const double *x, const double *u, double *dx)
 *     static void outputs(double t, const double *p, const double *x, const double *u, double *y)
 *
 * where p are the model's parameters. */
void ms_equations_write_source(const ms_subsystem *sub, FILE *file);
