/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_libraries.h - libraries required by the binaries of exported FMUs. */
#pragma once

#include <macrostep/status.h>

/* Calls `each` with the name of each shared library that the binary for that version is linked to. Errors: MS_UNSUPPORTED (the binary
 * is not there, or does not open). */
int ms_export_libraries(int fmi, void (*each)(void *self, const char *name), void *self, ms_error *error);

/* The binary's file. Errors: MS_UNSUPPORTED. */
int ms_export_binary(int fmi, char *path, ms_error *error);
