/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_probe.h"

#include <math.h>
#include <stdlib.h>

#include "fmu_prober.h"

static double step_of(const ms_fmu_description *d, const ms_fmu_flags *flags)
{
    const double length = d->stop_time - d->start_time;
    const double said[] = {flags->fixed_internal_step, d->step_size, length / 100.0, 0.01};
    int k = 0;
    while (!(said[k] > 0.0 && isfinite(said[k])))
        k++;
    return said[k];
}

static int allocate(ms_fmu_prober *p)
{
    const size_t nu = (size_t)p->at->nu, ny = (size_t)p->at->ny, nv = (size_t)p->nv;
    const size_t values = (MS_FMU_ORDERS + 2) * nu + ny;
    p->memory = calloc(nu + values + (MS_FMU_ORDERS + 1) * nu + 5 * nv + 2 * ny * nu + 1, sizeof *p->memory);
    MS_TRY_MEMORY(p->memory);
    p->u0 = p->memory;
    p->s.value = p->u0 + nu;
    p->c = p->s.value + values;
    for (int k = 0; k < 5; k++)
        p->v[k] = p->c + (MS_FMU_ORDERS + 1) * nu + (size_t)k * nv;
    p->D = p->v[4] + nv;
    ms_fmu_start_inputs(p->fmu, p->setup.n_settings, p->setup.setting, p->setup.value, p->u0);
    return MS_OK;
}

/* What no experiment is about: seen by the way, or declared and no more. */
static void add_the_rest(ms_fmu_prober *p)
{
    ms_fmu_abilities *found = p->found;
    found->early_return = p->declared.early_return || p->s.early;
    if (p->s.early && !p->declared.early_return)
        ms_fmu_prober_tell(p, MS_FMU_EARLY_RETURN, "steps return early, which no flag announces");
    found->events = p->declared.events;
    found->once_per_process = p->declared.once_per_process;
}

/* As it is declared. */
static void believe(ms_fmu_prober *p, ms_fmu_trait trait)
{
    ms_fmu_abilities *found = p->found;
    const ms_fmu_abilities *declared = &p->declared;
    switch (trait) {
    case MS_FMU_ROLLBACK:
        found->can.rollback = declared->can.rollback;
        found->keep = p->s.keep = declared->keep;
        break;
    case MS_FMU_SERIALISATION:
        found->serialisation = declared->serialisation;
        break;
    case MS_FMU_VARIABLE_STEP:
        found->can.step = declared->can.step;
        found->can.several_steps = declared->can.several_steps;
        found->can.constant_step = declared->can.constant_step;
        found->hidden_step = NAN;
        break;
    case MS_FMU_OUTPUT_DERIVATIVES:
        found->can.output_derivatives = declared->can.output_derivatives;
        break;
    case MS_FMU_INPUT_DEGREE:
        found->can.input_degree = declared->can.input_degree;
        break;
    case MS_FMU_DETERMINISTIC:
        found->deterministic = true;
        break;
    default:
        found->can.reevaluate_outputs = false;
        break;
    }
}

/* An experiment about these traits (up to MS_FMU_TRAITS), of which nothing is known where steps did not suffice for it. */
static void experiment(ms_fmu_prober *p, void (*run)(ms_fmu_prober *p), const ms_fmu_trait *of)
{
    if (!p->spent)
        run(p);
    for (; p->spent && *of != MS_FMU_TRAITS; of++) {
        believe(p, *of);
        if (p->late)
            ms_fmu_prober_tell(p, *of, "not tested completely: calls took longer than `call-timeout`");
        else
            ms_fmu_prober_tell(p, *of, "not tested completely: the %d steps of the probe are used up",
                               p->most);
    }
}

static void experiments(ms_fmu_prober *p)
{
    if (ms_fmu_prober_find_domain(p)) {
        experiment(p, ms_fmu_probe_points, (const ms_fmu_trait[]){MS_FMU_TRAITS});
        experiment(p, ms_fmu_probe_determinism, (const ms_fmu_trait[]){MS_FMU_DETERMINISTIC, MS_FMU_TRAITS});
        experiment(p, ms_fmu_probe_states,
                   (const ms_fmu_trait[]){MS_FMU_ROLLBACK, MS_FMU_SERIALISATION, MS_FMU_TRAITS});
        experiment(p, ms_fmu_probe_steps, (const ms_fmu_trait[]){MS_FMU_VARIABLE_STEP, MS_FMU_TRAITS});
        experiment(p, ms_fmu_probe_derivatives,
                   (const ms_fmu_trait[]){MS_FMU_OUTPUT_DERIVATIVES, MS_FMU_REEVALUATE, MS_FMU_TRAITS});
        experiment(p, ms_fmu_probe_inputs, (const ms_fmu_trait[]){MS_FMU_INPUT_DEGREE, MS_FMU_TRAITS});
    } else {
        *p->found = p->declared;
        ms_fmu_prober_tell(p, MS_FMU_DETERMINISTIC,
                           "nothing could be tested, because %s: its flags are believed",
                           p->late    ? "calls took longer than `call-timeout`"
                           : p->spent ? "the steps of the probe were used up by failed ones"
                                      : "no step from its start succeeds");
    }
    p->found->steps = p->steps;
    add_the_rest(p);
}

/* The first component is made and the memory for the experiments. */
static int begin(ms_fmu_prober *p, ms_error *error)
{
    int status = p->at != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        ms_fmu_places_fill(p->fmu, p->at);
        p->nv = p->at->ny + p->at->nx;
        p->h = step_of(p->d, p->flags);
        p->s.fmu = p->fmu;
        p->s.at = p->at;
        p->s.intermediate = p->setup.intermediate_update;
        status = allocate(p);
    }
    if (status == MS_NO_MEMORY)
        return ms_fail(error, status, "%s: not enough memory for the probe", ms_fmu_path(p->fmu));
    p->part = 1.0;
    return ms_fmu_prober_open(p, -1, 0.0);
}

int ms_fmu_probe_run(const ms_fmu *fmu, const ms_fmu_setup *settings, int most, ms_fmu_abilities *found,
                     ms_error *error)
{
    ms_error why;
    ms_fmu_prober p = {.fmu = fmu,
                       .flags = ms_fmu_flags_of(fmu),
                       .d = ms_fmu_describe(fmu),
                       .at = calloc(1, ms_fmu_places_size(fmu)),
                       .setup = *settings,
                       .most = most,
                       .found = found,
                       .error = error};
    *found = (ms_fmu_abilities){.hidden_step = NAN};
    ms_fmu_abilities_declared(p.d, MS_FMU_CO_SIMULATION, &p.declared);
    p.setup.instance_name = settings->instance_name != NULL ? settings->instance_name : "probe";
    p.setup.start_time = isfinite(p.d->start_time) ? p.d->start_time : 0.0;
    p.setup.tolerance = ms_fmu_default_tolerance(p.d);
    p.setup.stop_time = INFINITY;
    p.setup.intermediate_update = p.d->fmi == 3 && p.flags->intermediate_update;
    int status = begin(&p, error);
    p.error = &why; /* failures from here on are results */
    if (status == MS_OK)
        experiments(&p);
    if (p.refused)
        status = ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for the probe", ms_fmu_path(fmu));
    ms_fmu_component_destroy(&p.s.component);
    MS_FREE(p.memory, p.at);
    return status;
}
