/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_variant_simulate.h"

#include "json.h"
#include "run_answer.h"

static json_t *record_of(json_t *answer, int status, const ms_error *why)
{
    return ms_json_object("answer:o fits:b why:s", answer, status != MS_INVALID,
                          status == MS_OK ? "" : why->text);
}

int ms_run_variant_simulate(const ms_arguments *arguments, const ms_model *model,
                            const ms_run_variant *variant, ms_shared_reference *reference, double wanted,
                            json_t **record, ms_error *error)
{
    const ms_against against = ms_run_against(arguments);
    const ms_simulation_options request = {.errors = true,
                                           .reference = reference,
                                           .wanted = wanted,
                                           .against = against.name != NULL ? &against : NULL,
                                           .stop = &ms_interrupted};
    ms_system *system = NULL;
    ms_simulation simulation = {0};
    MS_TRY(ms_run_variant_bind(arguments, variant, model, &system, error));
    int status = ms_simulation_run(system, &variant->options, &request, &simulation, error);
    if (status == MS_OK) {
        *record = record_of(ms_run_answer(&simulation), status, error);
        if (simulation.result.reason == MS_REASON_INTERRUPTED && !simulation.given_up)
            status = MS_INTERRUPTED;
    } else if (status == MS_INVALID || status == MS_UNSUPPORTED) {
        *record =
            record_of(ms_run_answer_incompatible(system, &variant->options, error->text), status, error);
        status = MS_OK;
    }
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
    return status;
}

void ms_run_variant_reference(const ms_arguments *arguments, const ms_model *model, ms_system **system,
                              ms_shared_reference **reference)
{
    const ms_options *options = &arguments->options;
    ms_error why;
    if (options->errors == MS_AGAINST_REFERENCE && arguments->text[MS_ARGUMENT_REFERENCE] == NULL &&
        ms_arguments_bind(arguments, model, system, &why) == MS_OK)
        ms_shared_reference_create(*system, options->start_time, MS_SHARED_REFERENCE_BYTES, reference, &why);
}
