/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_compile.h - the binary of an FMU from the sources that it brings, in C.
 *
 * What is compiled, and how, stands in SourceFiles of modelDescription.xml (2.0) or in sources/buildDescription.xml (3.0). The compiler
 * is cc, without a shell. Headers of the standard that an FMU does not bring are looked for where the compiler looks (CPATH). */
#ifndef MS_FMU_COMPILE_H
#define MS_FMU_COMPILE_H

#include "fmu_parts.h"

/* Makes binaries/PLATFORM/NAME.so in the folder of the FMU. Errors: MS_UNSUPPORTED (it does not say what is to be compiled, or asks
 * for another language), MS_INVALID (the compiler's first error), MS_IO, MS_NO_MEMORY. */
int ms_fmu_compile(const ms_fmu *fmu, const char *name, ms_error *error);

#endif
