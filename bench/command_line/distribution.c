/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "distribution.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/options.h>

static const char *const names[] = {[MS_DISTRIBUTION_NORMAL] = "normal",
                                    [MS_DISTRIBUTION_LOGNORMAL] = "lognormal",
                                    [MS_DISTRIBUTION_UNIFORM] = "uniform",
                                    [MS_DISTRIBUTION_LOGUNIFORM] = "loguniform"};

enum { KINDS = sizeof names / sizeof names[0] };

bool ms_distribution_is(const char *text)
{
    const size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
    return letters > 0 && text[letters] == '(';
}

static int find_kind(const char *text, size_t length)
{
    int kind = MS_DISTRIBUTION_NONE + 1;
    while (kind < KINDS && (strlen(names[kind]) != length || strncmp(names[kind], text, length) != 0))
        kind++;
    return kind;
}

/* Reads the number before the terminator, with blanks around it; returns the rest, NULL: there is no number. */
static const char *read_number(const char *text, char terminator, double *value)
{
    char word[64];
    text += strspn(text, " ");
    const size_t length = strcspn(text, " ,)");
    const char *end = text + length + strspn(text + length, " ");
    if (length >= sizeof word || *end != terminator)
        return NULL;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    return ms_option_number(word, value) ? end + 1 : NULL;
}

static int check(const char *what, const ms_distribution *d, ms_error *error)
{
    const bool normal = d->kind == MS_DISTRIBUTION_NORMAL || d->kind == MS_DISTRIBUTION_LOGNORMAL;
    if (normal && !(d->of[1] > 0.0))
        return ms_fail(error, MS_INVALID, "%s: the standard deviation must be greater than 0", what);
    if (!normal && !(d->of[0] < d->of[1]))
        return ms_fail(error, MS_INVALID, "%s: the first number must be less than the second one", what);
    if (d->kind == MS_DISTRIBUTION_LOGUNIFORM && !(d->of[0] > 0.0))
        return ms_fail(error, MS_INVALID, "%s: both numbers must be greater than 0", what);
    return MS_OK;
}

int ms_distribution_read(const char *what, const char *text, ms_distribution *distribution, ms_error *error)
{
    const size_t length = strcspn(text, "(");
    const int kind = find_kind(text, length);
    *distribution = (ms_distribution){.kind = MS_DISTRIBUTION_NONE};
    if (kind == KINDS)
        return ms_fail(error, MS_INVALID,
                       "%s: %.*s is not a distribution; there are normal(MEAN,SD), lognormal(MU,SIGMA) of "
                       "the logarithm, uniform(A,B) and loguniform(A,B)",
                       what, (int)length, text);
    const char *rest = read_number(text + length + 1, ',', &distribution->of[0]);
    rest = rest != NULL ? read_number(rest, ')', &distribution->of[1]) : NULL;
    if (rest == NULL || *rest != '\0')
        return ms_fail(error, MS_INVALID,
                       "%s: must be %s(A,B) with two finite numbers, and not be part of "
                       "a list",
                       what, names[kind]);
    distribution->kind = (ms_distribution_kind)kind;
    return check(what, distribution, error);
}

double ms_distribution_quantile(const ms_distribution *distribution, double p)
{
    const double *of = distribution->of;
    switch (distribution->kind) {
    case MS_DISTRIBUTION_NORMAL:
        return of[0] + of[1] * gsl_cdf_ugaussian_Pinv(p);
    case MS_DISTRIBUTION_LOGNORMAL:
        return exp(of[0] + of[1] * gsl_cdf_ugaussian_Pinv(p));
    case MS_DISTRIBUTION_UNIFORM:
        return of[0] + p * (of[1] - of[0]);
    case MS_DISTRIBUTION_LOGUNIFORM:
        return of[0] * pow(of[1] / of[0], p);
    default:
        return NAN;
    }
}
