/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_system.c - system files as JSON, read, bound and evaluated. */
#include <macrostep/system_file.h>
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ms_model *model = NULL;
    ms_error error = {{0}};
    if (harness_check(ms_model_read(harness_file(data, size, ""), &model, &error), &error))
        harness_evaluate(model);
    ms_model_destroy(&model);
    return 0;
}
