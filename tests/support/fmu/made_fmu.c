/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "made_fmu.h"
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmu_archive.h"
#include "support.h"
#include "unit_test.h"

/* Removes the folder. */
static void pack(const char *folder, char *path, size_t size)
{
    ms_error error = {""};
    snprintf(path, size, "%s.fmu", folder);
    if (ms_fmu_archive_write(folder, path, &error) != MS_OK)
        fail_msg("%s", error.text);
    support_shell("rm -r %s", folder);
}

/* decay_fmu.c -------------------------------------------------------------------------------------------- */

/* Both versions of it: %s is the token, then flags of both kinds. */
static const char decay_2[] =
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"decay\" guid=\"%s\" numberOfEventIndicators=\"0\">\n"
    "<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" %s/>\n"
    "<CoSimulation modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" %s/>\n"
    "<TypeDefinitions><SimpleType name=\"Ways\"><Enumeration><Item name=\"slow\" value=\"2\"/><Item "
    "name=\"fast\" "
    "value=\"11\"/></Enumeration></SimpleType></TypeDefinitions>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name=\"x\" valueReference=\"0\" causality=\"local\" initial=\"exact\"><Real "
    "start=\"1\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"der(x)\" valueReference=\"1\" causality=\"local\"><Real "
    "derivative=\"1\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"u\" valueReference=\"2\" causality=\"input\"><Real "
    "start=\"0\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"y\" valueReference=\"3\" causality=\"output\"><Real/></ScalarVariable>\n"
    "<ScalarVariable name=\"k\" valueReference=\"4\" causality=\"parameter\" variability=\"fixed\"><Real "
    "start=\"1\" "
    "min=\"0\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"n\" valueReference=\"5\" causality=\"parameter\" variability=\"fixed\"><Integer "
    "start=\"0\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"b\" valueReference=\"6\" causality=\"parameter\" variability=\"fixed\"><Boolean "
    "start=\"false\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"s\" valueReference=\"7\" causality=\"parameter\" variability=\"fixed\"><String "
    "start=\"\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"way\" valueReference=\"8\" causality=\"parameter\" "
    "variability=\"fixed\"><Enumeration "
    "declaredType=\"Ways\" start=\"0\"/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Outputs><Unknown index=\"4\"/></Outputs><Derivatives><Unknown "
    "index=\"2\"/></Derivatives></ModelStructure>\n"
    "</fmiModelDescription>\n";

static const char decay_3[] =
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"decay\" instantiationToken=\"%s\">\n"
    "<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUState=\"true\" %s/>\n"
    "<CoSimulation modelIdentifier=\"decay\" canGetAndSetFMUState=\"true\" %s/>\n"
    "<TypeDefinitions><EnumerationType name=\"Ways\"><Item name=\"slow\" value=\"2\"/><Item name=\"fast\" "
    "value=\"11\"/></EnumerationType></TypeDefinitions>\n"
    "<ModelVariables>\n"
    "<Float64 name=\"x\" valueReference=\"0\" causality=\"local\" initial=\"exact\" start=\"1\"/>\n"
    "<Float64 name=\"der(x)\" valueReference=\"1\" causality=\"local\" derivative=\"0\"/>\n"
    "<Float64 name=\"u\" valueReference=\"2\" causality=\"input\" start=\"0\"/>\n"
    "<Float64 name=\"y\" valueReference=\"3\" causality=\"output\"/>\n"
    "<Float64 name=\"k\" valueReference=\"4\" causality=\"parameter\" variability=\"fixed\" start=\"1\" "
    "min=\"0\"/>\n"
    "<Int64 name=\"n\" valueReference=\"5\" causality=\"parameter\" variability=\"fixed\" start=\"0\"/>\n"
    "<Boolean name=\"b\" valueReference=\"6\" causality=\"parameter\" variability=\"fixed\" "
    "start=\"false\"/>\n"
    "<String name=\"s\" valueReference=\"7\" causality=\"parameter\" variability=\"fixed\"><Start "
    "value=\"\"/></String>\n"
    "<Enumeration name=\"way\" valueReference=\"8\" causality=\"parameter\" variability=\"fixed\" "
    "declaredType=\"Ways\" start=\"0\"/>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Output valueReference=\"3\"/><ContinuousStateDerivative "
    "valueReference=\"1\"/></ModelStructure>\n"
    "</fmiModelDescription>\n";

/* Writes the text with its edits, each of which has to find its place. */
static void write_edited(FILE *file, const char *text, const char *const *edit)
{
    const char *at = *edit != NULL ? strstr(text, *edit) : NULL;
    char edited[4000];
    if (*edit == NULL) {
        fputs(text, file);
        return;
    }
    assert_non_null(at);
    snprintf(edited, sizeof edited, "%.*s%s%s", (int)(at - text), text, edit[1], at + strlen(*edit));
    write_edited(file, edited, edit + 2);
}

static void write_decay_description(const support_decay *decay, const char *folder)
{
    char name[512], text[4000];
    const char *flags = decay->flags != NULL ? decay->flags : "";
    snprintf(name, sizeof name, "%s/modelDescription.xml", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    snprintf(text, sizeof text, decay->fmi == 2 ? decay_2 : decay_3,
             decay->token != NULL ? decay->token : "right", flags, flags);
    write_edited(file, text, decay->edit);
    assert_int_equal(fclose(file), 0);
}

void support_decay_fmu(const support_decay *decay, char *path, size_t size)
{
    char folder[256];
    const char *platform = decay->platform != NULL ? decay->platform
                           : decay->fmi == 2       ? "linux64"
                                                   : "x86_64-linux";
    support_folder_new(folder, sizeof folder);
    support_shell(
        "mkdir -p %s/binaries/%s && cc -std=c11 -shared -fPIC -w -DFMI=%d %s %s -o %s/binaries/%s/decay.so",
        folder, platform, decay->fmi, decay->define != NULL ? decay->define : "",
        decay->source != NULL ? decay->source : "tests/models/fmu/decay_fmu.c", folder, platform);
    write_decay_description(decay, folder);
    if (decay->change != NULL)
        support_shell("cd %s && %s", folder, decay->change);
    pack(folder, path, size);
}

/* flawed_fmu.c ------------------------------------------------------------------------------------------- */

/* Both versions of it: %s are flags. */
static const char flawed_2[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"flawed\" guid=\"{flawed}\" generationTool=\"by "
    "hand\">\n"
    "  <CoSimulation modelIdentifier=\"flawed\" canHandleVariableCommunicationStepSize=\"%s\" "
    "canInterpolateInputs=\"true\" maxOutputDerivativeOrder=\"1\" %s "
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

static const char flawed_3[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"flawed\" instantiationToken=\"{flawed}\">\n"
    "  <CoSimulation modelIdentifier=\"flawed\" canHandleVariableCommunicationStepSize=\"%s\" "
    "providesIntermediateUpdate=\"true\" maxOutputDerivativeOrder=\"1\" %s "
    "providesDirectionalDerivatives=\"true\"/>\n"
    "  <DefaultExperiment startTime=\"0\" stopTime=\"5\" stepSize=\"0.05\"/>\n"
    "  <ModelVariables>\n"
    "    <Float64 name=\"u\" valueReference=\"0\" causality=\"input\" intermediateUpdate=\"true\" "
    "start=\"0.25\"/>\n"
    "    <Float64 name=\"y1\" valueReference=\"1\" causality=\"output\"/>\n"
    "    <Float64 name=\"y2\" valueReference=\"2\" causality=\"output\"/>\n"
    "    <Float64 name=\"flaw\" valueReference=\"3\" causality=\"parameter\" variability=\"fixed\" "
    "start=\"0\"/>\n"
    "  </ModelVariables>\n"
    "  <ModelStructure><Output valueReference=\"1\" dependencies=\"0\"/><Output valueReference=\"2\" "
    "dependencies=\"\"/></ModelStructure>\n"
    "</fmiModelDescription>\n";

static void write_flawed_description(const support_flawed *flawed, const char *folder)
{
    char path[512];
    const char *states = flawed->fmi == 2 ? "canGetAndSetFMUstate=\"true\"" : "canGetAndSetFMUState=\"true\"";
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, flawed->fmi == 2 ? flawed_2 : flawed_3, flawed->fixed ? "false" : "true",
            flawed->instead != NULL ? flawed->instead : states);
    assert_int_equal(fclose(file), 0);
}

void support_flawed_fmu(const support_flawed *flawed, char *path, size_t size)
{
    char folder[256];
    const char *platform = flawed->fmi == 2 ? "linux64" : "x86_64-linux";
    support_folder_new(folder, sizeof folder);
    support_shell("mkdir -p %s/binaries/%s && cc -std=c11 -O1 -shared -fPIC -w -DFMI=%d %s "
                  "tests/support/fmu/flawed_fmu.c -o %s/binaries/%s/flawed.so -lm",
                  folder, platform, flawed->fmi, flawed->define != NULL ? flawed->define : "", folder,
                  platform);
    write_flawed_description(flawed, folder);
    pack(folder, path, size);
}

void support_stepping_fmu(const char *define, const char *name)
{
    char path[256];
    support_decay_fmu(&(support_decay){.fmi = 2,
                                       .source = "tests/support/fmu/stepping_fmu.c",
                                       .define = define,
                                       .edit = {"<ModelExchange modelIdentifier=\"decay\" "
                                                "canGetAndSetFMUstate=\"true\" />",
                                                ""}},
                      path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("%s.fmu", name));
}
