/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <locale.h>
#include <omp.h>
#include <stdlib.h>

#include "execution_here.h"
#include "threads.h"

typedef struct threads {
    int n;
    ms_outcome outcome[]; /* (subsystems) */
} threads;

static int advance_some(ms_cosim *cosim, const bool *which, double *dy)
{
    threads *all = cosim->executor_data;
#pragma omp parallel for num_threads(all->n) schedule(dynamic, 1)
    for (int i = 0; i < cosim->system->n; i++)
        if (ms_execution_is_meant(which, i))
            all->outcome[i] = ms_execution_advance_here(cosim, i, dy);
    return ms_execution_outcome(cosim, which, all->outcome);
}

static int advance(ms_cosim *cosim, double t, double h, double *dy)
{
    ms_execution_set_step(cosim, t, h);
    return advance_some(cosim, NULL, dy);
}

/* Starts the threads before the first macro-step. */
static void wake(int n)
{
    int awake = 0;
    const locale_t locale = uselocale((locale_t)0); /* all threads format numbers in the same way */
#pragma omp parallel num_threads(n) reduction(+ : awake)
    {
        uselocale(locale);
        awake++;
    }
    (void)awake;
}

static int create(ms_cosim *cosim, ms_error *error)
{
    const int subsystems = cosim->system->n, wanted = cosim->variant.num_threads;
    const int available = wanted > 0 ? wanted : omp_get_max_threads(),
              n = available < subsystems ? available : subsystems;
    if (n < 2 || ms_threads_several()) {
        cosim->executor = &ms_executor_serial;
        return MS_OK;
    }
    threads *all = calloc(1, sizeof *all + sizeof *all->outcome * (size_t)subsystems);
    cosim->executor_data = all;
    MS_TRY_MEMORY_FOR(all != NULL, error, "%d threads", n);
    all->n = n;
    wake(n);
    return MS_OK;
}

static void destroy(ms_cosim *cosim)
{
    free(cosim->executor_data);
}

const ms_executor ms_executor_threads = {.create = create,
                                         .destroy = destroy,
                                         .advance = advance,
                                         .advance_some = advance_some,
                                         .advance_one = ms_execution_one_here,
                                         .concurrent = true};
