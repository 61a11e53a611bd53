/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_description_read.c - the head of a modelDescription.xml: versions, kinds, flags, default experiment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "description_parts.h"
#include "fmu_archive.h"
#include "fmu_description_read.h"

/* Version ------------------------------------------------------------------------------------------------ */

/* Is it that version, with a number of corrections behind it or not: "2.0", "2.0.5"? */
static bool is_version(const char *version, const char *wanted)
{
    const size_t length = strlen(wanted);
    return strncmp(version, wanted, length) == 0 &&
           version[length + strspn(version + length, ".0123456789")] == '\0';
}

static int read_version(ms_description_read *d, ms_error *error)
{
    const ms_xml_element *root = d->xml.root;
    ms_fmu_description *out = &d->description;
    if (strcmp(root->name, "fmiModelDescription") != 0)
        return ms_xml_fail(&d->xml, root, error, "<%.60s> is not <fmiModelDescription>", root->name);
    MS_TRY(ms_xml_text(&d->xml, root, "fmiVersion", &out->fmi_version, error));
    out->fmi = is_version(out->fmi_version, "2.0") ? 2 : is_version(out->fmi_version, "3.") ? 3 : 0;
    if (out->fmi == 0)
        return ms_fail(error, MS_UNSUPPORTED, "%s: FMI %.40s is not supported; 2.0 and 3.0 are", d->xml.path,
                       out->fmi_version);
    return MS_OK;
}

/* Kinds and flags ---------------------------------------------------------------------------------------- */

/* Flags that are false where they are missing, as 2.0 and 3.0 call them. */
static const struct {
    const char *name[2];
    size_t at;
} flag_list[] = {
    {{"needsExecutionTool", "needsExecutionTool"}, offsetof(ms_fmu_flags, needs_execution_tool)},
    {{"canBeInstantiatedOnlyOncePerProcess", "canBeInstantiatedOnlyOncePerProcess"},
     offsetof(ms_fmu_flags, only_once_per_process)},
    {{"canGetAndSetFMUstate", "canGetAndSetFMUState"}, offsetof(ms_fmu_flags, get_and_set_state)},
    {{"canSerializeFMUstate", "canSerializeFMUState"}, offsetof(ms_fmu_flags, serialize_state)},
    {{"providesDirectionalDerivative", "providesDirectionalDerivatives"},
     offsetof(ms_fmu_flags, directional_derivatives)},
    {{NULL, "providesAdjointDerivatives"}, offsetof(ms_fmu_flags, adjoint_derivatives)},
    {{"canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize"},
     offsetof(ms_fmu_flags, variable_step)},
    {{"canInterpolateInputs", NULL}, offsetof(ms_fmu_flags, interpolate_inputs)},
    {{NULL, "providesIntermediateUpdate"}, offsetof(ms_fmu_flags, intermediate_update)},
    {{NULL, "mightReturnEarlyFromDoStep"}, offsetof(ms_fmu_flags, early_return)},
    {{NULL, "hasEventMode"}, offsetof(ms_fmu_flags, event_mode)},
    {{NULL, "providesEvaluateDiscreteStates"}, offsetof(ms_fmu_flags, evaluate_discrete_states)},
    {{"completedIntegratorStepNotNeeded", NULL}, offsetof(ms_fmu_flags, no_step_completion)},
};

/* It becomes the name of a file. */
static int read_identifier(const ms_description_read *d, const ms_xml_element *e, ms_fmu_flags *flags,
                           ms_error *error)
{
    MS_TRY(ms_xml_text(&d->xml, e, "modelIdentifier", &flags->model_identifier, error));
    const char *name = flags->model_identifier;
    if (strpbrk(name, "/\\") != NULL || name[0] == '.' || strlen(name) > 200)
        return ms_xml_fail(&d->xml, e, error,
                           "modelIdentifier %.60s cannot be the name of a file; letters, digits and '_' are "
                           "expected",
                           name);
    return MS_OK;
}

static int read_flags(const ms_description_read *d, const ms_xml_element *e, ms_fmu_flags *flags,
                      ms_error *error)
{
    const int fmi = d->description.fmi;
    bool completion = true;
    int status = read_identifier(d, e, flags, error);
    for (size_t k = 0; k < sizeof flag_list / sizeof *flag_list && status == MS_OK; k++)
        if (flag_list[k].name[fmi - 2] != NULL)
            status = ms_xml_bool(&d->xml, e, flag_list[k].name[fmi - 2],
                                 (bool *)((char *)flags + flag_list[k].at), error);
    MS_THEN(status, ms_xml_int(&d->xml, e, "maxOutputDerivativeOrder", &flags->max_output_derivative, error));
    if (status == MS_OK && fmi == 3)
        status = ms_xml_double(&d->xml, e, "fixedInternalStepSize", &flags->fixed_internal_step, error);
    if (status == MS_OK && fmi == 3)
        status = ms_xml_bool(&d->xml, e, "needsCompletedIntegratorStep", &completion, error);
    flags->no_step_completion = flags->no_step_completion || !completion;
    flags->present = true;
    return status;
}

static const char *const kind_elements[MS_FMU_KINDS] = {
    [MS_FMU_CO_SIMULATION] = "CoSimulation", [MS_FMU_MODEL_EXCHANGE] = "ModelExchange"};

static int read_kinds(ms_description_read *d, ms_error *error)
{
    ms_fmu_description *out = &d->description;
    bool any = false;
    for (int kind = 0; kind < MS_FMU_KINDS; kind++) {
        const ms_xml_element *e = ms_xml_child(d->xml.root, kind_elements[kind]);
        if (e != NULL)
            MS_TRY(read_flags(d, e, &out->flags[kind], error));
        any = any || e != NULL;
    }
    out->scheduled_execution = out->fmi == 3 && ms_xml_child(d->xml.root, "ScheduledExecution") != NULL;
    if (!any && out->scheduled_execution)
        return ms_fail(
            error, MS_UNSUPPORTED,
            "%s: the FMU is for scheduled execution only, which is not supported; co-simulation and "
            "model exchange are",
            d->xml.path);
    return any ? MS_OK
               : ms_xml_fail(&d->xml, d->xml.root, error,
                             "there is neither <CoSimulation> nor <ModelExchange>");
}

/* Head --------------------------------------------------------------------------------------------------- */

static const char *text_or_none(const ms_xml_element *e, const char *name)
{
    const char *text = ms_xml_attribute(e, name);
    return text != NULL ? text : "";
}

/* It has to be there, and may be empty. */
static int read_text(const ms_description_read *d, const char *name, const char **value, ms_error *error)
{
    *value = ms_xml_attribute(d->xml.root, name);
    return *value != NULL ? MS_OK : ms_xml_text(&d->xml, d->xml.root, name, value, error);
}

static int read_head(ms_description_read *d, ms_error *error)
{
    static const char *const conventions[] = {"flat", "structured"};
    const ms_xml_element *root = d->xml.root;
    ms_fmu_description *out = &d->description;
    int convention = 0;
    out->description = text_or_none(root, "description");
    out->encoding = d->xml.encoding;
    out->tool = text_or_none(root, "generationTool");
    int status = read_text(d, "modelName", &out->model_name, error);
    MS_THEN(status, read_text(d, out->fmi == 2 ? "guid" : "instantiationToken", &out->token, error));
    MS_THEN(status,
            ms_xml_word(&d->xml, root, "variableNamingConvention", conventions, 2, &convention, error));
    if (status == MS_OK && out->fmi == 2)
        status = ms_xml_int(&d->xml, root, "numberOfEventIndicators", &out->n_event_indicators, error);
    if (status == MS_OK && out->n_event_indicators < 0)
        status = ms_xml_fail(&d->xml, root, error, "numberOfEventIndicators is negative");
    out->structured_names = convention == 1;
    const ms_xml_element *category = ms_xml_child(ms_xml_child(root, "LogCategories"), "Category");
    for (; category != NULL; category = ms_xml_again(category))
        out->logs_discards |= strcmp(text_or_none(category, "name"), MS_FMU_LOG_DISCARD) == 0;
    return status;
}

static int read_experiment(ms_description_read *d, ms_error *error)
{
    ms_fmu_description *out = &d->description;
    const ms_xml_element *e = ms_xml_child(d->xml.root, "DefaultExperiment");
    out->start_time = out->stop_time = out->tolerance = out->step_size = NAN;
    MS_TRY(ms_xml_double(&d->xml, e, "startTime", &out->start_time, error));
    MS_TRY(ms_xml_double(&d->xml, e, "stopTime", &out->stop_time, error));
    MS_TRY(ms_xml_double(&d->xml, e, "tolerance", &out->tolerance, error));
    return ms_xml_double(&d->xml, e, "stepSize", &out->step_size, error);
}

static int read_all(ms_description_read *d, const char *path, const char *text, size_t size, ms_error *error)
{
    MS_TRY(ms_xml_read(path, text, size, &d->xml, error));
    MS_TRY(read_version(d, error));
    MS_TRY(read_kinds(d, error));
    MS_TRY(read_head(d, error));
    MS_TRY(read_experiment(d, error));
    MS_TRY(ms_description_read_variables(d, error));
    MS_TRY(ms_description_read_sizes(d, error));
    MS_TRY(ms_description_list_inputs(d, error));
    return ms_description_read_structure(d, error);
}

int ms_fmu_description_read(const char *path, const char *text, size_t size, ms_fmu_description **description,
                            ms_error *error)
{
    *description = NULL;
    ms_description_read *d = calloc(1, sizeof *d);
    MS_TRY_MEMORY_OR(d != NULL, ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path));
    ms_fmu_description *read = &d->description;
    const int status = read_all(d, path, text, size, error);
    if (status == MS_OK)
        *description = read;
    else
        ms_fmu_description_free(&read);
    return status;
}

int ms_fmu_description_peek(const char *path, ms_fmu_description **description, ms_error *error)
{
    char *text;
    size_t size;
    *description = NULL;
    int status = ms_fmu_archive_peek(path, MS_FMU_DESCRIPTION, &text, &size, error);
    MS_THEN(status, text != NULL ? ms_fmu_description_read(path, text, size, description, error)
                                 : ms_fail(error, MS_INVALID, MS_FMU_NO_DESCRIPTION, path));
    free(text);
    return status;
}

void ms_fmu_description_free(ms_fmu_description **description)
{
    if (description == NULL || *description == NULL)
        return;
    ms_description_read *d = (ms_description_read *)*description;
    ms_xml_free(&d->xml);
    free(d);
    *description = NULL;
}

bool ms_fmu_declared(const ms_fmu_description *description, ms_fmu_kind kind, int k, const char **name,
                     const char **value)
{
    const ms_description_read *d = (const ms_description_read *)description;
    const ms_xml_element *e = ms_xml_child(d->xml.root, kind_elements[kind]);
    const char *const *a = e != NULL ? e->attribute : NULL;
    for (; a != NULL && *a != NULL && k > 0; k--)
        a += 2;
    if (a == NULL || *a == NULL)
        return false;
    *name = a[0];
    *value = a[1];
    return true;
}

const char *ms_fmu_source_file(const ms_fmu_description *description, ms_fmu_kind kind, int k)
{
    const ms_description_read *d = (const ms_description_read *)description;
    const ms_xml_element *e = ms_xml_child(d->xml.root, kind_elements[kind]);
    e = ms_xml_child(ms_xml_child(e, "SourceFiles"), "File");
    for (; e != NULL && k > 0; k--)
        e = ms_xml_again(e);
    const char *name = ms_xml_attribute(e, "name");
    return e != NULL && name == NULL ? "" : name;
}
