/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_disagreement.c - formula against probe: what round-off explains passes, hard cases too, and what it
 * does not gives one line, exit status 1 and no answer. The probe is wrapped (see the Makefile), so that it
 * can be made to answer for another scheme. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/propagation.h>
#include "commands.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

/* The fault: entry (0, 0) of what is probed at step sizes from `from` on is off by so much. */
static struct {
    double off, from;
} fault;

int __real_ms_propagation_probe(const ms_system *system, const ms_options *options, double h, int *n,
                                double **psi, ms_error *error);
int __wrap_ms_propagation_probe(const ms_system *system, const ms_options *options, double h, int *n,
                                double **psi, ms_error *error);

int __wrap_ms_propagation_probe(const ms_system *system, const ms_options *options, double h, int *n,
                                double **psi, ms_error *error)
{
    const int status = __real_ms_propagation_probe(system, options, h, n, psi, error);
    if (status == MS_OK && h >= fault.from)
        **psi += fault.off;
    return status;
}

/* Matrices ----------------------------------------------------------------------------------------------- */

static ms_analytic_propagation *formula_of(const ms_system *system, const ms_options *options, double h,
                                           double **psi)
{
    ms_analytic_propagation *formula;
    ms_error error = {""};
    if (ms_analytic_propagation_create(system, options, &formula, &error) != MS_OK)
        fail_msg("%s", error.text);
    const size_t n = (size_t)ms_analytic_propagation_dimension(formula);
    *psi = malloc(sizeof **psi * n * n);
    assert_non_null(*psi);
    assert_int_equal(ms_analytic_propagation_evaluate(formula, h, *psi), MS_OK);
    return formula;
}

/* A copy is allowed, and half of what round-off explains; not twice that, nor another dimension. */
static void the_bound_is_the_condition_times_1e_8(void **state)
{
    (void)state;
    static const char *const members[] = {
        "", "extrapolation-order=2 derivatives=analytic outputs=corrected smooth-coupling=c1",
        "scheme=gauss-seidel extrapolation-order=2", "scheme=balance balance-hat=smooth",
        "scheme=ifosmondi solver=rk4"};
    unsigned long long seed = 12;
    for (int k = 0; k < 60; k++) {
        support_random_system s = support_random_system_next(&seed);
        const ms_options options = support_options(members[k % MS_COUNT(members)]);
        double *psi, condition, norm;
        ms_analytic_propagation *formula = formula_of(s.system, &options, s.h, &psi);
        ms_error error = {""};
        const int n = ms_analytic_propagation_dimension(formula);
        double *probe = malloc(sizeof *probe * (size_t)n * (size_t)n);
        assert_non_null(probe);
        memcpy(probe, psi, sizeof *probe * (size_t)n * (size_t)n);
        assert_int_equal(ms_analytic_propagation_condition(formula, s.h, psi, &condition), MS_OK);
        assert_true(condition >= 1.0 && isfinite(condition));
        assert_int_equal(ms_analytic_propagation_compare(formula, s.h, psi, n, probe, &error), MS_OK);
        norm = fmax(
            1.0, support_random_system_frobenius((size_t)n, psi)); /* >= in the scales, as h <= 1 or nearly */
        if (s.system->nx > 0) { /* the first coordinate is a state then, whose scale is 1 */
            probe[0] = psi[0] + 1e-12;
            assert_int_equal(ms_analytic_propagation_compare(formula, s.h, psi, n, probe, &error), MS_OK);
            probe[0] = psi[0] + 1e-7 * condition * norm * fmax(1.0, s.h * s.h);
            assert_int_equal(ms_analytic_propagation_compare(formula, s.h, psi, n, probe, &error),
                             MS_DISAGREE);
            assert_true(strstr(error.text, "formula and probe") != NULL && strchr(error.text, '\n') == NULL);
        }
        assert_int_equal(ms_analytic_propagation_compare(formula, s.h, psi, n + 1, probe, &error),
                         MS_DISAGREE);
        assert_non_null(strstr(error.text, "rows"));
        ms_analytic_propagation_destroy(&formula);
        free(psi);
        free(probe);
        support_random_system_drop(&s);
    }
}

/* Long and short steps, stiff subsystems, loops and macro-steps that are nearly singular. */
static void hard_cases_raise_no_alarm(void **state)
{
    (void)state;
    static const struct {
        const char *model, *settings;
        double h;
    } cases[] = {{"mass-spring-damper", "case=coarse", 85.0},
                 {"mass-spring-damper", "", 1e-9},
                 {"full-car", "case=bump", 5e-5},
                 {"quarter-car", "case=as-printed", 1.0},
                 {"linear-pair", "d1=1 d2=0.9999999999", 1.0},
                 {"linear-pair", "d1=1 d2=0.9999999999", 1e-6},
                 {"linear-pair", "d1=1 d2=0.9", 100.0},
                 {"example-5.1.1", "case=regular", 0.1}};
    static const char *const members[] = {"extrapolation-order=2",
                                          "extrapolation-order=2 derivatives=analytic",
                                          "extrapolation-order=2 derivatives=analytic smooth-coupling=c1",
                                          "extrapolation-order=1 derivatives=analytic outputs=corrected",
                                          "scheme=gauss-seidel extrapolation-order=2 derivatives=analytic",
                                          "scheme=balance balance-steps=3 balance-hat=smooth",
                                          "scheme=ifosmondi",
                                          "scheme=zoh-iterative",
                                          "scheme=missiles",
                                          "scheme=ijcsa input-degree=3",
                                          "scheme=semi-implicit input-degree=2",
                                          "scheme=waveform samples=4 spline-degree=3",
                                          "scheme=multirate substeps=3 extrapolation-order=2 first=slow",
                                          "scheme=multirate points=common substeps=3"};
    for (int k = 0; k < MS_COUNT(cases); k++) {
        ms_system *system = support_system(cases[k].model, cases[k].settings);
        for (int m = 0; m < MS_COUNT(members); m++) {
            const ms_options options = support_options(members[m]);
            ms_error error = {""};
            if (ms_propagation_check(system, &options, cases[k].h, &error) != MS_OK)
                fail_msg("%s %s, %s: %s", cases[k].model, cases[k].settings, members[m], error.text);
        }
        ms_system_destroy(&system);
    }
}

/* An error of the size of a damping that the formula does not know is far above what is allowed. */
static void a_wrong_entry_is_seen_however_short_the_step(void **state)
{
    (void)state;
    static const char *const members[] = {"", "extrapolation-order=2 derivatives=analytic smooth-coupling=c1",
                                          "scheme=ifosmondi"};
    ms_system *system = support_system("mass-spring-damper", "");
    for (int m = 0; m < MS_COUNT(members); m++)
        for (int digits = 1; digits < 9; digits++) {
            const double h = pow(10.0, -digits);
            const ms_options options = support_options(members[m]);
            ms_error error;
            fault.off = 0.0;
            assert_int_equal(ms_propagation_check(system, &options, h, &error), MS_OK);
            fault.off = 1e-3;
            if (ms_propagation_check(system, &options, h, &error) != MS_DISAGREE)
                fail_msg("%s, step size %g: nothing is said", members[m], h);
        }
    fault.off = 0.0;
    ms_system_destroy(&system);
}

/* Commands ----------------------------------------------------------------------------------------------- */

static void read_back(FILE *file, char *text, size_t size)
{
    rewind(file);
    const size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
}

/* The exit status of a command in a process of its own, and what it wrote. */
static int call(const char *line, char *out, char *err, size_t size)
{
    FILE *files[] = {tmpfile(), tmpfile()};
    int status = 0;
    assert_true(files[0] != NULL && files[1] != NULL);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char text[512], *argv[32] = {NULL}, *rest = text;
        int argc = 0;
        snprintf(text, sizeof text, "%s", line);
        for (char *word = strtok_r(text, " ", &rest); word != NULL && argc < 31;
             word = strtok_r(NULL, " ", &rest))
            argv[argc++] = word;
        dup2(fileno(files[0]), STDOUT_FILENO);
        dup2(fileno(files[1]), STDERR_FILENO);
        status = ms_command_call(ms_command_find(argv[0]), argc, argv);
        fflush(NULL);
        _exit(status);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    read_back(files[0], out, size);
    read_back(files[1], err, size);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void commands_give_one_line_and_no_answer(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "spectral mass-spring-damper --extrapolation-order 1 --step-size 0.1",
        "spectral mass-spring-damper --scheme ifosmondi --step-size 0.1",
        "spectral double-pendulum --solver exact --outputs corrected --step-size 0.1",
        "spectral double-pendulum --solver exact --outputs corrected --step-size 0.1 --stop-time 0.2 --along",
        "stability mass-spring-damper --x step-size=0.01:0.1:lin:3 --y k1=1:2:lin:3 --num-threads 1",
        "stability mass-spring-damper --x k1=1:2:lin:3 --y k2=1:2:lin:3 --boundary-only --num-threads 1",
        "stability mass-spring-damper --critical --extrapolation-order 1 --max-step 1 --num-threads 1"};
    char out[4096], err[4096];
    for (int k = 0; k < MS_COUNT(lines); k++)
        for (int wrong = 0; wrong < 2; wrong++) {
            fault.off = wrong ? 1e-3 : 0.0;
            const int status = call(lines[k], out, err, sizeof out);
            if (status != wrong || (out[0] == '\0') != wrong)
                fail_msg("%s: exit status %d, fault %d: %s%s", lines[k], status, wrong, out, err);
            if (wrong &&
                (strncmp(err, "macrostep: formula and probe of the propagation matrix differ", 61) != 0 ||
                 strchr(err, '\n') != err + strlen(err) - 1))
                fail_msg("%s: %s", lines[k], err);
        }
    fault.off = 0.0;
}

/* A map looks at the middle of its axes, and a search at what it has found. */
static void stability_looks_inside_the_map_and_at_what_it_finds(void **state)
{
    (void)state;
    char out[4096], err[4096];
    fault.off = 1e-3;
    fault.from = 0.05;
    assert_int_equal(
        call("stability mass-spring-damper --x step-size=0.1,0.06,0.01 --y k1=1:2:lin:3 --num-threads 1", out,
             err, sizeof out),
        1);
    assert_true(out[0] == '\0' && strstr(err, "step size 0.1") != NULL);
    fault.from = 1e9;
    assert_int_equal(
        call("stability mass-spring-damper --critical --max-step 1 --num-threads 1", out, err, sizeof out),
        0);
    fault.off = fault.from = 0.0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_the_condition_times_1e_8),
        cmocka_unit_test(hard_cases_raise_no_alarm),
        cmocka_unit_test(a_wrong_entry_is_seen_however_short_the_step),
        cmocka_unit_test(commands_give_one_line_and_no_answer),
        cmocka_unit_test(stability_looks_inside_the_map_and_at_what_it_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
