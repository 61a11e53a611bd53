/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_parts.h"

#include <unistd.h>

#if defined(__x86_64__)
static const char *const platform[] = {"linux64", "x86_64-linux"};
#elif defined(__aarch64__)
static const char *const platform[] = {"aarch64-linux", "aarch64-linux"};
#else
static const char *const platform[] = {"linux32", "x86-linux"};
#endif

const char *ms_fmu_platform(int fmi)
{
    return platform[fmi == 3];
}

const char *ms_fmu_tool_hint(const ms_fmu *fmu)
{
    return ms_fmu_flags_of(fmu)->needs_execution_tool
               ? "; it needs the tool that has made it (needsExecutionTool)"
               : "";
}

const ms_fmu_flags *ms_fmu_flags_of(const ms_fmu *fmu)
{
    return &fmu->description->flags[fmu->kind];
}

void ms_fmu_go_home(const ms_fmu *fmu)
{
    const int gone = fmu->home != NULL && fmu->object != NULL ? chdir(fmu->home) : 0;
    (void)gone; /* it may be there no more */
}
