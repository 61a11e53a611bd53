/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sides.h"

#include <math.h>

/* The whole number below a where sin(pi a) has the sign of `side`: it is even where that is positive. Behind a switch it is the one of
 * before, as long as a is nearer to that switch than to the next. */
static double whole_below(double a, double side)
{
    const double whole = floor(a);
    const bool even = fmod(whole, 2.0) == 0.0;
    if (even == (side > 0.0))
        return whole;
    return a - whole < 0.5 ? whole - 1.0 : whole + 1.0;
}

/* Towards zero. */
static double whole_within(double a, double side)
{
    const double whole = whole_below(a, side);
    return whole < 0.0 && whole != a ? whole + 1.0 : whole;
}

/* a - q b, as the operation has it where q is the number of before. */
static double rest(const ms_instruction *at, double q, double before, double a, double b)
{
    return q == before ? ms_operation_value((ms_operation)at->operation, a, b, 0.0) : a - q * b;
}

/* An angle does not jump where a passes zero behind the origin. */
static double turn(double side, double a, double b)
{
    static const double pi = 3.14159265358979323846;
    const double angle = atan2(a, b);
    if (b < 0.0 && side > 0.0 && angle < 0.0)
        return angle + 2.0 * pi;
    return b < 0.0 && side < 0.0 && angle > 0.0 ? angle - 2.0 * pi : angle;
}

double ms_side_value(const ms_instruction *at, double side, double a, double b, double c)
{
    const bool positive = side > 0.0;
    switch (at->operation) {
    case MS_OF_ABS:
        return positive ? a : -a;
    case MS_OF_SIGN:
        return positive ? 1.0 : -1.0;
    case MS_OF_NOT:
    case MS_OF_EQUAL:
        return 0.0;
    case MS_OF_UNEQUAL:
        return 1.0;
    case MS_OF_IF:
        return b;
    case MS_OF_LESS:
    case MS_OF_LESS_EQUAL:
        return positive ? 0.0 : 1.0;
    case MS_OF_GREATER:
    case MS_OF_GREATER_EQUAL:
        return positive ? 1.0 : 0.0;
    case MS_OF_MIN:
        return positive ? b : a;
    case MS_OF_MAX:
        return positive ? a : b;
    case MS_OF_FDIM:
        return positive ? a - b : 0.0;
    case MS_OF_FLOOR:
        return whole_below(a, side);
    case MS_OF_CEIL:
        return -whole_below(-a, side);
    case MS_OF_ROUND:
    case MS_OF_RINT:
        return whole_below(a + 0.5, side);
    case MS_OF_TRUNC:
        return whole_within(a, side);
    case MS_OF_FMOD:
        return rest(at, whole_within(a / b, side), trunc(a / b), a, b);
    case MS_OF_MOD:
        return rest(at, whole_below(a / b, side), floor(a / b), a, b);
    case MS_OF_REMAINDER:
        return rest(at, whole_below(a / b + 0.5, side), rint(a / b), a, b);
    case MS_OF_LDEXP:
        return a * exp2(whole_within(b, side));
    case MS_OF_ATAN2:
        return turn(side, a, b);
    default:
        return ms_operation_value((ms_operation)at->operation, a, b, c);
    }
}

void ms_side_partials(const ms_instruction *at, double side, double a, double b, double c, double r,
                      double partial[3])
{
    const double first = side > 0.0 ? 1.0 : 0.0;
    ms_operation_partials((ms_operation)at->operation, a, b, c, r, partial);
    switch (at->operation) {
    case MS_OF_ABS:
        partial[0] = 2.0 * first - 1.0;
        break;
    case MS_OF_IF:
        partial[1] = 1.0;
        partial[2] = 0.0;
        break;
    case MS_OF_MIN:
        partial[0] = 1.0 - first;
        partial[1] = first;
        break;
    case MS_OF_MAX:
        partial[0] = first;
        partial[1] = 1.0 - first;
        break;
    case MS_OF_FDIM:
        partial[0] = first;
        partial[1] = -first;
        break;
    case MS_OF_FMOD:
    case MS_OF_MOD:
    case MS_OF_REMAINDER:
        partial[1] = -rint((a - r) / b);
        break;
    case MS_OF_LDEXP:
        partial[0] = exp2(whole_within(b, side));
        break;
    default:
        break;
    }
}
