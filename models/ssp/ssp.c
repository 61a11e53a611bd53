/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp.c - a system structure as a file: its archive, its head, and where its other files are. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "ssp.h"

#include <stdlib.h>
#include <string.h>

#include "ssp_read.h"
#include "structure.h"

/* Head --------------------------------------------------------------------------------------------------- */

static int read_system(ms_ssp_reading *r)
{
    const ms_xml_element *root = r->xml.root;
    if (!ms_ssp_is(root, "SystemStructureDescription"))
        return ms_xml_fail(&r->xml, root, r->error, "<%.60s> is not <SystemStructureDescription> of SSP",
                           root->name);
    const ms_xml_element *system = ms_ssp_child(root, "System");
    const char *version = ms_xml_attribute(root, "version");
    if (version == NULL || (strncmp(version, "1.", 2) != 0 && strncmp(version, "2.", 2) != 0))
        return ms_ssp_refuse(&r->xml, root, r->error, "version %.40s is not supported; 1.0 and 2.0 are",
                             version != NULL ? version : "(none)");
    if (system == NULL)
        return ms_xml_fail(&r->xml, root, r->error, "there is no <System>");
    const char *name = ms_xml_attribute(system, "name");
    r->ssp->name = name != NULL ? name : ms_xml_attribute(root, "name");
    MS_TRY(ms_ssp_read_units(r, &r->xml, ms_ssp_child(root, "Units")));
    MS_TRY(ms_ssp_read_experiment(r));
    MS_TRY(ms_ssp_read_elements(r, system, ""));
    if (r->ssp->n_components == 0)
        MS_TRY(ms_xml_fail(&r->xml, system, r->error, "there is no <Component>"));
    MS_TRY(ms_ssp_read_wires(r, system));
    return ms_ssp_read_parameters(r, system);
}

/* All ---------------------------------------------------------------------------------------------------- */

/* The .ssd: of an archive at its root, else the path itself, whose folder, made absolute, others are relative to. */
static const char *find_ssd(ms_ssp_reading *r)
{
    ms_ssp *ssp = r->ssp;
    if (ssp->archive != NULL) {
        r->folder = ms_fmu_archive_folder(ssp->archive);
        return ms_structure_name(&ssp->memory, "%s/SystemStructure.ssd", r->folder);
    }
    const char *slash = strrchr(ssp->path, '/');
    const char *folder =
        slash == NULL ? "."
                      : ms_structure_name(&ssp->memory, "%.*s", (int)(slash + 1 - ssp->path), ssp->path);
    char *absolute = folder != NULL ? realpath(folder, NULL) : NULL;
    r->folder = absolute != NULL ? ms_structure_name(&ssp->memory, "%s", absolute) : folder;
    free(absolute);
    return r->folder != NULL ? ssp->path : NULL;
}

int ms_ssp_read(const char *path, ms_ssp *ssp, ms_error *error)
{
    const size_t length = strlen(path);
    ms_ssp_reading r = {.ssp = ssp, .error = error};
    *ssp = (ms_ssp){.path = path};
    if (length > 4 && strcmp(path + length - 4, ".ssp") == 0)
        MS_TRY(ms_fmu_archive_open(path, &ssp->archive, error));
    const char *ssd = find_ssd(&r);
    MS_TRY_MEMORY_OR(ssd != NULL, ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path));
    const int status = ms_ssp_read_xml(&r, ssd, &r.xml);
    return status == MS_OK && r.xml.root != NULL ? read_system(&r) : status;
}

void ms_ssp_free(ms_ssp *ssp)
{
    ms_fmu_archive_close(&ssp->archive);
    ms_structure_free(&ssp->memory);
    *ssp = (ms_ssp){0};
}
