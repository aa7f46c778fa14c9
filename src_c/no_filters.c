/* The empty table for builds without the folder filters/. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters.h"

#if !__has_include("filters/switches.h")
const filter_table filters = {0};
#endif
