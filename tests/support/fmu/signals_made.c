/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "signals_fmu.h"

#include <stdio.h>

#include "fmu_archive.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

static const char two[] =
    "<fmiModelDescription fmiVersion='2.0' modelName='signals' guid='g' numberOfEventIndicators='0'>\n"
    "<ModelExchange modelIdentifier='signals' canGetAndSetFMUstate='true' "
    "completedIntegratorStepNotNeeded='%s'/>\n"
    "<CoSimulation modelIdentifier='signals' canGetAndSetFMUstate='true' "
    "canHandleVariableCommunicationStepSize='true'/>\n"
    "<TypeDefinitions><SimpleType name='Ways'><Enumeration><Item name='slow' value='1'/>"
    "<Item name='fast' value='2'/></Enumeration></SimpleType></TypeDefinitions><ModelVariables>\n"
    "<ScalarVariable name='x' valueReference='0' initial='exact'><Real start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='der(x)' valueReference='1'><Real derivative='1'/></ScalarVariable>\n"
    "<ScalarVariable name='u' valueReference='2' causality='input'><Real start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='y' valueReference='3' causality='output'><Real/></ScalarVariable>\n"
    "<ScalarVariable name='n' valueReference='4' causality='input'><Integer start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='on' valueReference='5' causality='input'><Boolean "
    "start='false'/></ScalarVariable>\n"
    "<ScalarVariable name='way' valueReference='6' causality='input'><Enumeration declaredType='Ways' "
    "start='1'/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name='m' valueReference='7' causality='output'><Integer/></ScalarVariable>\n"
    "<ScalarVariable name='off' valueReference='8' causality='output'><Boolean/></ScalarVariable>\n"
    "<ScalarVariable name='other' valueReference='9' causality='output'><Enumeration declaredType='Ways'/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name='ticks' valueReference='13' causality='output'><Integer/></ScalarVariable>\n"
    "</ModelVariables><ModelStructure><Outputs><Unknown index='4' dependencies='1'/>"
    "<Unknown index='8' dependencies='5'/><Unknown index='9' dependencies='6'/><Unknown index='10' "
    "dependencies='7'/><Unknown index='11' dependencies=''/></Outputs>"
    "<Derivatives><Unknown index='2'/></Derivatives></ModelStructure></fmiModelDescription>\n";

static const char three[] =
    "<fmiModelDescription fmiVersion='3.0' modelName='signals' instantiationToken='g'>\n"
    "<ModelExchange modelIdentifier='signals' canGetAndSetFMUState='true' "
    "needsCompletedIntegratorStep='%s'/>\n"
    "<CoSimulation modelIdentifier='signals' canGetAndSetFMUState='true' "
    "canHandleVariableCommunicationStepSize='true' hasEventMode='true'/>\n"
    "<TypeDefinitions><EnumerationType name='Ways'><Item name='slow' value='1'/><Item name='fast' value='2'/>"
    "</EnumerationType></TypeDefinitions><ModelVariables>\n"
    "<Float64 name='x' valueReference='0' initial='exact' start='0'/>\n"
    "<Float64 name='der(x)' valueReference='1' derivative='0'/>\n"
    "<Float64 name='u' valueReference='2' causality='input' start='0'/>\n"
    "<Float64 name='y' valueReference='3' causality='output'/>\n"
    "<Int8 name='n' valueReference='4' causality='input' start='0'/>\n"
    "<Boolean name='on' valueReference='5' causality='input' start='false'/>\n"
    "<Enumeration name='way' valueReference='6' causality='input' declaredType='Ways' start='1'/>\n"
    "<Int64 name='m' valueReference='7' causality='output'/>\n"
    "<Boolean name='off' valueReference='8' causality='output'/>\n"
    "<Enumeration name='other' valueReference='9' causality='output' declaredType='Ways'/>\n"
    "<Float64 name='v' valueReference='10' causality='input' start='3 4'><Dimension start='2'/></Float64>\n"
    "<Float64 name='w' valueReference='11' causality='output'><Dimension valueReference='14'/></Float64>\n"
    "<Float64 name='gain' valueReference='12' causality='parameter' variability='fixed' start='1'>"
    "<Dimension start='2'/></Float64>\n"
    "<Int64 name='ticks' valueReference='13' causality='output'/>\n"
    "<UInt64 name='size' valueReference='14' causality='structuralParameter' variability='fixed' "
    "start='2'/>\n"
    "</ModelVariables><ModelStructure><Output valueReference='3' dependencies='0'/>"
    "<Output valueReference='7' dependencies='4'/><Output valueReference='8' dependencies='5'/>"
    "<Output valueReference='9' dependencies='6'/><Output valueReference='11' dependencies='10'/><Output "
    "valueReference='13' dependencies=''/>"
    "<ContinuousStateDerivative valueReference='1'/></ModelStructure></fmiModelDescription>\n";

void support_signals_fmu(int fmi, const char *define, char *path, size_t size)
{
    char folder[256], name[512];
    ms_error error = {""};
    const char *platform = fmi == 2 ? "linux64" : "x86_64-linux";
    const bool asks = define[0] != '\0'; /* to be told of steps, where it can end */
    support_folder_new(folder, sizeof folder);
    support_shell("mkdir -p %s/binaries/%s && cc -std=c11 -shared -fPIC -w -DFMI=%d %s "
                  "tests/support/fmu/signals_fmu.c -o %s/binaries/%s/signals.so",
                  folder, platform, fmi, define, folder, platform);
    snprintf(name, sizeof name, "%s/modelDescription.xml", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, fmi == 2 ? two : three, asks == (fmi == 3) ? "true" : "false");
    assert_int_equal(fclose(file), 0);
    snprintf(path, size, "%s.fmu", folder);
    if (ms_fmu_archive_write(folder, path, &error) != MS_OK)
        fail_msg("%s", error.text);
    support_shell("rm -r %s", folder);
}
