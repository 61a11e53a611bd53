/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delay_line.h - waves that were sent at communication points, and what of them arrives a delay later, linear between the points.
 *
 * Waves of n ends stand newest first, wave[k n + e] that of end e at the k-th last point, with ages[k], what has passed since then,
 * ascending from ages[0] = 0. Before the start waves were constant: between two points of which neither lies behind the start
 * the older one is held. What this room has of mathematics, for scheme_tlm.c alone. */
#ifndef MS_DELAY_LINE_H
#define MS_DELAY_LINE_H

/* Two delays, of which the second is there where waves are damped, have at most this many points within a macro-step, and one
 * piece more. */
enum { MS_DELAYS_MAX = 2, MS_DELAY_PIECES = MS_DELAYS_MAX + 1, MS_DELAY_POINTS_MAX = 200000 };

typedef struct ms_delay_line {
    int n, points;
    const double *ages; /* (points) [s] */
    const double *wave; /* (points x n) */
    double since;       /* the start [s] */
} ms_delay_line;

/* How many points a delay needs where all macro-steps are `step` long, MS_DELAY_POINTS_MAX at most. */
int ms_delay_points(double delay, double step);

/* Ends of the pieces of a macro-step of length h, of each of which no point arrives inside: delays [s] (n_delays), end
 * (MS_DELAY_PIECES). Points that arrive by round-off at its ends are there. Returns how many pieces. */
int ms_delay_pieces(const ms_delay_line *line, int n_delays, const double *delays, double h, double *end);

/* value[0] + value[1] (s - begin) is what of end e arrives at s after the start of the macro-step, for begin <= s <= end, a piece
 * of ms_delay_pieces. */
void ms_delay_arriving(const ms_delay_line *line, int e, double delay, double begin, double end,
                       double value[2]);

/* A macro-step of length h is over: all points are older by h, the oldest goes, and wave[0 .. n-1] is free for the new one. */
void ms_delay_shift(int n, int points, double h, double *ages, double *wave);

#endif
