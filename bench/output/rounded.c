/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rounded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int decade(double value)
{
    return (int)floor(log10(fabs(value)));
}

static int known_digits(double value, double error, int most)
{
    const int known = error > 0.0 ? decade(value) - decade(error) + 1 : most;
    return known < 1 ? 1 : known > most ? most : known;
}

void ms_rounded_text(double value, double error, int digits, char text[MS_ROUNDED_SIZE])
{
    const int known = known_digits(value, error, digits);
    if (!(error >= 0.0) || !isfinite(value) || value == 0.0) {
        snprintf(text, MS_ROUNDED_SIZE, "%.*g", digits, value);
        return;
    }
    snprintf(text, MS_ROUNDED_SIZE, "%#.*g", known, value);
    char *point = strchr(text, '.');
    if (point != NULL && (point[1] == '\0' || point[1] == 'e'))
        memmove(point, point + 1, strlen(point));
}
