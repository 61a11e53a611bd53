/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi2TypesPlatform.h - for sources of FMUs that are compiled here, which may not bring the headers of the standard (FMI 2.0.4, 2.1.1, 2.1.2). */
#ifndef fmi2TypesPlatform_h
#define fmi2TypesPlatform_h

#define fmi2TypesPlatform "default"
#define fmi2True          1
#define fmi2False         0

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;

#endif
