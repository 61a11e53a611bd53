/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FMUs whose variables are of single precision: differences are as long as that needs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command_answer.h"
#include "fmu_archive.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

static const char description[] =
    "<fmiModelDescription fmiVersion='3.0' modelName='single' instantiationToken='s'>"
    "<ModelExchange modelIdentifier='single' needsCompletedIntegratorStep='false'/>"
    "<CoSimulation modelIdentifier='single' canHandleVariableCommunicationStepSize='true'/><ModelVariables>"
    "<Float32 name='x' valueReference='0' causality='local' initial='exact' start='2'/>"
    "<Float32 name='der(x)' valueReference='1' causality='local' derivative='0'/>"
    "<Float32 name='u' valueReference='2' causality='input' start='%d'/>"
    "<Float32 name='y' valueReference='3' causality='output'/>"
    "</ModelVariables><ModelStructure><Output valueReference='3' dependencies='0'/>"
    "<ContinuousStateDerivative valueReference='1' dependencies='0 2'/></ModelStructure></fmiModelDescription>";

/* Without and with a cube; both start at an equilibrium. */
static int set_up(void **state)
{
    support_folder_create(state);
    char folder[512];
    snprintf(folder, sizeof folder, "%s", support_folder_path("single"));
    for (int cube = 0; cube < 2; cube++) {
        char text[2000];
        ms_error error = {""};
        support_shell("mkdir -p %s/binaries/x86_64-linux && cc -std=c11 -shared -fPIC -w -DCUBE=%d.0F "
                      "tests/support/fmu/single_fmu.c -o %s/binaries/x86_64-linux/single.so",
                      folder, cube, folder);
        snprintf(text, sizeof text, description, 2 + 8 * cube);
        support_write_file(support_folder_path("single/modelDescription.xml"), text);
        if (ms_fmu_archive_write(folder, support_folder_path("single%d.fmu", cube), &error) != MS_OK)
            fail_msg("%s", error.text);
        support_shell("rm -r %s", folder);
    }
    return 0;
}

/* Of x' = a (x - 2) over H: the flow, or what ten steps of the midpoint rule make of it. */
static double factor(double a, bool midpoint)
{
    const double z = 0.01 * a;
    return midpoint ? pow(1.0 + z + 0.5 * z * z, 10.0) : exp(0.1 * a);
}

static void their_derivatives_are_right(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        char text[600];
        const bool steps = k % 2 != 0;
        const double a = k < 2 ? -1.0 : -13.0;
        snprintf(text, sizeof text,
                 "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"single%d.fmu\", \"kind\": \"%s\"},"
                 "{\"name\": \"b\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"u\"}}],"
                 "\"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\"}], \"end\": 1, \"step_size\": 0.1}",
                 k / 2, steps ? "co-simulation" : "model-exchange");
        json_t *spectral =
            support_answer_of("spectral %s --step-size 0.1", support_folder_write("one.json", text));
        const double radius = json_number_value(json_object_get(spectral, "spectral_radius"));
        support_near(radius, factor(a, steps), 1e-3);
        json_decref(spectral);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(their_derivatives_are_right)};
    return cmocka_run_group_tests_name("fmu read single", tests, set_up, support_folder_remove);
}
