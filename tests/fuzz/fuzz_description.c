/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_description.c - modelDescription.xml of FMUs, read and checked by the rules of the standards. */
#include <stdlib.h>

#include "fmu_check.h"
#include "fmu_description.h"
#include "fmu_description_read.h"
#include "harness.h"

static void look_up(const ms_fmu_description *description)
{
    const char *name, *value;
    for (int k = 0; k < description->n_variables; k++) {
        const int found = ms_fmu_variable_index(description, description->variables[k].name);
        harness_require(found == k, "a variable that is not found by its name");
    }
    for (ms_fmu_kind kind = 0; kind < MS_FMU_KINDS; kind++) {
        for (int k = 0; ms_fmu_declared(description, kind, k, &name, &value); k++)
            harness_require(name != NULL && value != NULL, "an attribute without name or value");
        for (int k = 0; ms_fmu_source_file(description, kind, k) != NULL; k++)
            ;
    }
}

static void check(const ms_fmu_description *description)
{
    ms_fmu_findings findings = {0};
    ms_error error = {{0}};
    if (harness_check(ms_fmu_check(description, &findings, &error), &error))
        for (int k = 1; k < findings.n; k++)
            harness_require(findings.finding[k].line >= findings.finding[k - 1].line,
                            "findings that are not in the order of lines");
    ms_fmu_findings_free(&findings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ms_fmu_description *description = NULL;
    ms_error error = {{0}};
    char *text = harness_text(data, size);
    if (harness_check(ms_fmu_description_read("input.xml", text, size, &description, &error), &error)) {
        look_up(description);
        check(description);
    }
    ms_fmu_description_free(&description);
    free(text);
    return 0;
}
