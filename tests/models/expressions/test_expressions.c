/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_expressions.c - values against what the C compiler makes of the same text, derivatives against differences. */
#include "expressions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "structure.h"
#include "support.h"
#include "unit_test.h"

static const double pi = 3.14159265358979323846;
static const char *const state_names[] = {"x", "y", "z"}, *const parameter_names[] = {"k", "x1e"};
static const ms_names names = {
    .n = {[MS_NAMES_PARAMETERS] = 2, [MS_NAMES_STATES] = 3},
    .name = {[MS_NAMES_PARAMETERS] = parameter_names, [MS_NAMES_STATES] = state_names}};

/* One expression at a point. */
static double value_of(const char *text, double t, const double *p, const double *x)
{
    ms_structure owner = {0};
    const ms_expressions *e;
    ms_expression_fault fault;
    double value;
    const double *const of[MS_NAME_GROUPS] = {
        [MS_NAMES_TIME] = &t, [MS_NAMES_PARAMETERS] = p, [MS_NAMES_STATES] = x};
    if (ms_expressions_create(&owner, &names, 1, &text, true, &e, &fault) != MS_OK)
        fail_msg("%s: %s", text, fault.text);
    (void)ms_expressions_evaluate(e, of, &value);
    ms_structure_free(&owner);
    return value;
}

static const double points[][4] = {
    {0.7, 1.3, 2.9, 0.0}, {-1.5, 0.25, 0.25, 1.0}, {3.0, 4.5, -0.5, 2.0}, {0.1, -6.0, 7.0, 0.3}};
static const double p[] = {1.25, 0.3};

static double sign(double a)
{
    return (a > 0.0) - (a < 0.0);
}

#define SAME(text, expected)                                                                                 \
    for (int i = 0; i < MS_COUNT(points); i++) {                                                             \
        const double x = points[i][0], y = points[i][1], z = points[i][2], t = points[i][3], k = p[0];       \
        const double found = value_of(text, t, p, points[i]), right = (double)(expected);                    \
        (void)x, (void)y, (void)z, (void)t, (void)k;                                                         \
        if (!(fabs(found - right) <= 4e-16 * fabs(right)) && found != right &&                               \
            !(isnan(found) && isnan(right)))                                                                 \
            fail_msg("%s at point %d: %.17g, but %.17g is right", text, i, found, right);                    \
    }
/* What is written the same way in C. */
#define ALIKE(expression) SAME(#expression, expression)

static void test_values(void **state)
{
    (void)state;
    ALIKE(1.0 / 2 * x)
    ALIKE(x - y - z)
    ALIKE(x / y / z)
    ALIKE(-2 * -x)
    ALIKE(x - -y + +z)
    ALIKE(3.0 / 4 + 1e-3 - 1E+2 * y + .5 + 2.)
    ALIKE(x < y)
    ALIKE((x < y) / (1.0 + (y >= z)) / 2)
    ALIKE((x != y && y <= z) || x == 7)
    ALIKE((x > 0 || y > 5) == 1)
    ALIKE(x > y ? 1.0 / 3 : 2.0 / 3)
    ALIKE(x < 0 ? 1 : y < 0 ? 2 : 3)
    ALIKE(x < 0 ? y < 0 ? 1.0 : 2.0 : z > 0 ? 4.0 / 3 : 5.0)
    ALIKE(!(x > 0) + !(x < y))
    SAME("!x", x == 0.0)
    ALIKE(sin(x) * cos(y) * tan(z))
    ALIKE(asin(x / 10) + acos(y / 10) + atan(z))
    ALIKE(atan2(x, -y))
    ALIKE(sinh(x) + cosh(y) + tanh(z))
    ALIKE(asinh(x) + acosh(2 + y * y) + atanh(z / 10))
    ALIKE(exp(-x) + exp2(y) + expm1(z))
    ALIKE(log(2 + x * x) + log2(2 + y * y) + log10(1 + z * z) + log1p(x * x))
    ALIKE(sqrt(y * y) + cbrt(x) + hypot(x, z))
    ALIKE(erf(x) + erfc(y) + lgamma(2 + x * x) + tgamma(1 + z * z / 40))
    ALIKE(floor(x) + ceil(y) + round(z) + rint(x) + trunc(y) + nearbyint(z))
    SAME("lrint(x) + lround(y) + logb(z) + ilogb(x)", rint(x) + round(y) + logb(z) + logb(x))
    ALIKE(fmod(x, y) + remainder(z, y) + copysign(x, z) + fdim(x, y))
    ALIKE(fmin(x, y) + fmax(y, z) + fabs(x) + fma(x, y, z))
    ALIKE(ldexp(x, 3) + scalbn(y, 2))
    ALIKE(pow(fabs(x), y) + nextafter(x, y))
    ALIKE(sign(x) * sign(-y) + sign(x - x))
    SAME("--3 + - -x - --y", 3.0 + x - y)
    SAME("-x^2", -(x * x))
    SAME("2^-y", pow(2.0, -y))
    SAME("2^y^0.5", pow(2.0, pow(y, 0.5)))
    SAME("x^3 + y^4", x * x * x + y * y * (y * y))
    SAME("-2^-2^2", -pow(2.0, -4.0))
    SAME("min(x, y, z, -x*y)", fmin(fmin(fmin(x, y), z), -x * y))
    SAME("max(x*y, (y + z)*2, min(y, z)) + max(x)", fmax(fmax(x * y, (y + z) * 2), fmin(y, z)) + x)
    SAME("sum(x, y, z) + avg(x, y, z, t)", (x + y + z) + (x + y + z + t) / 4)
    SAME("mod(x, y) + if(x > y, z, t)", x - floor(x / y) * y + (x > y ? z : t))
    SAME("ln(abs(x) + 1) + pi", log(fabs(x) + 1) + pi)
    SAME("x1e-3 + x1e - 2", 0.3 - 3 + 0.3 - 2)
    SAME("((((x))))", x)
    SAME("k*x + t", k * x + t)
    SAME("y < 0 ? 1 : sqrt(y)", y < 0 ? 1.0 : sqrt(y))
    SAME("1/0", INFINITY)
    SAME("x<y==(y>x)", (x < y) == (y > x))
}

/* All operations that have derivatives. */
static const char *const moving[] = {"x*y/z - x^3 + 2^x",
                                     "sin(x)*cos(y) + tan(z/9)",
                                     "asin(x/9) + acos(y/9) + atan(z)",
                                     "sinh(x)*cosh(y) - tanh(z)",
                                     "asinh(x) + acosh(9 + y) + atanh(z/9)",
                                     "exp(x*y/9) + exp2(z) + expm1(x)",
                                     "log(9 + x)*log2(9 + y) + log10(9 + z) + log1p(9 + x)",
                                     "sqrt(9 + x) + cbrt(y) + hypot(x, z)",
                                     "erf(x) - erfc(z)",
                                     "lgamma(7 + x) + tgamma(7.5 + z/9) + lgamma(y/3 + 0.1)",
                                     "abs(x)*sign(y) + floor(z)*x",
                                     "ceil(x)*y + round(y)*z + rint(z)*x + trunc(y)*y",
                                     "(9 + x)^(y/9) + (9 + z)^0.3",
                                     "atan2(x, y) + atan2(y, z)",
                                     "fmod(x, y) + mod(y, z) + remainder(z, x)",
                                     "copysign(x, z)*fdim(x, y) + ldexp(z, 2)",
                                     "min(x, y)*max(y, z, 2*x)",
                                     "(x < y)*z + (x >= z)*y + !x*z",
                                     "x > y ? x*z : y^2",
                                     "if(x > 0 && y > 0, x*y, z) + fma(x, y, z)",
                                     "sum(x, y^2, z) - avg(x, y)",
                                     "x > 100 ? sqrt(x - 100) : x",
                                     "-(x - y)*(k + t)"};

/* Each against the slope of values; a right value that a formula gives besides is beyond what differences show. */
static void test_derivatives(void **state)
{
    enum { N = MS_COUNT(moving) };
    const ms_expressions *e;
    ms_structure owner = {0};
    double M[N * 3], above[N], below[N], direction[N];
    (void)state;
    assert_int_equal(ms_expressions_create(&owner, &names, N, moving, true, &e, &(ms_expression_fault){0}),
                     MS_OK);
    for (int i = 0; i < MS_COUNT(points); i++) {
        double x[3] = {points[i][0] + 0.01, points[i][1] + 0.02, points[i][2] + 0.03},
               along[3] = {0.5, -2.0, 3.0};
        const double t = points[i][3];
        const double *const of[MS_NAME_GROUPS] = {
            [MS_NAMES_TIME] = &t, [MS_NAMES_PARAMETERS] = p, [MS_NAMES_STATES] = x};
        const double *const of_along[MS_NAME_GROUPS] = {[MS_NAMES_STATES] = along};
        (void)ms_expressions_differentiate(e, MS_NAMES_STATES, of, M);
        (void)ms_expressions_along(e, of, of_along, direction);
        for (int j = 0; j < 3; j++) {
            const double kept = x[j], step = 1e-5;
            x[j] = kept + step;
            (void)ms_expressions_evaluate(e, of, above);
            x[j] = kept - step;
            (void)ms_expressions_evaluate(e, of, below);
            x[j] = kept;
            for (int k = 0; k < N; k++) {
                const double slope = (above[k] - below[k]) / (2.0 * step), found = M[3 * k + j];
                if (isfinite(slope) && !(fabs(found - slope) <= 1e-7 * (1.0 + fabs(slope) + fabs(above[k]))))
                    fail_msg("%s at point %d by %s: %.12g, differences say %.12g", moving[k], i,
                             state_names[j], found, slope);
            }
        }
        for (int k = 0; k < N; k++) {
            const double sum = M[3 * k] * along[0] + M[3 * k + 1] * along[1] + M[3 * k + 2] * along[2];
            assert_true(!isfinite(sum) || fabs(sum - direction[k]) <= 1e-12 * (1.0 + fabs(sum)));
        }
    }
    ms_structure_free(&owner);
}

/* First derivatives at s on the curve x = x0 + d s + c s^2 / 2, t = t0 + s, and the second ones at s = 0. */
static void follow(const ms_expressions *e, const double *point, double s, double *first, double *second)
{
    static const double d[] = {0.5, -2.0, 3.0}, c[] = {-1.5, 0.75, 4.0}, one = 1.0;
    double x[3], dx[3];
    for (int j = 0; j < 3; j++) {
        x[j] = point[j] + 0.01 * (j + 1) + s * (d[j] + 0.5 * s * c[j]);
        dx[j] = d[j] + s * c[j];
    }
    const double t = point[3] + s;
    const double *const of[MS_NAME_GROUPS] = {
        [MS_NAMES_TIME] = &t, [MS_NAMES_PARAMETERS] = p, [MS_NAMES_STATES] = x};
    const double *const rate[MS_NAME_GROUPS] = {[MS_NAMES_TIME] = &one, [MS_NAMES_STATES] = dx};
    const double *const change[MS_NAME_GROUPS] = {[MS_NAMES_STATES] = c};
    if (second == NULL)
        (void)ms_expressions_along(e, of, rate, first);
    else
        (void)ms_expressions_along_curve(e, of, rate, change, first, second);
}

/* Second derivatives against the slope of first ones, which are those above. */
static void test_second_derivatives(void **state)
{
    enum { N = MS_COUNT(moving) };
    const double step = 1e-5;
    const ms_expressions *e;
    ms_structure owner = {0};
    double above[N], below[N], first[N], again[N], second[N];
    (void)state;
    assert_int_equal(ms_expressions_create(&owner, &names, N, moving, true, &e, &(ms_expression_fault){0}),
                     MS_OK);
    for (int i = 0; i < MS_COUNT(points); i++) {
        follow(e, points[i], step, above, NULL);
        follow(e, points[i], -step, below, NULL);
        follow(e, points[i], 0.0, first, NULL);
        follow(e, points[i], 0.0, again, second);
        for (int k = 0; k < N; k++) {
            const double slope = (above[k] - below[k]) / (2.0 * step), size = fabs(slope) + fabs(above[k]);
            if (isfinite(slope) && !(fabs(second[k] - slope) <= 1e-7 * (1.0 + size)))
                fail_msg("%s at point %d: %.12g, differences say %.12g", moving[k], i, second[k], slope);
            assert_true(!isfinite(first[k]) || first[k] == again[k]);
        }
    }
    ms_structure_free(&owner);
}

/* On x = s, y = s^2, z = -s, at s = 0, where pieces meet: the right-hand derivatives, and where powers meet zero. */
static void test_where_pieces_meet(void **state)
{
    static const struct {
        const char *text;
        double first, second;
    } expected[] = {{"abs(x)", 1, 0},         {"abs(y)", 0, 2},
                    {"abs(z)", 1, 0},         {"abs(z - y)", 1, 2},
                    {"abs(-y)", 0, 2},        {"max(x, y)", 1, 0},
                    {"min(x, y)", 0, 2},      {"max(z, 0)", 0, 0},
                    {"min(z, x)", -1, 0},     {"max(0, x)", 1, 0},
                    {"fdim(y, x)", 0, 0},     {"fdim(x, y)", 1, -2},
                    {"max(x, x)", 1, 0},      {"x^2", 0, 2},
                    {"pow(x, 3)", 0, 0},      {"pow(1 + x, x)", 0, 2},
                    {"copysign(z, 1)", 1, 0}, {"x*z", 0, -2},
                    {"y/(1 - x)", 0, 2},      {"x > 0 ? 1/x : z", -1, 0},
                    {"hypot(x, 1)", 0, 1},    {"atan2(x, 1 + x)", 1, -2},
                    {"fma(x, x, y)", 0, 4},   {"hypot(3*x, 4*z)", 5, 0},
                    {"hypot(y, x + z)", 0, 2}};
    (void)state;
    for (int k = 0; k < MS_COUNT(expected); k++) {
        const ms_expressions *e;
        ms_structure owner = {0};
        const double zero[3] = {0.0}, d[] = {1.0, 0.0, -1.0}, c[] = {0.0, 2.0, 0.0};
        const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_STATES] = zero};
        const double *const rate[MS_NAME_GROUPS] = {[MS_NAMES_STATES] = d};
        const double *const change[MS_NAME_GROUPS] = {[MS_NAMES_STATES] = c};
        double first = NAN, second = NAN;
        assert_int_equal(
            ms_expressions_create(&owner, &names, 1, &expected[k].text, true, &e, &(ms_expression_fault){0}),
            MS_OK);
        const int status = ms_expressions_along_curve(e, of, rate, change, &first, &second);
        if (status != 0 || first != expected[k].first || second != expected[k].second)
            fail_msg("%s: %g and %g", expected[k].text, first, second);
        ms_structure_free(&owner);
    }
}

/* Small states have the same relative accuracy as large ones: x'' of a hardening spring in units of 1e-9. */
static void test_derivative_of_small_states(void **state)
{
    static const char *const text[] = {"-x - x^3/1e-18"};
    const ms_expressions *e;
    ms_structure owner = {0};
    const double x[3] = {1e-9, 0.0, 0.0};
    double M[3];
    const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_STATES] = x};
    (void)state;
    assert_int_equal(ms_expressions_create(&owner, &names, 1, text, true, &e, &(ms_expression_fault){0}),
                     MS_OK);
    assert_int_equal(ms_expressions_differentiate(e, MS_NAMES_STATES, of, M), 0);
    assert_true(fabs(M[0] + 4.0) < 1e-14 && M[1] == 0.0 && M[2] == 0.0);
    ms_structure_free(&owner);
}

/* Where a derivative divides or multiplies by zero, an infinity, or a square that over- or underflows. */
static void test_derivatives_at_edges(void **state)
{
    static const struct {
        const char *text;
        double x, y, by_x, by_y;
    } expected[] = {{"x^0", 0, 0, 0, 0},
                    {"x^y", 0, 2, 0, 0},
                    {"x^y", 0, 1, 1, 0},
                    {"pow(0, y)", 0, 3, 0, 0},
                    {"pow(x, y - y)", 0, 3, 0, 0},
                    {"hypot(x, y)", 0, 0, 0, 0},
                    {"hypot(x, y)", 3e-200, 4e-200, 0.6, 0.8},
                    {"atan2(x, y)", 5e200, 0, 0, -2e-201},
                    {"atan2(x, y)", 0, -4e-200, -2.5e199, 0}};
    (void)state;
    for (int k = 0; k < MS_COUNT(expected); k++) {
        const ms_expressions *e;
        ms_structure owner = {0};
        const double x[3] = {expected[k].x, expected[k].y, 0.0};
        double M[3];
        const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_STATES] = x};
        assert_int_equal(
            ms_expressions_create(&owner, &names, 1, &expected[k].text, true, &e, &(ms_expression_fault){0}),
            MS_OK);
        const int status = ms_expressions_differentiate(e, MS_NAMES_STATES, of, M);
        const double by_x = expected[k].by_x, by_y = expected[k].by_y;
        if (status != 0 || !(fabs(M[0] - by_x) <= 1e-15 * fabs(by_x)) ||
            !(fabs(M[1] - by_y) <= 1e-15 * fabs(by_y)))
            fail_msg("%s at %g, %g: %.17g and %.17g", expected[k].text, x[0], x[1], M[0], M[1]);
        ms_structure_free(&owner);
    }
}

static void test_reads(void **state)
{
    static const char *const text[] = {"x + 0*y", "k*t", "z > 0 ? 1 : 2", "3"};
    const ms_expressions *e;
    ms_structure owner = {0};
    (void)state;
    assert_int_equal(ms_expressions_create(&owner, &names, 4, text, true, &e, &(ms_expression_fault){0}),
                     MS_OK);
    static const bool reads[4][3] = {
        {true, true, false}, {false, false, false}, {false, false, true}, {false, false, false}};
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 3; j++)
            assert_true(ms_expressions_read(e, k, MS_NAMES_STATES, j) == reads[k][j]);
    assert_true(ms_expressions_read(e, 1, MS_NAMES_TIME, 0) &&
                ms_expressions_read(e, 1, MS_NAMES_PARAMETERS, 0));
    assert_false(ms_expressions_read(e, 0, MS_NAMES_TIME, 0));
    ms_structure_free(&owner);
}

static bool is_linear(const char *text)
{
    const ms_expressions *e;
    ms_structure owner = {0};
    assert_int_equal(ms_expressions_create(&owner, &names, 1, &text, true, &e, &(ms_expression_fault){0}),
                     MS_OK);
    const bool linear = ms_expressions_linear(e);
    ms_structure_free(&owner);
    return linear;
}

static void test_linear(void **state)
{
    static const char *const
        linear[] = {"x", "0", "-k*x + y/(k^2)", "(x + y)*sin(k) - 2*(z - x)", "k > 0 ? x : 0", "x - 0"},
        *const other[] = {"1", "x + 1", "x*y", "x^2", "t*x", "x + t", "x > 0 ? x : y", "k/x", "abs(x)", "k"};
    (void)state;
    for (int k = 0; k < MS_COUNT(linear); k++)
        assert_true(is_linear(linear[k]));
    for (int k = 0; k < MS_COUNT(other); k++)
        assert_false(is_linear(other[k]));
}

static void test_faults(void **state)
{
    static const char *const bad[][2] = {
        {"", "it ends where a value is expected"},
        {"x +", "it ends where a value is expected"},
        {"x y", "at position 3, 'y': an operator is expected"},
        {"q*x", "at position 1, 'q': a name that is known is expected"},
        {"foo(x)", "at position 1, 'foo': a function that is known is expected"},
        {"1 + sin2(x)", "at position 5, 'sin2': a function that is known is expected, the nearest is sin"},
        {"sin(x", "it ends where ')' is expected"},
        {"(x*(y)", "it ends where ')' is expected"},
        {"x)", "at position 2, ')': an operator is expected"},
        {"x = 2", "== for a comparison"},
        {"x, y", "at position 2, ',': one value is expected"},
        {"atan2(x)", "a comma and one more argument is expected"},
        {"sin(x, y)", "')' is expected"},
        {"x > 1 ? 2", "it ends where ':' is expected"},
        {"0x10", "a number is expected"},
        {"1e", "a number is expected"},
        {".", "a number is expected"},
        {"x @ y", "at position 3, '@': an operator is expected"},
        {"x * \xc3\xa9", "'\xc3\xa9': a value is expected"},
    };
    (void)state;
    for (int k = 0; k < MS_COUNT(bad); k++) {
        const ms_expressions *e;
        ms_structure owner = {0};
        ms_expression_fault fault;
        assert_int_equal(ms_expressions_create(&owner, &names, 1, &bad[k][0], true, &e, &fault), MS_INVALID);
        if (strstr(fault.text, bad[k][1]) == NULL)
            fail_msg("'%s': \"%s\" does not say \"%s\"", bad[k][0], fault.text, bad[k][1]);
        ms_structure_free(&owner);
    }
}

/* "((..x..))" with n parentheses, or x+x+.. with n terms. */
static int read_long(int n, bool nested)
{
    char *text = calloc((size_t)(2 * n + 2), 1);
    const ms_expressions *e;
    ms_structure owner = {0};
    double value;
    const double x[3] = {1.0, 0.0, 0.0};
    const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_STATES] = x};
    memset(text, nested ? '(' : 'x', (size_t)n);
    for (int k = 0; k < n; k++)
        text[nested ? n + 1 + k : 2 * k + 1] = nested ? ')' : k < n - 1 ? '+' : '\0';
    for (int k = 0; k < n && !nested; k++)
        text[2 * k] = 'x';
    text[nested ? n : 0] = 'x';
    const char *const given = text;
    const int status = ms_expressions_create(&owner, &names, 1, &given, true, &e, &(ms_expression_fault){0});
    if (status == MS_OK) {
        (void)ms_expressions_evaluate(e, of, &value);
        assert_true(value == (nested ? 1.0 : n));
    }
    ms_structure_free(&owner);
    free(text);
    return status;
}

static void test_limits(void **state)
{
    (void)state;
    assert_int_equal(read_long(400, true), MS_OK);
    assert_int_equal(read_long(600, true), MS_INVALID);
    assert_int_equal(read_long(4999, false), MS_OK);
    assert_int_equal(read_long(5001, false), MS_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_second_derivatives),
        cmocka_unit_test(test_where_pieces_meet),
        cmocka_unit_test(test_derivative_of_small_states),
        cmocka_unit_test(test_derivatives_at_edges),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
