/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delay_line.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* What is round-off, of a macro-step or of an age. */
static const double TINY = 1e-9;

int ms_delay_points(double delay, double step)
{
    return (int)fmin(ceil(delay / step - TINY), MS_DELAY_POINTS_MAX) + 1;
}

/* One more border, in its place, unless it is there. Returns how many there are. */
static int insert(double *end, int n, double border, double h)
{
    int k = n;
    for (int i = 0; i < n; i++)
        if (fabs(end[i] - border) <= TINY * h)
            return n;
    for (; k > 0 && end[k - 1] > border; k--)
        end[k] = end[k - 1];
    end[k] = border;
    return n + 1;
}

int ms_delay_pieces(const ms_delay_line *line, int n_delays, const double *delays, double h, double *end)
{
    int n = 0;
    for (int d = 0; d < n_delays; d++)
        for (int k = 0; k < line->points; k++) {
            const double at = delays[d] - line->ages[k];
            if (at > TINY * h && at < h * (1.0 - TINY) && n < MS_DELAY_PIECES - 1)
                n = insert(end, n, at, h);
        }
    end[n] = h;
    return n + 1;
}

/* The point of those two between which the age lies that is the newer one. */
static int find(const ms_delay_line *line, double age)
{
    int k = 0;
    while (k < line->points - 2 && line->ages[k + 1] < age)
        k++;
    return k;
}

void ms_delay_arriving(const ms_delay_line *line, int e, double delay, double begin, double end,
                       double value[2])
{
    const int k = find(line, delay - 0.5 * (begin + end)), n = line->n;
    const double age = line->ages[k], newer = line->wave[k * n + e], older = line->wave[(k + 1) * n + e];
    const double slope = (newer - older) / (line->ages[k + 1] - age);
    const bool held = age >= line->since * (1.0 - TINY);
    value[0] = held ? older : newer - slope * (delay - begin - age);
    value[1] = held ? 0.0 : slope;
}

void ms_delay_shift(int n, int points, double h, double *ages, double *wave)
{
    memmove(ages + 1, ages, sizeof *ages * (size_t)(points - 1));
    for (int k = 1; k < points; k++)
        ages[k] += h;
    memmove(wave + n, wave, sizeof *wave * (size_t)(n * (points - 1)));
}
