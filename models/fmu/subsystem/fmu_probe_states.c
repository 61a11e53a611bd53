/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_probe_states.c - whether components do the same, go on from where they are, and go back to where they were. */
#include <math.h>

#include "fmu_prober.h"

void ms_fmu_probe_determinism(ms_fmu_prober *p)
{
    const bool done =
        ms_fmu_prober_walk(p, 3, p->v[0]) == MS_OK && ms_fmu_prober_walk(p, 3, p->v[1]) == MS_OK;
    p->found->deterministic = done && ms_fmu_prober_same(p, p->v[0], p->v[1]);
    if (!p->found->deterministic)
        ms_fmu_prober_tell(p, MS_FMU_DETERMINISTIC,
                           done ? "two components with the same inputs give different results"
                                : "a second component fails at three steps that the first one has done");
}

/* Three steps with and without the promise that no state will be restored. Where they end so far apart that steps are undone or
 * left out, it needs the promise. False: with it three steps are not done. */
static bool try_keep(ms_fmu_prober *p)
{
    p->s.keep = true;
    const bool with =
        ms_fmu_prober_walk(p, 3, p->v[0]) == MS_OK && ms_fmu_prober_walk(p, 1, p->v[2]) == MS_OK;
    p->s.keep = false;
    const bool without = ms_fmu_prober_walk(p, 3, p->v[1]) == MS_OK;
    p->found->keep = with && (!without || !p->flags->get_and_set_state ||
                              ms_fmu_prober_apart(p, p->v[1], p->v[0]) >
                                  MS_FMU_ALIKE * ms_fmu_prober_apart(p, p->v[2], p->v[0]));
    p->s.keep = p->found->keep;
    return with;
}

/* Is a point that is a round-off off refused where it is one that it would have by sums? Products, number times length, are told otherwise. */
void ms_fmu_probe_points(ms_fmu_prober *p)
{
    enum { ENOUGH = 12 }; /* for sums and products to part */
    const double start = p->setup.start_time;
    bool done = ms_fmu_prober_open(p, -1, 0.0) == MS_OK;
    ms_fmu_prober_inputs(p, ms_fmu_still, 0.0);
    done = done && ms_fmu_prober_step(p, 0.0, p->h, 0) == MS_OK;
    if (!done || ms_fmu_prober_step(p, nextafter(start + p->h, INFINITY) - start, p->h, 0) == MS_OK)
        return;
    p->s.sums = true;
    p->found->sums = p->s.sums = ms_fmu_prober_go(p, ENOUGH, ms_fmu_still, 0, 0, p->v[0]) == MS_OK;
}

/* What becomes of a state that is restored: itself, or what is made of its bytes. */
typedef int copying(ms_fmu_component *component, ms_fmu_state *state);

static int as_it_is(ms_fmu_component *component, ms_fmu_state *state)
{
    (void)component, (void)state;
    return MS_OK;
}

/* A step from a saved state, a detour, and the step again. *calls: did all calls succeed? */
static bool goes_back(ms_fmu_prober *p, copying *copy, bool *calls)
{
    ms_fmu_state state = NULL;
    bool done = ms_fmu_prober_open(p, -1, 0.0) == MS_OK;
    ms_fmu_component *c = p->s.component;
    ms_fmu_prober_inputs(p, ms_fmu_held, 0.0);
    done = done && ms_fmu_prober_step(p, 0.0, p->h, 0) == MS_OK && ms_fmu_save(c, &state) == MS_OK &&
           copy(c, &state) == MS_OK && ms_fmu_prober_step(p, p->h, p->h, 0) == MS_OK &&
           ms_fmu_prober_look(p, p->v[0]) == MS_OK && ms_fmu_prober_step(p, 2.0 * p->h, p->h, 0) == MS_OK &&
           ms_fmu_restore(c, state) == MS_OK;
    ms_fmu_prober_inputs(p, ms_fmu_other, 0.0);
    done = done && ms_fmu_prober_step(p, p->h, p->h, 0) == MS_OK && ms_fmu_restore(c, state) == MS_OK;
    ms_fmu_prober_inputs(p, ms_fmu_held, 0.0);
    done = done && ms_fmu_prober_step(p, p->h, p->h, 0) == MS_OK && ms_fmu_prober_look(p, p->v[1]) == MS_OK;
    ms_fmu_free_state(c, &state);
    *calls = done;
    return done && ms_fmu_prober_same(p, p->v[0], p->v[1]);
}

/* Where no state can be restored, none will be: it is told so. */
static void try_rollback(ms_fmu_prober *p, bool with)
{
    const bool keep = p->found->keep;
    bool calls = true;
    if (!p->flags->get_and_set_state)
        return;
    p->found->can.rollback = !keep && goes_back(p, as_it_is, &calls);
    if (p->found->can.rollback)
        return;
    p->found->keep = p->s.keep = with;
    ms_fmu_prober_tell(
        p, MS_FMU_ROLLBACK,
        keep    ? "it continues from its last step only if it is told that no state will be restored"
        : calls ? "a step that is repeated from a restored state does not give the same bits"
                : "a call fails where its state is saved after a step, restored, and stepped from again");
}

/* Not where no state can be restored: there an FMU of quarter_truck ends the program. */
static void try_serialisation(ms_fmu_prober *p)
{
    bool calls;
    p->found->serialisation =
        p->flags->serialize_state && p->found->can.rollback && goes_back(p, ms_fmu_reserialise, &calls);
    if (p->flags->serialize_state && !p->found->serialisation)
        ms_fmu_prober_tell(p, MS_FMU_SERIALISATION,
                           p->found->can.rollback
                               ? "a step from a state that was made of its bytes does not give the same bits"
                               : "states cannot be restored");
}

void ms_fmu_probe_states(ms_fmu_prober *p)
{
    const bool with = try_keep(p);
    try_rollback(p, with);
    try_serialisation(p);
}
