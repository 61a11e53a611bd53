/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "certificate_answer.h"

static json_t *pairs_json(int n, double (*pair)[2])
{
    json_t *list = json_array();
    for (int k = 0; k < n; k++)
        ms_json_append(&list, ms_json_of_vector(2, pair[k]));
    return list;
}

const char *ms_certificates_verdict(int n, const ms_certificate *certificate)
{
    int whole = 0, some = 0;
    for (int k = 0; k < n; k++) {
        whole += ms_certificate_holds(&certificate[k]);
        some += certificate[k].proved_count > 0;
    }
    return whole == n && n > 0 ? "proved" : some > 0 ? "in part" : "not proved";
}

static json_t *certificate_json(const ms_certificate *c)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:i, s:I, s:I, s:b}", "status", ms_certificates_verdict(1, c),
                     "interval", ms_json_of_vector(2, c->interval), "proved",
                     pairs_json(c->proved_count, c->proved), "gaps", pairs_json(c->gap_count, c->gap),
                     "unstable_at", ms_json_of_vector(c->unstable_count, c->unstable), "subintervals",
                     c->subintervals, "evaluations", (json_int_t)c->evaluations, "precision",
                     (json_int_t)c->bits, "exhausted", c->exhausted);
}

json_t *ms_certificates_json(int n, const ms_certificate *certificate)
{
    json_t *list = json_array();
    for (int k = 0; k < n; k++)
        ms_json_append(&list, certificate_json(&certificate[k]));
    return list;
}

json_t *ms_certified_radius_json(const double bounds[2], long bits)
{
    return json_pack("{s:o, s:I}", "spectral_radius", ms_json_of_vector(2, bounds), "precision",
                     (json_int_t)bits);
}
