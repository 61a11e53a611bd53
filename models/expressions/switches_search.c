/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches_search.c - the next time at which one of some expressions switches, and how well it is known. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "switches_parts.h"

/* The next one --------------------------------------------------------------------------------------------- */

/* So many intervals are looked at for one answer. */
enum { WORK_MAX = 4000, DEPTH_MAX = 2200 };

/* An interval of time is halved until it has one of these. */
typedef enum verdict { NONE, MONOTONE, UNKNOWN } verdict;

typedef struct search {
    const ms_switches *s;
    const double *of[MS_NAME_GROUPS];
    double level[SWITCHES_MAX]; /* where each stands */
    bool silent[SWITCHES_MAX];  /* of those whose sign is round-off alone, nothing is known here */
    double value[SWITCHES_MAX];
    ms_enclosure enclosed[SWITCHES_MAX];
} search;

static double level_of(ms_counting counts, double value)
{
    if (counts == WHOLE_NUMBERS || isnan(value)) /* NaN, outside of the domain, is a level of its own */
        return floor(value);
    return counts == NOT_NEGATIVE ? value >= 0.0 : value > 0.0;
}

static bool same_level(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void evaluate(search *q, double t)
{
    q->of[MS_NAMES_TIME] = &t;
    (void)ms_program_evaluate(&q->s->program, q->of, q->value);
}

/* Does a function have another value at t? */
static bool has_switched(search *q, double t)
{
    bool switched = false;
    evaluate(q, t);
    for (int k = 0; k < q->s->n; k++)
        switched =
            switched || (!q->silent[k] && !same_level(level_of(q->s->counts[k], q->value[k]), q->level[k]));
    return switched;
}

/* Of the switching function k, by its enclosure. What has no slope does not switch, whatever round-off does to it. */
static verdict classify_one(const search *q, int k)
{
    const ms_enclosure *e = &q->enclosed[k];
    const double lo = level_of(q->s->counts[k], e->value.lo), hi = level_of(q->s->counts[k], e->value.hi);
    const bool constant = e->slope.lo == 0.0 && e->slope.hi == 0.0;
    if (q->silent[k] || constant || (lo == q->level[k] && hi == q->level[k]))
        return NONE;
    return (e->slope.lo >= 0.0 || e->slope.hi <= 0.0) && isfinite(e->value.lo) && isfinite(e->value.hi)
               ? MONOTONE
               : UNKNOWN;
}

static verdict classify(search *q, double from, double to)
{
    verdict worst = NONE;
    ms_program_enclose(&q->s->program, (ms_interval){from, to}, q->of, q->enclosed);
    for (int k = 0; k < q->s->n && worst != UNKNOWN; k++) {
        const verdict of = classify_one(q, k);
        worst = of > worst ? of : worst;
    }
    return worst;
}

/* All are monotone between times of which the second one is behind a switch: the first such number. */
static double halve(search *q, double from, double to)
{
    for (double middle = from + 0.5 * (to - from); middle > from && middle < to;
         middle = from + 0.5 * (to - from))
        *(has_switched(q, middle) ? &to : &from) = middle;
    return to;
}

static double middle_of(double from, double to)
{
    if (isinf(to))
        return from < -1.0 ? 0.5 * from : fmax(2.0 * from, 1.0);
    return from + 0.5 * (to - from);
}

/* Those that nothing decides between two times are silent from now on; noise: only those that do not jump there, and neither rise
 * nor fall, which have their sign by round-off alone. Were there any? */
static bool silence(search *q, double from, double to, bool noise)
{
    bool any = false;
    (void)classify(q, from, to);
    for (int k = 0; k < q->s->n; k++) {
        const ms_interval slope = q->enclosed[k].slope;
        if (classify_one(q, k) == UNKNOWN && (!noise || isfinite(slope.hi - slope.lo)))
            q->silent[k] = any = true;
    }
    return any;
}

/* The first switch behind `from`, where all levels are known; -INFINITY: what is silent now was in the way. */
static double find(search *q, double from)
{
    double end[DEPTH_MAX];
    const double begin = from;
    int depth = 0;
    end[depth++] = INFINITY;
    for (int work = 0; depth > 0 && work < WORK_MAX; work++) {
        const double to = end[depth - 1], middle = middle_of(from, to);
        const bool splits = middle > from && middle < to && depth < DEPTH_MAX;
        const verdict of = classify(q, from, to);
        if (of == UNKNOWN && splits) {
            end[depth++] = middle;
            continue;
        }
        if (of != NONE && isfinite(to) && has_switched(q, to))
            return of == MONOTONE ? halve(q, from, to) : silence(q, from, to, true) ? -INFINITY : to;
        if (of == MONOTONE && isinf(to) && splits) {
            end[depth++] = middle;
            continue;
        }
        from = to;
        depth--;
    }
    if (depth == 0)
        return INFINITY;
    if (from - begin > 1e-9 * fabs(from))
        return from;
    return silence(q, begin, fmax(from, nextafter(begin, INFINITY)), false) ? -INFINITY : INFINITY;
}

/* Where each is at t, or those of kinks alone. */
static void take_levels(search *q, double t, bool kinks)
{
    evaluate(q, t);
    for (int k = 0; k < q->s->n; k++)
        if (!kinks || q->s->counts[k] == KINK)
            q->level[k] = level_of(q->s->counts[k], q->value[k]);
}

static double search_next(const ms_switches *s, double t, const double *const of[MS_NAME_GROUPS])
{
    enum { TRIES = 16 };
    search q = {.s = s};
    const double behind = t + fmax(32.0 * DBL_EPSILON * fabs(t), 1e-30);
    memcpy(q.of, of, sizeof q.of);
    take_levels(&q, t, false);
    take_levels(&q, behind, true);
    if (has_switched(&q, behind) && (!silence(&q, t, behind, true) || has_switched(&q, behind)))
        return behind;
    double next = -INFINITY;
    for (int i = 0; i < TRIES && next == -INFINITY; i++)
        next = find(&q, behind);
    return fabs(next);
}

/* What was found last, so that the macro-steps up to a switch ask once. */
typedef struct found {
    unsigned id;
    double from, next, value[DEPENDS_MAX];
} found;

double ms_switches_next(const ms_switches *s, double t, const double *p, const double *z)
{
    enum { KEPT = 32 };
    static _Thread_local found kept[KEPT];
    const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_PARAMETERS] = p, [MS_NAMES_DISCRETE] = z};
    if (s->n_depends > DEPENDS_MAX)
        return search_next(s, t, of);
    found *f = &kept[s->id % KEPT], now = {.id = s->id, .from = t};
    for (int k = 0; k < s->n_depends; k++)
        now.value[k] =
            of[s->depends[k].group] != NULL ? of[s->depends[k].group][s->depends[k].variable] : 0.0;
    const double near = t + fmax(32.0 * DBL_EPSILON * fabs(t), 1e-30);
    if (f->id == s->id && f->from <= t && near < f->next && memcmp(f->value, now.value, sizeof f->value) == 0)
        return f->next;
    now.next = search_next(s, t, of);
    *f = now;
    return now.next;
}

/* How well it is known ------------------------------------------------------------------------------------- */

/* Is the switching function k, with this value at t, zero or a whole number up to round-off of t and of its terms? */
static bool is_met(const search *q, int k, double t, double size)
{
    const ms_enclosure *e = &q->enclosed[k];
    const double value = q->s->counts[k] == WHOLE_NUMBERS ? e->value.lo - round(e->value.lo) : e->value.lo;
    const double slope = fmax(fabs(e->slope.lo), fabs(e->slope.hi));
    return fabs(value) <= 64.0 * DBL_EPSILON * (size + slope * fabs(t));
}

double ms_switches_round_off(const ms_switches *s, double t, const double *p, const double *z)
{
    search q = {.s = s, .of = {[MS_NAMES_TIME] = &t, [MS_NAMES_PARAMETERS] = p, [MS_NAMES_DISCRETE] = z}};
    const double least = DBL_EPSILON * fabs(t), most = sqrt(DBL_EPSILON) * fmax(fabs(t), 1.0);
    double round_off = least;
    (void)ms_program_evaluate(&s->terms, q.of, q.value);
    ms_program_enclose(&s->program, (ms_interval){t, t}, q.of, q.enclosed);
    for (int k = 0; k < s->n; k++) {
        const ms_enclosure *e = &q.enclosed[k];
        const double slope = fmin(fabs(e->slope.lo), fabs(e->slope.hi));
        if (is_met(&q, k, t, q.value[k]))
            round_off = fmax(round_off, least + DBL_EPSILON * q.value[k] / slope);
    }
    return fmin(round_off, most); /* where the slope is zero */
}
