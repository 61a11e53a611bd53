/* SPDX-License-Identifier: GPL-3.0-or-later */
/* description_write.h - modelDescription.xml of an exported FMU, for FMI 2.0 and 3.0. */
#pragma once

#include <stdio.h>

#include "component.h"

/* What the component answers for, under the token that it has. The two versions have other names for the same things, and another
 * way to say which variable is meant: its place in the list (2.0), or its value reference (3.0), which here is that place less one.
 * sources: its source form goes with it, which 2.0 lists here. */
void ms_description_write(FILE *file, ms_component *component, int fmi, bool sources);
