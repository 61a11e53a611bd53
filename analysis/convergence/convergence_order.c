/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/convergence_order.h>

#include <math.h>

static const double SLOPE_TOLERANCE = 0.15; /* of neighbouring local slopes */
static const double NEAR_FLOOR = 20.0;      /* floors within which slopes may be spoilt by round-off */

const char *ms_convergence_note_name(ms_convergence_note note)
{
    static const char *const names[] = {"",     "pre-asymptotic", "floor",     "failed",
                                        "zero", "rising",         "round-off", "unstable"};
    return names[note];
}

static ms_convergence_note note_of(const ms_convergence_row *row)
{
    if (!isfinite(row->error))
        return MS_CONVERGENCE_FAILED;
    if (row->error == 0.0)
        return MS_CONVERGENCE_ZERO;
    return row->error > row->floor ? MS_CONVERGENCE_USED : MS_CONVERGENCE_FLOOR;
}

/* The usable row before row k, or -1. */
static int usable_before(const ms_convergence_row *rows, int k)
{
    do
        k--;
    while (k >= 0 && rows[k].note != MS_CONVERGENCE_USED);
    return k;
}

static void fill_slopes(int n, ms_convergence_row *rows)
{
    for (int k = 0; k < n; k++)
        rows[k].note = note_of(&rows[k]);
    for (int k = 0; k < n; k++) {
        ms_convergence_row *row = &rows[k];
        const int before = usable_before(rows, k);
        row->slope = NAN;
        if (row->note == MS_CONVERGENCE_USED && before >= 0 && row->step_size < rows[before].step_size)
            row->slope = log(row->error / rows[before].error) / log(row->step_size / rows[before].step_size);
    }
}

/* Is there a slope at the usable row before row k, and does that at k agree with it? */
static bool settled(const ms_convergence_row *rows, int k)
{
    const int before = usable_before(rows, k);
    return before >= 0 && fabs(rows[k].slope - rows[before].slope) <= SLOPE_TOLERANCE;
}

/* Does the error at row k fall at the expected rate, or at the rate of the row before? The first row has no slope:
 * the fall from it counts. */
static bool falls(int n, const ms_convergence_row *rows, int k, double expected)
{
    int at = k;
    while (isnan(rows[k].slope) && ++at < n && rows[at].note != MS_CONVERGENCE_USED)
        ;
    if (at == n)
        return false;
    return fabs(rows[at].slope - expected) <= SLOPE_TOLERANCE || (at == k && settled(rows, k));
}

/* Does the error at row k fall at less than half of the rate before, or of what is expected? */
static bool stalls(const ms_convergence_row *rows, int k, double expected)
{
    const int before = usable_before(rows, k);
    const double rate = before >= 0 && !isnan(rows[before].slope) ? rows[before].slope : expected;
    return rows[k].slope < 0.5 * rate;
}

static void drop_floors(int n, ms_convergence_row *rows, double expected)
{
    bool lost = false, stalled = false;
    for (int k = 0; k < n; k++) {
        if (rows[k].note != MS_CONVERGENCE_USED)
            continue;
        const bool doubtful = rows[k].error <= rows[k].doubtful, stalling = rows[k].error <= rows[k].stalling;
        lost = lost || (doubtful && !falls(n, rows, k, expected));
        stalled = stalled || (stalling && stalls(rows, k, expected));
        if ((lost && doubtful) || (stalled && stalling))
            rows[k].note = MS_CONVERGENCE_FLOOR;
    }
}

/* Is the error so small that its slope may be spoilt? */
static bool is_near_floor(const ms_convergence_row *row)
{
    return row->error <= fmax(NEAR_FLOOR * fmax(row->floor, row->doubtful), row->stalling);
}

/* The finest row whose slope is settled, if all finer ones are near their floors; else the finest row. */
static int last_sound(int n, const ms_convergence_row *rows)
{
    const int last = usable_before(rows, n);
    int k = last;
    while (k >= 0 && !settled(rows, k) && is_near_floor(&rows[k]))
        k = usable_before(rows, k);
    return k >= 0 && settled(rows, k) ? k : last;
}

/* Marks what lies outside of the asymptotic range: the finest rows over which neighbouring slopes agree. */
static void mark(int n, ms_convergence_row *rows)
{
    int k = last_sound(n, rows);
    for (int finer = usable_before(rows, n); finer > k; finer = usable_before(rows, finer))
        rows[finer].note = MS_CONVERGENCE_FLOOR;
    const int first = usable_before(rows, k);
    if (first < 0 || isnan(rows[first].slope)) /* at most one slope: nothing to compare it with */
        return;
    while (settled(rows, k))
        k = usable_before(rows, k);
    /* The slope at k is the coarsest one that agrees; it reaches back to the row before. */
    for (k = usable_before(rows, usable_before(rows, k)); k >= 0; k = usable_before(rows, k))
        rows[k].note = MS_CONVERGENCE_PRE_ASYMPTOTIC;
}

/* Least squares of log error = c + order log step over the used rows. */
static ms_convergence_order fit(int n, const ms_convergence_row *rows)
{
    ms_convergence_order result = {NAN, NAN, NAN};
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    int used = 0;
    for (int k = 0; k < n; k++) {
        if (rows[k].note != MS_CONVERGENCE_USED)
            continue;
        x += log(rows[k].step_size);
        y += log(rows[k].error);
        if (used++ == 0)
            result.first = rows[k].step_size;
        result.last = rows[k].step_size;
    }
    for (int k = 0; k < n; k++) {
        if (rows[k].note != MS_CONVERGENCE_USED)
            continue;
        const double dx = log(rows[k].step_size) - x / used, dy = log(rows[k].error) - y / used;
        xx += dx * dx;
        xy += dx * dy;
    }
    if (used < 2 || !(xx > 0.0))
        return (ms_convergence_order){NAN, NAN, NAN};
    result.order = xy / xx;
    return result;
}

/* Do errors rise towards the finest run, which may have diverged? */
static bool rises(int n, const ms_convergence_row *rows, double order)
{
    int finest = n - 1;
    while (finest >= 0 && isnan(rows[finest].error))
        finest--;
    return order < -SLOPE_TOLERANCE ||
           (finest >= 0 && isinf(rows[finest].error) && usable_before(rows, finest) >= 0);
}

/* Do the finest slopes go to and fro, as where steps meet corners of a solution here and there, and come no nearer to each other? Then the
 * last of them, which agrees with none, is not an order. */
static bool wanders(int n, const ms_convergence_row *rows)
{
    double slope[3] = {0.0};
    int found = 0;
    for (int k = n - 1; k >= 0 && found < 3; k--)
        if (!isnan(rows[k].slope) &&
            (rows[k].note == MS_CONVERGENCE_USED || rows[k].note == MS_CONVERGENCE_PRE_ASYMPTOTIC))
            slope[found++] = rows[k].slope;
    const double last = slope[0] - slope[1], before = slope[1] - slope[2];
    return found == 3 && last * before < 0.0 && fabs(last) > SLOPE_TOLERANCE &&
           fabs(last) > 0.5 * fabs(before);
}

/* Rows that would be used have that note instead, and there is no order. */
static ms_convergence_order refuse(int n, ms_convergence_row *rows, ms_convergence_note note)
{
    for (int k = 0; k < n; k++)
        if (rows[k].note == MS_CONVERGENCE_USED)
            rows[k].note = note;
    return (ms_convergence_order){NAN, NAN, NAN};
}

ms_convergence_order ms_convergence_fit_expected(int n, ms_convergence_row *rows, double expected)
{
    fill_slopes(n, rows);
    drop_floors(n, rows, expected);
    mark(n, rows);
    const ms_convergence_order found = fit(n, rows);
    if (rises(n, rows, found.order))
        return refuse(n, rows, MS_CONVERGENCE_RISING);
    return wanders(n, rows) ? refuse(n, rows, MS_CONVERGENCE_PRE_ASYMPTOTIC) : found;
}

ms_convergence_order ms_convergence_fit(int n, ms_convergence_row *rows)
{
    return ms_convergence_fit_expected(n, rows, NAN);
}
