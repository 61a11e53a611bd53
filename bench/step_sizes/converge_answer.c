/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converge_answer.c - the answer of a study that has been settled. */
#include <math.h>
#include <stdio.h>

#include "converge_settle.h"
#include "json.h"
#include "provenance.h"
#include "zero_stability.h"

/* The first row with that note, or -1. */
static int first_with(const ms_converge_study *study, ms_convergence_note note)
{
    int k = 0;
    while (k < study->n && study->rows[k].note != note)
        k++;
    return k < study->n ? k : -1;
}

static int first_at_floor(const ms_converge_study *study)
{
    const int floor = first_with(study, MS_CONVERGENCE_FLOOR),
              round_off = first_with(study, MS_CONVERGENCE_ROUND_OFF);
    return floor < 0 || (round_off >= 0 && round_off < floor) ? round_off : floor;
}

static void unstable_text(const ms_converge_study *study, char *text, size_t size)
{
    snprintf(text, size,
             "not zero-stable: the spectral radius of the propagation matrix is %.4g in the limit H -> 0%s, "
             "so that "
             "errors grow by it in each macro-step and there is no order",
             study->radius, study->system->linear ? "" : ", linearised at the start");
}

/* Why there is no order; a missing row is the more specific reason. */
static json_t *why_no_order(const ms_converge_study *study)
{
    const int failed = first_with(study, MS_CONVERGENCE_FAILED), at_floor = first_at_floor(study),
              zero = first_with(study, MS_CONVERGENCE_ZERO);
    char text[640];
    if (ms_zero_stability_lost(study->radius))
        unstable_text(study, text, sizeof text);
    else if (first_with(study, MS_CONVERGENCE_RISING) >= 0)
        snprintf(text, sizeof text, "errors rise as steps become shorter, so that there is no order%s%.400s",
                 failed >= 0 ? ": " : "", failed >= 0 ? study->message[failed] : "");
    else if (at_floor >= 0)
        snprintf(text, sizeof text, "an order requires two errors above their floor: %s",
                 study->message[at_floor]);
    else if (failed >= 0)
        snprintf(text, sizeof text, "an order requires two runs that reach the end: %s",
                 study->message[failed]);
    else if (zero >= 0)
        snprintf(text, sizeof text, "%s errors are zero, so that there is no order",
                 first_with(study, MS_CONVERGENCE_USED) < 0 ? "all" : "all other");
    else if (first_with(study, MS_CONVERGENCE_PRE_ASYMPTOTIC) >= 0)
        snprintf(text, sizeof text,
                 "slopes between neighbouring step sizes go to and fro, so that there is no order");
    else
        snprintf(text, sizeof text, "an order requires two step sizes");
    return ms_json_text(text);
}

static json_t *rows_json(const ms_converge_study *study)
{
    json_t *rows = json_array();
    for (int k = 0; k < study->n; k++) {
        const ms_convergence_row *row = &study->rows[k];
        ms_json_append(&rows, ms_json_object("step_size:f error:r slope:r note:s message:s", row->step_size,
                                             row->error, row->slope, ms_convergence_note_name(row->note),
                                             study->message[k]));
    }
    return rows;
}

static json_t *zero_stability_json(const ms_converge_study *study)
{
    if (isnan(study->radius))
        return json_null();
    return ms_json_object("stable:b radius:f", !ms_zero_stability_lost(study->radius), study->radius);
}

json_t *ms_converge_study_answer(const ms_converge_study *study)
{
    const double order = study->order.order;
    json_t *expected = ms_converge_study_claims(study) ? json_integer(study->expected_order) : json_null();
    return ms_json_object(
        "model:s case:s parameters:o scheme:O norm:s error_scale:s rows:o order:r message:o range:o "
        "expected_order:o zero_stability:o iteration:o reference:o",
        study->system->model->name, study->system->case_name, ms_parameters_json(study->system),
        study->scheme, ms_option_choice(&study->options, MS_OPTION_NORM),
        ms_option_choice(&study->options, MS_OPTION_ERROR_SCALE), rows_json(study), order,
        isnan(order) ? why_no_order(study) : json_null(),
        json_pack("[o, o]", ms_json_real(study->order.first), ms_json_real(study->order.last)), expected,
        zero_stability_json(study), ms_converge_iteration_json(&study->iteration),
        study->against.name != NULL ? ms_json_text(study->against.name) : json_null());
}
