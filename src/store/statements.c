#include "store/statements.h"

#include "base/array.h"

/* The run columns of query_run.c's read_run; followed by WHERE and ORDER BY. */
#define RUN_ROW                                                                                    \
    "SELECT r.id, r.name, r.title, r.kind = 'import', r.status, r.writer, r.version,"              \
    " r.engine_version, r.config_hash, r.command, r.note, r.matrix_name, r.matrix_title,"          \
    " r.matrix_method, r.matrix_xml, r.report, r.started_ns, r.finished_ns, r.seed,"               \
    " (SELECT count(*) FROM target t WHERE t.run = r.id),"                                         \
    " (SELECT count(*) FROM cell c WHERE c.run = r.id AND NOT c.superseded),"                      \
    " (SELECT count(*) FROM cell c WHERE c.run = r.id AND NOT c.superseded"                        \
    "  AND c.status = 'done') FROM run r "

#define MOMENTS "lat_n, lat_sum, lat_sq_high, lat_sq_low, lat_min, lat_max"
#define ASKED                                                                                      \
    "queue_depth, workers, rep, round, duration_ns, ramp_ns, interval_ns, asked_span_bytes,"       \
    " asked_span_bp, span_offset, fill, fill_percent, fill_pattern, rate, rate_value,"             \
    " rate_poisson, asked_direct, seed"
#define SHEET                                                                                      \
    "price, currency, sheet_capacity_bytes, endurance_bytes, rated_read_iops, rated_write_iops,"   \
    " rated_read_mb_s, rated_write_mb_s, rated_read_lat_ns, rated_write_lat_ns, members,"          \
    " sample_of, factor, picture"
#define PERCENTILES "stddev_ns, p50_ns, p90_ns, p95_ns, p99_ns, p999_ns, p9999_ns"

/* Repetitions of cell ?1: the same point and round on the same target, done. */
#define REPETITIONS                                                                                \
    "FROM cell this JOIN cell c ON c.target = this.target AND c.point = this.point"                \
    " AND c.round = this.round AND c.status = 'done' AND NOT c.superseded "

/* Rows that belong to the cells of run ?1, by number and attempt. */
#define OF_CELLS(table)                                                                            \
    " FROM cell c JOIN " table " x ON x.cell = c.id WHERE c.run = ?1 ORDER BY c.no, c.attempt, "

static const char *const sql[] = {
    [ST_BEGIN] = "BEGIN IMMEDIATE",
    [ST_COMMIT] = "COMMIT",
    [ST_ROLLBACK] = "ROLLBACK",
    [ST_USER_VERSION] = "PRAGMA user_version",
    [ST_TABLE_COUNT] = "SELECT count(*) FROM sqlite_schema",
    [ST_LOCKING_EXCLUSIVE] = "PRAGMA locking_mode = EXCLUSIVE",
    [ST_JOURNAL_WAL] = "PRAGMA journal_mode = WAL",
    [ST_JOURNAL_DELETE] = "PRAGMA journal_mode = DELETE",
    [ST_AUTOCHECKPOINT_OFF] = "PRAGMA wal_autocheckpoint = 0",
    [ST_SECURE_DELETE_OFF] = "PRAGMA secure_delete = OFF",
    [ST_SYNC_NORMAL] = "PRAGMA synchronous = NORMAL",
    [ST_SYNC_FULL] = "PRAGMA synchronous = FULL",

    [ST_RUN_BY_NAME] = "SELECT id FROM run WHERE name = ?1",
    [ST_RUN_INSERT] =
        "INSERT INTO run (name, title, kind, status, started_ns, version, engine_version,"
        " config_hash, command, note, matrix_name, matrix_title, matrix_method, matrix_xml, report,"
        " cell_order, engine_choice, seed, span_bytes, repeat, n_points, writes, writer)"
        " VALUES (?1, ?2, ?3, 'running', ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,"
        " ?17, ?18, ?19, ?20, ?21, ?22)",
    [ST_RUN_END] = "UPDATE run SET status = ?2, finished_ns = ?3, writer = NULL WHERE id = ?1",
    [ST_RUN_TO_RESUME] =
        "SELECT name, kind, status, config_hash, engine_version FROM run WHERE id = ?1",
    [ST_RUN_RESUME] =
        "UPDATE run SET status = 'running', finished_ns = NULL, writer = ?2 WHERE id = ?1",
    [ST_RUN_BROKEN] =
        "UPDATE run SET status = 'interrupted', writer = NULL,"
        " finished_ns = (SELECT max(finished_ns) FROM cell WHERE cell.run = run.id) WHERE id = ?1",
    [ST_RUNS_RUNNING] = "SELECT id, writer FROM run WHERE status = 'running' ORDER BY id",
    [ST_FACT_INSERT] = "INSERT INTO environment (run, target, after, key, value)"
                       " VALUES (?1, ?2, ?3, ?4, ?5)",
    [ST_SOURCE_INSERT] = "INSERT INTO source_file (run, no, path, format, tool, sha256)"
                         " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [ST_TARGET_INSERT] =
        "INSERT INTO target (run, no, name, path, kind, identity, layout, capacity_bytes,"
        " span_bytes, logical_block, physical_block, highlighted)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    [ST_TARGET_SHEET_PUT] =
        "UPDATE target SET (sheet, " SHEET
        ") = (1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) WHERE id = ?1",
    [ST_LEFT_OUT_INSERT] = "INSERT INTO left_out (run, no, name, reason) VALUES (?1, ?2, ?3, ?4)",
    [ST_TARGET_TO_RESUME] = "SELECT id, name, path, kind, identity, span_bytes FROM target"
                            " WHERE run = ?1 AND no = ?2",
    [ST_WORKLOAD_INSERT] = "INSERT INTO workload (run, no, name, title) VALUES (?1, ?2, ?3, ?4)",
    [ST_WORKLOAD_IDS] = "SELECT id FROM workload WHERE run = ?1 ORDER BY no",
    [ST_LINE_INSERT] =
        "INSERT INTO access_line (workload, no, share_bp, size, read_bp, random_bp, burst,"
        " delay_ns, align, stride, trim_bp, sync, sync_every, distribution, distribution_param)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",

    [ST_CELL_PUT] =
        "INSERT INTO cell (run, no, attempt, point, target, workload, " ASKED ", size, read_pct,"
        " random_pct, sync, status, version, engine_version, started_ns, histogram_scheme)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
        " ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33)"
        " ON CONFLICT (run, no, attempt) DO UPDATE SET (point, target, workload, " ASKED ", size,"
        " read_pct, random_pct, sync, status, version, engine_version, started_ns,"
        " histogram_scheme) = (?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,"
        " ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33)",
    [ST_CELL_LATEST] = "SELECT id, attempt, status FROM cell WHERE run = ?1 AND no = ?2"
                       " ORDER BY attempt DESC LIMIT 1",
    [ST_CELL_SUPERSEDE] =
        "UPDATE cell SET superseded = 1 WHERE run = ?1 AND no = ?2 AND attempt < ?3",
    [ST_CELL_END] =
        "UPDATE cell SET status = ?2, reason = ?3, engine = ?4, direct = ?5, finished_ns = ?6,"
        " measured_ns = ?7, cpu_user_ns = ?8, cpu_system_ns = ?9, context_switches = ?10,"
        " achieved_depth = ?11, worker_busy = ?12, in_flight_at_end = ?13,"
        " oldest_in_flight_ns = ?14, span_bytes = ?15, covered_bytes = ?16, steady = ?17,"
        " device_read_bytes = ?18, device_written_bytes = ?19, kernel_workers = ?20,"
        " rates_only = ?21, source_no = ?22"
        " WHERE id = ?1",
    [ST_CELL_RUNNING] =
        "SELECT id FROM cell WHERE run = ?1 AND status = 'running' ORDER BY no LIMIT 1",
    [ST_CELL_STARTED] = "SELECT started_ns FROM cell WHERE id = ?1",
    [ST_CELL_ENGINE_UNKNOWN] =
        "UPDATE cell SET engine = NULL, direct = NULL, in_flight_at_end = NULL,"
        " oldest_in_flight_ns = NULL WHERE id = ?1",
    [ST_INTERVAL_INSERT] =
        "INSERT INTO interval (cell, t_ns, direction, length_ns, ios, bytes, errors, " MOMENTS
        ", batches) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    [ST_INTERVAL_HISTOGRAM_INSERT] =
        "INSERT INTO interval_histogram (cell, t_ns, direction, bins) VALUES (?1, ?2, ?3, ?4)",
    [ST_INTERVALS_TO_SUM] =
        "SELECT i.t_ns, i.direction, i.length_ns, i.ios, i.bytes, i.errors, i.lat_n, i.lat_sum,"
        " i.lat_sq_high, i.lat_sq_low, i.lat_min, i.lat_max, c.histogram_scheme, h.bins"
        " FROM cell c JOIN interval i ON i.cell = c.id LEFT JOIN interval_histogram h"
        " ON h.cell = i.cell AND h.t_ns = i.t_ns AND h.direction = i.direction"
        " WHERE c.id = ?1 ORDER BY i.t_ns, i.direction",
    [ST_SAMPLE_INSERT] =
        "INSERT INTO sample (cell, no, t_ns, \"offset\", lat_ns, size, direction, slow)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [ST_EVENT_INSERT] = "INSERT INTO event (run, target, cell, code, severity, t_ns, what, text,"
                        " sys, \"offset\", count)"
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    [ST_RESULT_INSERT] = "INSERT INTO result (cell, direction, ios, bytes, errors, " MOMENTS
                         ", lat_max_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    [ST_HISTOGRAM_INSERT] =
        "INSERT INTO histogram (cell, direction, scheme, bins) VALUES (?1, ?2, ?3, ?4)",
    [ST_PERCENTILE_INSERT] =
        "INSERT INTO percentile (cell, direction, p_num, p_den, low_ns, high_ns, origin)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [ST_LINE_RESULT_INSERT] =
        "INSERT INTO line_result (cell, line, direction, ios, bytes, scheme, bins)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [ST_LATENCY_INSERT] = "INSERT INTO latency (cell, direction, " PERCENTILES ")"
                          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [ST_REPETITIONS] =
        "SELECT r.direction, r.lat_n, r.lat_sum, r.lat_sq_high, r.lat_sq_low, r.lat_min, r.lat_max,"
        " h.scheme, h.bins " REPETITIONS "JOIN result r ON r.cell = c.id AND r.ios > 0"
        " LEFT JOIN histogram h ON h.cell = c.id AND h.direction = r.direction"
        " WHERE this.id = ?1 ORDER BY r.direction, c.no",
    [ST_REPETITIONS_COUNT] = "SELECT count(*) " REPETITIONS "WHERE this.id = ?1",
    [ST_MERGED_COPY] =
        "INSERT OR REPLACE INTO merged_latency (target, point, round, direction, " PERCENTILES ")"
        " SELECT c.target, c.point, c.round, l.direction, " PERCENTILES
        " FROM cell c JOIN latency l ON l.cell = c.id WHERE c.id = ?1",
    [ST_MERGED_PUT] =
        "INSERT OR REPLACE INTO merged_latency (target, point, round, direction, " PERCENTILES ")"
        " SELECT target, point, round, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM cell WHERE id = ?1",
    [ST_MEASURED_SECONDS] = "SELECT t_ns, direction, length_ns, ios, lat_n, lat_sum FROM interval"
                            " WHERE cell = ?1 AND t_ns >= 0 ORDER BY t_ns, direction",
    [ST_EVENNESS_INSERT] =
        "INSERT INTO evenness (cell, direction, n, n_empty, mean_ns, sd_ns, variance, iops, "
        "iops_sd,"
        " iops_variance, below_100us, below_200us, below_500us, below_1ms, below_2ms, below_5ms,"
        " below_10ms, below_20ms, below_50ms, below_100ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
        " ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",

    [ST_ROWS_HASH_PUT] = "UPDATE cell SET rows_sha256 = ?2 WHERE id = ?1",

    [ST_RUN_RENAME] = "UPDATE run SET name = ?2 WHERE id = ?1",
    [ST_RUN_NOTE] = "UPDATE run SET note = ?2 WHERE id = ?1",
    [ST_TARGET_BY_NAME] = "SELECT id FROM target WHERE run = ?1 AND name = ?2",
    [ST_TARGET_RENAME] = "UPDATE target SET name = ?3 WHERE run = ?1 AND name = ?2",
    [ST_RUN_IS_RUNNING] = "SELECT status = 'running' FROM run WHERE id = ?1",
    [ST_RUN_DELETE] = "DELETE FROM run WHERE id = ?1",
    [ST_OWN_FILE_PUT] = "INSERT OR REPLACE INTO own_file (run, path, dev, ino)"
                        " VALUES (?1, ?2, ?3, ?4)",
    [ST_OWN_FILE_GONE] = "DELETE FROM own_file WHERE path = ?1",
    [ST_UNDO_PUT] = "INSERT INTO undo (run, kind, subject, value) VALUES (?1, ?2, ?3, ?4)",
    [ST_UNDO_GONE] = "DELETE FROM undo WHERE id = ?1",
    [ST_ATTACH_OTHER] = "ATTACH ?1 AS other",
    [ST_RUNS_STARTED] = "SELECT id FROM run WHERE started_ns = ?1 ORDER BY id",
    [ST_RUN_LAST_NUMBER] =
        "SELECT coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = 'run'), 0)",
    [ST_MERGE_NAME_TAKEN] = "SELECT 1 FROM main.run WHERE name = ?1"
                            " UNION ALL SELECT 1 FROM temp.merge_run WHERE name = ?1",
    [ST_MERGE_RUN_PUT] = "INSERT INTO temp.merge_run (old, new, name) VALUES (?1, ?2, ?3)",

    [ST_RUNS] = RUN_ROW "ORDER BY r.id",
    [ST_RUN_LATEST] = RUN_ROW "ORDER BY r.id DESC LIMIT 1",
    [ST_RUN_BY_ID] = RUN_ROW "WHERE r.id = ?1",
    [ST_RUN_NAMED] = RUN_ROW "WHERE r.name = ?1",
    [ST_RUN_WRITER] = "SELECT writer FROM run WHERE id = ?1 AND status = 'running'",
    [ST_RUN_EXISTS] = "SELECT id FROM run WHERE id = ?1",
    [ST_HOST_FACTS] = "SELECT key, value FROM environment WHERE run = ?1 AND target IS NULL"
                      " ORDER BY id",
    [ST_TARGETS] = "SELECT id, no, name, path, kind, identity, layout, capacity_bytes, span_bytes,"
                   " logical_block, physical_block, highlighted, sheet, " SHEET
                   " FROM target WHERE run = ?1 ORDER BY no",
    [ST_LEFT_OUT] = "SELECT name, reason FROM left_out WHERE run = ?1 ORDER BY no",
    [ST_TARGET_FACTS] = "SELECT key, value FROM environment WHERE target = ?1 ORDER BY id",
    [ST_WORKLOADS] = "SELECT id, name, title FROM workload WHERE run = ?1 ORDER BY no",
    [ST_LINES] = "SELECT share_bp, size, read_bp, random_bp, burst, delay_ns, align, stride,"
                 " trim_bp, sync, sync_every, distribution, distribution_param FROM access_line"
                 " WHERE workload = ?1 ORDER BY no",
    [ST_SOURCES] = "SELECT path, format, tool, sha256 FROM source_file WHERE run = ?1 ORDER BY no",
    [ST_SOURCE_BY_HASH] = "SELECT run FROM source_file WHERE sha256 = ?1 ORDER BY run LIMIT 1",
    [ST_OWN_FILES] = "SELECT run, path, dev, ino, run IN (SELECT id FROM run"
                     " WHERE status = 'running') FROM own_file ORDER BY id",
    [ST_UNDO_STEPS] = "SELECT id, run, kind, subject, value, run IN (SELECT id FROM run"
                      " WHERE status = 'running') FROM undo ORDER BY id DESC",
    [ST_CELLS] =
        "SELECT c.id, c.target, c.workload, c.attempt, c.no, c.point, t.no, w.no, " ASKED
        ", c.status, c.reason, c.engine, coalesce(c.direct, c.asked_direct), c.started_ns,"
        " c.finished_ns, c.measured_ns, c.cpu_user_ns, c.cpu_system_ns,"
        " c.context_switches, c.achieved_depth, c.worker_busy, c.in_flight_at_end,"
        " c.oldest_in_flight_ns, c.span_bytes, c.covered_bytes, c.steady,"
        " c.device_read_bytes, c.device_written_bytes, c.kernel_workers, c.rates_only"
        " FROM cell c JOIN target t ON t.id = c.target JOIN workload w ON w.id = c.workload"
        " WHERE c.run = ?1 AND NOT c.superseded ORDER BY c.no",
    [ST_RESULTS] =
        "SELECT cell, run, run_name, target, workload, queue_depth, workers, size, read_pct,"
        " random_pct, fill, span_bytes, rate_iops, rep, round, engine, direct, status, direction,"
        " ios, bytes, seconds, iops, mb_s, lat_mean_ns, lat_stddev_ns, lat_min_ns, lat_p50_ns,"
        " lat_p90_ns, lat_p95_ns, lat_p99_ns, lat_p999_ns, lat_p9999_ns, lat_max_ns, errors,"
        " cpu_user_s, cpu_system_s, achieved_depth, steady, source FROM results WHERE run = ?1"
        " ORDER BY no, (SELECT d.id FROM direction d WHERE d.name = results.direction)",
    [ST_HISTOGRAMS] = "SELECT h.scheme, h.bins FROM result r LEFT JOIN histogram h"
                      " ON h.cell = r.cell AND h.direction = r.direction"
                      " WHERE r.cell = ?1 AND (r.ios > 0 OR h.bins IS NOT NULL)"
                      " AND (?2 IS NULL OR r.direction = ?2) ORDER BY r.direction",
    [ST_PERCENTILES] = "SELECT direction, p_num, p_den, low_ns, high_ns, origin FROM percentile"
                       " WHERE cell = ?1 ORDER BY direction, CAST(p_num AS REAL) / p_den, p_num",
    [ST_LINE_RESULTS] = "SELECT line, direction, ios, bytes, scheme, bins FROM line_result"
                        " WHERE cell = ?1 ORDER BY line, direction",
    [ST_MEASURED_NS] = "SELECT measured_ns FROM cell WHERE id = ?1",
    [ST_EXPECTED_INTERVALS] =
        "SELECT coalesce(measured_ns / nullif(interval_ns, 0) + 1, 0) FROM cell WHERE id = ?1",
    [ST_SERIES] = "SELECT t_ns, direction, length_ns, ios, bytes, lat_n, lat_sum, batches"
                  " FROM interval WHERE cell = ?1 AND t_ns >= 0"
                  " AND (?2 IS NULL OR direction = ?2) ORDER BY t_ns, direction",
    [ST_INTERVALS] = "SELECT t_ns, direction, length_ns, ios, bytes, errors, " MOMENTS
                     ", batches, NULL, NULL FROM interval WHERE cell = ?1"
                     " AND t_ns >= ?2 AND t_ns < ?3 ORDER BY t_ns, direction",
    [ST_INTERVALS_WITH_HISTOGRAMS] =
        "SELECT i.t_ns, i.direction, i.length_ns, i.ios, i.bytes, i.errors, i.lat_n, i.lat_sum,"
        " i.lat_sq_high, i.lat_sq_low, i.lat_min, i.lat_max, i.batches, c.histogram_scheme, h.bins"
        " FROM cell c JOIN interval i ON i.cell = c.id LEFT JOIN interval_histogram h"
        " ON h.cell = i.cell AND h.t_ns = i.t_ns AND h.direction = i.direction"
        " WHERE c.id = ?1 ORDER BY i.t_ns, i.direction",
    [ST_INTERVAL_HISTOGRAMS] =
        "SELECT t_ns, direction, (SELECT histogram_scheme FROM cell WHERE id = ?1), bins"
        " FROM interval_histogram WHERE cell = ?1 AND t_ns >= ?2 AND t_ns < ?3"
        " ORDER BY t_ns, direction",
    [ST_SOME_HISTOGRAMS] =
        "WITH RECURSIVE at(t) AS (SELECT ?2 UNION ALL SELECT t + ?4 FROM at WHERE t + ?4 < ?3)"
        " SELECT h.t_ns, h.direction, (SELECT histogram_scheme FROM cell WHERE id = ?1), h.bins"
        " FROM at CROSS JOIN interval_histogram h ON h.cell = ?1 AND h.t_ns = at.t",
    [ST_SAMPLES] = "SELECT t_ns, \"offset\", lat_ns, size, direction, slow FROM sample"
                   " WHERE cell = ?1 ORDER BY t_ns, no",
    [ST_EVENTS] = "SELECT e.id, e.cell, e.target, e.code, e.severity, c.no, t.no, e.t_ns, e.what,"
                  " e.text, e.sys, e.\"offset\", e.count FROM event e"
                  " LEFT JOIN cell c ON c.id = e.cell LEFT JOIN target t ON t.id = e.target"
                  " WHERE e.run = ?1 ORDER BY e.id",

    [ST_HASH_RUN] =
        "SELECT title, kind, status, started_ns, finished_ns, version, engine_version, config_hash,"
        " command, note, matrix_name, matrix_title, matrix_method, matrix_xml, report, cell_order,"
        " engine_choice, seed, span_bytes, repeat, n_points, writes FROM run WHERE id = ?1",
    [ST_HASH_FACTS] = "SELECT t.no, n.after, n.key, n.value FROM environment n"
                      " LEFT JOIN target t ON t.id = n.target WHERE n.run = ?1"
                      " ORDER BY t.no, n.id",
    [ST_HASH_TARGETS] =
        "SELECT no, name, path, kind, identity, layout, capacity_bytes, span_bytes, logical_block,"
        " physical_block, highlighted, sheet, " SHEET " FROM target WHERE run = ?1 ORDER BY no",
    [ST_HASH_LEFT_OUT] = "SELECT no, name, reason FROM left_out WHERE run = ?1 ORDER BY no",
    [ST_HASH_WORKLOADS] = "SELECT no, name, title FROM workload WHERE run = ?1 ORDER BY no",
    [ST_HASH_LINES] =
        "SELECT w.no, l.no, share_bp, size, read_bp, random_bp, burst, delay_ns, align, stride,"
        " trim_bp, sync, sync_every, distribution, distribution_param"
        " FROM workload w JOIN access_line l ON l.workload = w.id WHERE w.run = ?1"
        " ORDER BY w.no, l.no",
    [ST_HASH_CELLS] =
        "SELECT c.no, c.attempt, c.superseded, c.point, t.no, w.no, " ASKED ", c.status, c.reason,"
        " c.version, c.engine_version, c.engine, c.direct, c.started_ns, c.finished_ns,"
        " c.measured_ns, c.cpu_user_ns, c.cpu_system_ns, c.context_switches, c.achieved_depth,"
        " c.worker_busy, c.in_flight_at_end, c.oldest_in_flight_ns, c.span_bytes, c.covered_bytes,"
        " c.steady, c.device_read_bytes, c.device_written_bytes, c.kernel_workers, c.rates_only,"
        " c.source_no"
        " FROM cell c JOIN target t ON t.id = c.target"
        " JOIN workload w ON w.id = c.workload WHERE c.run = ?1 ORDER BY c.no, c.attempt",
    [ST_HASH_RESULTS] = "SELECT c.no, c.attempt, direction, ios, bytes, errors, " MOMENTS
                        ", lat_max_ns" OF_CELLS("result") "direction",
    [ST_HASH_HISTOGRAMS] = "SELECT c.no, c.attempt, direction, scheme, bins" OF_CELLS(
        "histogram") "direction",
    [ST_HASH_PERCENTILES] =
        "SELECT c.no, c.attempt, direction, p_num, p_den, low_ns, high_ns, origin" OF_CELLS(
            "percentile") "direction, p_num, p_den",
    [ST_HASH_LINE_RESULTS] = "SELECT c.no, c.attempt, line, direction, ios, bytes, scheme, "
                             "bins" OF_CELLS("line_result") "line, direction",
    [ST_HASH_EVENTS] = "SELECT t.no, c.no, c.attempt, code, severity, t_ns, what, text, sys,"
                       " \"offset\", count FROM event e LEFT JOIN cell c ON c.id = e.cell"
                       " LEFT JOIN target t ON t.id = e.target WHERE e.run = ?1 ORDER BY e.id",
    [ST_HASH_SOURCES] = "SELECT path, format, tool, sha256 FROM source_file WHERE run = ?1"
                        " ORDER BY no",
    [ST_HASH_CELLS_ROWS] = "SELECT id, no, attempt, rows_sha256 FROM cell WHERE run = ?1"
                           " ORDER BY no, attempt",
    [ST_HASH_INTERVALS] = "SELECT t_ns, direction, length_ns, ios, bytes, errors, " MOMENTS
                          ", batches FROM interval WHERE cell = ?1 ORDER BY t_ns, direction",
    [ST_HASH_INTERVAL_HISTOGRAMS] = "SELECT t_ns, direction, bins FROM interval_histogram"
                                    " WHERE cell = ?1 ORDER BY t_ns, direction",
    [ST_HASH_SAMPLES] = "SELECT no, t_ns, \"offset\", lat_ns, size, direction, slow FROM sample"
                        " WHERE cell = ?1 ORDER BY no",
};
_Static_assert(countof(sql) == ST_COUNT, "one text a statement");

const char *statement_sql(enum statement st)
{
    return sql[st];
}
