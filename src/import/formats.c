#include "import/formats.h"

#include "base/array.h"
#include "import/atto.h"
#include "import/bonnie.h"
#include "import/cdm.h"
#include "import/diskspd.h"
#include "import/elbencho.h"
#include "import/fio_json.h"
#include "import/fio_log.h"
#include "import/fio_terse.h"
#include "import/fio_text.h"
#include "import/hdtune.h"
#include "import/iometer_csv.h"
#include "import/iozone.h"
#include "import/sysbench.h"
#include "import/table.h"
#include "import/vdbench.h"

/* Asked in this order: a file that holds several formats is read as the first of them. */
static const struct import_format formats[] = {
    { "fio-json", fio_json_sniff, fio_json_read, NULL },
    { "fio-log", fio_log_sniff, fio_log_read, fio_log_finish },
    { "fio-text", fio_text_sniff, fio_text_read, NULL },
    { "csv", table_csv_sniff, table_csv_read, NULL }, /* its comments may name any tool */
    { "fio-terse", fio_terse_sniff, fio_terse_read, NULL },
    { "iometer-csv", iometer_csv_sniff, iometer_csv_read, iometer_csv_finish },
    { "diskspd-xml", diskspd_xml_sniff, diskspd_xml_read, NULL },
    { "diskspd-text", diskspd_text_sniff, diskspd_text_read, NULL },
    { "cdm-text", cdm_sniff, cdm_read, NULL },
    { "vdbench-flatfile", vdbench_flat_sniff, vdbench_flat_read, vdbench_finish },
    { "vdbench-histogram", vdbench_histogram_sniff, vdbench_histogram_read, vdbench_finish },
    { "vdbench-summary", vdbench_summary_sniff, vdbench_summary_read, vdbench_finish },
    { "atto-text", atto_sniff, atto_read, NULL },
    { "elbencho-csv", elbencho_csv_sniff, elbencho_csv_read, NULL },
    { "elbencho-live", elbencho_live_sniff, elbencho_live_read, elbencho_live_finish },
    { "elbencho-json", elbencho_json_sniff, elbencho_json_read, NULL },
    { "sysbench-text", sysbench_sniff, sysbench_read, NULL },
    { "iozone-text", iozone_sniff, iozone_read, NULL },
    { "bonnie-csv", bonnie_sniff, bonnie_read, NULL },
    { "hdtune-text", hdtune_sniff, hdtune_read, NULL },
    { "json", table_json_sniff, table_json_read, NULL },
};

const struct import_format *format_at(size_t i)
{
    return i < countof(formats) ? &formats[i] : NULL;
}

const char *const *import_formats(void)
{
    static const char *names[countof(formats) + 1];
    for (size_t i = 0; i < countof(formats); i++)
        names[i] = formats[i].name;
    return names;
}
