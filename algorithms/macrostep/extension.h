/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extension.h - models and schemes of one's own in a shared object, without a change of this project.
 *
 * The file of a model or a scheme looks as in models/ and algorithms/schemes/, and ends with
 *
 *     MS_EXTENSION(&my_model, NULL)     or     MS_EXTENSION(NULL, &my_scheme)
 *
 * (`macrostep new` writes one to start from). The program that opens it has to export its own symbols, as the command does
 * and as pkg-config's flags have a program of a user do. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/instance_step.h>
#include <macrostep/model.h>
#include <macrostep/options_set.h>
#include <macrostep/scheme.h>

MS_C_LINKAGE_BEGIN

/* Version of the structures of models and schemes: an extension compiled with other headers is refused. */
enum { MS_EXTENSION_INTERFACE = 2 };

typedef struct ms_extension {
    int interface;
    size_t sizes[5]; /* of ms_model, ms_subsystem, ms_scheme, ms_cosim, ms_options */
    const ms_model *model;
    const ms_scheme *scheme; /* either may be NULL */
} ms_extension;

#define MS_EXTENSION_SIZES                                                                                   \
    {                                                                                                        \
        sizeof(ms_model), sizeof(ms_subsystem), sizeof(ms_scheme), sizeof(ms_cosim), sizeof(ms_options)      \
    }
#define MS_EXTENSION(its_model, its_scheme)                                                                  \
    const ms_extension macrostep_extension = {MS_EXTENSION_INTERFACE, MS_EXTENSION_SIZES, its_model,         \
                                              its_scheme};

/* Adds the model and the scheme of that shared object to the catalogue and to the list of schemes; it stays open. Not while other
 * threads read them. Errors: MS_IO (it cannot be read), MS_INVALID (it is C source, or does not open, it is no extension, or one of other headers; a name is taken). */
int ms_extension_open(const char *path, ms_error *error);

/* The file of extension k = 0, 1, .. that is open, as it was named; NULL: there are no more. */
const char *ms_extension_path(int k);

MS_C_LINKAGE_END
