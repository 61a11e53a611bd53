/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_system_matrices.c - equal matrices stand once, and are those that the model gives. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* Blocks of a subsystem in memory of their own. */
static double *matrices_of(const ms_system *s, int i, size_t *size)
{
    const ms_subsystem *sub = &s->sub[i];
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    *size = (nx + ny) * (nx + nu + nw);
    double *block = calloc(*size + 1, sizeof *block);
    assert_non_null(block);
    ms_blocks m = {.A = block};
    m.B = m.A + nx * nx;
    m.C = m.B + nx * nu;
    m.D = m.C + ny * nx;
    m.E = m.D + ny * nu;
    m.F = m.E + nx * nw;
    sub->matrices(s->p, sub->data, &m);
    return block;
}

static bool same(const ms_system *s, int i, int k)
{
    const ms_subsystem *a = &s->sub[i], *b = &s->sub[k];
    if (a->matrices == NULL || b->matrices == NULL || a->nx != b->nx || a->nu != b->nu || a->ny != b->ny ||
        a->nw != b->nw)
        return i == k;
    size_t size;
    double *of_a = matrices_of(s, i, &size), *of_b = matrices_of(s, k, &size);
    const bool equal = memcmp(of_a, of_b, sizeof(double) * size) == 0;
    free(of_a);
    free(of_b);
    return equal;
}

static void check(const ms_system *s)
{
    for (int i = 0; i < s->n; i++) {
        int first = 0;
        while (!same(s, i, first))
            first++;
        assert_int_equal(s->equal_to[i], first);
        if (s->sub[i].matrices == NULL)
            continue;
        size_t size;
        double *own = matrices_of(s, i, &size);
        assert_memory_equal(s->blocks[i].A, own, sizeof(double) * size);
        assert_ptr_equal(s->blocks[i].A, s->blocks[first].A);
        free(own);
    }
}

static void models_of_the_catalogue(void **state)
{
    (void)state;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        ms_system *system = support_system_of(*model);
        check(system);
        ms_system_destroy(&system);
    }
}

/* The masses between two others are alike, and so are those at the ends. */
static void a_chain_has_two_kinds(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-chain", "masses=6");
    check(system);
    for (int i = 0; i < system->n; i++)
        assert_int_equal(system->equal_to[i], i == 0 || i == 5 ? 0 : 1);
    ms_system_destroy(&system);
}

/* What subsystems share changes no bit: threads have it for themselves. */
static void sharing_changes_no_bit(void **state)
{
    (void)state;
    static const char *const options[] = {"", "extrapolation-order=2 smooth-coupling=c1",
                                          "scheme=balance balance-hat=triangle extrapolation-order=1",
                                          "scheme=gauss-seidel extrapolation-order=1",
                                          "scheme=ifosmondi solver-nonlinear=newtonls step-rule=fixed"};
    ms_system *system = support_system("mass-chain", "masses=6");
    for (int k = 0; k < MS_COUNT(options); k++) {
        double together[12], apart[12];
        ms_options o = support_options_of("stop-time=1 step-size=0.05 %s", options[k]);
        support_finish(system, &o, together, NULL);
        support_options_add(&o, "execution=parallel");
        o.num_threads = 2;
        support_finish(system, &o, apart, NULL);
        assert_memory_equal(together, apart, sizeof together);
    }
    ms_system_destroy(&system);
}

/* x' = A x + B u + E w, y = C x + D u + F w, where the entry that data names is 1/0. */
static void divided_by_zero(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    const char name = *(const char *)data;
    double *const block = name == 'A'   ? m->A
                          : name == 'B' ? m->B
                          : name == 'C' ? m->C
                          : name == 'D' ? m->D
                          : name == 'E' ? m->E
                                        : m->F;
    block[0] = INFINITY;
}

static void entries_are_finite(void **state)
{
    (void)state;
    for (const char *name = "ABCDEF"; *name != '\0'; name++) {
        const ms_subsystem part[] = {
            SUPPORT_SUBSYSTEM("part", 1, 1, 1, .nw = 1, .matrices = divided_by_zero, .data = name)};
        const ms_model model = SUPPORT_UNCOUPLED("infinite", part, .stop_time = 1.0, .step_size = 0.5);
        ms_system *system;
        ms_error error;
        char entry[32];
        snprintf(entry, sizeof entry, "entry (1, 1) of %c is inf", *name);
        assert_int_equal(ms_system_create(&model, NULL, NULL, 0, &system, &error), MS_INVALID);
        assert_non_null(strstr(error.text, entry));
        assert_non_null(strstr(error.text, strchr("CDF", *name) != NULL ? "output" : "the derivative of"));
        assert_null(system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_finite), cmocka_unit_test(models_of_the_catalogue),
        cmocka_unit_test(a_chain_has_two_kinds), cmocka_unit_test(sharing_changes_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
