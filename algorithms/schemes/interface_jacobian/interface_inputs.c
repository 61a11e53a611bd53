/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interface_inputs.c - inputs over a macro-step as polynomials through remembered values and the unknown one. */
#include <math.h>
#include <string.h>

#include "interface_jacobian.h"
#include "polynomial.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

void ms_interface_weigh(interface_data *data, double h)
{
    double node[INTERFACE_NODES_MAX + 1], c[INTERFACE_NODES_MAX + 1];
    const interface_history *past = data->history;
    data->degree = least((int)past->degree, (int)past->known);
    for (int j = 0; j < data->degree; j++)
        node[j] = -past->age[j];
    node[data->degree] = h;
    for (int j = 0; j <= data->degree; j++) {
        ms_polynomial_lagrange(data->degree + 1, node, j, c);
        memcpy(j < data->degree ? data->weight[j] : data->newest, c,
               sizeof(double) * (size_t)(data->degree + 1));
    }
}

int ms_interface_predicted_degree(const interface_data *data)
{
    return least((int)data->history->known - 1, (int)data->history->degree);
}

void ms_interface_predict(const ms_cosim *cosim, const interface_data *data, int degree, double *z)
{
    const interface_history *past = data->history;
    const int nu = cosim->system->nu;
    memset(z, 0, sizeof(double) * (size_t)nu);
    for (int j = 0; j <= degree; j++) {
        double weight = 1.0;
        for (int k = 0; k <= degree; k++)
            if (k != j)
                weight *= (data->h + past->age[k]) / (past->age[k] - past->age[j]);
        for (int l = 0; l < nu; l++)
            z[l] += weight * data->past[j * nu + l];
    }
}

void ms_interface_give(const ms_cosim *cosim, const interface_data *data, double past, const double *z)
{
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++) {
        ms_input *input = &cosim->instance[i]->input;
        ms_input_set_single(input, data->degree, data->h);
        for (int k = 0; k <= data->degree; k++) {
            double *c = ms_input_coefficients(input, 0, k);
            for (int l = 0; l < input->n; l++) {
                const int at = s->u_at[i] + l;
                double sum = 0.0;
                for (int j = 0; j < data->degree; j++)
                    sum += data->weight[j][k] * data->past[j * s->nu + at];
                c[l] = past * sum + data->newest[k] * z[at];
            }
        }
    }
}

void ms_interface_add(const ms_cosim *cosim, const interface_data *data, int i, int l, double delta)
{
    for (int k = 0; k <= data->degree; k++)
        ms_input_coefficients(&cosim->instance[i]->input, 0, k)[l] += data->newest[k] * delta;
}

void ms_interface_remember(const ms_cosim *cosim, interface_data *data, const double *z)
{
    interface_history *past = data->history;
    const size_t nu = (size_t)cosim->system->nu, older = (size_t)(data->nodes - 1);
    memmove(data->past + nu, data->past, sizeof(double) * older * nu);
    memcpy(data->past, z, sizeof(double) * nu);
    for (int j = data->nodes - 1; j > 0; j--)
        past->age[j] = past->age[j - 1] + data->h;
    past->age[0] = 0.0;
    past->known = past->known < data->nodes ? past->known + 1.0 : data->nodes;
    past->same += 1.0;
}

/* Predictions ------------------------------------------------------------------------------------------- */

/* |int_0^h omega_I ds| / (h omega_E) of predictor_corrector.h. */
static double milne(const interface_data *data, int degree)
{
    const double h = data->h, *age = data->history->age;
    double omega[INTERFACE_NODES_MAX + 1] = {-h, 1.0}, extrapolated = h + age[degree], integral = 0.0;
    for (int i = 0; i < degree; i++) {
        extrapolated *= h + age[i];
        for (int k = i + 2; k > 0; k--) /* times (s + a_i) */
            omega[k] = omega[k - 1] + age[i] * omega[k];
        omega[0] *= age[i];
    }
    for (int k = degree + 1; k >= 0; k--)
        integral = integral * h + omega[k] / (k + 1);
    return fabs(integral / extrapolated);
}

void ms_interface_compare(const ms_cosim *cosim, interface_data *data, const double *z)
{
    const ms_variant *o = &cosim->variant;
    const int nu = cosim->system->nu, known = (int)data->history->known;
    ms_predictor_errors *e = &data->errors;
    *e = (ms_predictor_errors){.degree = data->degree, .n = least(known, MS_PREDICTOR_DEGREES)};
    for (int j = 0; j < e->n && nu > 0; j++) {
        const double share = milne(data, j);
        double sum = 0.0;
        ms_interface_predict(cosim, data, j, data->delta);
        for (int l = 0; l < nu; l++) {
            const double size = fmax(fabs(z[l]), fabs(data->past[l]));
            const double ratio = share * (z[l] - data->delta[l]) / (o->control.atol + o->control.rtol * size);
            sum += ratio * ratio;
        }
        e->error[j] = sqrt(sum / nu);
    }
}

ms_predictor_errors ms_predictor_errors_of(const ms_cosim *cosim)
{
    const interface_data *data = cosim->scheme_data;
    ms_predictor_errors errors = data->errors;
    errors.same = (int)data->history->same;
    return errors;
}

void ms_predictor_set_degree(ms_cosim *cosim, int degree)
{
    interface_data *data = cosim->scheme_data;
    if (data->history->degree != degree)
        data->history->same = 0.0;
    data->history->degree = degree;
}
