/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "error_label.h"

#include <stdbool.h>
#include <string.h>

typedef struct words {
    const char *norm, *scale, *label, *head;
} words;

static const words all[] = {
    {"max", "none", "error\t(max over states)", "max error"},
    {"max", "range", "error / range\t(max over states)", "max error / range"},
    {"max", "nominal", "error / nominal value\t(max over states)", "max error / nominal"},
    {"rmse", "none", "rms error\t(max over states)", "rms error"},
    {"rmse", "range", "rms error / range\t(max over states)", "rms error / range"},
    {"rmse", "nominal", "rms error / nominal value\t(max over states)", "rms error / nominal"},
    {"end", "none", "error at the end\t(max over states)", "error at end"},
    {"end", "range", "error at the end / range\t(max over states)", "error at end / range"},
    {"end", "nominal", "error at the end / nominal value\t(max over states)", "error at end / nominal"},
    {"l2", "", "relative l2 error\t(max over states)", "relative l2 error"}, /* which is never divided */
};

static bool is(const json_t *answer, const char *key, const char *otherwise, const char *wanted)
{
    const char *text = json_string_value(json_object_get(answer, key));
    return wanted[0] == '\0' || strcmp(text != NULL ? text : otherwise, wanted) == 0;
}

static const words *find(const json_t *answer)
{
    size_t k = 0;
    while (k + 1 < sizeof all / sizeof all[0] &&
           !(is(answer, "norm", "max", all[k].norm) && is(answer, "error_scale", "none", all[k].scale)))
        k++;
    return &all[k];
}

const char *ms_error_label(const json_t *answer)
{
    return find(answer)->label;
}

const char *ms_error_head(const json_t *answer)
{
    return find(answer)->head;
}
