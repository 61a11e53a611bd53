/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "switches_parts.h"

#include <float.h>
#include <math.h>

static const ms_interval whole = {-INFINITY, INFINITY}, zero = {0.0, 0.0};

/* Intervals ------------------------------------------------------------------------------------------------ */

static ms_interval between(double lo, double hi)
{
    return isnan(lo) || isnan(hi) ? whole : (ms_interval){lo, hi};
}

static ms_interval at(double value)
{
    return between(value, value);
}

static bool is_point(ms_interval a)
{
    return a.lo == a.hi;
}

static bool has_zero(ms_interval a)
{
    return a.lo <= 0.0 && a.hi >= 0.0;
}

static ms_interval hull(ms_interval a, ms_interval b)
{
    return (ms_interval){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}

/* What the mathematical library may be off. */
static ms_interval widen(ms_interval a)
{
    const double slack = 2.0 * DBL_EPSILON;
    return between(a.lo - slack * fabs(a.lo), a.hi + slack * fabs(a.hi));
}

static ms_interval add(ms_interval a, ms_interval b)
{
    return between(a.lo + b.lo, a.hi + b.hi);
}

static ms_interval negative(ms_interval a)
{
    return (ms_interval){-a.hi, -a.lo};
}

static ms_interval subtract(ms_interval a, ms_interval b)
{
    return add(a, negative(b));
}

static double product(double a, double b)
{
    return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static ms_interval multiply(ms_interval a, ms_interval b)
{
    const double p = product(a.lo, b.lo), q = product(a.lo, b.hi), r = product(a.hi, b.lo),
                 s = product(a.hi, b.hi);
    return between(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static ms_interval divide(ms_interval a, ms_interval b)
{
    if (has_zero(b))
        return whole;
    const double p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
    if (isnan(p) || isnan(q) || isnan(r) || isnan(s))
        return whole;
    return between(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static ms_interval square(ms_interval a)
{
    const double p = a.lo * a.lo, q = a.hi * a.hi;
    return between(has_zero(a) ? 0.0 : fmin(p, q), fmax(p, q));
}

static ms_interval magnitude(ms_interval a)
{
    return has_zero(a) ? (ms_interval){0.0, fmax(-a.lo, a.hi)} : a.lo > 0.0 ? a : negative(a);
}

/* Of a function that rises; falls: of one that falls. */
static ms_interval rising(double (*f)(double), ms_interval a)
{
    return widen(between(f(a.lo), f(a.hi)));
}

static ms_interval falling(double (*f)(double), ms_interval a)
{
    return widen(between(f(a.hi), f(a.lo)));
}

/* The sine moved to the left by `quarters` of a quarter of its period; f has its values. */
static ms_interval wave(double (*f)(double), double quarters, ms_interval a)
{
    static const double half_pi = 1.57079632679489661923;
    if (!(a.hi - a.lo < 6.0) || fabs(a.lo) > 1e9)
        return (ms_interval){-1.0, 1.0};
    ms_interval r = widen(hull(at(f(a.lo)), at(f(a.hi))));
    const double from = a.lo / half_pi + quarters - 1e-7, to = a.hi / half_pi + quarters + 1e-7;
    if (floor((to - 1.0) / 4.0) >= ceil((from - 1.0) / 4.0)) /* a maximum at 1, 5, .. quarters */
        r.hi = 1.0;
    if (floor((to + 1.0) / 4.0) >= ceil((from + 1.0) / 4.0)) /* a minimum at -1, 3, .. */
        r.lo = -1.0;
    return (ms_interval){fmax(r.lo, -1.0), fmin(r.hi, 1.0)};
}

static ms_interval tangent(ms_interval a)
{
    const ms_interval c = wave(cos, 1.0, a);
    return has_zero(c) || a.hi - a.lo > 3.0 ? whole : rising(tan, a);
}

/* a^b where a > 0, or b is a whole number. */
static ms_interval power(ms_interval a, ms_interval b)
{
    if (is_point(b) && b.lo == floor(b.lo) && fabs(b.lo) < 1e6) {
        const bool even = fmod(b.lo, 2.0) == 0.0;
        if (b.lo < 0.0 && has_zero(a))
            return whole;
        const ms_interval base = even ? magnitude(a) : a;
        const double p = pow(base.lo, b.lo), q = pow(base.hi, b.lo);
        return widen(between(fmin(p, q), fmax(p, q)));
    }
    if (!(a.lo > 0.0))
        return whole;
    return rising(exp, multiply(b, rising(log, a)));
}

/* Values --------------------------------------------------------------------------------------------------- */

static ms_interval truth(bool always, bool never)
{
    return (ms_interval){always ? 1.0 : 0.0, never ? 0.0 : 1.0};
}

static ms_interval is_zero(ms_interval a)
{
    return truth(a.lo == 0.0 && a.hi == 0.0, !has_zero(a));
}

/* a - q(a/b) b where q, a way to round, is the same all over; `range` else. */
static ms_interval rest(ms_interval a, ms_interval b, double (*q)(double), ms_interval range)
{
    const ms_interval ratio = divide(a, b);
    const double first = q(ratio.lo), last = q(ratio.hi);
    return first == last && isfinite(first) ? subtract(a, multiply(at(first), b)) : range;
}

/* Functions that rise wherever they are defined, and those whose values have no error of the library. */
static double (*const rises[MS_OPERATIONS])(double) = {
    [MS_OF_ASIN] = asin,   [MS_OF_ATAN] = atan,   [MS_OF_SINH] = sinh,   [MS_OF_TANH] = tanh,
    [MS_OF_ASINH] = asinh, [MS_OF_ACOSH] = acosh, [MS_OF_ATANH] = atanh, [MS_OF_EXP] = exp,
    [MS_OF_EXP2] = exp2,   [MS_OF_EXPM1] = expm1, [MS_OF_LOG] = log,     [MS_OF_LOG2] = log2,
    [MS_OF_LOG10] = log10, [MS_OF_LOG1P] = log1p, [MS_OF_CBRT] = cbrt,   [MS_OF_ERF] = erf};
static double (*const rises_exactly[MS_OPERATIONS])(double) = {
    [MS_OF_SQRT] = sqrt,   [MS_OF_FLOOR] = floor, [MS_OF_CEIL] = ceil,
    [MS_OF_ROUND] = round, [MS_OF_RINT] = rint,   [MS_OF_TRUNC] = trunc};

static ms_interval value_of_one(ms_operation operation, ms_interval a)
{
    if (rises[operation] != NULL)
        return rising(rises[operation], a);
    if (rises_exactly[operation] != NULL)
        return between(rises_exactly[operation](a.lo), rises_exactly[operation](a.hi));
    switch ((int)operation) {
    case MS_OF_SIN:
        return wave(sin, 0.0, a);
    case MS_OF_COS:
        return wave(cos, 1.0, a);
    case MS_OF_TAN:
        return tangent(a);
    case MS_OF_ACOS:
        return falling(acos, a);
    case MS_OF_COSH:
        return rising(cosh, magnitude(a));
    case MS_OF_ERFC:
        return falling(erfc, a);
    case MS_OF_ABS:
        return magnitude(a);
    case MS_OF_SIGN:
        return between((a.lo > 0.0) - (a.lo < 0.0), (a.hi > 0.0) - (a.hi < 0.0));
    case MS_OF_NEGATIVE:
        return negative(a);
    case MS_OF_NOT:
        return is_zero(a);
    default:
        return whole;
    }
}

static ms_interval value_of_two(ms_operation operation, ms_interval a, ms_interval b)
{
    const ms_interval sides = {-magnitude(b).hi, magnitude(b).hi};
    switch ((int)operation) {
    case MS_OF_ADD:
        return add(a, b);
    case MS_OF_SUBTRACT:
        return subtract(a, b);
    case MS_OF_MULTIPLY:
        return multiply(a, b);
    case MS_OF_DIVIDE:
        return divide(a, b);
    case MS_OF_POW:
        return power(a, b);
    case MS_OF_ATAN2:
        return (ms_interval){-3.1415926535897936, 3.1415926535897936};
    case MS_OF_HYPOT:
        return widen(rising(sqrt, add(square(a), square(b))));
    case MS_OF_FMOD:
        return rest(a, b, trunc, sides);
    case MS_OF_MOD:
        return rest(a, b, floor, hull(zero, b));
    case MS_OF_REMAINDER:
        return rest(a, b, rint, sides);
    case MS_OF_FDIM: {
        const ms_interval d = subtract(a, b);
        return (ms_interval){fmax(d.lo, 0.0), fmax(d.hi, 0.0)};
    }
    case MS_OF_MIN:
        return (ms_interval){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
    case MS_OF_MAX:
        return (ms_interval){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
    case MS_OF_LESS:
        return truth(a.hi < b.lo, a.lo >= b.hi);
    case MS_OF_LESS_EQUAL:
        return truth(a.hi <= b.lo, a.lo > b.hi);
    case MS_OF_GREATER:
        return truth(a.lo > b.hi, a.hi <= b.lo);
    case MS_OF_GREATER_EQUAL:
        return truth(a.lo >= b.hi, a.hi < b.lo);
    case MS_OF_EQUAL:
        return is_zero(subtract(a, b));
    case MS_OF_UNEQUAL:
        return subtract((ms_interval){1.0, 1.0}, is_zero(subtract(a, b)));
    case MS_OF_AND:
        return truth(!has_zero(a) && !has_zero(b), is_zero(a).lo == 1.0 || is_zero(b).lo == 1.0);
    case MS_OF_OR:
        return truth(!has_zero(a) || !has_zero(b), is_zero(a).lo == 1.0 && is_zero(b).lo == 1.0);
    default:
        return whole;
    }
}

/* Slopes --------------------------------------------------------------------------------------------------- */

/* Of a - q(a/b) b, q as in rest(). */
static ms_interval slope_of_rest(const ms_enclosure *a, const ms_enclosure *b, double (*q)(double))
{
    const ms_interval ratio = divide(a->value, b->value);
    const double first = q(ratio.lo), last = q(ratio.hi);
    return first == last && isfinite(first) ? subtract(a->slope, multiply(at(first), b->slope)) : whole;
}

/* The derivative of a function of one operand with the value r; the whole line where it is not known. */
static ms_interval derivative_of_one(ms_operation operation, ms_interval a, ms_interval r)
{
    const ms_interval one = {1.0, 1.0};
    switch ((int)operation) {
    case MS_OF_SIN:
        return wave(cos, 1.0, a);
    case MS_OF_COS:
        return negative(wave(sin, 0.0, a));
    case MS_OF_TAN:
        return add(one, square(r));
    case MS_OF_ATAN:
        return divide(one, add(one, square(a)));
    case MS_OF_SINH:
        return rising(cosh, magnitude(a));
    case MS_OF_COSH:
        return rising(sinh, a);
    case MS_OF_TANH:
        return subtract(one, square(r));
    case MS_OF_EXP:
        return r;
    case MS_OF_LOG:
        return divide(one, a);
    case MS_OF_LOG2:
        return divide((ms_interval){1.4426950408889634, 1.4426950408889634}, a);
    case MS_OF_SQRT:
        return divide((ms_interval){0.5, 0.5}, r);
    case MS_OF_ABS:
        return a.lo > 0.0 ? one : a.hi < 0.0 ? negative(one) : (ms_interval){-1.0, 1.0};
    case MS_OF_NEGATIVE:
        return negative(one);
    default:
        return whole;
    }
}

static ms_interval slope_of_two(ms_operation operation, const ms_enclosure *a, const ms_enclosure *b,
                                ms_interval r)
{
    switch ((int)operation) {
    case MS_OF_ADD:
        return add(a->slope, b->slope);
    case MS_OF_SUBTRACT:
        return subtract(a->slope, b->slope);
    case MS_OF_MULTIPLY:
        if (a == b)
            return multiply((ms_interval){2.0, 2.0}, multiply(a->value, a->slope));
        return add(multiply(a->slope, b->value), multiply(a->value, b->slope));
    case MS_OF_DIVIDE:
        return divide(subtract(a->slope, multiply(r, b->slope)), b->value);
    case MS_OF_POW:
        if (is_point(b->value) && is_point(b->slope))
            return multiply(multiply(b->value, power(a->value, subtract(b->value, (ms_interval){1.0, 1.0}))),
                            a->slope);
        return whole;
    case MS_OF_FMOD:
        return slope_of_rest(a, b, trunc);
    case MS_OF_MOD:
        return slope_of_rest(a, b, floor);
    case MS_OF_REMAINDER:
        return slope_of_rest(a, b, rint);
    case MS_OF_MIN:
    case MS_OF_MAX: {
        const bool first = (operation == MS_OF_MIN) == (a->value.hi < b->value.lo);
        const bool apart = a->value.hi < b->value.lo || b->value.hi < a->value.lo;
        return !apart ? hull(a->slope, b->slope) : first ? a->slope : b->slope;
    }
    default:
        return whole;
    }
}

static ms_enclosure choose(const ms_enclosure *a, const ms_enclosure *b, const ms_enclosure *c)
{
    if (!has_zero(a->value))
        return *b;
    if (is_point(a->value))
        return *c;
    return (ms_enclosure){hull(b->value, c->value), whole};
}

static bool stays(const ms_enclosure *a)
{
    return is_point(a->value) && a->slope.lo == 0.0 && a->slope.hi == 0.0;
}

/* An operation on a, b, c, of which it has n. What is the same all over has no slope. */
static ms_enclosure enclose(ms_operation operation, int n, const ms_enclosure *a, const ms_enclosure *b,
                            const ms_enclosure *c)
{
    if (stays(a) && (n < 2 || stays(b)) && (n < 3 || stays(c)))
        return (ms_enclosure){at(ms_operation_value(operation, a->value.lo, b->value.lo, c->value.lo)), zero};
    if (operation == MS_OF_IF)
        return choose(a, b, c);
    if (n == 3)
        return (ms_enclosure){add(multiply(a->value, b->value), c->value), whole};
    ms_enclosure r = {n == 1                                  ? value_of_one(operation, a->value)
                      : operation == MS_OF_MULTIPLY && a == b ? square(a->value)
                                                              : value_of_two(operation, a->value, b->value),
                      whole};
    const bool steps = operation >= MS_OF_SIGN && operation <= MS_OF_NOT && operation != MS_OF_NEGATIVE;
    const bool compares = operation >= MS_OF_LESS && operation <= MS_OF_OR;
    if (steps || compares)
        r.slope = is_point(r.value) ? zero : whole;
    else
        r.slope = n == 1 ? multiply(derivative_of_one(operation, a->value, r.value), a->slope)
                         : slope_of_two(operation, a, b, r.value);
    return r;
}

void ms_program_enclose(const ms_program *program, ms_interval t, const double *const of[MS_NAME_GROUPS],
                        ms_enclosure *result)
{
    ms_enclosure r[MS_REGISTERS_MAX];
    for (const ms_instruction *i = program->code; i < program->code + program->n; i++) {
        if (i->operation == MS_OF_RESULT)
            result[i->a] = r[i->to];
        else if (i->operation == MS_OF_NUMBER)
            r[i->to] = (ms_enclosure){at(i->value), zero};
        else if (i->operation == MS_OF_VARIABLE)
            r[i->to] = i->a == MS_NAMES_TIME
                           ? (ms_enclosure){t, {1.0, 1.0}}
                           : (ms_enclosure){at(of[i->a] != NULL ? of[i->a][i->b] : 0.0), zero};
        else
            r[i->to] = enclose((ms_operation)i->operation, ms_operation_table[i->operation].operands,
                               &r[i->a], &r[i->b], &r[i->c]);
    }
}
