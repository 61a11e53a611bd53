/* SPDX-License-Identifier: GPL-3.0-or-later */
/* c_linkage.h - brackets the declarations of each public header, so that C++ links them as C. */
#pragma once

#ifdef __cplusplus
#define MS_C_LINKAGE_BEGIN extern "C" {
#define MS_C_LINKAGE_END   }
#else
#define MS_C_LINKAGE_BEGIN
#define MS_C_LINKAGE_END
#endif
