/* SPDX-License-Identifier: GPL-3.0-or-later */
/* description_texts.h - descriptions of FMUs as texts, and how tests read them. */
#pragma once

#include "fmu_description.h"

/* An oscillator as both versions say it; what is the same is tested once. */
extern const char support_description_two[], support_description_three[];

/* As that of a.fmu. Returns what ms_fmu_description_read does; and the same of a text that is right: the test fails where it is refused. */
int support_description_read(const char *text, size_t size, ms_fmu_description **d, ms_error *error);
ms_fmu_description *support_description(const char *text);
