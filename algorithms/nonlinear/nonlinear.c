/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nonlinear.h"

#include <stdio.h>
#include <string.h>

#include "structure.h"

#define MS_NONLINEAR(method) extern const ms_nonlinear_method method;
#include "nonlinear_list.h"
#undef MS_NONLINEAR

#define MS_NONLINEAR(method) &method,
const ms_nonlinear_method *const ms_nonlinear_methods[] = {
#include "nonlinear_list.h"
    NULL};
#undef MS_NONLINEAR

const char *const ms_backend_names[] = {"native", "petsc", "kinsol", NULL};

const ms_nonlinear_method *ms_nonlinear_find(const char *name, const char *backend)
{
    for (const ms_nonlinear_method *const *m = ms_nonlinear_methods; *m != NULL; m++)
        if (strcmp((*m)->name, name) == 0 && strcmp((*m)->backend, backend) == 0)
            return *m;
    return NULL;
}

/* Is there a method of that name before line n of the list? */
static bool stands_before(int n, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(ms_nonlinear_methods[k]->name, name) == 0)
            return true;
    return false;
}

const char *ms_nonlinear_name(int k)
{
    for (int n = 0; ms_nonlinear_methods[n] != NULL; n++)
        if (!stands_before(n, ms_nonlinear_methods[n]->name) && k-- == 0)
            return ms_nonlinear_methods[n]->name;
    return NULL;
}

int ms_nonlinear_index(const char *name)
{
    for (int k = 0; ms_nonlinear_name(k) != NULL; k++)
        if (strcmp(ms_nonlinear_name(k), name) == 0)
            return k;
    return -1;
}

const char *ms_nonlinear_names(unsigned taken, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int n = 0; ms_nonlinear_methods[n] != NULL && length < size; n++) {
        const ms_nonlinear_method *method = ms_nonlinear_methods[n];
        if ((method->takes & taken) != 0 && !stands_before(n, method->name))
            length +=
                (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", method->name);
    }
    return text;
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

int ms_nonlinear_create(const ms_nonlinear_setup *setup, void **workspace, ms_error *error)
{
    const ms_nonlinear_method *method = setup->method;
    void *made = ms_structure_alloc(setup->memory, 1, method->workspace);
    int status = made != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK && method->destroy != NULL)
        status = ms_structure_own(setup->memory, method->destroy, made);
    MS_THEN(status, method->create(setup, made, error));
    *workspace = status == MS_OK ? made : NULL;
    return status == MS_NO_MEMORY ? ms_fail(error, status, "not enough memory for %s of the backend %s",
                                            method->name, method->backend)
                                  : status;
}
