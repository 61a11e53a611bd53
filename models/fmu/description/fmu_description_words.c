/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_description_words.c - the words of the standard, and what they default to: FMI 2.0.x, 2.2.7 (tables of causality, variability
 * and initial); FMI 3.0.x, 2.4.7.4 and 2.4.7.5. */
#include "fmu_description.h"

const char *const ms_fmu_causality_names[MS_FMU_CAUSALITIES] = {
    [MS_FMU_PARAMETER] = "parameter",
    [MS_FMU_CALCULATED_PARAMETER] = "calculatedParameter",
    [MS_FMU_STRUCTURAL_PARAMETER] = "structuralParameter",
    [MS_FMU_INPUT] = "input",
    [MS_FMU_OUTPUT] = "output",
    [MS_FMU_LOCAL] = "local",
    [MS_FMU_INDEPENDENT] = "independent",
};

const char *const ms_fmu_variability_names[MS_FMU_VARIABILITIES] = {
    [MS_FMU_CONSTANT] = "constant", [MS_FMU_FIXED] = "fixed",           [MS_FMU_TUNABLE] = "tunable",
    [MS_FMU_DISCRETE] = "discrete", [MS_FMU_CONTINUOUS] = "continuous",
};

const char *const ms_fmu_initial_names[MS_FMU_INITIALS] = {
    [MS_FMU_EXACT] = "exact", [MS_FMU_APPROX] = "approx", [MS_FMU_CALCULATED] = "calculated"};

const char *const ms_fmu_type_names[MS_FMU_TYPES] = {
    [MS_FMU_FLOAT64] = "Float64", [MS_FMU_FLOAT32] = "Float32", [MS_FMU_INT8] = "Int8",
    [MS_FMU_UINT8] = "UInt8",     [MS_FMU_INT16] = "Int16",     [MS_FMU_UINT16] = "UInt16",
    [MS_FMU_INT32] = "Int32",     [MS_FMU_UINT32] = "UInt32",   [MS_FMU_INT64] = "Int64",
    [MS_FMU_UINT64] = "UInt64",   [MS_FMU_BOOLEAN] = "Boolean", [MS_FMU_ENUMERATION] = "Enumeration",
    [MS_FMU_STRING] = "String",   [MS_FMU_BINARY] = "Binary",   [MS_FMU_CLOCK] = "Clock",
};

const char *const ms_fmu_kind_names[MS_FMU_KINDS] = {
    [MS_FMU_CO_SIMULATION] = "co-simulation", [MS_FMU_MODEL_EXCHANGE] = "model-exchange"};

static bool is_parameter(ms_fmu_causality causality)
{
    return causality == MS_FMU_PARAMETER || causality == MS_FMU_CALCULATED_PARAMETER ||
           causality == MS_FMU_STRUCTURAL_PARAMETER;
}

/* Parameters have to say whether they are fixed or tunable; of one that does not the former is assumed. */
ms_fmu_variability ms_fmu_default_variability(ms_fmu_type type, ms_fmu_causality causality)
{
    if (is_parameter(causality))
        return MS_FMU_FIXED;
    return type == MS_FMU_FLOAT64 || type == MS_FMU_FLOAT32 ? MS_FMU_CONTINUOUS : MS_FMU_DISCRETE;
}

ms_fmu_initial ms_fmu_default_initial(int fmi, ms_fmu_causality causality, ms_fmu_variability variability)
{
    switch (causality) {
    case MS_FMU_PARAMETER:
    case MS_FMU_STRUCTURAL_PARAMETER:
        return MS_FMU_EXACT;
    case MS_FMU_CALCULATED_PARAMETER:
        return MS_FMU_CALCULATED;
    case MS_FMU_INPUT:
        return fmi == 2 ? MS_FMU_INITIAL_NONE : MS_FMU_EXACT;
    case MS_FMU_OUTPUT:
    case MS_FMU_LOCAL:
        return variability == MS_FMU_CONSTANT ? MS_FMU_EXACT : MS_FMU_CALCULATED;
    case MS_FMU_INDEPENDENT:
    case MS_FMU_CAUSALITIES:
        break;
    }
    return MS_FMU_INITIAL_NONE;
}
