/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sides.h - operations on one side of their switches: what they would be if the operands had not yet passed a switch. */
#ifndef MS_SIDES_H
#define MS_SIDES_H

#include "program.h"

/* The value of an operation whose switching function is positive (side > 0), or negative. Steps, as floor, stay at the whole number of
 * that side up to half a step beyond it. */
double ms_side_value(const ms_instruction *at, double side, double a, double b, double c);

/* Its partial derivatives by the operands, where its value is r. */
void ms_side_partials(const ms_instruction *at, double side, double a, double b, double c, double r,
                      double partial[3]);

#endif
