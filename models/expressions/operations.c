/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operations.h"

const ms_operation_row ms_operation_table[MS_OPERATIONS] = {
#define ROW_1(symbol, name, value, derivative, second, c)       [MS_OF_##symbol] = {name, c, 1},
#define ROW_2(symbol, name, value, by_a, by_b, second, c)       [MS_OF_##symbol] = {name, c, 2},
#define ROW_3(symbol, name, value, by_a, by_b, by_c, second, c) [MS_OF_##symbol] = {name, c, 3},
    [MS_OF_NUMBER] = {"", "", 0},
    [MS_OF_VARIABLE] = {"", "", 0},
    MS_FUNCTIONS_OF_ONE(ROW_1) MS_FUNCTIONS_OF_TWO(ROW_2) MS_FUNCTIONS_OF_THREE(ROW_3)
#undef ROW_1
#undef ROW_2
#undef ROW_3
};

/* By reflection for a < 0, by recurrence up to where the asymptotic series holds to round-off (Abramowitz, Stegun 1964, 6.3). */
double ms_digamma(double a)
{
    static const double pi = 3.14159265358979323846;
    static const double bernoulli[] = {1.0 / 12.0,  -1.0 / 120.0,     1.0 / 252.0, -1.0 / 240.0,
                                       1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0};
    if (a <= 0.0)
        return a == floor(a) ? NAN : ms_digamma(1.0 - a) - pi / tan(pi * (a - floor(a)));
    double sum = 0.0, power = 1.0;
    const int steps = a < 12.0 ? (int)ceil(12.0 - a) : 0;
    for (int k = 0; k < steps; k++)
        sum -= 1.0 / (a + k);
    a += steps;
    sum += log(a) - 0.5 / a;
    for (int k = 0; k < (int)(sizeof bernoulli / sizeof *bernoulli); k++)
        sum -= bernoulli[k] * (power /= a * a);
    return sum;
}

/* Likewise, by the derivatives of the same formulas. */
double ms_trigamma(double a)
{
    static const double pi = 3.14159265358979323846;
    static const double bernoulli[] = {1.0 / 6.0,  -1.0 / 30.0,     1.0 / 42.0, -1.0 / 30.0,
                                       5.0 / 66.0, -691.0 / 2730.0, 7.0 / 6.0};
    if (a <= 0.0) {
        const double sine = sin(pi * (a - floor(a)));
        return a == floor(a) ? NAN : pi / sine * (pi / sine) - ms_trigamma(1.0 - a);
    }
    double sum = 0.0;
    const int steps = a < 12.0 ? (int)ceil(12.0 - a) : 0;
    for (int k = 0; k < steps; k++)
        sum += 1.0 / ((a + k) * (a + k));
    a += steps;
    double power = 1.0 / a;
    sum += power + 0.5 * power * power;
    for (int k = 0; k < (int)(sizeof bernoulli / sizeof *bernoulli); k++)
        sum += bernoulli[k] * (power /= a * a);
    return sum;
}

double ms_pow_second(double a, double b, double r, double da, double db)
{
    double sum = 0.0;
    if (da != 0.0 && b != 0.0 && b != 1.0)
        sum += b * (b - 1.0) * pow(a, b - 2.0) * da * da;
    if (da != 0.0 && db != 0.0)
        sum += 2.0 * pow(a, b - 1.0) * (1.0 + b * log(a)) * da * db;
    if (db != 0.0)
        sum += r * log(a) * log(a) * db * db;
    return sum;
}
