/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_write.c - writes a system structure as an .ssd of SSP 1.0, or of 2.0 if there are arrays. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "ssp.h"
#include "xml_write.h"

static const char *const type_names[MS_SSP_TYPES] = {"Real", "Integer", "Boolean", "String", "Enumeration"};

/* Components --------------------------------------------------------------------------------------------- */

static void write_connector(FILE *file, const ms_ssp_connector *c)
{
    static const char *const kinds[MS_SSP_KINDS] = {"input", "output", "parameter"};
    fputs("          <ssd:Connector", file);
    ms_xml_write_attribute(file, "name", c->name);
    ms_xml_write_attribute(file, "kind", kinds[c->kind]);
    fprintf(file, "><ssc:%s", type_names[c->type]);
    if (c->unit != NULL)
        ms_xml_write_attribute(file, "unit", c->unit);
    if (c->type == MS_SSP_ENUMERATION)
        ms_xml_write_attribute(file, "name", c->name);
    fputs("/>", file);
    for (int k = 0; k < c->n_dimensions; k++)
        if (c->dimension[k] > 0)
            fprintf(file, "<ssc:Dimension size=\"%d\"/>", c->dimension[k]);
        else
            fputs("<ssc:Dimension/>", file);
    fputs("</ssd:Connector>\n", file);
}

static void write_setting(FILE *file, const ms_ssp_component *c, const ms_ssp_setting *s)
{
    fputs("                <ssv:Parameter", file);
    ms_xml_write_attribute(file, "name", s->name);
    fprintf(file, "><ssv:%s", type_names[s->type]);
    if (s->type == MS_SSP_REAL)
        ms_xml_write_number(file, "value", s->number);
    else
        ms_xml_write_attribute(file, "value", s->text);
    for (int k = 0; k < c->n_connectors && s->type == MS_SSP_REAL; k++)
        if (strcmp(c->connectors[k].name, s->name) == 0 && c->connectors[k].unit != NULL)
            ms_xml_write_attribute(file, "unit", c->connectors[k].unit);
    fputs("/></ssv:Parameter>\n", file);
}

static void write_settings(FILE *file, const ms_ssp_component *c)
{
    if (c->settings == NULL)
        return;
    fputs("        <ssd:ParameterBindings>\n          <ssd:ParameterBinding>\n            "
          "<ssd:ParameterValues>\n"
          "              <ssv:ParameterSet version=\"1.0\"",
          file);
    ms_xml_write_attribute(file, "name", c->name);
    fputs("><ssv:Parameters>\n", file);
    for (const ms_ssp_setting *s = c->settings; s != NULL; s = s->next)
        write_setting(file, c, s);
    fputs("              </ssv:Parameters></ssv:ParameterSet>\n            </ssd:ParameterValues>\n"
          "          </ssd:ParameterBinding>\n        </ssd:ParameterBindings>\n",
          file);
}

static void write_component(FILE *file, const ms_ssp_component *c)
{
    static const char *const words[MS_SSP_IMPLEMENTATIONS] = {"any", "CoSimulation", "ModelExchange"};
    fputs("      <ssd:Component", file);
    ms_xml_write_attribute(file, "name", c->name);
    ms_xml_write_attribute(file, "type", "application/x-fmu-sharedlibrary");
    ms_xml_write_attribute(file, "source", c->source);
    ms_xml_write_attribute(file, "implementation", words[c->implementation]);
    fputs(">\n", file);
    if (c->n_connectors > 0)
        fputs("        <ssd:Connectors>\n", file);
    for (int k = 0; k < c->n_connectors; k++)
        write_connector(file, &c->connectors[k]);
    if (c->n_connectors > 0)
        fputs("        </ssd:Connectors>\n", file);
    write_settings(file, c);
    fputs("      </ssd:Component>\n", file);
}

/* Connections -------------------------------------------------------------------------------------------- */

enum { ARRAY_NAME = 500 };

/* Is the name before the bracket a connector of the component, and not the whole? Returns its length, otherwise 0. */
static int array_of(const ms_ssp_component *c, const char *name)
{
    const char *bracket = strrchr(name, '[');
    const size_t length = bracket != NULL && strlen(name) < ARRAY_NAME ? (size_t)(bracket - name) : 0;
    bool whole = false, array = false;
    for (int k = 0; k < c->n_connectors; k++) {
        const ms_ssp_connector *of = &c->connectors[k];
        whole = whole || strcmp(of->name, name) == 0;
        array = array || (strncmp(of->name, name, length) == 0 && of->name[length] == '\0');
    }
    return array && !whole ? (int)length : 0;
}

/* One end: "start" or "end". Indices of an element of an array are written next to the connector. */
static void write_end(FILE *file, const ms_ssp_component *c, const char *name, bool start)
{
    const int length = array_of(c, name);
    char text[ARRAY_NAME];
    ms_xml_write_attribute(file, start ? "startElement" : "endElement", c->name);
    snprintf(text, sizeof text, "%.*s", length, name);
    ms_xml_write_attribute(file, start ? "startConnector" : "endConnector", length > 0 ? text : name);
    if (length == 0)
        return;
    snprintf(text, sizeof text, "%.*s", (int)strlen(name) - length - 2, name + length + 1);
    for (char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma, ','))
        *comma = ' ';
    ms_xml_write_attribute(file, start ? "startIndices" : "endIndices", text);
}

static void write_map(FILE *file, const ms_ssp_map *map)
{
    fprintf(file, "><ssc:%sMappingTransformation>", type_names[map->type]);
    for (int k = 0; k < map->n; k++) {
        fputs("<ssc:MapEntry", file);
        ms_xml_write_attribute(file, "source", map->source[k]);
        ms_xml_write_attribute(file, "target", map->target[k]);
        fputs("/>", file);
    }
    fprintf(file, "</ssc:%sMappingTransformation></ssd:Connection>\n", type_names[map->type]);
}

/* Gains and offsets of a wire apply to values whose units have been converted: they are written as they are, without further
 * conversion. */
static void write_wire(FILE *file, const ms_ssp *ssp, const ms_ssp_wire *w)
{
    fputs("      <ssd:Connection", file);
    write_end(file, &ssp->components[w->from], w->output, true);
    write_end(file, &ssp->components[w->to], w->input, false);
    fputs(" suppressUnitConversion=\"true\"", file);
    if (w->map != NULL)
        write_map(file, w->map);
    else if (w->gain == 1.0 && w->offset == 0.0)
        fputs("/>\n", file);
    else {
        fputs("><ssc:LinearTransformation", file);
        ms_xml_write_number(file, "factor", w->gain);
        ms_xml_write_number(file, "offset", w->offset);
        fputs("/></ssd:Connection>\n", file);
    }
}

static void write_unit(FILE *file, const ms_ssp_unit *u)
{
    fputs("    <ssc:Unit", file);
    ms_xml_write_attribute(file, "name", u->name);
    fputs("><ssc:BaseUnit", file);
    for (int k = 0; k < MS_UNIT_BASES; k++)
        if (u->is.power[k] != 0)
            fprintf(file, " %s=\"%d\"", ms_unit_bases[k], u->is.power[k]);
    if (u->is.factor != 1.0)
        ms_xml_write_number(file, "factor", u->is.factor);
    if (u->is.offset != 0.0)
        ms_xml_write_number(file, "offset", u->is.offset);
    fputs("/></ssc:Unit>\n", file);
}

/* Has an option of the name been written before option k? A repeated one is written as a separate element. */
static bool stands_before(const ms_ssp *ssp, int k)
{
    for (int i = 0; i < k; i++)
        if (strcmp(ssp->options[i].option, ssp->options[k].option) == 0)
            return true;
    return false;
}

static void write_options(FILE *file, const ms_ssp *ssp)
{
    static const char element[] = "<options xmlns=\"urn:macrostep\"";
    bool has_step_size = false;
    fprintf(file, "      %s", element);
    for (int k = 0; k < ssp->n_options; k++) {
        if (stands_before(ssp, k))
            fprintf(file, "/>\n      %s", element);
        ms_xml_write_attribute(file, ssp->options[k].option, ssp->options[k].value);
        has_step_size = has_step_size || strcmp(ssp->options[k].option, "step-size") == 0;
    }
    if (!has_step_size && isfinite(ssp->step_size))
        ms_xml_write_number(file, "step-size", ssp->step_size);
    fputs("/>\n", file);
}

static void write_experiment(FILE *file, const ms_ssp *ssp)
{
    fputs("  <ssd:DefaultExperiment", file);
    ms_xml_write_number(file, "startTime", ssp->start_time);
    if (isfinite(ssp->stop_time))
        ms_xml_write_number(file, "stopTime", ssp->stop_time);
    if (!isfinite(ssp->step_size) && ssp->n_options == 0) {
        fputs("/>\n", file);
        return;
    }
    fputs(">\n    <ssd:Annotations><ssc:Annotation type=\"macrostep\">\n", file);
    write_options(file, ssp);
    fputs("    </ssc:Annotation></ssd:Annotations>\n  </ssd:DefaultExperiment>\n", file);
}

/* All ---------------------------------------------------------------------------------------------------- */

static bool has_arrays(const ms_ssp *ssp)
{
    for (int i = 0; i < ssp->n_components; i++)
        for (int k = 0; k < ssp->components[i].n_connectors; k++)
            if (ssp->components[i].connectors[k].n_dimensions > 0)
                return true;
    return false;
}

static void write_all(FILE *file, const ms_ssp *ssp)
{
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ssd:SystemStructureDescription version=\"%s\"",
            has_arrays(ssp) ? "2.0" : "1.0");
    ms_xml_write_attribute(file, "name", ssp->name);
    fputs("\n    xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\"\n"
          "    xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\"\n"
          "    xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\">\n  <ssd:System",
          file);
    ms_xml_write_attribute(file, "name", ssp->name);
    fputs(">\n    <ssd:Elements>\n", file);
    for (int k = 0; k < ssp->n_components; k++)
        write_component(file, &ssp->components[k]);
    fputs("    </ssd:Elements>\n", file);
    if (ssp->n_wires > 0)
        fputs("    <ssd:Connections>\n", file);
    for (int k = 0; k < ssp->n_wires; k++)
        write_wire(file, ssp, &ssp->wires[k]);
    if (ssp->n_wires > 0)
        fputs("    </ssd:Connections>\n", file);
    fputs("  </ssd:System>\n", file);
    if (ssp->n_units > 0)
        fputs("  <ssd:Units>\n", file);
    for (int k = 0; k < ssp->n_units; k++)
        write_unit(file, &ssp->units[k]);
    if (ssp->n_units > 0)
        fputs("  </ssd:Units>\n", file);
    write_experiment(file, ssp);
    fputs("</ssd:SystemStructureDescription>\n", file);
}

int ms_ssp_write(const ms_ssp *ssp, const char *path, ms_error *error)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    write_all(file, ssp);
    const bool failed = ferror(file) != 0;
    return fclose(file) == 0 && !failed ? MS_OK : ms_fail(error, MS_IO, "%s: cannot be written", path);
}
