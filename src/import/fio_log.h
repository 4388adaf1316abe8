#pragma once
#include "import/collect.h"

/* fio's logs (HOWTO, "Log File Formats"): NAME_bw.1.log, _iops, _lat, _clat, _slat, of single I/Os or averaged over windows, with the
 * columns of every version. The kind stands in the file's name only. Files of one job are joined: bandwidth and IOPS of its threads are
 * added, response times averaged. They become the intervals of the cell whose job wrote them (its fio JSON read along), else a cell of
 * their own. */
bool fio_log_sniff(const char *head, const char *name);
int fio_log_read(struct collect *c, struct error *e);
int fio_log_finish(struct collect *c, struct error *e);
