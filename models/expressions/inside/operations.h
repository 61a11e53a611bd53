/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operations.h - the operations of expressions.
 *
 * A row of a list: name in expressions, value, partial derivatives, second derivative, and the same value in C. Operands are a, b,
 * c, the value is r; piecewise constant functions have zero derivatives between their switches. The second derivative of several
 * operands is that along (da, db, dc). */
#pragma once

#include <math.h>
#include <stdbool.h>

/* X(SYMBOL, name, value, derivative, second derivative, C) */
#define MS_FUNCTIONS_OF_ONE(X)                                                                               \
    X(SIN, "sin", sin(a), cos(a), -r, "sin(%s)")                                                             \
    X(COS, "cos", cos(a), -sin(a), -r, "cos(%s)")                                                            \
    X(TAN, "tan", tan(a), 1.0 + r * r, 2.0 * r * (1.0 + r * r), "tan(%s)")                                   \
    X(ASIN, "asin", asin(a), 1.0 / sqrt((1.0 - a) * (1.0 + a)), a * pow((1.0 - a) * (1.0 + a), -1.5),        \
      "asin(%s)")                                                                                            \
    X(ACOS, "acos", acos(a), -1.0 / sqrt((1.0 - a) * (1.0 + a)), -a * pow((1.0 - a) * (1.0 + a), -1.5),      \
      "acos(%s)")                                                                                            \
    X(ATAN, "atan", atan(a), 1.0 / (1.0 + a * a), -2.0 * a / (1.0 + a * a) / (1.0 + a * a), "atan(%s)")      \
    X(SINH, "sinh", sinh(a), cosh(a), r, "sinh(%s)")                                                         \
    X(COSH, "cosh", cosh(a), sinh(a), r, "cosh(%s)")                                                         \
    X(TANH, "tanh", tanh(a), 1.0 / (cosh(a) * cosh(a)), -2.0 * r / (cosh(a) * cosh(a)), "tanh(%s)")          \
    X(ASINH, "asinh", asinh(a), 1.0 / hypot(1.0, a), -a / pow(hypot(1.0, a), 3.0), "asinh(%s)")              \
    X(ACOSH, "acosh", acosh(a), 1.0 / sqrt((a - 1.0) * (a + 1.0)), -a * pow((a - 1.0) * (a + 1.0), -1.5),    \
      "acosh(%s)")                                                                                           \
    X(ATANH, "atanh", atanh(a), 1.0 / ((1.0 - a) * (1.0 + a)),                                               \
      2.0 * a / ((1.0 - a) * (1.0 + a)) / ((1.0 - a) * (1.0 + a)), "atanh(%s)")                              \
    X(EXP, "exp", exp(a), r, r, "exp(%s)")                                                                   \
    X(EXP2, "exp2", exp2(a), 0.69314718055994530942 * r, 0.48045301391820142467 * r, "exp2(%s)")             \
    X(EXPM1, "expm1", expm1(a), exp(a), exp(a), "expm1(%s)")                                                 \
    X(LOG, "log", log(a), 1.0 / a, -1.0 / a / a, "log(%s)")                                                  \
    X(LOG2, "log2", log2(a), 1.44269504088896340736 / a, -1.44269504088896340736 / a / a, "log2(%s)")        \
    X(LOG10, "log10", log10(a), 0.43429448190325182765 / a, -0.43429448190325182765 / a / a, "log10(%s)")    \
    X(LOG1P, "log1p", log1p(a), 1.0 / (1.0 + a), -1.0 / (1.0 + a) / (1.0 + a), "log1p(%s)")                  \
    X(SQRT, "sqrt", sqrt(a), 0.5 / r, -0.25 / r / a, "sqrt(%s)")                                             \
    X(CBRT, "cbrt", cbrt(a), 1.0 / (3.0 * r * r), -2.0 / (9.0 * r * r) / a, "cbrt(%s)")                      \
    X(ERF, "erf", erf(a), 1.12837916709551257390 * exp(-a * a), -2.25675833419102514780 * a * exp(-a * a),   \
      "erf(%s)")                                                                                             \
    X(ERFC, "erfc", erfc(a), -1.12837916709551257390 * exp(-a * a),                                          \
      2.25675833419102514780 * a * exp(-a * a), "erfc(%s)")                                                  \
    X(LGAMMA, "lgamma", lgamma(a), ms_digamma(a), ms_trigamma(a), "lgamma(%s)")                              \
    X(TGAMMA, "tgamma", tgamma(a), r *ms_digamma(a), r *(ms_digamma(a) * ms_digamma(a) + ms_trigamma(a)),    \
      "tgamma(%s)")                                                                                          \
    X(ABS, "abs", fabs(a), (double)((a > 0.0) - (a < 0.0)), 0.0, "fabs(%s)")                                 \
    X(SIGN, "sign", (double)((a > 0.0) - (a < 0.0)), 0.0, 0.0, "(double)((%1$s > 0.0) - (%1$s < 0.0))")      \
    X(FLOOR, "floor", floor(a), 0.0, 0.0, "floor(%s)")                                                       \
    X(CEIL, "ceil", ceil(a), 0.0, 0.0, "ceil(%s)")                                                           \
    X(ROUND, "round", round(a), 0.0, 0.0, "round(%s)")                                                       \
    X(RINT, "rint", rint(a), 0.0, 0.0, "rint(%s)")                                                           \
    X(TRUNC, "trunc", trunc(a), 0.0, 0.0, "trunc(%s)")                                                       \
    X(LOGB, "logb", logb(a), 0.0, 0.0, "logb(%s)")                                                           \
    X(NEGATIVE, "-", -a, -1.0, 0.0, "-%s")                                                                   \
    X(NOT, "!", (double)(a == 0.0), 0.0, 0.0, "(double)(%s == 0.0)")

/* X(SYMBOL, name, value, derivative by a, by b, second derivative, C) */
#define MS_FUNCTIONS_OF_TWO(X)                                                                               \
    X(ADD, "+", a + b, 1.0, 1.0, 0.0, "%s + %s")                                                             \
    X(SUBTRACT, "-", a - b, 1.0, -1.0, 0.0, "%s - %s")                                                       \
    X(MULTIPLY, "*", a *b, b, a, 2.0 * da * db, "%s * %s")                                                   \
    X(DIVIDE, "/", a / b, 1.0 / b, -r / b, 2.0 * db * (r * db - da) / b / b, "%s / %s")                      \
    X(POW, "pow", pow(a, b), b == 0.0 ? 0.0 : b * pow(a, b - 1.0), r == 0.0 ? 0.0 : r * log(a),              \
      ms_pow_second(a, b, r, da, db), "pow(%s, %s)")                                                         \
    X(ATAN2, "atan2", atan2(a, b), b / hypot(a, b) / hypot(a, b), -a / hypot(a, b) / hypot(a, b),            \
      -2.0 * ((b * da - a * db) / hypot(a, b) / hypot(a, b)) *                                               \
          ((a * da + b * db) / hypot(a, b) / hypot(a, b)),                                                   \
      "atan2(%s, %s)")                                                                                       \
    X(HYPOT, "hypot", hypot(a, b), r > 0.0 ? a / r : 0.0, r > 0.0 ? b / r : 0.0,                             \
      (b * da - a * db) / r * ((b * da - a * db) / r) / r, "hypot(%s, %s)")                                  \
    X(FMOD, "fmod", fmod(a, b), 1.0, -trunc(a / b), 0.0, "fmod(%s, %s)")                                     \
    X(MOD, "mod", a - floor(a / b) * b, 1.0, -floor(a / b), 0.0, "%1$s - floor(%1$s / %2$s) * %2$s")         \
    X(REMAINDER, "remainder", remainder(a, b), 1.0, -rint(a / b), 0.0, "remainder(%s, %s)")                  \
    X(COPYSIGN, "copysign", copysign(a, b), signbit(a) == signbit(b) ? 1.0 : -1.0, 0.0, 0.0,                 \
      "copysign(%s, %s)")                                                                                    \
    X(NEXTAFTER, "nextafter", nextafter(a, b), 1.0, 0.0, 0.0, "nextafter(%s, %s)")                           \
    X(FDIM, "fdim", fdim(a, b), a > b ? 1.0 : 0.0, a > b ? -1.0 : 0.0, 0.0, "fdim(%s, %s)")                  \
    X(LDEXP, "ldexp", a *exp2(trunc(b)), exp2(trunc(b)), 0.0, 0.0, "%s * exp2(trunc(%s))")                   \
    X(MIN, "min", fmin(a, b), a <= b ? 1.0 : 0.0, a <= b ? 0.0 : 1.0, 0.0, "fmin(%s, %s)")                   \
    X(MAX, "max", fmax(a, b), a >= b ? 1.0 : 0.0, a >= b ? 0.0 : 1.0, 0.0, "fmax(%s, %s)")                   \
    X(LESS, "<", (double)(a < b), 0.0, 0.0, 0.0, "(double)(%s < %s)")                                        \
    X(LESS_EQUAL, "<=", (double)(a <= b), 0.0, 0.0, 0.0, "(double)(%s <= %s)")                               \
    X(GREATER, ">", (double)(a > b), 0.0, 0.0, 0.0, "(double)(%s > %s)")                                     \
    X(GREATER_EQUAL, ">=", (double)(a >= b), 0.0, 0.0, 0.0, "(double)(%s >= %s)")                            \
    X(EQUAL, "==", (double)(a == b), 0.0, 0.0, 0.0, "(double)(%s == %s)")                                    \
    X(UNEQUAL, "!=", (double)(a != b), 0.0, 0.0, 0.0, "(double)(%s != %s)")                                  \
    X(AND, "&&", (double)(a != 0.0 && b != 0.0), 0.0, 0.0, 0.0, "(double)(%s != 0.0 && %s != 0.0)")          \
    X(OR, "||", (double)(a != 0.0 || b != 0.0), 0.0, 0.0, 0.0, "(double)(%s != 0.0 || %s != 0.0)")

/* X(SYMBOL, name, value, derivative by a, by b, by c, second derivative, C) */
#define MS_FUNCTIONS_OF_THREE(X)                                                                             \
    X(IF, "if", a != 0.0 ? b : c, 0.0, a != 0.0 ? 1.0 : 0.0, a != 0.0 ? 0.0 : 1.0, 0.0,                      \
      "%s != 0.0 ? %s : %s")                                                                                 \
    X(FMA, "fma", fma(a, b, c), b, a, 1.0, 2.0 * da * db, "fma(%s, %s, %s)")

typedef enum ms_operation {
    MS_OF_NUMBER,   /* a number */
    MS_OF_VARIABLE, /* a value from outside */
#define ROW_1(symbol, name, value, derivative, second, c)       MS_OF_##symbol,
#define ROW_2(symbol, name, value, by_a, by_b, second, c)       MS_OF_##symbol,
#define ROW_3(symbol, name, value, by_a, by_b, by_c, second, c) MS_OF_##symbol,
    MS_FUNCTIONS_OF_ONE(ROW_1) MS_FUNCTIONS_OF_TWO(ROW_2) MS_FUNCTIONS_OF_THREE(ROW_3)
#undef ROW_1
#undef ROW_2
#undef ROW_3
        MS_OPERATIONS
} ms_operation;

typedef struct ms_operation_row {
    const char *name, *c;
    int operands;
} ms_operation_row;

extern const ms_operation_row ms_operation_table[MS_OPERATIONS];

/* The logarithmic derivative of the gamma function and the derivative of that; NaN at the poles. */
double ms_digamma(double a);
double ms_trigamma(double a);

/* The second derivative of r = a^b along (da, db). */
double ms_pow_second(double a, double b, double r, double da, double db);

/* Rows of the lists may have the same value or derivative: NOLINTBEGIN(bugprone-branch-clone) */

/* Its value. */
static inline double ms_operation_value(ms_operation operation, double a, double b, double c)
{
#define CASE_1(symbol, name, value, derivative, second, text)                                                \
    case MS_OF_##symbol:                                                                                     \
        return value;
#define CASE_2(symbol, name, value, by_a, by_b, second, text) CASE_1(symbol, name, value, by_a, second, text)
#define CASE_3(symbol, name, value, by_a, by_b, by_c, second, text)                                          \
    CASE_1(symbol, name, value, by_a, second, text)
    switch ((int)operation) {
        MS_FUNCTIONS_OF_ONE(CASE_1)
        MS_FUNCTIONS_OF_TWO(CASE_2)
        MS_FUNCTIONS_OF_THREE(CASE_3)
    default:
        return NAN;
    }
#undef CASE_1
#undef CASE_2
#undef CASE_3
}

/* Partial derivatives by operands where its value is r. */
static inline void ms_operation_partials(ms_operation operation, double a, double b, double c, double r,
                                         double partial[3])
{
    partial[0] = partial[1] = partial[2] = 0.0;
#define ROW_1(symbol, name, value, derivative, second, text)                                                 \
    case MS_OF_##symbol:                                                                                     \
        partial[0] = derivative;                                                                             \
        break;
#define ROW_2(symbol, name, value, by_a, by_b, second, text)                                                 \
    case MS_OF_##symbol:                                                                                     \
        partial[0] = by_a;                                                                                   \
        partial[1] = by_b;                                                                                   \
        break;
#define ROW_3(symbol, name, value, by_a, by_b, by_c, second, text)                                           \
    case MS_OF_##symbol:                                                                                     \
        partial[0] = by_a;                                                                                   \
        partial[1] = by_b;                                                                                   \
        partial[2] = by_c;                                                                                   \
        break;
    switch (operation) {
        MS_FUNCTIONS_OF_ONE(ROW_1)
        MS_FUNCTIONS_OF_TWO(ROW_2)
        MS_FUNCTIONS_OF_THREE(ROW_3)
    case MS_OF_NUMBER:
    case MS_OF_VARIABLE:
    case MS_OPERATIONS:
        break;
    }
#undef ROW_1
#undef ROW_2
#undef ROW_3
    (void)c;
    (void)r;
}

/* The second derivative along d where its value is r. */
static inline double ms_operation_second(ms_operation operation, const double v[3], double r,
                                         const double d[3])
{
    const double a = v[0], b = v[1], da = d[0], db = d[1];
#define CASE_1(symbol, name, value, derivative, second, text)                                                \
    case MS_OF_##symbol:                                                                                     \
        return (second)*da * da;
#define CASE_2(symbol, name, value, by_a, by_b, second, text)                                                \
    case MS_OF_##symbol:                                                                                     \
        return second;
#define CASE_3(symbol, name, value, by_a, by_b, by_c, second, text)                                          \
    CASE_2(symbol, name, value, by_a, by_b, second, text)
    switch ((int)operation) {
        MS_FUNCTIONS_OF_ONE(CASE_1)
        MS_FUNCTIONS_OF_TWO(CASE_2)
        MS_FUNCTIONS_OF_THREE(CASE_3)
    default:
        return 0.0;
    }
#undef CASE_1
#undef CASE_2
#undef CASE_3
}

/* NOLINTEND(bugprone-branch-clone) */
