/* Error messages of the status codes. SPDX-License-Identifier: GPL-2.0-or-later */
#include "rrf.h"

const char *rrf_strerror(rrf_status status)
{
    switch (status) {
    case RRF_OK:
        return "no error";
    case RRF_ERR_MEMORY:
        return "out of memory";
    case RRF_ERR_INTERRUPT:
        return "interrupted";
    case RRF_ERR_NO_SPLIT:
        return "no in-bag sample of the data can be split";
    case RRF_ERR_ARGUMENT:
        return "an argument is out of its range";
    case RRF_ERR_ONE_CLASS:
        return "31 in-bag samples in a row held a single class";
    }
    return "unknown status";
}
