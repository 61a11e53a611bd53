/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "branching.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a power p of the distance the derivative at FARTHER times the distance is smaller by that to the power 1 - p: seen up to p = 0.92. Its
 * product with the distance is p times the value. */
static const double FARTHER = 256.0, STEEPER = 1.5, OF_VALUE = 20.0;

typedef struct probe {
    ms_instance *instance;
    double t;
    double *x, *dx, *A; /* (nx), (nx), (nx by nx) */
} probe;

/* d f_j / d x_j; NaN where it is not known. */
static double derivative(const probe *p, int j)
{
    ms_instance *instance = p->instance;
    ms_point at = {.t = p->t, .x = p->x, .z = instance->z};
    const ms_blocks blocks = {.A = p->A};
    const int status =
        ms_subsystem_jacobian(instance->system, 0, &at, instance->w, instance->scratch, &blocks, NULL);
    return status == 0 ? p->A[j * instance->sub->nx + j] : NAN;
}

/* Where state j differs by this. */
static bool parts(const probe *p, int j, double by)
{
    ms_instance *instance = p->instance;
    const double x = p->x[j];
    ms_point at = {.t = p->t, .x = p->x, .z = instance->z};
    p->x[j] = x + FARTHER * by;
    const double far = derivative(p, j);
    p->x[j] = x + by;
    const double near = derivative(p, j);
    const bool known = ms_subsystem_f(instance->system, 0, &at, instance->w, p->dx) == 0;
    p->x[j] = x;
    return known && far > 0.0 && near > STEEPER * far && fabs(p->dx[j]) <= OF_VALUE * near * fabs(by);
}

bool ms_solution_branches(ms_instance *instance, double t, const double *x, const double *size)
{
    const int nx = instance->sub->nx;
    double *room = malloc(sizeof *room * ((size_t)nx * (size_t)nx + 2 * (size_t)nx + 1));
    if (room == NULL)
        return false;
    const probe p = {instance, t, room, room + nx, room + 2 * nx};
    bool found = false;
    memcpy(room, x, sizeof *x * (size_t)nx);
    for (int j = 0; j < nx && !found; j++) {
        const double by = DBL_EPSILON * (size[j] > 0.0 ? size[j] : 1.0);
        found = parts(&p, j, by) || parts(&p, j, -by);
    }
    free(room);
    return found;
}
