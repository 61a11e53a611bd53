/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_compare.c - do the formula and the probe of a propagation matrix agree, up to round-off?
 *
 * Both represent the same macro-step, relative to its input: with derivatives scaled as inside the formula (h^j
 * y^(j), e/h), S = diag, they differ by
 *
 *     || S (formula - probe) S^-1 ||_F  /  max(1, || S probe S^-1 ||_F),
 *
 * 1 since a macro-step that forgets nearly everything still has round-off relative to its start. Without the scales
 * the largest entries, 1/h^2 for short steps, would hide all others, and their round-off would be compared with
 * entries that have none.
 *
 * Round-off explains differences up to 1e-8 times the condition, the product of
 *
 *     growth       of relative errors of A, B, C, D on their way into Psi, at least 1. It is observed: the
 *                  matrix of a system all of whose entries are off by 1e-8, up or down, less its own, as
 *                  above, over 1e-8. Oscillations over many periods and nearly singular loops show in it. Where
 *                  the observed difference is 0.1 or more, 1e-8 turns the matrix into another one: nothing
 *                  bounds what round-off does to it, and nothing is compared;
 *     explicit     (1 + max ||A h||_F)^j where h^j y^(j) is extrapolated from: it is formed from (A h)^j,
 *                  whose terms cancel where a stiff subsystem has settled, which growth does not show;
 *     iterated     ||M^-1||_F of the equations M of the converged macro-step (at least 1): the probe leaves a
 *                  residual there.
 *
 * 1e-8 is 5e7 units of round-off. Over 170,000 pairs - all linear models and variants at 1e-8 to 1e3 of their
 * macro-steps, 1000 random systems, loops with det(I - D L) down to 1e-14 - the largest difference was 0.16 %
 * of what is allowed. */
#include <math.h>
#include <stdlib.h>

#include "analytic_propagation_parts.h"

static const double ROUND_OFF = 1e-8;

/* Differences ----------------------------------------------------------------------------------------- */

/* What each coordinate of the memory is multiplied by (n). */
static void fill_scales(const ms_analytic_propagation *f, double h, double *factor)
{
    propagation_scale scale[SCALES_MAX];
    const int scales = ms_analytic_propagation_scales(f, h, scale);
    for (int i = 0; i < f->n; i++)
        factor[i] = 1.0;
    for (int k = 0; k < scales; k++)
        for (int i = 0; i < scale[k].count; i++)
            factor[scale[k].column + i] = scale[k].factor;
}

/* In the scales, relative to the larger of 1 and the second. */
static double difference(int n, const double *factor, const double *one, const double *other)
{
    double off = 0.0, norm = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++, one++, other++) {
            const double scale = factor[i] / factor[j];
            off = hypot(off, scale * (*one - *other));
            norm = hypot(norm, scale * *other);
        }
    return off / fmax(1.0, norm);
}

/* The condition --------------------------------------------------------------------------------------- */

/* to = from (1 +- 1e-8), signs from a linear congruential generator (Knuth's MMIX). Returns what lies behind
 * to. */
static double *perturb(int count, const double *from, double *to, unsigned long long *seed)
{
    for (int k = 0; k < count; k++) {
        *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
        to[k] = from[k] * (1.0 + ((*seed >> 63) != 0 ? ROUND_OFF : -ROUND_OFF));
    }
    return to + count;
}

static size_t entries(const ms_system *s)
{
    size_t sum = 0;
    for (int i = 0; i < s->n; i++)
        sum += (size_t)(s->sub[i].nx + s->sub[i].ny) * (size_t)(s->sub[i].nx + s->sub[i].nu);
    return sum;
}

static void perturb_blocks(const ms_system *s, ms_blocks *blocks, double *memory)
{
    unsigned long long seed = 1;
    for (int i = 0; i < s->n; i++) {
        const int nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny;
        blocks[i] = (ms_blocks){.A = memory};
        blocks[i].B = perturb(nx * nx, s->blocks[i].A, blocks[i].A, &seed);
        blocks[i].C = perturb(nx * nu, s->blocks[i].B, blocks[i].B, &seed);
        blocks[i].D = perturb(ny * nx, s->blocks[i].C, blocks[i].C, &seed);
        memory = perturb(ny * nu, s->blocks[i].D, blocks[i].D, &seed);
    }
}

/* What the perturbation does not show: h^j y^(j) is formed from (A h)^j and may cancel; the probe of an
 * iterated scheme leaves residuals, which the inverse of its equations amplifies. */
static double hidden(const ms_analytic_propagation *f, double h)
{
    const ms_system *s = f->system;
    if (f->iterated != NULL)
        return fmax(1.0, ms_analytic_propagation_iterated_inverse(f));
    if (f->sampled != NULL)
        return fmax(1.0, ms_analytic_propagation_sampled_inverse(f));
    double stiffest = 0.0;
    for (int i = 0; i < s->n; i++) {
        double norm = 0.0;
        for (int k = 0; k < s->sub[i].nx * s->sub[i].nx; k++)
            norm = hypot(norm, h * s->blocks[i].A[k]);
        stiffest = fmax(stiffest, norm);
    }
    return f->analytic && !f->differences ? pow(1.0 + stiffest, f->order) : 1.0;
}

/* Psi(h) of the perturbed system; the formula is bound to its own again. */
static int evaluate_perturbed(ms_analytic_propagation *f, double h, ms_blocks *blocks, double *memory,
                              double *psi)
{
    const ms_system *own = f->system;
    ms_system off = *own;
    ms_error why;
    perturb_blocks(own, blocks, memory);
    off.blocks = blocks;
    int status = ms_analytic_propagation_bind(f, &off, &why);
    MS_THEN(status, ms_analytic_propagation_evaluate(f, h, psi));
    const int again = ms_analytic_propagation_bind(f, own, &why);
    return status != MS_OK ? status : again;
}

int ms_analytic_propagation_condition(ms_analytic_propagation *f, double h, const double *psi,
                                      double *condition)
{
    const ms_system *s = f->system;
    const size_t n = (size_t)f->n;
    double *off = malloc(sizeof *off * (n * n + n + entries(s) + 1));
    ms_blocks *blocks = calloc((size_t)s->n + 1, sizeof *blocks);
    int status = off != NULL && blocks != NULL ? MS_OK : MS_NO_MEMORY;
    MS_THEN(status, evaluate_perturbed(f, h, blocks, off + n * n + n, off));
    if (status == MS_OK) {
        fill_scales(f, h, off + n * n);
        const double moved = difference(f->n, off + n * n, off, psi);
        *condition = moved < 0.1 ? fmax(1.0, moved / ROUND_OFF) * hidden(f, h) : INFINITY;
    } else if (status != MS_NO_MEMORY) { /* there the equations are singular, or overflow */
        *condition = INFINITY;
        status = MS_OK;
    }
    MS_FREE(blocks, off);
    return status;
}

/* All together ---------------------------------------------------------------------------------------- */

int ms_analytic_propagation_compare(ms_analytic_propagation *f, double h, const double *psi, int n,
                                    const double *probe, ms_error *error)
{
    if (n != f->n)
        return ms_fail(error, MS_DISAGREE,
                       "formula and probe of the propagation matrix have %d and %d rows: the formula is not "
                       "that of the scheme",
                       f->n, n);
    double condition = 1.0, *factor = malloc(sizeof *factor * ((size_t)n + 1));
    const int status =
        factor != NULL ? ms_analytic_propagation_condition(f, h, psi, &condition) : MS_NO_MEMORY;
    double off = 0.0;
    if (status == MS_OK) {
        fill_scales(f, h, factor);
        off = difference(n, factor, psi, probe);
    }
    free(factor);
    if (status != MS_OK)
        return ms_fail(error, status, "not enough memory to compare matrices of %d rows", n);
    if (!isfinite(off) || off <= ROUND_OFF * condition) /* not finite: no matrix, or none to compare with */
        return MS_OK;
    return ms_fail(
        error, MS_DISAGREE,
        "formula and probe of the propagation matrix differ by %.2g at the step size %g, and round-off "
        "explains %.2g: the formula is not that of the scheme",
        off, h, ROUND_OFF * condition);
}
