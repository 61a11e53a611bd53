/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h - libraries that are opened only when needed.
 *
 * PETSc and MPI bring a hundred shared libraries with them, whose start takes ten times as long as that of the
 * command itself. Each is behind a shared object of our own, macrostep-NAME.so, which is linked to that library
 * and exports one table of functions, ms_plugin_table_NAME (plugin_NAME.h). It is searched in plugins/ next to the
 * program, or in ../lib/macrostep of an installed program, and then on the system's search path for shared libraries:
 * with pkg-config's flags a user's program also searches lib/macrostep. */
#pragma once

#include <macrostep/status.h>

/* The first member of every table. */
typedef struct ms_plugin {
    const char *build; /* REQUIRED: MS_PLUGIN_BUILD of its making: version, check sum of these headers */
} ms_plugin;

/* The table of a shared object, which stays open from then on; the symbols of MPI and PETSc are visible to libraries
 * opened later, as MPI's own plug-ins require. asked: the option that needs it, for the message. Errors:
 * MS_UNSUPPORTED (it is not there or does not open, or it is of another build). */
int ms_plugin_open(const char *name, const char *asked, const ms_plugin **plugin, ms_error *error);

/* The path (PATH_MAX) of one of our shared objects in one of these places. Errors: MS_UNSUPPORTED. */
int ms_plugin_find(const char *file, char *path, ms_error *error);
