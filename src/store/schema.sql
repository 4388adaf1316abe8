-- The store, schema 1. docs/store.md explains every table and view for those who query it with sqlite3.
--
-- Directions: 0 read, 1 write, 2 trim, 3 flush; 4 (all) only in tables of derived numbers and in views.
-- Times are ns; *_ns of a clock are since 1970 UTC. Sums of squares are high * 2^62 + low, exact in 128 bits.
-- NULL means "not known" or "does not exist", never 0.
PRAGMA application_id = 1902404976; -- "qdep"
PRAGMA user_version = 1;

CREATE TABLE direction (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO direction VALUES (0, 'read'), (1, 'write'), (2, 'trim'), (3, 'flush'), (4, 'all');

CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    title TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('run', 'import')),
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'interrupted', 'failed')),
    started_ns INTEGER NOT NULL,
    finished_ns INTEGER,
    version TEXT,
    engine_version TEXT,
    config_hash TEXT,
    command TEXT,
    note TEXT,
    matrix_name TEXT,
    matrix_title TEXT,
    matrix_method TEXT,
    matrix_xml TEXT,
    report TEXT,
    cell_order TEXT,
    engine_choice TEXT,
    seed TEXT, -- decimal, 64 bits without sign
    span_bytes INTEGER,
    repeat INTEGER,
    n_points INTEGER,
    writes INTEGER,
    writer TEXT -- the process that is writing it: boot id, pid, start time; NULL once ended
) STRICT;

CREATE TABLE target (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    no INTEGER NOT NULL,
    name TEXT NOT NULL,
    path TEXT,
    kind TEXT NOT NULL,
    identity TEXT,
    layout TEXT,
    capacity_bytes INTEGER,
    span_bytes INTEGER,
    logical_block INTEGER,
    physical_block INTEGER,
    highlighted INTEGER NOT NULL,
    sheet INTEGER NOT NULL DEFAULT 0, -- 1: a device sheet was given; what it says is below
    price REAL,
    currency TEXT,
    sheet_capacity_bytes INTEGER,
    endurance_bytes INTEGER,
    rated_read_iops REAL,
    rated_write_iops REAL,
    rated_read_mb_s REAL,
    rated_write_mb_s REAL,
    rated_read_lat_ns INTEGER,
    rated_write_lat_ns INTEGER,
    members TEXT,
    sample_of TEXT,
    factor TEXT,
    picture BLOB,
    UNIQUE (run, no),
    UNIQUE (run, name)
) STRICT;

-- Devices that were to be compared and are not in the run.
CREATE TABLE left_out (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    no INTEGER NOT NULL,
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (run, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE environment (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    target INTEGER REFERENCES target (id) ON DELETE CASCADE, -- NULL: the host
    after INTEGER NOT NULL DEFAULT 0,                        -- 1: taken at the end of the run
    key TEXT NOT NULL,
    value TEXT
) STRICT;
CREATE INDEX environment_run ON environment (run);
CREATE INDEX environment_target ON environment (target);

CREATE TABLE workload (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    no INTEGER NOT NULL,
    name TEXT NOT NULL, -- id of the matrix; variants of a sweep share it
    title TEXT,
    UNIQUE (run, no)
) STRICT;

CREATE TABLE access_line (
    workload INTEGER NOT NULL REFERENCES workload (id) ON DELETE CASCADE,
    no INTEGER NOT NULL,
    share_bp INTEGER NOT NULL, -- basis points: 10000 = 100 %
    size INTEGER NOT NULL,
    read_bp INTEGER NOT NULL,
    random_bp INTEGER NOT NULL,
    burst INTEGER NOT NULL,
    delay_ns INTEGER NOT NULL,
    align INTEGER NOT NULL,
    stride INTEGER NOT NULL,
    trim_bp INTEGER NOT NULL,
    sync TEXT NOT NULL,
    sync_every INTEGER NOT NULL,
    distribution TEXT NOT NULL,
    distribution_param REAL,
    PRIMARY KEY (workload, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE cell (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    no INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    superseded INTEGER NOT NULL DEFAULT 0, -- 1: a later attempt took its place; no view shows it
    point INTEGER NOT NULL,
    target INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE,
    workload INTEGER NOT NULL REFERENCES workload (id) ON DELETE CASCADE,
    -- what was asked
    queue_depth INTEGER NOT NULL,
    workers INTEGER NOT NULL,
    rep INTEGER NOT NULL,
    round INTEGER NOT NULL,
    duration_ns INTEGER,
    ramp_ns INTEGER,
    interval_ns INTEGER,
    asked_span_bytes INTEGER,
    asked_span_bp INTEGER,
    span_offset INTEGER,
    fill TEXT NOT NULL,
    fill_percent INTEGER,
    fill_pattern BLOB,
    rate TEXT NOT NULL CHECK (rate IN ('none', 'iops', 'percent', 'recorded')),
    rate_value REAL,
    rate_poisson INTEGER NOT NULL,
    asked_direct INTEGER NOT NULL,
    seed TEXT,
    size REAL NOT NULL, -- mean over the access lines, bytes; so are the next two, percent
    read_pct REAL NOT NULL,
    random_pct REAL NOT NULL,
    sync TEXT NOT NULL,
    -- what became of it
    status TEXT NOT NULL
        CHECK (status IN ('planned', 'running', 'done', 'interrupted', 'failed', 'skipped')),
    reason TEXT,
    version TEXT,
    engine_version TEXT,
    engine TEXT,
    direct INTEGER,
    started_ns INTEGER,
    finished_ns INTEGER,
    measured_ns INTEGER,
    rates_only INTEGER NOT NULL DEFAULT 0, -- 1: only rates are known; counts and time are made up to give them
    source_no INTEGER NOT NULL DEFAULT 0, -- of an import: source_file.no it was read from
    cpu_user_ns INTEGER,
    cpu_system_ns INTEGER,
    context_switches INTEGER,
    achieved_depth REAL,
    worker_busy REAL,
    in_flight_at_end INTEGER,
    oldest_in_flight_ns INTEGER,
    span_bytes INTEGER,
    covered_bytes INTEGER,
    steady INTEGER, -- 1, 0, NULL = not tested
    device_read_bytes INTEGER, -- moved by the block device meanwhile, whoever asked; NULL = not known
    device_written_bytes INTEGER,
    kernel_workers INTEGER, -- most iou-wrk threads at one time
    histogram_scheme TEXT,
    rows_sha256 BLOB, -- of its intervals, their histograms and its samples; NULL: not known, made when read
    UNIQUE (run, no, attempt)
) STRICT;
CREATE INDEX cell_target ON cell (target, point);
CREATE INDEX cell_workload ON cell (workload);

CREATE TABLE result (
    cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    direction INTEGER NOT NULL REFERENCES direction (id) CHECK (direction BETWEEN 0 AND 3),
    ios INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    lat_n INTEGER NOT NULL,
    lat_sum INTEGER NOT NULL,
    lat_sq_high INTEGER,
    lat_sq_low INTEGER,
    lat_min INTEGER,
    lat_max INTEGER,    -- of completed I/Os
    lat_max_ns INTEGER, -- at least lat_max: also the age of I/Os in flight at the end
    PRIMARY KEY (cell, direction)
) STRICT, WITHOUT ROWID;

CREATE TABLE histogram (
    cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    direction INTEGER NOT NULL REFERENCES direction (id) CHECK (direction BETWEEN 0 AND 3),
    scheme TEXT NOT NULL,
    bins BLOB NOT NULL,
    PRIMARY KEY (cell, direction)
) STRICT;

-- What no view can compute from the above: written with the result.
CREATE TABLE latency (
    cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    direction INTEGER NOT NULL REFERENCES direction (id),
    stddev_ns REAL,
    p50_ns REAL,
    p90_ns REAL,
    p95_ns REAL,
    p99_ns REAL,
    p999_ns REAL,
    p9999_ns REAL,
    PRIMARY KEY (cell, direction)
) STRICT, WITHOUT ROWID;

-- Percentiles of the merged histograms of the repetitions that are done: renewed with each of them.
CREATE TABLE merged_latency (
    target INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE,
    point INTEGER NOT NULL,
    round INTEGER NOT NULL,
    direction INTEGER NOT NULL REFERENCES direction (id),
    stddev_ns REAL,
    p50_ns REAL,
    p90_ns REAL,
    p95_ns REAL,
    p99_ns REAL,
    p999_ns REAL,
    p9999_ns REAL,
    PRIMARY KEY (target, point, round, direction)
) STRICT, WITHOUT ROWID;

-- Of the measured seconds: mean over I/Os, but deviations of the one-second averages (of the n seconds that had I/O) and of
-- the rates (of all seconds). Shares are of the n seconds, below the threshold strictly.
CREATE TABLE evenness (
    cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    direction INTEGER NOT NULL REFERENCES direction (id),
    n INTEGER NOT NULL,
    n_empty INTEGER NOT NULL,
    mean_ns REAL,
    sd_ns REAL,
    variance REAL,
    iops REAL,
    iops_sd REAL,
    iops_variance REAL,
    below_100us REAL,
    below_200us REAL,
    below_500us REAL,
    below_1ms REAL,
    below_2ms REAL,
    below_5ms REAL,
    below_10ms REAL,
    below_20ms REAL,
    below_50ms REAL,
    below_100ms REAL,
    PRIMARY KEY (cell, direction)
) STRICT, WITHOUT ROWID;

CREATE TABLE line_result (
    cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    direction INTEGER NOT NULL REFERENCES direction (id) CHECK (direction BETWEEN 0 AND 3),
    ios INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    scheme TEXT,
    bins BLOB,
    PRIMARY KEY (cell, line, direction)
) STRICT;

CREATE TABLE percentile (
    cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    direction INTEGER NOT NULL REFERENCES direction (id) CHECK (direction BETWEEN 0 AND 4),
    p_num INTEGER NOT NULL,
    p_den INTEGER NOT NULL,
    low_ns REAL NOT NULL,
    high_ns REAL NOT NULL,
    origin TEXT,
    PRIMARY KEY (cell, direction, p_num, p_den)
) STRICT, WITHOUT ROWID;

CREATE TABLE interval (
    cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    t_ns INTEGER NOT NULL, -- from the start of measuring; negative: ramp
    direction INTEGER NOT NULL REFERENCES direction (id) CHECK (direction BETWEEN 0 AND 3),
    length_ns INTEGER NOT NULL,
    ios INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    lat_n INTEGER NOT NULL,
    lat_sum INTEGER NOT NULL,
    lat_sq_high INTEGER,
    lat_sq_low INTEGER,
    lat_min INTEGER,
    lat_max INTEGER,
    batches BLOB,
    PRIMARY KEY (cell, t_ns, direction)
) STRICT, WITHOUT ROWID;

-- Beside the interval, so that a scan of the seconds reads only the seconds.
CREATE TABLE interval_histogram (
    cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    t_ns INTEGER NOT NULL,
    direction INTEGER NOT NULL REFERENCES direction (id) CHECK (direction BETWEEN 0 AND 3),
    bins BLOB NOT NULL, -- scheme: cell.histogram_scheme
    PRIMARY KEY (cell, t_ns, direction)
) STRICT, WITHOUT ROWID;

CREATE TABLE sample (
    cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    no INTEGER NOT NULL,
    t_ns INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    lat_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    direction INTEGER NOT NULL REFERENCES direction (id) CHECK (direction BETWEEN 0 AND 3),
    slow INTEGER NOT NULL,
    PRIMARY KEY (cell, no)
) STRICT, WITHOUT ROWID;

-- Who changes a row by hand makes the hash unknown.
CREATE TRIGGER interval_changed AFTER UPDATE ON interval BEGIN
    UPDATE cell SET rows_sha256 = NULL WHERE id = old.cell OR id = new.cell;
END;
CREATE TRIGGER interval_histogram_changed AFTER UPDATE ON interval_histogram BEGIN
    UPDATE cell SET rows_sha256 = NULL WHERE id = old.cell OR id = new.cell;
END;
CREATE TRIGGER sample_changed AFTER UPDATE ON sample BEGIN
    UPDATE cell SET rows_sha256 = NULL WHERE id = old.cell OR id = new.cell;
END;

CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    target INTEGER REFERENCES target (id) ON DELETE CASCADE,
    cell INTEGER REFERENCES cell (id) ON DELETE CASCADE,
    code TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('note', 'warning', 'error')),
    t_ns INTEGER NOT NULL,
    what TEXT NOT NULL,
    text TEXT,
    sys INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    count INTEGER NOT NULL
) STRICT;
CREATE INDEX event_run ON event (run);
CREATE INDEX event_target ON event (target);
CREATE INDEX event_cell ON event (cell);

CREATE TABLE source_file (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    no INTEGER NOT NULL,
    path TEXT,
    format TEXT,
    tool TEXT,
    sha256 TEXT,
    PRIMARY KEY (run, no)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_file_sha256 ON source_file (sha256);

-- What must be cleaned up outlives the run it belonged to.
CREATE TABLE own_file (
    id INTEGER PRIMARY KEY,
    run INTEGER REFERENCES run (id) ON DELETE SET NULL,
    path TEXT NOT NULL UNIQUE,
    dev INTEGER NOT NULL,
    ino INTEGER NOT NULL
) STRICT;
CREATE INDEX own_file_run ON own_file (run);

CREATE TABLE undo (
    id INTEGER PRIMARY KEY,
    run INTEGER REFERENCES run (id) ON DELETE SET NULL,
    kind TEXT NOT NULL,    -- 'unmount', 'stop-array', 'setting', …
    subject TEXT NOT NULL, -- mount point, array, file of the setting
    value TEXT             -- what to put back
) STRICT;
CREATE INDEX undo_run ON undo (run);

-- Views ----------------------------------------------------------------------------------------------------------------

-- A row per cell, planned ones too: its latest attempt, with names and what was asked.
CREATE VIEW cells AS
SELECT c.id AS cell, c.run AS run, t.name AS target, w.name AS workload,
       c.queue_depth AS queue_depth, c.workers AS workers, c.size AS size,
       c.read_pct AS read_pct, c.random_pct AS random_pct,
       CASE WHEN c.fill_percent IS NOT NULL THEN c.fill || ':' || c.fill_percent
            WHEN c.fill_pattern IS NOT NULL THEN c.fill || ':' || lower(hex(c.fill_pattern))
            ELSE c.fill END AS fill,
       coalesce(c.span_bytes, nullif(c.asked_span_bytes, 0),
                t.span_bytes / 10000 * nullif(c.asked_span_bp, 0), t.span_bytes) AS span_bytes,
       iif(c.rate = 'iops', c.rate_value, NULL) AS rate_iops,
       c.rep AS rep, c.round AS round, coalesce(c.engine, '') AS engine,
       coalesce(c.direct, c.asked_direct) AS direct, c.status AS status, c.reason AS reason,
       c.measured_ns / 1e9 AS seconds, c.rates_only AS rates_only, c.cpu_user_ns / 1e9 AS cpu_user_s,
       c.cpu_system_ns / 1e9 AS cpu_system_s, c.achieved_depth AS achieved_depth,
       c.steady AS steady,
       iif(run.kind = 'import',
           coalesce((SELECT tool FROM source_file f WHERE f.run = run.id AND f.no = c.source_no),
                    'import'),
           'qdepth ' || coalesce(c.version, run.version, '?')) AS source,
       run.name AS run_name, c.no AS no, c.point AS point, c.attempt AS attempt,
       t.id AS target_id, w.id AS workload_id
  FROM cell c
  JOIN run ON run.id = c.run
  JOIN target t ON t.id = c.target
  JOIN workload w ON w.id = c.workload
 WHERE NOT c.superseded;

-- A row per cell and direction that had I/O, and 'all' for every cell.
CREATE VIEW results AS
SELECT c.cell AS cell, c.run AS run, c.target AS target, c.workload AS workload,
       c.queue_depth AS queue_depth, c.workers AS workers, c.size AS size, c.read_pct AS read_pct,
       c.random_pct AS random_pct, c.fill AS fill, c.span_bytes AS span_bytes,
       c.rate_iops AS rate_iops, c.rep AS rep, c.round AS round, c.engine AS engine,
       c.direct AS direct, c.status AS status, d.name AS direction, iif(c.rates_only, NULL, r.ios) AS ios,
       iif(c.rates_only, NULL, r.bytes) AS bytes, iif(c.rates_only, NULL, c.seconds) AS seconds,
       r.ios / nullif(c.seconds, 0) AS iops,
       r.bytes / 1e6 / nullif(c.seconds, 0) AS mb_s,
       CAST(r.lat_sum AS REAL) / nullif(r.lat_n, 0) AS lat_mean_ns, l.stddev_ns AS lat_stddev_ns,
       r.lat_min AS lat_min_ns, l.p50_ns AS lat_p50_ns, l.p90_ns AS lat_p90_ns,
       l.p95_ns AS lat_p95_ns, l.p99_ns AS lat_p99_ns, l.p999_ns AS lat_p999_ns,
       l.p9999_ns AS lat_p9999_ns, r.lat_max_ns AS lat_max_ns, r.errors AS errors,
       c.cpu_user_s AS cpu_user_s, c.cpu_system_s AS cpu_system_s,
       c.achieved_depth AS achieved_depth, c.steady AS steady, c.source AS source,
       c.run_name AS run_name, c.no AS no, c.point AS point, c.attempt AS attempt
  FROM cells c
  JOIN result r ON r.cell = c.cell AND (r.ios > 0 OR r.errors > 0)
  JOIN direction d ON d.id = r.direction
  LEFT JOIN latency l ON l.cell = c.cell AND l.direction = r.direction
UNION ALL
SELECT c.cell, c.run, c.target, c.workload, c.queue_depth, c.workers, c.size, c.read_pct,
       c.random_pct, c.fill, c.span_bytes, c.rate_iops, c.rep, c.round, c.engine, c.direct,
       c.status, 'all', iif(c.rates_only, NULL, sum(r.ios)), iif(c.rates_only, NULL, sum(r.bytes)),
       iif(c.rates_only, NULL, c.seconds), sum(r.ios) / nullif(c.seconds, 0),
       sum(r.bytes) / 1e6 / nullif(c.seconds, 0),
       -- response times of 'all' are known only if those of every direction that had I/O are
       iif(sum(r.ios > 0 AND r.lat_n = 0) > 0, NULL,
           CAST(sum(r.lat_sum) AS REAL) / nullif(sum(r.lat_n), 0)),
       l.stddev_ns, iif(sum(r.ios > 0 AND r.lat_min IS NULL) > 0, NULL, min(r.lat_min)),
       l.p50_ns, l.p90_ns, l.p95_ns, l.p99_ns, l.p999_ns, l.p9999_ns,
       iif(sum(r.ios > 0 AND r.lat_max_ns IS NULL) > 0, NULL, max(r.lat_max_ns)),
       sum(r.errors), c.cpu_user_s, c.cpu_system_s, c.achieved_depth, c.steady, c.source,
       c.run_name, c.no, c.point, c.attempt
  FROM cells c
  LEFT JOIN result r ON r.cell = c.cell
  LEFT JOIN latency l ON l.cell = c.cell AND l.direction = 4
 GROUP BY c.run, c.cell;

-- Over the repetitions that are done: medians of the rates and means, merged percentiles, n.
CREATE VIEW summary AS
WITH ranked AS (
    SELECT r.*, c.target_id AS target_id, count(*) OVER same AS n,
           row_number() OVER (same ORDER BY r.iops) AS iops_rank,
           row_number() OVER (same ORDER BY r.mb_s) AS mb_s_rank,
           row_number() OVER (same ORDER BY r.lat_mean_ns) AS lat_rank,
           sum(r.lat_mean_ns IS NULL) OVER same AS n_lat_unknown
      FROM results r
      JOIN cells c ON c.cell = r.cell
     WHERE r.status = 'done'
    WINDOW same AS (PARTITION BY r.run, c.target_id, r.point, r.round, r.direction))
SELECT min(r.cell) AS cell, r.run AS run, r.target AS target, r.workload AS workload,
       r.queue_depth AS queue_depth, r.workers AS workers, r.size AS size, r.read_pct AS read_pct,
       r.random_pct AS random_pct, r.fill AS fill, r.span_bytes AS span_bytes,
       r.rate_iops AS rate_iops, r.round AS round, r.point AS point, r.direction AS direction,
       r.n AS n, sum(r.ios) AS ios, sum(r.bytes) AS bytes, sum(r.seconds) AS seconds,
       avg(r.iops) FILTER (WHERE r.iops_rank IN ((r.n + 1) / 2, r.n / 2 + 1)) AS iops,
       avg(r.mb_s) FILTER (WHERE r.mb_s_rank IN ((r.n + 1) / 2, r.n / 2 + 1)) AS mb_s,
       iif(r.n_lat_unknown > 0, NULL,
           avg(r.lat_mean_ns) FILTER (WHERE r.lat_rank IN ((r.n + 1) / 2, r.n / 2 + 1)))
           AS lat_mean_ns,
       m.stddev_ns AS lat_stddev_ns, min(r.lat_min_ns) AS lat_min_ns, m.p50_ns AS lat_p50_ns,
       m.p90_ns AS lat_p90_ns, m.p95_ns AS lat_p95_ns, m.p99_ns AS lat_p99_ns,
       m.p999_ns AS lat_p999_ns, m.p9999_ns AS lat_p9999_ns, max(r.lat_max_ns) AS lat_max_ns,
       sum(r.errors) AS errors, r.run_name AS run_name
  FROM ranked r
  JOIN direction d ON d.name = r.direction
  LEFT JOIN merged_latency m
    ON m.target = r.target_id AND m.point = r.point AND m.round = r.round AND m.direction = d.id
 GROUP BY r.run, r.target_id, r.point, r.round, r.direction;

-- The measured seconds, without the ramp.
CREATE VIEW intervals AS
SELECT c.cell AS cell, c.run AS run, c.target AS target, c.workload AS workload,
       c.queue_depth AS queue_depth, c.rep AS rep, i.t_ns / 1e9 AS t_s, d.name AS direction,
       i.ios AS ios, i.bytes AS bytes, CAST(i.lat_sum AS REAL) / nullif(i.lat_n, 0) AS lat_mean_ns,
       i.lat_min AS lat_min_ns, i.lat_max AS lat_max_ns, i.errors AS errors,
       i.length_ns / 1e9 AS seconds, i.lat_n AS lat_n, i.lat_sum AS lat_sum_ns
  FROM cells c
  JOIN interval i ON i.cell = c.cell
  JOIN direction d ON d.id = i.direction
 WHERE i.t_ns >= 0
UNION ALL
SELECT c.cell, c.run, c.target, c.workload, c.queue_depth, c.rep, i.t_ns / 1e9, 'all', sum(i.ios),
       sum(i.bytes),
       iif(sum(i.ios > 0 AND i.lat_n = 0) > 0, NULL,
           CAST(sum(i.lat_sum) AS REAL) / nullif(sum(i.lat_n), 0)),
       iif(sum(i.ios > 0 AND i.lat_min IS NULL) > 0, NULL, min(i.lat_min)),
       iif(sum(i.ios > 0 AND i.lat_max IS NULL) > 0, NULL, max(i.lat_max)),
       sum(i.errors), max(i.length_ns) / 1e9, sum(i.lat_n), sum(i.lat_sum)
  FROM cells c
  JOIN interval i ON i.cell = c.cell
 WHERE i.t_ns >= 0
 GROUP BY c.cell, i.t_ns;

-- How even the measured seconds of a cell were, once it has ended.
CREATE VIEW consistency AS
SELECT c.cell AS cell, c.run AS run, c.target AS target, c.workload AS workload,
       c.queue_depth AS queue_depth, c.rep AS rep, d.name AS direction, e.n AS n,
       e.n_empty AS n_empty, e.mean_ns AS mean, e.sd_ns AS sd_of_seconds, e.variance AS variance,
       e.iops AS iops, e.iops_sd AS iops_sd_of_seconds, e.iops_variance AS iops_variance,
       e.below_100us AS below_100us, e.below_200us AS below_200us, e.below_500us AS below_500us,
       e.below_1ms AS below_1ms, e.below_2ms AS below_2ms, e.below_5ms AS below_5ms,
       e.below_10ms AS below_10ms, e.below_20ms AS below_20ms, e.below_50ms AS below_50ms,
       e.below_100ms AS below_100ms
  FROM cells c
  JOIN evenness e ON e.cell = c.cell
  JOIN direction d ON d.id = e.direction;
