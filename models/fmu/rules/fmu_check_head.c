/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_check_head.c - kinds, flags, experiment and date; definitions of units and types. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "fmu_check_parts.h"

/* Kinds -------------------------------------------------------------------------------------------------- */

static bool is_identifier(const char *name)
{
    const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] != '\0' && name[strspn(name, allowed)] == '\0' && !isdigit((unsigned char)name[0]);
}

static void check_kind(ms_fmu_checker *c, const char *name, const ms_fmu_flags *flags)
{
    const ms_xml_element *e = ms_xml_child(c->d->xml.root, name);
    if (!flags->present)
        return;
    if (!is_identifier(flags->model_identifier))
        ms_fmu_found(c, true, e->line, "modelIdentifier %.100s is not a C identifier",
                     flags->model_identifier);
    if (flags->serialize_state && !flags->get_and_set_state)
        ms_fmu_found(c, true, e->line, "<%s>: a state can be serialized only if it can be read and set",
                     name);
    if (flags->max_output_derivative < 0)
        ms_fmu_found(c, true, e->line, "maxOutputDerivativeOrder is negative");
    if (ms_xml_attribute(e, "fixedInternalStepSize") != NULL && !(flags->fixed_internal_step > 0.0))
        ms_fmu_found(c, true, e->line, "fixedInternalStepSize is not positive");
}

static void check_experiment(ms_fmu_checker *c)
{
    const ms_fmu_description *d = c->description;
    const ms_xml_element *e = ms_xml_child(c->d->xml.root, "DefaultExperiment");
    if (e == NULL)
        return;
    if (d->start_time >= d->stop_time)
        ms_fmu_found(c, true, e->line, "stopTime %g is not after startTime %g", d->stop_time, d->start_time);
    if (d->tolerance <= 0.0)
        ms_fmu_found(c, true, e->line, "tolerance is not positive");
    if (d->step_size <= 0.0)
        ms_fmu_found(c, true, e->line, "stepSize is not positive");
}

/* xs:dateTime: 2026-01-31T12:00:00 with a fraction and a zone, or not. */
static bool is_date(const char *text)
{
    const char *form = "dddd-dd-ddTdd:dd:dd";
    for (; *form != '\0'; form++, text++)
        if (*form == 'd' ? !isdigit((unsigned char)*text) : *form != *text)
            return false;
    if (text[0] == '.' && isdigit((unsigned char)text[1]))
        text += 1 + strspn(text + 1, "0123456789");
    if (text[0] == '\0' || strcmp(text, "Z") == 0)
        return true;
    return (text[0] == '+' || text[0] == '-') && strlen(text) == 6 && text[3] == ':';
}

/* Definitions -------------------------------------------------------------------------------------------- */

/* Checks that a sorted list has no duplicates. */
static void check_unique(ms_fmu_checker *c, const ms_named *list, int n, const char *what)
{
    for (int k = 1; k < n; k++)
        if (strcmp(list[k - 1].name, list[k].name) == 0)
            ms_fmu_found(c, true, list[k].element->line, "two %s have the name %.100s", what, list[k].name);
}

/* The same for elements within e, where they are few. */
static void check_children_unique(ms_fmu_checker *c, const ms_xml_element *e, const char *attribute)
{
    for (const ms_xml_element *a = e != NULL ? e->first : NULL; a != NULL; a = a->next) {
        const char *value = ms_xml_attribute(a, attribute);
        for (const ms_xml_element *b = e->first; b != a && value != NULL; b = b->next) {
            const char *other = ms_xml_attribute(b, attribute);
            if (other != NULL && strcmp(a->name, b->name) == 0 && strcmp(value, other) == 0)
                ms_fmu_found(c, true, a->line, "two <%.60s> have the %s %.100s", a->name, attribute, value);
        }
    }
}

static void check_number(ms_fmu_checker *c, const ms_xml_element *e, const char *attribute, bool whole)
{
    double value = 0.0;
    const char *text = ms_xml_attribute(e, attribute);
    if (text != NULL && (!ms_xml_number(text, &value) || (whole && value != floor(value))))
        ms_fmu_found(c, true, e->line, "%s of <%.60s> is %.60s, but a %s is expected", attribute, e->name,
                     text, whole ? "whole number" : "number");
}

static void check_unit(ms_fmu_checker *c, const ms_xml_element *e)
{
    static const char *const exponents[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    const ms_xml_element *base = ms_xml_child(e, "BaseUnit");
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++)
        check_number(c, base, exponents[k], true);
    check_number(c, base, "factor", false);
    check_number(c, base, "offset", false);
    for (const ms_xml_element *other = ms_xml_child(e, "DisplayUnit"); other != NULL;
         other = ms_xml_again(other)) {
        check_number(c, other, "factor", false);
        check_number(c, other, "offset", false);
    }
    check_children_unique(c, e, "name");
}

static void check_type(ms_fmu_checker *c, const ms_xml_element *e)
{
    const ms_xml_element *list = c->description->fmi == 2 ? ms_xml_child(e, "Enumeration") : e;
    for (const ms_xml_element *i = ms_xml_child(list, "Item"); i != NULL; i = ms_xml_again(i))
        check_number(c, i, "value", true);
    check_children_unique(c, list, "name");
    check_children_unique(c, list, "value");
}

void ms_fmu_check_head(ms_fmu_checker *c)
{
    const ms_fmu_description *d = c->description;
    const ms_xml_element *root = c->d->xml.root;
    const char *date = ms_xml_attribute(root, "generationDateAndTime");
    check_kind(c, "CoSimulation", &d->flags[MS_FMU_CO_SIMULATION]);
    check_kind(c, "ModelExchange", &d->flags[MS_FMU_MODEL_EXCHANGE]);
    check_experiment(c);
    if (date != NULL && !is_date(date))
        ms_fmu_found(c, true, root->line,
                     "generationDateAndTime %.60s is not of the form 2026-01-31T12:00:00Z", date);
    check_unique(c, c->d->units, c->d->n_units, "units");
    check_unique(c, c->d->types, c->d->n_types, "types");
    check_children_unique(c, ms_xml_child(root, "LogCategories"), "name");
    for (int k = 0; k < c->d->n_units; k++)
        check_unit(c, c->d->units[k].element);
    for (int k = 0; k < c->d->n_types; k++)
        check_type(c, c->d->types[k].element);
}
