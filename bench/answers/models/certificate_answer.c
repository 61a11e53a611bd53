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
    return ms_json_object(
        "status:s interval:o proved:o gaps:o unstable_at:o subintervals:i evaluations:l precision:l "
        "exhausted:b",
        ms_certificates_verdict(1, c), ms_json_of_vector(2, c->interval),
        pairs_json(c->proved_count, c->proved), pairs_json(c->gap_count, c->gap),
        ms_json_of_vector(c->unstable_count, c->unstable), c->subintervals, c->evaluations, c->bits,
        c->exhausted);
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
    return ms_json_object("spectral_radius:o precision:l", ms_json_of_vector(2, bounds), bits);
}
