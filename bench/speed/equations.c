/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equations.c - what it costs that equations are in a file: f and g of the double pendulum's subsystems, and their Jacobians, by
 * expressions and by the functions in C that the catalogue has of the same model.
 *
 * Times are processor time; values must agree. Before expressions were a tree of our own, f and g by muParser took 2.2 times what the tree
 * takes (the same program, one machine). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include <macrostep/system.h>
#include <macrostep/system_file.h>
#include "benchmark.h"
#include "scratch.h"

enum { CALLS = 200000, FEW_CALLS = 500, ROUNDS = 15, SUBSYSTEMS = 2, BLOCK = 4 };

#define FORCE   "(fx*cos(alpha) + (fy - m*g)*sin(alpha))"
#define UPPER   "(" FORCE "/m - d*omega/(m*l))"
#define TENSION "(ax*sin(alpha) - ay*cos(alpha) - l*omega^2 - g*cos(alpha))"
static const char text[] =
    "{\"parameters\": {\"m\": 1, \"m2\": 1.5, \"l\": 1, \"d\": 0.5, \"g\": 9.81}, \"subsystems\": "
    "[{\"name\": \"top\", "
    "\"states\": {\"alpha\": {\"derivative\": \"omega\"}, \"omega\": {\"derivative\": \"(" FORCE
    "*l - d*omega)/(m*l^2)\"}}, \"inputs\": [\"fx\", \"fy\"], \"outputs\": {\"ax\": \"" UPPER
    "*cos(alpha) - omega^2*l*sin(alpha)\", \"ay\": \"" UPPER
    "*sin(alpha) + omega^2*l*cos(alpha)\"}}, {\"name\": \"bottom\", \"states\": {\"alpha\": {\"derivative\": "
    "\"omega\"}, "
    "\"omega\": {\"derivative\": \"-(g*sin(alpha) + ax*cos(alpha) + ay*sin(alpha))/l\"}}, \"inputs\": "
    "[\"ax\", \"ay\"], "
    "\"outputs\": {\"fx\": \"-m2*" TENSION "*sin(alpha)\", \"fy\": \"m2*" TENSION
    "*cos(alpha)\"}}], \"wires\": []}";

typedef struct subject {
    const ms_system *system;
    long calls;
    bool jacobian;
    double value[SUBSYSTEMS][8], block[SUBSYSTEMS][4][BLOCK];
} subject;

static int evaluate(subject *s, int i, ms_point *at)
{
    double scratch[16], w[1];
    const ms_blocks m = {.A = s->block[i][0], .B = s->block[i][1], .C = s->block[i][2], .D = s->block[i][3]};
    if (s->jacobian)
        return ms_subsystem_jacobian(s->system, i, at, w, scratch, &m, NULL);
    const int status = ms_subsystem_f(s->system, i, at, w, s->value[i]);
    return status | ms_subsystem_g(s->system, i, at, w, s->value[i] + 2);
}

static double take(void *self, ms_error *error)
{
    subject *s = self;
    double x[] = {0.3, -0.2}, u[] = {1.5, -4.0};
    (void)error;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (long k = 0; k < s->calls; k++)
        for (int i = 0; i < SUBSYSTEMS; i++) {
            ms_point at = {.x = x, .u = u};
            x[0] = 0.3 + 1e-6 * (double)k;
            if (evaluate(s, i, &at) != 0)
                return NAN;
        }
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static void check(ms_benchmark *b, const char *name, const double *found, const double *expected, int n)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(found[k] - expected[k]) <= 1e-6 * (1.0 + fabs(expected[k]))))
            ms_benchmark_fail(b, "%s: number %d is %.12g by the file, %.12g in C", name, k, found[k],
                              expected[k]);
}

static void measure(ms_benchmark *b, const ms_system *file, const ms_system *built, bool jacobian)
{
    const char *name = jacobian ? "A, B, C, D of the double pendulum" : "f and g of the double pendulum";
    const long calls = ms_benchmark_count(b, CALLS, FEW_CALLS);
    subject of_file = {.system = file, .calls = calls, .jacobian = jacobian},
            of_c = {.system = built, .calls = calls, .jacobian = jacobian};
    ms_timing expressions = {.name = "file",
                             .take = take,
                             .self = &of_file,
                             .per = (double)calls,
                             .unit = "call"},
              functions = {.name = "C", .take = take, .self = &of_c, .per = (double)calls, .unit = "call"};
    ms_timing *const timings[] = {&expressions, &functions};
    const ms_ratio ratio = {"file / C", &expressions, &functions, .wanted = MS_WANTED_NOTHING};
    if (!ms_benchmark_measure(b, name, ROUNDS, 2, timings, 1, &ratio))
        return;
    for (int i = 0; i < SUBSYSTEMS; i++)
        if (jacobian)
            check(b, name, of_file.block[i][0], of_c.block[i][0], 4 * BLOCK);
        else
            check(b, name, of_file.value[i], of_c.value[i], 4);
}

/* The model of the text, through a file as always. */
static int read_text(ms_model **model, ms_error *error)
{
    char path[MS_SCRATCH_PATH];
    const int file = ms_scratch_file(path);
    if (file < 0 || write(file, text, sizeof text - 1) != (ssize_t)(sizeof text - 1))
        return ms_fail(error, MS_IO, "no file could be written");
    const int status = ms_model_read(path, model, error);
    close(file);
    unlink(path);
    return status;
}

int main(int argc, char **argv)
{
    ms_benchmark b;
    ms_error error;
    ms_model *model = NULL;
    ms_system *file = NULL, *built = NULL;
    if (!ms_benchmark_begin(&b, "equations", &argc, argv))
        return (int)b.exit;
    int status = read_text(&model, &error);
    if (status == MS_OK)
        status = ms_system_create(model, NULL, NULL, 0, &file, &error);
    if (status == MS_OK)
        status = ms_system_create(ms_catalogue_find("double-pendulum"), NULL, NULL, 0, &built, &error);
    if (status != MS_OK)
        ms_benchmark_fail(&b, "%s", error.text);
    for (int jacobian = 0; jacobian < 2 && status == MS_OK; jacobian++)
        measure(&b, file, built, jacobian != 0);
    ms_system_destroy(&built);
    ms_system_destroy(&file);
    ms_model_destroy(&model);
    return ms_benchmark_end(&b);
}
