/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ssp_texts.h"

#include <stdio.h>
#include <string.h>

#include "support.h"
#include "unit_test.h"

ms_ssp support_ssp_read(const char *text)
{
    char path[512];
    ms_ssp ssp;
    ms_error error = {{0}};
    support_temporary_file(text, path, sizeof path);
    const int status = ms_ssp_read(path, &ssp, &error);
    remove(path);
    if (status != MS_OK)
        fail_msg("%s", error.text);
    return ssp;
}

const ms_ssp_setting *support_ssp_setting(const ms_ssp_component *component, const char *name)
{
    const ms_ssp_setting *setting = component->settings;
    while (setting != NULL && strcmp(setting->name, name) != 0)
        setting = setting->next;
    if (setting == NULL)
        fail_msg("%s is not set", name);
    return setting;
}
