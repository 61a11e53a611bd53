/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nonlinear.h"

#include <stdio.h>
#include <string.h>

#define MS_NONLINEAR(method) extern const ms_nonlinear_method method;
#include "nonlinear_list.h"
#undef MS_NONLINEAR

#define MS_NONLINEAR(method) &method,
const ms_nonlinear_method *const ms_nonlinear_methods[] = {
#include "nonlinear_list.h"
    NULL};
#undef MS_NONLINEAR

const ms_nonlinear_method *ms_nonlinear_find(const char *name, const char *backend)
{
    for (const ms_nonlinear_method *const *m = ms_nonlinear_methods; *m != NULL; m++)
        if (strcmp((*m)->name, name) == 0 && strcmp((*m)->backend, backend) == 0)
            return *m;
    return NULL;
}

void ms_nonlinear_backends(const char *name, char *text, size_t size)
{
    size_t length = 0;
    if (size > 0)
        text[0] = '\0';
    for (const ms_nonlinear_method *const *m = ms_nonlinear_methods; *m != NULL; m++)
        if (strcmp((*m)->name, name) == 0 && length < size) {
            const int written =
                snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", (*m)->backend);
            length += written > 0 ? (size_t)written : 0;
        }
}
