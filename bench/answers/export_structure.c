/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export_structure.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export_files.h"
#include "exported.h"
#include "fmu_archive.h"
#include "ssp.h"
#include "unit_powers.h"

/* The structure ------------------------------------------------------------------------------------------ */

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the system structure");
}

/* The unit of that name among those of the structure, where it is known; NULL: it is none, or not known. */
static const char *add_unit(ms_ssp *ssp, const char *name)
{
    int power[MS_UNIT_BASES];
    if (strcmp(name, "1") == 0 || !ms_unit_powers(name, power))
        return NULL;
    for (int k = 0; k < ssp->n_units; k++)
        if (strcmp(ssp->units[k].name, name) == 0)
            return name;
    ms_ssp_unit *unit = &ssp->units[ssp->n_units++];
    *unit = (ms_ssp_unit){.name = name, .factor = 1.0};
    for (int k = 0; k < MS_UNIT_BASES; k++)
        unit->exponent[k] = power[k];
    return name;
}

static int add_connector(ms_ssp *ssp, ms_ssp_component *component, const ms_exported *of,
                         ms_exported_group group, int k)
{
    char name[MS_EXPORTED_NAME];
    ms_ssp_connector *c = &component->connectors[component->n_connectors++];
    *c = (ms_ssp_connector){.name =
                                ms_structure_name(&ssp->memory, "%s", ms_exported_name(of, group, k, name)),
                            .kind = group == MS_EXPORTED_INPUT ? MS_SSP_INPUT : MS_SSP_OUTPUT,
                            .unit = add_unit(ssp, ms_exported_unit(of, group, k))};
    return c->name != NULL ? MS_OK : MS_NO_MEMORY;
}

/* Inputs, behind them outputs. */
static int add_component(ms_ssp *ssp, const ms_system *system, int i, const char *fmu, ms_error *error)
{
    const ms_subsystem *sub = &system->sub[i];
    const char *slash = strrchr(fmu, '/');
    ms_exported of = {0};
    ms_ssp_component *component = &ssp->components[i];
    *component = (ms_ssp_component){
        .name = sub->name,
        .source = ms_structure_name(&ssp->memory, "resources/%s", slash != NULL ? slash + 1 : fmu),
        .implementation = MS_SSP_CO_SIMULATION,
        .connectors =
            ms_structure_alloc(&ssp->memory, (size_t)(sub->nu + sub->ny) + 1, sizeof(ms_ssp_connector))};
    if (component->source == NULL || component->connectors == NULL)
        return no_memory(error);
    int status = ms_exported_create(system, sub->name, &of, error);
    for (int k = 0; k < sub->nu && status == MS_OK; k++)
        status = add_connector(ssp, component, &of, MS_EXPORTED_INPUT, k);
    for (int k = 0; k < sub->ny && status == MS_OK; k++)
        status = add_connector(ssp, component, &of, MS_EXPORTED_OUTPUT, k);
    ms_exported_destroy(&of);
    return status == MS_NO_MEMORY ? no_memory(error) : status;
}

/* What leads to input `input` (index in u) of subsystem i. */
static int add_wire(ms_ssp *ssp, const ms_system *s, int i, int input, ms_error *error)
{
    const int first = s->row_at[input], n = s->row_at[input + 1] - first;
    const ms_ssp_component *to = &ssp->components[i];
    const char *name = to->connectors[input - s->u_at[i]].name;
    if (n > 1)
        return ms_fail(error, MS_UNSUPPORTED,
                       "input %s of %s is the sum of %d outputs, and connectors of SSP have one connection",
                       name, to->name, n);
    if (n == 0)
        return MS_OK;
    const int output = s->wire_output[first], from = ms_system_owner(s, output);
    ssp->wires[ssp->n_wires++] = (ms_ssp_wire){
        .from = from,
        .to = i,
        .output = ssp->components[from].connectors[s->sub[from].nu + output - s->y_at[from]].name,
        .input = name,
        .gain = s->wire_gain[first]};
    return MS_OK;
}

static int describe(const ms_system *s, const char *const *fmu, ms_ssp *ssp, ms_error *error)
{
    *ssp = (ms_ssp){
        .name = s->model->name, .stop_time = s->stop_time, .step_size = s->step_size, .n_components = s->n};
    ssp->units = ms_structure_alloc(&ssp->memory, (size_t)(s->nu + s->ny) + 1, sizeof *ssp->units);
    ssp->components = ms_structure_alloc(&ssp->memory, (size_t)s->n, sizeof *ssp->components);
    ssp->wires = ms_structure_alloc(&ssp->memory, (size_t)s->nu + 1, sizeof *ssp->wires);
    if (ssp->units == NULL || ssp->components == NULL || ssp->wires == NULL)
        return no_memory(error);
    int status = MS_OK;
    for (int i = 0; i < s->n && status == MS_OK; i++)
        status = add_component(ssp, s, i, fmu[i], error);
    for (int i = 0; i < s->n && status == MS_OK; i++)
        for (int k = s->u_at[i]; k < s->u_at[i + 1] && status == MS_OK; k++)
            status = add_wire(ssp, s, i, k, error);
    return status;
}

/* The archive -------------------------------------------------------------------------------------------- */

static int fill_folder(const ms_ssp *ssp, const char *const *fmu, const char *folder, ms_error *error)
{
    char path[PATH_MAX], resources[PATH_MAX];
    int status = ms_export_path(folder, "SystemStructure.ssd", path, error);
    if (status == MS_OK)
        status = ms_ssp_write(ssp, path, error);
    if (status == MS_OK)
        status = ms_export_folder(folder, "resources", resources, error);
    for (int i = 0; i < ssp->n_components && status == MS_OK; i++)
        status = ms_export_file_copy(fmu[i], folder, ssp->components[i].source, error);
    return status;
}

int ms_export_structure(const ms_system *system, const char *const *fmu, const char *path, ms_error *error)
{
    char folder[PATH_MAX];
    ms_ssp ssp = {0};
    int status = describe(system, fmu, &ssp, error);
    if (status == MS_OK)
        status = ms_export_aside(path, folder, error);
    if (status == MS_OK) {
        status = fill_folder(&ssp, fmu, folder, error);
        if (status == MS_OK)
            status = ms_fmu_archive_write(folder, path, error);
        ms_export_remove(folder);
    }
    ms_ssp_free(&ssp);
    return status;
}
