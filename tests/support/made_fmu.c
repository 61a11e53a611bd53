/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "made_fmu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fmu_archive.h"
#include "support.h"

static const char description[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"flawed\" guid=\"{flawed}\" generationTool=\"by "
    "hand\">\n"
    "  <CoSimulation modelIdentifier=\"flawed\" canHandleVariableCommunicationStepSize=\"%s\" "
    "canInterpolateInputs=\"true\" maxOutputDerivativeOrder=\"1\" canGetAndSetFMUstate=\"true\" "
    "providesDirectionalDerivative=\"true\"/>\n"
    "  <DefaultExperiment startTime=\"0\" stopTime=\"5\" stepSize=\"0.05\"/>\n"
    "  <ModelVariables>\n"
    "    <ScalarVariable name=\"u\" valueReference=\"0\" causality=\"input\"><Real "
    "start=\"0.25\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"y1\" valueReference=\"1\" causality=\"output\" "
    "initial=\"calculated\"><Real/></ScalarVariable>\n"
    "    <ScalarVariable name=\"y2\" valueReference=\"2\" causality=\"output\" "
    "initial=\"calculated\"><Real/></ScalarVariable>\n"
    "    <ScalarVariable name=\"flaw\" valueReference=\"3\" causality=\"parameter\" variability=\"fixed\" "
    "initial=\"exact\">"
    "<Real start=\"0\"/></ScalarVariable>\n"
    "  </ModelVariables>\n"
    "  <ModelStructure><Outputs><Unknown index=\"2\" dependencies=\"1\"/><Unknown index=\"3\" "
    "dependencies=\"\"/>"
    "</Outputs></ModelStructure>\n"
    "</fmiModelDescription>\n";

static void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void shell(const char *format, ...)
{
    char command[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (system(command) != 0) // NOLINT(cert-env33-c): the compiler, on paths of this test's own
        fail_msg("%s", command);
}

static void write_description(const char *folder, bool variable_step)
{
    char path[512];
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, description, variable_step ? "true" : "false");
    assert_int_equal(fclose(file), 0);
}

void support_flawed_fmu(bool variable_step, char *path, size_t size)
{
    char folder[256];
    ms_error error = {""};
    support_temporary(folder, sizeof folder);
    assert_non_null(mkdtemp(folder));
    shell("mkdir -p %s/binaries/linux64", folder);
    shell("cc -std=c11 -O1 -shared -fPIC tests/support/flawed_fmu.c -o %s/binaries/linux64/flawed.so -lm",
          folder);
    write_description(folder, variable_step);
    snprintf(path, size, "%s.fmu", folder);
    if (ms_fmu_archive_write(folder, path, &error) != MS_OK)
        fail_msg("%s", error.text);
    shell("rm -r %s", folder);
}
