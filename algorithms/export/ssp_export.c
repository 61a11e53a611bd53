/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ssp_export.h"

#include <string.h>

#include "export_files.h"
#include "exported.h"
#include "fmu.h"
#include "fmu_description_read.h"
#include "model_fmu.h"
#include "ssp.h"

/* A system structure on its way. */
typedef struct making {
    const ms_system *system;
    const ms_ssp_content *content;
    ms_ssp ssp;
    int *component;     /* (system->n) of each subsystem; -1: it stays out */
    const char ***port; /* (system->n), of each: what wires call its inputs, then its outputs */
    ms_error *error;
} making;

static int no_memory(const making *m)
{
    return ms_fail(m->error, MS_NO_MEMORY, "not enough memory for the system structure");
}

/* Components --------------------------------------------------------------------------------------------- */

/* A unit that is known is listed once; NULL for others. */
static const char *use_unit(making *m, const char *unit)
{
    ms_ssp_unit u = {.is.factor = 1.0};
    if (strcmp(unit, "1") == 0 || !ms_unit_powers(unit, u.is.power))
        return NULL;
    for (int k = 0; k < m->ssp.n_units; k++)
        if (strcmp(m->ssp.units[k].name, unit) == 0)
            return m->ssp.units[k].name;
    u.name = unit;
    m->ssp.units[m->ssp.n_units++] = u;
    return unit;
}

static int add_connectors(making *m, const ms_exported *of, ms_exported_group group, ms_ssp_kind kind,
                          ms_ssp_component *c, const char **port)
{
    for (int k = 0; k < ms_exported_count(of, group); k++) {
        char name[MS_EXPORTED_NAME];
        ms_ssp_connector *to = &c->connectors[c->n_connectors++];
        port[k] = to->name = ms_structure_name(&m->ssp.memory, "%s", ms_exported_name(of, group, k, name));
        to->kind = kind;
        to->unit = use_unit(m, ms_exported_unit(of, group, k));
        MS_TRY_MEMORY_OR(to->name != NULL, no_memory(m));
    }
    return MS_OK;
}

/* The array of an FMU to which the variable belongs as an element; NULL: none. */
static const ms_fmu_variable *array_of(const ms_fmu_description *d, const char *name)
{
    int n;
    const int value = ms_fmu_value_find(d, name, &n);
    const ms_fmu_variable *v = value >= 0 ? &d->variables[ms_fmu_variable_of(d, value)] : NULL;
    return v != NULL && v->n_dimensions > 0 ? v : NULL;
}

/* Of a subsystem that is an FMU of others: its variables have the names that they have in it, and an array is one connector. */
static int add_own_connectors(making *m, const ms_subsystem *sub, const ms_model_fmu_found *found,
                              ms_ssp_component *c, const char **port)
{
    if (found->set)
        return ms_fail(m->error, MS_UNSUPPORTED,
                       "the file sets values of the FMU of subsystem %s, which cannot be written; without "
                       "`set` it can be exported",
                       sub->name);
    c->implementation = found->model_exchange ? MS_SSP_MODEL_EXCHANGE : MS_SSP_CO_SIMULATION;
    static const ms_ssp_type types[MS_SIGNALS] = {[MS_SIGNAL_INTEGER] = MS_SSP_INTEGER,
                                                  [MS_SIGNAL_BOOLEAN] = MS_SSP_BOOLEAN,
                                                  [MS_SIGNAL_ENUMERATION] = MS_SSP_ENUMERATION};
    for (int k = 0; k < sub->nu + sub->ny; k++) {
        const ms_variable *v = k < sub->nu ? &sub->u[k] : &sub->y[k - sub->nu];
        const ms_signal *signal = k < sub->nu ? &sub->u_signal[k] : &sub->y_signal[k - sub->nu];
        const ms_fmu_variable *array = array_of(found->description, v->name);
        const ms_ssp_connector *last = c->n_connectors > 0 ? &c->connectors[c->n_connectors - 1] : NULL;
        port[k] = v->name;
        if (array != NULL && last != NULL && last->name == array->name)
            continue;
        c->connectors[c->n_connectors++] =
            (ms_ssp_connector){.name = array != NULL ? array->name : v->name,
                               .kind = k < sub->nu ? MS_SSP_INPUT : MS_SSP_OUTPUT,
                               .type = types[*signal],
                               .unit = use_unit(m, v->unit),
                               .n_dimensions = array != NULL ? array->n_dimensions : 0,
                               .dimension = array != NULL ? array->dimension : NULL};
    }
    return MS_OK;
}

/* The URI of the FMU within the archive: RFC 3986, 2.3, with all else by its bytes. */
static const char *source_of(making *m, const char *path)
{
    static const char kept[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    const char *name = ms_export_name_of(path);
    const size_t size = sizeof "resources/" + 3 * strlen(name);
    char *uri = ms_structure_alloc(&m->ssp.memory, size, 1);
    if (uri == NULL)
        return NULL;
    size_t at = (size_t)snprintf(uri, size, "resources/");
    for (; *name != '\0'; name++) {
        uri[at] = *name;
        at += strchr(kept, *name) != NULL
                  ? 1
                  : (size_t)snprintf(uri + at, size - at, "%%%02X", (unsigned char)*name);
    }
    uri[at] = '\0';
    return uri;
}

static int add_component(making *m, int i)
{
    const ms_subsystem *sub = &m->system->sub[i];
    ms_ssp_component *c = &m->ssp.components[m->ssp.n_components];
    ms_exported of = {0};
    m->component[i] = sub->gives_offsets ? -1 : m->ssp.n_components++;
    if (m->component[i] < 0)
        return MS_OK;
    c->name = sub->name;
    c->path = m->content->fmu[i];
    c->source = source_of(m, c->path);
    c->connectors =
        ms_structure_alloc(&m->ssp.memory, (size_t)sub->nu + (size_t)sub->ny + 1, sizeof *c->connectors);
    const char **port =
        ms_structure_alloc(&m->ssp.memory, (size_t)sub->nu + (size_t)sub->ny + 1, sizeof *port);
    MS_TRY_MEMORY_OR(c->source != NULL && c->connectors != NULL && port != NULL, no_memory(m));
    m->port[i] = port;
    ms_model_fmu_found found;
    if (ms_model_fmu(m->system->model, sub->name, &found))
        return add_own_connectors(m, sub, &found, c, port);
    int status = ms_exported_create(m->system, sub->name, &of, m->error);
    MS_THEN(status, add_connectors(m, &of, MS_EXPORTED_INPUT, MS_SSP_INPUT, c, port));
    MS_THEN(status, add_connectors(m, &of, MS_EXPORTED_OUTPUT, MS_SSP_OUTPUT, c, port + sub->nu));
    ms_exported_destroy(&of);
    return status;
}

/* Wires -------------------------------------------------------------------------------------------------- */

/* The signal of the output that the only wire to an input comes from. */
static ms_signal source_of_input(const ms_system *s, int input)
{
    const int output = s->wire_output[s->row_at[input]], from = ms_system_owner(s, output);
    const ms_signal *signal = s->sub[from].y_signal;
    return signal != NULL ? signal[output - s->y_at[from]] : MS_SIGNAL_CONTINUOUS;
}

static const char *text_of(making *m, ms_ssp_type type, double value)
{
    if (type == MS_SSP_BOOLEAN)
        return value != 0.0 ? "true" : "false";
    return ms_structure_name(&m->ssp.memory, "%.0f", value);
}

/* The map of the wire to input k of subsystem i; *map is unchanged if there is none. SSP maps booleans to booleans and numbers to numbers. */
static int add_map(making *m, int i, int k, const ms_ssp_map **map)
{
    const ms_subsystem *sub = &m->system->sub[i];
    ms_model_fmu_found found;
    const bool is_fmu = ms_model_fmu(m->system->model, sub->name, &found);
    const ms_fmu_map *of = is_fmu && found.map != NULL ? found.map[k] : NULL;
    if (of == NULL)
        return MS_OK;
    const bool boolean = sub->u_signal[k] == MS_SIGNAL_BOOLEAN;
    if (boolean != (source_of_input(m->system, m->system->u_at[i] + k) == MS_SIGNAL_BOOLEAN))
        return ms_fail(m->error, MS_UNSUPPORTED,
                       "the wire to input %s of subsystem %s maps between a boolean and a number, for which "
                       "SSP has no transformation",
                       sub->u[k].name, sub->name);
    ms_ssp_map *made = ms_structure_alloc(&m->ssp.memory, 1, sizeof *made);
    const char **text = ms_structure_alloc(&m->ssp.memory, 2 * (size_t)of->n, sizeof *text);
    MS_TRY_MEMORY_OR(made != NULL && text != NULL, no_memory(m));
    *made = (ms_ssp_map){boolean ? MS_SSP_BOOLEAN : MS_SSP_INTEGER, of->n, text, text + of->n};
    for (int j = 0; j < of->n; j++) {
        text[j] = text_of(m, made->type, of->value[j]);
        text[of->n + j] = text_of(m, made->type, of->image[j]);
        MS_TRY_MEMORY_OR(text[j] != NULL && text[of->n + j] != NULL, no_memory(m));
    }
    *map = made;
    return MS_OK;
}

/* The wires that end in input k of subsystem i, as one. */
static int add_wire(making *m, int i, int k)
{
    const ms_system *s = m->system;
    const int input = s->u_at[i] + k;
    ms_ssp_wire wire = {.to = m->component[i], .from = -1};
    wire.input = m->port[i][k];
    for (int at = s->row_at[input]; at < s->row_at[input + 1]; at++) {
        const int output = s->wire_output[at], from = ms_system_owner(s, output);
        if (m->component[from] < 0) {
            wire.offset += s->wire_gain[at];
            continue;
        }
        if (wire.from >= 0)
            return ms_fail(
                m->error, MS_UNSUPPORTED,
                "input %s of subsystem %s is the sum of several outputs, for which SSP has no connection",
                s->sub[i].u[k].name, s->sub[i].name);
        wire.from = m->component[from];
        wire.output = m->port[from][s->sub[from].nu + output - s->y_at[from]];
        wire.gain = s->wire_gain[at];
    }
    const double *start = s->sub[i].u0; /* which an input that is not connected keeps */
    if (wire.from < 0 && wire.offset != 0.0 && !(start != NULL && start[k] == wire.offset))
        return ms_fail(m->error, MS_UNSUPPORTED,
                       "input %s of subsystem %s is a constant, for which SSP has no connection",
                       s->sub[i].u[k].name, s->sub[i].name);
    const int status = wire.from >= 0 ? add_map(m, i, k, &wire.map) : MS_OK;
    if (wire.from >= 0)
        m->ssp.wires[m->ssp.n_wires++] = wire;
    return status;
}

static int describe(making *m)
{
    const ms_system *s = m->system;
    ms_structure *memory = &m->ssp.memory;
    const size_t variables = (size_t)s->nu + (size_t)s->ny;
    int status = MS_OK;
    m->ssp.name = s->model->name;
    m->ssp.stop_time = s->stop_time;
    m->ssp.step_size = s->step_size;
    m->component = ms_structure_alloc(memory, (size_t)s->n, sizeof *m->component);
    m->port = ms_structure_alloc(memory, (size_t)s->n, sizeof *m->port);
    m->ssp.components = ms_structure_alloc(memory, (size_t)s->n, sizeof *m->ssp.components);
    m->ssp.wires = ms_structure_alloc(memory, (size_t)s->nu + 1, sizeof *m->ssp.wires);
    m->ssp.units = ms_structure_alloc(memory, variables + 1, sizeof *m->ssp.units);
    m->ssp.options = ms_structure_alloc(memory, (size_t)m->content->n_options + 1, sizeof *m->ssp.options);
    MS_TRY_MEMORY_OR(m->ssp.options != NULL && m->component != NULL && m->port != NULL &&
                         m->ssp.components != NULL && m->ssp.wires != NULL && m->ssp.units != NULL,
                     no_memory(m));
    for (int k = 0; k < m->content->n_options; k++)
        m->ssp.options[m->ssp.n_options++] = m->content->options[k];
    for (int i = 0; i < s->n && status == MS_OK; i++)
        status = add_component(m, i);
    for (int i = 0; i < s->n && status == MS_OK; i++)
        for (int k = 0; k < s->sub[i].nu && status == MS_OK; k++)
            status = add_wire(m, i, k);
    return status;
}

/* Files -------------------------------------------------------------------------------------------------- */

static int fill(void *self, const char *folder, ms_error *error)
{
    const making *m = self;
    char path[PATH_MAX], resources[PATH_MAX];
    MS_TRY(ms_export_path(folder, "SystemStructure.ssd", path, error));
    MS_TRY(ms_ssp_write(&m->ssp, path, error));
    MS_TRY(ms_export_folder(folder, "resources", resources, error));
    for (int k = 0; k < m->ssp.n_components; k++)
        MS_TRY(ms_export_file_copy(m->ssp.components[k].path, resources,
                                   ms_export_name_of(m->ssp.components[k].path), error));
    return MS_OK;
}

int ms_ssp_export_write(const ms_system *system, const ms_ssp_content *content, const char *path,
                        ms_error *error)
{
    making m = {.system = system, .content = content, .error = error};
    int status = describe(&m);
    if (status == MS_OK) {
        status = ms_export_pack(path, fill, &m, error);
        if (status == MS_UNSUPPORTED) /* SSP can express the system, but the library for packing is missing */
            status = MS_IO;
    }
    ms_ssp_free(&m.ssp);
    return status;
}
