/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/scheme_registry.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/execution_ranks.h>
#include <macrostep/options.h>
#include <macrostep/solver_registry.h>
#include "nearest.h"

#define MS_SCHEME(scheme) extern const ms_scheme scheme;
#include "scheme_list.h"
#undef MS_SCHEME

#define MS_SCHEME(scheme) +1
enum {
    OWN = 0
#include "scheme_list.h"
};
#undef MS_SCHEME

/* The project's own schemes are followed by those added. */
enum { ADDED_MAX = 64 };
#define MS_SCHEME(scheme) &scheme,
static const ms_scheme *all[] = {
#include "scheme_list.h"
    [OWN + ADDED_MAX] = NULL};
#undef MS_SCHEME
const ms_scheme *const *const ms_schemes = all;

const ms_scheme *ms_scheme_find(const char *name)
{
    for (const ms_scheme *const *scheme = ms_schemes; *scheme != NULL; scheme++)
        if (strcmp((*scheme)->name, name) == 0)
            return *scheme;
    return NULL;
}

const ms_scheme *ms_scheme_choose(const char *name, ms_error *error)
{
    const ms_scheme *scheme = ms_scheme_find(name);
    const char *names[MS_COUNT(all)];
    int n = 0;
    if (scheme != NULL)
        return scheme;
    for (; ms_schemes[n] != NULL; n++)
        names[n] = ms_schemes[n]->name;
    ms_fail(error, MS_INVALID, "`scheme` %s: unknown; the nearest is %s", name, ms_nearest(name, names, n));
    return NULL;
}

int ms_scheme_add(const ms_scheme *scheme, ms_error *error)
{
    int n = 0;
    while (all[n] != NULL)
        n++;
    if (scheme->name == NULL || scheme->name[0] == '\0')
        return ms_fail(error, MS_INVALID, "a scheme has no name");
    if (ms_scheme_find(scheme->name) != NULL)
        return ms_fail(error, MS_INVALID, "there is a scheme %s already", scheme->name);
    if (n + 1 >= MS_COUNT(all))
        return ms_fail(error, MS_INVALID, "no more than %d schemes can be added", ADDED_MAX);
    all[n] = scheme;
    return MS_OK;
}

const char *ms_scheme_names(bool (*has)(const ms_scheme *scheme), char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (const ms_scheme *const *scheme = ms_schemes; *scheme != NULL && length < size; scheme++)
        if (has(*scheme))
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? " " : "",
                                       (*scheme)->name);
    return text;
}

int ms_variant_of_options(const ms_options *options, ms_variant *variant, ms_error *error)
{
    const ms_scheme *scheme = ms_scheme_choose(options->scheme, error);
    const bool named = options->solver[0] != '\0';
    const ms_solver *solver = scheme != NULL && named ? ms_solver_choose(options->solver, error) : NULL;
    if (scheme == NULL || (named && solver == NULL))
        return MS_INVALID;
    ms_variant_set(variant, scheme, solver, options);
    return MS_OK;
}

static const ms_executor *const executors[] = {[MS_EXECUTION_SERIAL] = &ms_executor_serial,
                                               [MS_EXECUTION_PARALLEL] = &ms_executor_threads,
                                               [MS_EXECUTION_MPI] = &ms_executor_ranks};

int ms_cosim_of_options(const ms_system *system, const ms_options *options, ms_cosim **cosim, ms_error *error)
{
    const ms_scheme *scheme = ms_scheme_choose(options->scheme, error);
    *cosim = NULL;
    return scheme != NULL
               ? ms_cosim_create(system, scheme, executors[options->execution], options, cosim, error)
               : MS_INVALID;
}

/* Of a family that looks at the system. */
static int order_there(const ms_system *system, const ms_variant *v, const ms_options *options)
{
    int *work = calloc(3 * (size_t)system->n + 1, sizeof *work);
    MS_TRY_MEMORY(work);
    const int order = v->scheme->order_on(system, v, options, work);
    free(work);
    return order;
}

int ms_scheme_order_on(const ms_system *system, const ms_options *options)
{
    ms_variant v;
    if (ms_variant_of_options(options, &v, NULL) != MS_OK || v.scheme->claims == NULL ||
        ms_modelled_check(v.scheme->claims, options, "the claimed order", NULL) != MS_OK)
        return 0;
    const bool knows = v.scheme->order_on != NULL && system != NULL;
    ms_solver together;
    ms_solver_together(v.solver, options->solver_of, system != NULL ? system->n : 0, &together);
    const int order = knows ? order_there(system, &v, options) : v.scheme->order(&v),
              of_solver = together.order;
    return of_solver > 0 && of_solver < order ? of_solver : order;
}
