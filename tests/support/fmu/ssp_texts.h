/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_texts.h - pieces of system structures, of which tests make whole ones, and what is read from them. */
#pragma once

#include "ssp.h"

#define SUPPORT_HEAD                                                                                         \
    "<ssd:SystemStructureDescription version='1.0' name='a'"                                                 \
    " xmlns:ssd='http://ssp-standard.org/SSP1/SystemStructureDescription'"                                   \
    " xmlns:ssc='http://ssp-standard.org/SSP1/SystemStructureCommon'"                                        \
    " xmlns:ssv='http://ssp-standard.org/SSP1/SystemStructureParameterValues'"                               \
    " xmlns:ssm='http://ssp-standard.org/SSP1/SystemStructureParameterMapping' xmlns:x='urn:other'>\n"
#define SUPPORT_TAIL             "</ssd:SystemStructureDescription>\n"
#define SUPPORT_REAL(name, kind) "<ssd:Connector name='" name "' kind='" kind "'><ssc:Real/></ssd:Connector>"
#define SUPPORT_REAL_IN(name, kind, unit)                                                                    \
    "<ssd:Connector name='" name "' kind='" kind "'><ssc:Real unit='" unit "'/></ssd:Connector>"

/* A set of one parameter, a binding of it, and a system of one component a with bindings of it and of the system. */
#define SUPPORT_SET(name, value)                                                                             \
    "<ssv:ParameterSet xmlns:ssv='http://ssp-standard.org/SSP1/SystemStructureParameterValues' "             \
    "version='1.0' name='p'>"                                                                                \
    "<ssv:Parameters><ssv:Parameter name='" name "'><ssv:Real value='" value                                 \
    "'/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>"
#define SUPPORT_INLINE(name, value)                                                                          \
    "<ssd:ParameterBinding><ssd:ParameterValues>" SUPPORT_SET(                                               \
        name, value) "</ssd:ParameterValues></ssd:ParameterBinding>"
#define SUPPORT_BOUND(inner, outer)                                                                          \
    SUPPORT_HEAD "<ssd:System name='s'><ssd:Elements>\n<ssd:Component name='a' "                             \
                 "source='a.fmu'><ssd:ParameterBindings>" inner                                              \
                 "</ssd:ParameterBindings></ssd:Component>\n</ssd:Elements>\n<ssd:ParameterBindings>" outer  \
                 "</ssd:ParameterBindings>\n</ssd:System>" SUPPORT_TAIL

/* Two components, and systems with connections between them. */
#define SUPPORT_COMPONENT_A                                                                                  \
    "<ssd:Component name='a' source='a.fmu'><ssd:Connectors>" SUPPORT_REAL("y", "output") SUPPORT_REAL(      \
        "p", "parameter") "<ssd:Connector name='n' "                                                         \
                          "kind='output'><ssc:Integer/></ssd:Connector><ssd:Connector name='s' "             \
                          "kind='output'><ssc:String/></ssd:Connector></ssd:Connectors></ssd:Component>\n"
#define SUPPORT_COMPONENT_B                                                                                  \
    "<ssd:Component name='b' source='b.fmu'><ssd:Connectors>" SUPPORT_REAL("u", "input") SUPPORT_REAL_IN(    \
        "v", "input", "m") "<ssd:Connector name='n' "                                                        \
                           "kind='input'><ssc:Integer/></ssd:Connector><ssd:Connector name='s' "             \
                           "kind='input'><ssc:String/></ssd:Connector></ssd:Connectors></ssd:Component>\n"
#define SUPPORT_SYSTEM(elements, connections)                                                                \
    SUPPORT_HEAD "<ssd:System name='s'><ssd:Elements>" elements                                              \
                 "</ssd:Elements><ssd:Connections>\n" connections                                            \
                 "</ssd:Connections></ssd:System>" SUPPORT_TAIL
#define SUPPORT_CONNECT(from, output, to, input, more)                                                       \
    "<ssd:Connection startElement='" from "' startConnector='" output "' endElement='" to                    \
    "' endConnector='" input "'" more

/* A system structure of that text, without files beside it. The test fails where it is refused. */
ms_ssp support_ssp_read(const char *text);
/* What a component sets the variable of that name to; the test fails where it does not. */
const ms_ssp_setting *support_ssp_setting(const ms_ssp_component *component, const char *name);
