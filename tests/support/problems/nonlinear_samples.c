/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nonlinear_samples.h"

#include <math.h>
#include <string.h>

#include "structure.h"
#include "support.h"
#include "unit_test.h"

enum { KEPT = 2048 }; /* doubles that a method may keep */

int support_sample_residual(void *context, const double *z, double *r)
{
    support_nonlinear_sample *s = context;
    s->calls++;
    s->calls_unasked++;
    if (s->fails_at > 0 && s->calls >= s->fails_at)
        return s->status;
    for (int i = 0; i < s->n; i++) {
        double sum = z[i] - s->root[i];
        for (int j = 0; j < s->n && s->kind == SUPPORT_SAMPLE_SMOOTH; j++)
            sum -= s->J[i * s->n + j] * (z[j] - s->root[j]);
        const double sine = sin(z[i] - s->root[i]);
        switch (s->kind) {
        case SUPPORT_SAMPLE_SMOOTH:
            r[i] = sum + s->curvature * sine * sine;
            break;
        case SUPPORT_SAMPLE_NO_ROOT:
            r[i] = z[i] * z[i] + 1.0;
            break;
        case SUPPORT_SAMPLE_CONSTANT:
            r[i] = 1.0;
            break;
        case SUPPORT_SAMPLE_DOUBLE_ROOT:
            r[i] = sum * sum;
            break;
        case SUPPORT_SAMPLE_NOT_FINITE:
        case SUPPORT_SAMPLE_LOGARITHM:
            r[i] = z[i] > 0.0 ? log(z[i]) : NAN;
            if (!(z[i] > 0.0) && s->kind == SUPPORT_SAMPLE_LOGARITHM)
                return MS_STEP_REJECTED;
            break;
        }
    }
    return MS_OK;
}

bool support_sample_converged(void *context, const double *z, const double *r)
{
    support_nonlinear_sample *s = context;
    s->calls_unasked = 0;
    for (int i = 0; i < s->n; i++)
        if (!(fabs(r[i]) < s->tolerance * (fabs(z[i]) + 1.0)))
            return false;
    return true;
}

support_nonlinear_sample support_sample_of(int n, double radius, double curvature, double tolerance)
{
    support_nonlinear_sample s = {.n = n, .curvature = curvature, .tolerance = tolerance};
    unsigned long long seed = 100ULL * (unsigned)n + 7;
    double v[SUPPORT_SAMPLE_LARGEST] = {0.0}, Q[SUPPORT_SAMPLE_LARGEST * SUPPORT_SAMPLE_LARGEST] = {0.0},
           length = 0.0;
    for (int i = 0; i < n; i++) {
        v[i] = support_random(&seed);
        length += v[i] * v[i];
        s.root[i] = 2.0 * support_random(&seed);
        s.guess[i] = s.root[i] + 0.3 * support_random(&seed);
    }
    for (int i = 0; i < n * n; i++)
        Q[i] = (i / n == i % n) - 2.0 * v[i / n] * v[i % n] / length;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                s.J[i * n + j] += radius * Q[i * n + k] * Q[(k + 1) % n * n + j];
    return s;
}

support_nonlinear_sample support_sample_of_damper(double D, double curvature, double tolerance,
                                                  double distance)
{
    support_nonlinear_sample s = {.n = 6, .curvature = curvature, .tolerance = tolerance};
    unsigned long long seed = 33;
    for (int block = 0; block < 6; block += 3) {
        s.J[block * 6 + block + 1] = s.J[block * 6 + block + 2] = -1.0;
        s.J[(block + 1) * 6 + block] = 1.0 / D;
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 3 && i >= 3; j++)
            s.J[i * 6 + j] = 0.5 * support_random(&seed);
        s.root[i] = 2.0 * support_random(&seed);
        s.guess[i] = s.root[i] + distance * support_random(&seed);
    }
    return s;
}

void *support_sample_workspace(const ms_nonlinear_method *method, int n, int max_iterations,
                               ms_structure *memory)
{
    const ms_nonlinear_options options = {.max_iterations = max_iterations};
    void *workspace;
    ms_error error = {""};
    if (ms_nonlinear_create(&(ms_nonlinear_setup){method, n, &options, memory}, &workspace, &error) != MS_OK)
        fail_msg("%s of %s: %s", method->name, method->backend, error.text);
    return workspace;
}

support_nonlinear_outcome support_sample_solve_in(const ms_nonlinear_method *method, void *workspace,
                                                  const support_nonlinear_sample *of)
{
    support_nonlinear_sample s = *of;
    support_nonlinear_outcome o = {.status = MS_OK};
    const ms_nonlinear_options options = {0};
    const size_t size = method->memory != NULL ? method->memory(s.n, &options) : 0;
    double kept[KEPT] = {0.0};
    assert_true(size <= KEPT);
    const ms_nonlinear_problem problem = {.n = s.n,
                                          .residual = support_sample_residual,
                                          .converged = support_sample_converged,
                                          .context = &s,
                                          .memory = kept};
    memcpy(o.z, s.guess, sizeof o.z);
    s.fails_at = 0;
    assert_int_equal(support_sample_residual(&s, o.z, o.r), MS_OK);
    s.calls = s.calls_unasked = 0;
    s.fails_at = of->fails_at;
    o.counts = (ms_nonlinear_counts){.iterations = 1000, .evaluations = 2000};
    o.status = method->solve(workspace, &problem, o.z, o.r, &o.counts);
    o.counts.iterations -= 1000;
    o.counts.evaluations -= 2000;
    o.calls = s.calls;
    o.calls_unasked = s.calls_unasked;
    assert_int_equal(o.counts.evaluations, s.calls);
    return o;
}

support_nonlinear_outcome support_sample_solve(const ms_nonlinear_method *method,
                                               const support_nonlinear_sample *s, int max_iterations)
{
    ms_structure memory = {0};
    void *workspace = support_sample_workspace(method, s->n, max_iterations, &memory);
    const support_nonlinear_outcome o = support_sample_solve_in(method, workspace, s);
    ms_structure_free(&memory);
    return o;
}

void support_sample_check(const ms_nonlinear_method *method, const support_nonlinear_sample *s,
                          const support_nonlinear_outcome *o)
{
    double r[SUPPORT_SAMPLE_LARGEST];
    support_nonlinear_sample at = *s;
    if (o->status != MS_OK)
        fail_msg("%s of %s: status %d, n %d, %ld evaluations", method->name, method->backend, o->status, s->n,
                 o->counts.evaluations);
    assert_true(support_sample_converged(&at, o->z, o->r));
    assert_int_equal(support_sample_residual(&at, o->z, r), MS_OK);
    assert_memory_equal(r, o->r, sizeof(double) * (size_t)s->n);
}
