/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study_references.h"

#include <stdlib.h>

#include <macrostep/catalogue.h>

/* So many systems, as nine runs of an ensemble and one beside them have, and the most that one may hold. */
enum { KEPT = 10, KEPT_BYTES = 16 << 20 };

typedef struct one_reference {
    ms_system *system; /* of its own, bound to the same values; NULL: none yet */
    ms_shared_reference *shared;
} one_reference;

typedef struct references {
    one_reference of[KEPT];
    int next; /* whose place is taken */
} references;

static void let_one_go(one_reference *one)
{
    ms_shared_reference_destroy(&one->shared);
    ms_system_destroy(&one->system);
}

static void let_go(void *object)
{
    references *all = object;
    for (int k = 0; k < KEPT; k++)
        let_one_go(&all->of[k]);
    free(all);
}

/* Empty where it failed, or where another system is more than values of parameters. */
static void make(one_reference *one, const ms_system *system, double start_time)
{
    if (ms_system_again(system, &one->system, NULL) != MS_OK)
        return;
    if (ms_shared_reference_create(one->system, start_time, KEPT_BYTES, &one->shared, NULL) != MS_OK ||
        !ms_shared_reference_fits(one->shared, system, start_time))
        let_one_go(one);
}

ms_shared_reference *ms_study_reference_of(ms_drawing *drawing, const ms_system *system, double start_time)
{
    references *all = ms_drawing_kept(drawing, sizeof(references), let_go);
    if (all == NULL || system->inputs != NULL || ms_catalogue_find(system->model->name) != system->model)
        return NULL;
    for (int k = 0; k < KEPT; k++)
        if (all->of[k].shared != NULL && ms_shared_reference_fits(all->of[k].shared, system, start_time))
            return all->of[k].shared;
    one_reference *one = &all->of[all->next];
    all->next = (all->next + 1) % KEPT;
    let_one_go(one);
    make(one, system, start_time);
    return one->shared;
}
