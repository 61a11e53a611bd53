/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme_families.h"

#include <stdio.h>

#include <macrostep/scheme_registry.h>
#include "support.h"
#include "unit_test.h"

static const struct {
    const char *model, *settings;
} homes[] = {{"spring-mass", "c=2"}, {"lim-oscillator", "case=force-force"}, {"example-6.3.1", ""}};

/* A family on a system. */
typedef struct family_at {
    const ms_system *system;
    const ms_scheme *scheme;
    const char *common;
    support_family_test *test;
} family_at;

/* Tests it with more options, where the system takes them. */
static bool visit(const family_at *of, const char *more)
{
    char text[320], line[MS_TEXT_MAX];
    snprintf(text, sizeof text, "scheme=%s %s %s", of->scheme->name, more, of->common);
    const ms_options options = support_options(text);
    const int status = support_refusal(of->system, &options, line, sizeof line);
    if (status == MS_OK)
        of->test(of->system, of->scheme, text);
    else if ((status != MS_UNSUPPORTED && status != MS_INVALID) || line[0] == '\0')
        fail_msg("%s %s: status %d: %s", of->system->model->name, text, status, line);
    return status == MS_OK;
}

static void visit_values(const family_at *of, const ms_option *option)
{
    enum { MOST = 16 }; /* larger numbers bound work */
    char text[128];
    for (int k = 0; ms_option_has_choices(option) && ms_option_choice_at(option, k) != NULL; k++) {
        snprintf(text, sizeof text, "%s=%s", option->name, ms_option_choice_at(option, k));
        visit(of, text);
    }
    for (int k = (int)option->min; option->kind == MS_KIND_INTEGER && option->max <= MOST && k <= option->max;
         k++) {
        snprintf(text, sizeof text, "%s=%d", option->name, k);
        visit(of, text);
    }
}

static bool visit_family(const family_at *of)
{
    const bool takes = visit(of, "");
    for (const ms_option_id *known = of->scheme->knows; takes && *known != MS_OPTIONS; known++)
        if (*known != MS_OPTION_BACKEND)
            visit_values(of, &ms_option_table[*known]);
    return takes;
}

void support_families_on(const ms_system *system, const char *common, support_family_test *test)
{
    for (const ms_scheme *const *scheme = ms_schemes; *scheme != NULL; scheme++)
        (void)visit_family(&(family_at){system, *scheme, common, test});
}

void support_families(const char *common, support_family_test *test)
{
    for (const ms_scheme *const *scheme = ms_schemes; *scheme != NULL; scheme++) {
        int taken = 0;
        for (int m = 0; m < MS_COUNT(homes); m++) {
            ms_system *system = support_system(homes[m].model, homes[m].settings);
            taken += visit_family(&(family_at){system, *scheme, common, test});
            ms_system_destroy(&system);
        }
        if (taken == 0)
            fail_msg("%s with %s: no system of scheme_families.c fits", (*scheme)->name, common);
    }
}

bool support_families_stepped(const ms_cosim *cosim, int status)
{
    if (status != MS_OK && !(status == MS_NOT_CONVERGED && cosim->scheme->retries))
        fail_msg("%s %s: %s", cosim->system->model->name, cosim->scheme->name, cosim->error.text);
    return status == MS_OK;
}
