/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_experiment.c - <DefaultExperiment>: when a run begins and ends, and in annotations how macro-steps are made, which SSP leaves
 * open. Ours has the options of a run as attributes:
 *
 *     <ssc:Annotation type="macrostep"><options xmlns="urn:macrostep" scheme="jacobi" step-size="0.01"/></ssc:Annotation>
 *
 * Which there are, and which values they take, is not known here: they are handed on with their lines. */
#include <math.h>
#include <string.h>

#include "ssp_read.h"

static const char ours[] = "macrostep";

static bool is_ours(const ms_xml_element *annotation)
{
    const char *type = ms_xml_attribute(annotation, "type");
    return type != NULL && strcmp(type, ours) == 0;
}

/* Options ------------------------------------------------------------------------------------------------ */

static bool is_options(const ms_xml_element *e)
{
    return strcmp(e->name, "options") == 0;
}

static int count_options(const ms_xml_element *annotation)
{
    int n = 0;
    for (; annotation != NULL; annotation = ms_ssp_again(annotation))
        for (const ms_xml_element *e = annotation->first; e != NULL && is_ours(annotation); e = e->next)
            for (const char *const *a = e->attribute; *a != NULL && is_options(e); a += 2)
                n++;
    return n;
}

static int read_options(ms_ssp_reading *r, const ms_xml_element *e)
{
    ms_ssp *ssp = r->ssp;
    for (const char *const *a = e->attribute; *a != NULL; a += 2)
        if (strchr(a[0], ' ') == NULL) /* else of another namespace */
            ssp->options[ssp->n_options++] = (ms_default){a[0], a[1], r->xml.path, e->line};
    return ms_xml_double(&r->xml, e, "step-size", &ssp->step_size, r->error);
}

static int read_ours(ms_ssp_reading *r, const ms_xml_element *annotation)
{
    for (const ms_xml_element *e = annotation->first; e != NULL; e = e->next)
        MS_TRY(is_options(e) ? read_options(r, e) : MS_OK);
    return MS_OK;
}

static int read_annotation(ms_ssp_reading *r, const ms_xml_element *annotation)
{
    const char *type = ms_xml_attribute(annotation, "type");
    const ms_xml_element *fixed = ms_xml_child(ms_xml_child(annotation, "Algorithm"), "FixedStepAlgorithm");
    if (is_ours(annotation))
        return read_ours(r, annotation);
    return type != NULL && strcmp(type, "com.opensimulationplatform") == 0
               ? ms_xml_double(&r->xml, fixed, "baseStepSize", &r->ssp->step_size, r->error)
               : MS_OK;
}

/* All ---------------------------------------------------------------------------------------------------- */

static int check(const ms_ssp_reading *r, const ms_xml_element *e)
{
    const ms_ssp *ssp = r->ssp;
    if (!isfinite(ssp->start_time))
        return ms_xml_fail(&r->xml, e, r->error, "startTime is %g, but must be a finite number",
                           ssp->start_time);
    if (ssp->stop_time <= ssp->start_time)
        return ms_xml_fail(&r->xml, e, r->error, "stopTime is %g, but must be greater than startTime, %g",
                           ssp->stop_time, ssp->start_time);
    if (ssp->step_size <= 0.0)
        return ms_xml_fail(&r->xml, e, r->error, "the step size is %g, but must be positive", ssp->step_size);
    return MS_OK;
}

int ms_ssp_read_experiment(ms_ssp_reading *r)
{
    const ms_xml_element *e = ms_ssp_child(r->xml.root, "DefaultExperiment"),
                         *first = ms_ssp_child(ms_ssp_child(e, "Annotations"), "Annotation");
    ms_ssp *ssp = r->ssp;
    ssp->experiment_line = e != NULL ? e->line : 0;
    ssp->start_time = 0.0;
    ssp->stop_time = ssp->step_size = NAN;
    ssp->options = ms_structure_alloc(&ssp->memory, (size_t)count_options(first) + 1, sizeof *ssp->options);
    MS_TRY_MEMORY_OR(ssp->options != NULL, ms_xml_no_memory(&r->xml, r->error));
    MS_TRY(ms_xml_double(&r->xml, e, "startTime", &ssp->start_time, r->error));
    MS_TRY(ms_xml_double(&r->xml, e, "stopTime", &ssp->stop_time, r->error));
    for (const ms_xml_element *a = first; a != NULL; a = ms_ssp_again(a))
        MS_TRY(read_annotation(r, a));
    return check(r, e);
}
