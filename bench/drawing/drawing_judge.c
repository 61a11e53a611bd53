/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawing_judge.c - values that decide checks, and how a test moves them. */
#include "drawing_parts.h"

#include <math.h>
#include <string.h>

static bool is_within(double value, double low, double high)
{
    return value >= low && value <= high;
}

bool ms_judge_moves(ms_drawing *drawing)
{
    return ++drawing->judged == drawing->moved;
}

double ms_judge_moved(double value, double low, double high)
{
    if (!is_within(value, low, high))
        return isfinite(high) ? high : low;
    return isfinite(high) ? high + 1.0 + fabs(high) : low - 1.0 - fabs(low);
}

bool ms_judge_within(ms_drawing *drawing, double value, double low, double high)
{
    return is_within(ms_judge_moves(drawing) ? ms_judge_moved(value, low, high) : value, low, high);
}

bool ms_judge_at_most(ms_drawing *drawing, double value, double most)
{
    return ms_judge_within(drawing, value, -INFINITY, most);
}

bool ms_judge_at_least(ms_drawing *drawing, double value, double least)
{
    return ms_judge_within(drawing, value, least, INFINITY);
}

bool ms_judge_is(ms_drawing *drawing, double value, double expected)
{
    return ms_judge_within(drawing, value, expected, expected);
}

bool ms_judge_text(ms_drawing *drawing, const char *text, const char *expected)
{
    return ms_judge_is(drawing, strcmp(text, expected) == 0 ? 0.0 : 1.0, 0.0);
}

void ms_judge_nine(ms_drawing *drawing, const double value[MS_ENSEMBLE], double low, double high,
                   bool holds[MS_ENSEMBLE])
{
    const bool moves = ms_judge_moves(drawing);
    for (int k = 0; k < MS_ENSEMBLE; k++)
        holds[k] = is_within(moves ? ms_judge_moved(value[k], low, high) : value[k], low, high);
}

void ms_judge_move(ms_drawing *drawing, int k)
{
    drawing->moved = k;
}

int ms_judge_count(const ms_drawing *drawing)
{
    return drawing->judged;
}

void ms_judge_stuck(ms_drawing *drawing, const char *what)
{
    if (drawing->stuck == NULL)
        drawing->stuck = ms_drawing_text(drawing, "%s", what);
}

const char *ms_judge_first_stuck(const ms_drawing *drawing)
{
    return drawing->stuck;
}
