/* SPDX-License-Identifier: GPL-3.0-or-later */
/* version.h - what this program was built from: the provenance that result files carry. */
#pragma once

#include <stdio.h>

const char *ms_version(void);          /* "0.1.0" */
const char *ms_commit(void);           /* git commit (12 digits), "-dirty" for changed sources; "unknown" */
const char *ms_compiler(void);         /* "gcc 12.2.0" */
const char *ms_compiler_flags(void);   /* as on the command line */
const char *ms_library_versions(void); /* "SUNDIALS 6.4.1, GSL 2.7.1, OpenBLAS 0.3.21, Jansson 2.14" */
const char *ms_blas_core(void);        /* the processor that OpenBLAS has chosen its kernels for */

/* linked.c: the libraries that this process has, as macrostep --version --verbose lists them. */

/* Writes the versions that libraries state of themselves, then a line for each shared object, those of plug-ins as well, which are opened:
 * NAME VERSION PATH, and which plug-in brought it. VERSION is that of the file's name, "-" where it has none. */
void ms_linked_write(FILE *file);
