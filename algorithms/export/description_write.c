/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "description_write.h"

#include <math.h>
#include <string.h>

#include "component_parts.h"
#include "export_sources.h"
#include "unit_powers.h"
#include "xml_write.h"

/* A description while it is written. */
typedef struct writer {
    FILE *file;
    ms_component *c;
    const ms_exported *e;
    int fmi;
    bool exchange;          /* it has model exchange */
    bool sources;           /* they are listed */
    int output_derivatives; /* the highest that binary and sources have */
} writer;

enum { UNIT_NAME = 128 };

/* Text --------------------------------------------------------------------------------------------------- */

static void attribute(const writer *w, const char *name, const char *value)
{
    ms_xml_write_attribute(w->file, name, value);
}

static void number(const writer *w, const char *name, double value)
{
    ms_xml_write_number(w->file, name, value);
}

static void whole(const writer *w, const char *name, long value)
{
    fprintf(w->file, " %s=\"%ld\"", name, value);
}

static void flag(const writer *w, const char *name, bool value)
{
    attribute(w, name, value ? "true" : "false");
}

/* Kinds -------------------------------------------------------------------------------------------------- */

static void state_flags(const writer *w)
{
    char name[MS_EXPORTED_NAME];
    const bool two = w->fmi == 2;
    attribute(w, "modelIdentifier", ms_exported_identifier(w->e, name));
    flag(w, two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", true);
    flag(w, two ? "canSerializeFMUstate" : "canSerializeFMUState", true);
    flag(w, two ? "providesDirectionalDerivative" : "providesDirectionalDerivatives", true);
    if (two)
        flag(w, "canNotUseMemoryManagementFunctions", true);
}

static void end_kind(const writer *w, const char *element)
{
    if (!w->sources) {
        fputs("/>\n", w->file);
        return;
    }
    fputs(">\n    <SourceFiles>\n", w->file);
    for (const char *const *name = ms_export_sources_compiled(w->c, w->fmi); *name != NULL; name++)
        fprintf(w->file, "      <File name=\"%s\"/>\n", *name);
    fprintf(w->file, "    </SourceFiles>\n  </%s>\n", element);
}

static void write_model_exchange(const writer *w)
{
    const bool asked = w->e->sub->step_event != NULL;
    fputs("  <ModelExchange", w->file);
    state_flags(w);
    flag(w, w->fmi == 2 ? "completedIntegratorStepNotNeeded" : "needsCompletedIntegratorStep",
         w->fmi == 2 ? !asked : asked);
    end_kind(w, "ModelExchange");
}

static void write_co_simulation(const writer *w)
{
    const ms_capabilities *can = &w->c->instance->can;
    fputs("  <CoSimulation", w->file);
    state_flags(w);
    flag(w, "canHandleVariableCommunicationStepSize", can->step == 0.0);
    whole(w, "maxOutputDerivativeOrder", w->e->whole == NULL ? w->output_derivatives : 0);
    if (w->fmi == 2)
        flag(w, "canInterpolateInputs", can->input_degree > 0);
    else
        flag(w, "providesIntermediateUpdate", can->input_degree > 0);
    if (w->fmi == 3 && can->step != 0.0)
        number(w, "fixedInternalStepSize", can->step);
    end_kind(w, "CoSimulation");
}

/* Units -------------------------------------------------------------------------------------------------- */

/* The unit of a variable; a derivative's is that of its state per second. NULL: it has none. */
static const char *unit_of(const writer *w, ms_exported_group group, int k, char name[UNIT_NAME])
{
    int power[MS_UNIT_BASES];
    const char *unit = ms_exported_unit(w->e, group, k);
    if (group == MS_EXPORTED_DERIVATIVE) {
        if (!ms_unit_powers(unit, power))
            return NULL;
        power[MS_UNIT_SECOND]--;
        double powers[MS_UNIT_BASES];
        for (int i = 0; i < MS_UNIT_BASES; i++)
            powers[i] = power[i];
        unit = ms_unit_name(powers, name, UNIT_NAME);
    }
    return strcmp(unit, "1") != 0 && unit[0] != '\0' ? unit : NULL;
}

static void write_unit(const writer *w, const char *unit)
{
    int power[MS_UNIT_BASES];
    fputs("    <Unit", w->file);
    attribute(w, "name", unit);
    if (!ms_unit_powers(unit, power)) {
        fputs("/>\n", w->file);
        return;
    }
    fputs("><BaseUnit", w->file);
    for (int k = 0; k < MS_UNIT_BASES; k++)
        if (power[k] != 0)
            whole(w, ms_unit_bases[k], power[k]);
    fputs("/></Unit>\n", w->file);
}

/* Is the unit that of a variable before variable `reference`? */
static bool was_there(const writer *w, unsigned reference, const char *unit)
{
    for (unsigned r = 0; r < reference; r++) {
        ms_exported_group group = MS_EXPORTED_TIME;
        int k = 0;
        char name[UNIT_NAME];
        ms_exported_find(w->e, r, &group, &k);
        const char *other = unit_of(w, group, k, name);
        if (other != NULL && strcmp(other, unit) == 0)
            return true;
    }
    return false;
}

static void write_units(const writer *w)
{
    ms_exported_group group = MS_EXPORTED_TIME;
    int k = 0;
    fputs("  <UnitDefinitions>\n", w->file);
    for (unsigned r = 0; ms_exported_find(w->e, r, &group, &k); r++) {
        char name[UNIT_NAME];
        const char *unit = unit_of(w, group, k, name);
        if (unit != NULL && !was_there(w, r, unit))
            write_unit(w, unit);
    }
    fputs("  </UnitDefinitions>\n", w->file);
}

/* Variables ---------------------------------------------------------------------------------------------- */

/* What the table of causality, variability and initial has for each group; initial NULL: none. */
typedef struct role {
    const char *causality, *variability, *initial;
} role;

static role role_of(const writer *w, ms_exported_group group, int k)
{
    static const role roles[MS_EXPORTED_GROUPS] = {
        [MS_EXPORTED_TIME] = {"independent", "continuous", NULL},
        [MS_EXPORTED_INPUT] = {"input", "continuous", NULL},
        [MS_EXPORTED_OUTPUT] = {"output", "continuous", "calculated"},
        [MS_EXPORTED_STATE] = {"local", "continuous", "exact"},
        [MS_EXPORTED_DERIVATIVE] = {"local", "continuous", "calculated"},
        [MS_EXPORTED_DISCRETE] = {"local", "discrete", "calculated"},
        [MS_EXPORTED_INDICATOR] = {"local", "continuous", "calculated"},
        [MS_EXPORTED_PARAMETER] = {"parameter", "fixed", "exact"}};
    role of = roles[group];
    if (group == MS_EXPORTED_STATE && (w->e->sub->start != NULL || w->e->sub->x0_parameter != NULL))
        of.initial = "calculated"; /* from parameters */
    if (group == MS_EXPORTED_STATE && w->e->whole != NULL)
        of.causality = "output";
    if (group == MS_EXPORTED_PARAMETER && ms_exported_is_size(w->e, k))
        of = (role){"local", "constant", "exact"};
    return of;
}

static void write_range(const writer *w, int k)
{
    const ms_parameter *parameter = &w->e->base->model->parameters[k];
    if (isfinite(parameter->min))
        number(w, "min", parameter->min);
    if (isfinite(parameter->max))
        number(w, "max", parameter->max);
}

/* Unit, range, start and `derivative`: attributes of <Real> (2.0), or of the variable (3.0). */
static void write_real(const writer *w, unsigned reference, ms_exported_group group, int k, const role *of)
{
    char name[UNIT_NAME];
    const char *unit = unit_of(w, group, k, name);
    double value;
    if (unit != NULL)
        attribute(w, "unit", unit);
    if (group == MS_EXPORTED_PARAMETER)
        write_range(w, k);
    if (group == MS_EXPORTED_DERIVATIVE)
        whole(w, "derivative", (long)(w->e->first[MS_EXPORTED_STATE] + (unsigned)k) + (w->fmi == 2));
    if (group == MS_EXPORTED_STATE && w->exchange && w->e->sub->handle != NULL)
        flag(w, "reinit", true);
    const bool starts =
        group == MS_EXPORTED_INPUT || (of->initial != NULL && strcmp(of->initial, "exact") == 0);
    if (starts && ms_component_get(w->c, 1, &reference, &value) == MS_OK)
        number(w, "start", value);
}

static void write_variable(const writer *w, unsigned reference, ms_exported_group group, int k)
{
    char name[MS_EXPORTED_NAME];
    const role of = role_of(w, group, k);
    fputs(w->fmi == 2 ? "    <ScalarVariable" : "    <Float64", w->file);
    attribute(w, "name", ms_exported_name(w->e, group, k, name));
    whole(w, "valueReference", (long)reference);
    if (group == MS_EXPORTED_PARAMETER && w->e->base->model->parameters[k].summary != NULL)
        attribute(w, "description", w->e->base->model->parameters[k].summary);
    attribute(w, "causality", of.causality);
    attribute(w, "variability", of.variability);
    if (of.initial != NULL)
        attribute(w, "initial", of.initial);
    if (w->fmi == 2)
        fputs("><Real", w->file);
    else if (group == MS_EXPORTED_INPUT && w->c->instance->can.input_degree > 0)
        flag(w, "intermediateUpdate", true);
    write_real(w, reference, group, k, &of);
    fputs(w->fmi == 2 ? "/></ScalarVariable>\n" : "/>\n", w->file);
}

static void write_variables(const writer *w)
{
    ms_exported_group group = MS_EXPORTED_TIME;
    int k = 0;
    fputs("  <ModelVariables>\n", w->file);
    for (unsigned r = 0; ms_exported_find(w->e, r, &group, &k); r++)
        write_variable(w, r, group, k);
    fputs("  </ModelVariables>\n", w->file);
}

/* Structure ---------------------------------------------------------------------------------------------- */

static void begin_unknown(const writer *w, const char *element, unsigned reference)
{
    fprintf(w->file, w->fmi == 2 ? "%s<Unknown" : "    <%s", w->fmi == 2 ? "      " : element);
    whole(w, w->fmi == 2 ? "index" : "valueReference", (long)reference + (w->fmi == 2));
}

static void depend(const writer *w, unsigned reference, bool *any)
{
    fprintf(w->file, "%s%lu", *any ? " " : "", (unsigned long)reference + (w->fmi == 2));
    *any = true;
}

/* Does what depends on external inputs depend on time? A nonlinear subsystem may read it anyway. */
static bool reads_time(const writer *w)
{
    const ms_subsystem *sub = w->e->sub;
    return sub->matrices == NULL || (sub->nw > 0 && !sub->external_constant);
}

static bool shows(const ms_subsystem *sub, int output, int state)
{
    return sub->shows == NULL || sub->shows[output * sub->nx + state];
}

static bool shows_any(const ms_subsystem *sub, int output)
{
    bool any = false;
    for (int k = 0; k < sub->nx; k++)
        any |= shows(sub, output, k);
    return any;
}

/* Time, inputs by the feed-through, and the states that it shows. Where nothing is left all states, which keeps readers from taking
 * "none" for "all". */
static void output_dependencies(const writer *w, int j)
{
    const ms_subsystem *sub = w->e->sub;
    bool any = false;
    fputs(" dependencies=\"", w->file);
    if (reads_time(w))
        depend(w, w->e->first[MS_EXPORTED_TIME], &any);
    for (int k = 0; k < sub->nu; k++)
        if (ms_subsystem_feeds_through(w->e->system, w->e->index, j, k))
            depend(w, w->e->first[MS_EXPORTED_INPUT] + (unsigned)k, &any);
    const bool all = !any && !shows_any(sub, j);
    for (int k = 0; k < sub->nx && sub->residual == NULL; k++)
        if (all || shows(sub, j, k))
            depend(w, w->e->first[MS_EXPORTED_STATE] + (unsigned)k, &any);
    fputc('"', w->file);
}

static void write_outputs(const writer *w)
{
    const unsigned *first = w->e->first;
    const bool states = w->e->whole != NULL;
    const int n = ms_exported_count(w->e, states ? MS_EXPORTED_STATE : MS_EXPORTED_OUTPUT);
    if (w->fmi == 2 && n > 0)
        fputs("    <Outputs>\n", w->file);
    for (int j = 0; j < n; j++) {
        begin_unknown(w, "Output", first[states ? MS_EXPORTED_STATE : MS_EXPORTED_OUTPUT] + (unsigned)j);
        if (!states)
            output_dependencies(w, j);
        fputs("/>\n", w->file);
    }
    if (w->fmi == 2 && n > 0)
        fputs("    </Outputs>\n", w->file);
}

/* Of a linear subsystem the entries of A and B that are not zero. */
static void derivative_dependencies(const writer *w, int j)
{
    const ms_subsystem *sub = w->e->sub;
    const ms_blocks *m = w->c->instance->blocks;
    bool any = false;
    if (m == NULL)
        return;
    fputs(" dependencies=\"", w->file);
    if (reads_time(w))
        depend(w, w->e->first[MS_EXPORTED_TIME], &any);
    for (int k = 0; k < sub->nu; k++)
        if (m->B[j * sub->nu + k] != 0.0)
            depend(w, w->e->first[MS_EXPORTED_INPUT] + (unsigned)k, &any);
    for (int k = 0; k < sub->nx; k++)
        if (m->A[j * sub->nx + k] != 0.0)
            depend(w, w->e->first[MS_EXPORTED_STATE] + (unsigned)k, &any);
    fputc('"', w->file);
}

static void write_derivatives(const writer *w)
{
    const int n = ms_exported_count(w->e, MS_EXPORTED_DERIVATIVE);
    if (w->fmi == 2 && n > 0)
        fputs("    <Derivatives>\n", w->file);
    for (int j = 0; j < n; j++) {
        begin_unknown(w, "ContinuousStateDerivative", w->e->first[MS_EXPORTED_DERIVATIVE] + (unsigned)j);
        derivative_dependencies(w, j);
        fputs("/>\n", w->file);
    }
    if (w->fmi == 2 && n > 0)
        fputs("    </Derivatives>\n", w->file);
}

/* Outputs, states and derivatives that are calculated at the start. */
static bool is_initial_unknown(const writer *w, ms_exported_group group, int k)
{
    const role of = role_of(w, group, k);
    const bool state = group == MS_EXPORTED_STATE && ms_exported_count(w->e, MS_EXPORTED_DERIVATIVE) > 0;
    return of.initial != NULL && strcmp(of.initial, "calculated") == 0 &&
           (strcmp(of.causality, "output") == 0 || state || group == MS_EXPORTED_DERIVATIVE);
}

static void write_initial_unknowns(const writer *w)
{
    ms_exported_group group = MS_EXPORTED_TIME;
    bool any = false;
    int k = 0;
    for (unsigned r = 0; ms_exported_find(w->e, r, &group, &k); r++) {
        if (!is_initial_unknown(w, group, k))
            continue;
        if (w->fmi == 2 && !any)
            fputs("    <InitialUnknowns>\n", w->file);
        any = true;
        begin_unknown(w, "InitialUnknown", r);
        fputs("/>\n", w->file);
    }
    if (w->fmi == 2 && any)
        fputs("    </InitialUnknowns>\n", w->file);
}

static void write_structure(const writer *w)
{
    fputs("  <ModelStructure>\n", w->file);
    write_outputs(w);
    write_derivatives(w);
    write_initial_unknowns(w);
    for (int k = 0; k < w->e->sub->n_indicators && w->fmi == 3; k++) {
        begin_unknown(w, "EventIndicator", w->e->first[MS_EXPORTED_INDICATOR] + (unsigned)k);
        fputs("/>\n", w->file);
    }
    fputs("  </ModelStructure>\n", w->file);
}

/* The file ----------------------------------------------------------------------------------------------- */

/* How many of the first `most` bytes of a text in UTF-8 are whole letters. */
static int whole_letters(const char *text, int most)
{
    int n = (int)strnlen(text, (size_t)most + 1);
    if (n <= most)
        return n;
    for (n = most; n > 0 && ((unsigned char)text[n] & 0xC0U) == 0x80U;)
        n--;
    return n;
}

static void write_head(const writer *w)
{
    enum { MOST = 100 };
    const ms_model *model = w->e->base->model;
    const char *part = w->e->whole != NULL ? "whole" : w->e->sub->name;
    char name[MS_EXPORTED_NAME], tool[64];
    snprintf(name, sizeof name, "%.*s.%.*s", whole_letters(model->name, MOST), model->name,
             whole_letters(part, MOST), part);
    snprintf(tool, sizeof tool, "macrostep %s", ms_export_version());
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription", w->file);
    attribute(w, "fmiVersion", w->fmi == 2 ? "2.0" : "3.0");
    attribute(w, "modelName", name);
    attribute(w, w->fmi == 2 ? "guid" : "instantiationToken", w->c->settings.token);
    if (model->summary != NULL && model->summary[0] != '\0')
        attribute(w, "description", model->summary);
    attribute(w, "generationTool", tool);
    attribute(w, "variableNamingConvention", "structured");
    if (w->fmi == 2)
        whole(w, "numberOfEventIndicators", w->e->sub->n_indicators);
    fputs(">\n", w->file);
}

static void write_experiment(const writer *w)
{
    const ms_system *base = w->e->base;
    const double step = w->c->instance->can.step != 0.0 ? w->c->instance->can.step : base->step_size;
    fputs("  <DefaultExperiment", w->file);
    number(w, "startTime", 0.0);
    number(w, "stopTime", base->stop_time);
    if (w->c->settings.solver.solver->adaptive)
        number(w, "tolerance", w->c->settings.solver.rtol);
    number(w, "stepSize", step);
    fputs("/>\n", w->file);
}

void ms_description_write(FILE *file, ms_component *component, int fmi, bool sources)
{
    const writer w = {.file = file,
                      .c = component,
                      .e = &component->exported,
                      .fmi = fmi,
                      .sources = sources && fmi == 2,
                      .output_derivatives = sources ? ms_export_sources_output_derivatives(component)
                                                    : component->instance->can.output_derivatives,
                      .exchange = ms_exported_no_model_exchange(&component->exported) == NULL};
    write_head(&w);
    if (w.exchange)
        write_model_exchange(&w);
    write_co_simulation(&w);
    write_units(&w);
    fputs("  <LogCategories>\n    <Category name=\"logStatusDiscard\"/>\n    <Category "
          "name=\"logStatusError\"/>\n"
          "  </LogCategories>\n",
          file);
    write_experiment(&w);
    write_variables(&w);
    write_structure(&w);
    fputs("</fmiModelDescription>\n", file);
}
