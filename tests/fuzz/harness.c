/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "harness.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <macrostep/system.h>

void harness_require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "harness: %s\n", what);
    abort();
}

bool harness_check(int status, const ms_error *error)
{
    if (status == MS_OK)
        return true;
    harness_require(status < 0, "a status that is no error");
    harness_require(memchr(error->text, '\0', sizeof error->text) != NULL, "an error line without end");
    harness_require(error->text[0] != '\0', "an error without its line");
    for (const char *c = error->text; *c != '\0'; c++)
        harness_require((unsigned char)*c >= ' ' && *c != 127, "an error line with control characters");
    if (getenv("HARNESS_SHOWS") != NULL)
        fprintf(stderr, "%s\n", error->text);
    return false;
}

char *harness_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    harness_require(text != NULL, "no memory for the input");
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

const char *harness_path(const char *name)
{
    static char path[4096];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "/tmp", name);
    return path;
}

/* A link to the file, as names of files in memory have no endings. */
static const char *linked(int file, const char *ending)
{
    static char target[40], link[4096];
    char name[40];
    snprintf(target, sizeof target, "/proc/self/fd/%d", file);
    snprintf(name, sizeof name, "input%s", ending);
    if (ending[0] == '\0')
        return target;
    snprintf(link, sizeof link, "%s", harness_path(name));
    harness_require(symlink(target, link) == 0 || errno == EEXIST, "no link in TMPDIR");
    return link;
}

const char *harness_file(const uint8_t *data, size_t size, const char *ending)
{
    static int file = -1;
    if (file < 0)
        file = memfd_create("input", 0);
    const bool written = file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size;
    harness_require(written, "no file in memory");
    return linked(file, ending);
}

/* Equations ---------------------------------------------------------------------------------------------- */

static double *zeros(int n)
{
    double *list = calloc((size_t)n + 1, sizeof *list);
    harness_require(list != NULL, "no memory for a list");
    return list;
}

static void evaluate_subsystem(const ms_system *system, int i, const double *x, const double *u,
                               const double *z)
{
    const ms_subsystem *sub = &system->sub[i];
    double *w = zeros(sub->nw), *dx = zeros(sub->nx), *y = zeros(sub->ny), *r = zeros(sub->n_indicators);
    ms_point at = {.x = x + system->x_at[i], .u = u + system->u_at[i], .z = z + system->z_at[i]};
    if (sub->residual == NULL)
        (void)ms_subsystem_f(system, i, &at, w, dx);
    (void)ms_subsystem_g(system, i, &at, w, y);
    if (sub->n_indicators > 0) {
        at.p = system->p, at.w = w, at.data = sub->data;
        (void)sub->indicators(&at, r);
    }
    free(w);
    free(dx);
    free(y);
    free(r);
}

static void evaluate_system(const ms_system *system)
{
    double *x = zeros(system->nx), *u = zeros(system->nu), *z = zeros(system->nz);
    ms_system_start(system, x);
    ms_system_start_discrete(system, z);
    for (int i = 0; i < system->n && ms_system_own_stepper(system) == NULL; i++)
        evaluate_subsystem(system, i, x, u, z);
    (void)ms_system_energy(system, x);
    free(x);
    free(u);
    free(z);
}

void harness_evaluate(const ms_model *model)
{
    ms_system *system = NULL;
    ms_error error = {{0}};
    if (harness_check(ms_system_create(model, NULL, NULL, 0, &system, &error), &error))
        evaluate_system(system);
    ms_system_destroy(&system);
}
