-- Copies runs of another store, attached as "other", into this one. Before it runs, temp.merge_run holds for each run its number
-- there, here, and its name here; temp.merge_shift what is added to the numbers of targets, workloads and cells. What must be
-- cleaned up (own_file, undo) stays where it was written down. tests/unit/store/test_merge.c holds every table and column to it.

INSERT INTO main.run (id, name, title, kind, status, started_ns, finished_ns, version, engine_version,
       config_hash, command, note, matrix_name, matrix_title, matrix_method, matrix_xml, report,
       cell_order, engine_choice, seed, span_bytes, repeat, n_points, writes, writer)
SELECT m.new, m.name, r.title, r.kind, r.status, r.started_ns, r.finished_ns, r.version,
       r.engine_version, r.config_hash, r.command, r.note, r.matrix_name, r.matrix_title,
       r.matrix_method, r.matrix_xml, r.report, r.cell_order, r.engine_choice, r.seed,
       r.span_bytes, r.repeat, r.n_points, r.writes, r.writer
  FROM other.run r JOIN temp.merge_run m ON m.old = r.id ORDER BY m.new;

INSERT INTO main.target (id, run, no, name, path, kind, identity, layout, capacity_bytes, span_bytes,
       logical_block, physical_block, highlighted, sheet, price, currency, sheet_capacity_bytes,
       endurance_bytes, rated_read_iops, rated_write_iops, rated_read_mb_s, rated_write_mb_s,
       rated_read_lat_ns, rated_write_lat_ns, members, sample_of, factor, picture)
SELECT x.id + s.target, m.new, x.no, x.name, x.path, x.kind, x.identity, x.layout,
       x.capacity_bytes, x.span_bytes, x.logical_block, x.physical_block, x.highlighted,
       x.sheet, x.price, x.currency, x.sheet_capacity_bytes, x.endurance_bytes,
       x.rated_read_iops, x.rated_write_iops, x.rated_read_mb_s, x.rated_write_mb_s,
       x.rated_read_lat_ns, x.rated_write_lat_ns, x.members, x.sample_of, x.factor, x.picture
  FROM other.target x JOIN temp.merge_run m ON m.old = x.run, temp.merge_shift s;

INSERT INTO main.left_out (run, no, name, reason)
SELECT m.new, x.no, x.name, x.reason
  FROM other.left_out x JOIN temp.merge_run m ON m.old = x.run, temp.merge_shift s;

INSERT INTO main.environment (run, target, after, key, value)
SELECT m.new, x.target + s.target, x.after, x.key, x.value
  FROM other.environment x JOIN temp.merge_run m ON m.old = x.run, temp.merge_shift s ORDER BY x.id;

INSERT INTO main.workload (id, run, no, name, title)
SELECT x.id + s.workload, m.new, x.no, x.name, x.title
  FROM other.workload x JOIN temp.merge_run m ON m.old = x.run, temp.merge_shift s;

INSERT INTO main.access_line (workload, no, share_bp, size, read_bp, random_bp, burst, delay_ns, align, stride,
       trim_bp, sync, sync_every, distribution, distribution_param)
SELECT x.workload + s.workload, x.no, x.share_bp, x.size, x.read_bp, x.random_bp, x.burst,
       x.delay_ns, x.align, x.stride, x.trim_bp, x.sync, x.sync_every, x.distribution,
       x.distribution_param
  FROM other.access_line x JOIN other.workload w ON w.id = x.workload JOIN temp.merge_run m ON m.old = w.run,
       temp.merge_shift s;

INSERT INTO main.cell (id, run, no, attempt, superseded, point, target, workload, queue_depth, workers, rep,
       round, duration_ns, ramp_ns, interval_ns, asked_span_bytes, asked_span_bp, span_offset,
       fill, fill_percent, fill_pattern, rate, rate_value, rate_poisson, asked_direct, seed,
       size, read_pct, random_pct, sync, status, reason, version, engine_version, engine,
       direct, started_ns, finished_ns, measured_ns, cpu_user_ns, cpu_system_ns,
       context_switches, achieved_depth, worker_busy, in_flight_at_end, oldest_in_flight_ns,
       span_bytes, covered_bytes, steady, device_read_bytes, device_written_bytes,
       kernel_workers, rates_only, source_no, histogram_scheme, rows_sha256)
SELECT x.id + s.cell, m.new, x.no, x.attempt, x.superseded, x.point, x.target + s.target,
       x.workload + s.workload, x.queue_depth, x.workers, x.rep, x.round, x.duration_ns,
       x.ramp_ns, x.interval_ns, x.asked_span_bytes, x.asked_span_bp, x.span_offset, x.fill,
       x.fill_percent, x.fill_pattern, x.rate, x.rate_value, x.rate_poisson, x.asked_direct,
       x.seed, x.size, x.read_pct, x.random_pct, x.sync, x.status, x.reason, x.version,
       x.engine_version, x.engine, x.direct, x.started_ns, x.finished_ns, x.measured_ns,
       x.cpu_user_ns, x.cpu_system_ns, x.context_switches, x.achieved_depth, x.worker_busy,
       x.in_flight_at_end, x.oldest_in_flight_ns, x.span_bytes, x.covered_bytes, x.steady,
       x.device_read_bytes, x.device_written_bytes, x.kernel_workers, x.rates_only, x.source_no, x.histogram_scheme,
       x.rows_sha256
  FROM other.cell x JOIN temp.merge_run m ON m.old = x.run, temp.merge_shift s;

INSERT INTO main.result (cell, direction, ios, bytes, errors, lat_n, lat_sum, lat_sq_high, lat_sq_low, lat_min,
       lat_max, lat_max_ns)
SELECT x.cell + s.cell, x.direction, x.ios, x.bytes, x.errors, x.lat_n, x.lat_sum,
       x.lat_sq_high, x.lat_sq_low, x.lat_min, x.lat_max, x.lat_max_ns
  FROM other.result x JOIN other.cell c ON c.id = x.cell JOIN temp.merge_run m ON m.old = c.run,
       temp.merge_shift s;

INSERT INTO main.histogram (cell, direction, scheme, bins)
SELECT x.cell + s.cell, x.direction, x.scheme, x.bins
  FROM other.histogram x JOIN other.cell c ON c.id = x.cell JOIN temp.merge_run m ON m.old = c.run,
       temp.merge_shift s;

INSERT INTO main.latency (cell, direction, stddev_ns, p50_ns, p90_ns, p95_ns, p99_ns, p999_ns, p9999_ns)
SELECT x.cell + s.cell, x.direction, x.stddev_ns, x.p50_ns, x.p90_ns, x.p95_ns, x.p99_ns,
       x.p999_ns, x.p9999_ns
  FROM other.latency x JOIN other.cell c ON c.id = x.cell JOIN temp.merge_run m ON m.old = c.run,
       temp.merge_shift s;

INSERT INTO main.merged_latency (target, point, round, direction, stddev_ns, p50_ns, p90_ns, p95_ns, p99_ns, p999_ns,
       p9999_ns)
SELECT x.target + s.target, x.point, x.round, x.direction, x.stddev_ns, x.p50_ns, x.p90_ns,
       x.p95_ns, x.p99_ns, x.p999_ns, x.p9999_ns
  FROM other.merged_latency x JOIN other.target t ON t.id = x.target JOIN temp.merge_run m ON m.old = t.run,
       temp.merge_shift s;

INSERT INTO main.evenness (cell, direction, n, n_empty, mean_ns, sd_ns, variance, iops, iops_sd, iops_variance,
       below_100us, below_200us, below_500us, below_1ms, below_2ms, below_5ms, below_10ms,
       below_20ms, below_50ms, below_100ms)
SELECT x.cell + s.cell, x.direction, x.n, x.n_empty, x.mean_ns, x.sd_ns, x.variance, x.iops,
       x.iops_sd, x.iops_variance, x.below_100us, x.below_200us, x.below_500us, x.below_1ms,
       x.below_2ms, x.below_5ms, x.below_10ms, x.below_20ms, x.below_50ms, x.below_100ms
  FROM other.evenness x JOIN other.cell c ON c.id = x.cell JOIN temp.merge_run m ON m.old = c.run,
       temp.merge_shift s;

INSERT INTO main.line_result (cell, line, direction, ios, bytes, scheme, bins)
SELECT x.cell + s.cell, x.line, x.direction, x.ios, x.bytes, x.scheme, x.bins
  FROM other.line_result x JOIN other.cell c ON c.id = x.cell JOIN temp.merge_run m ON m.old = c.run,
       temp.merge_shift s;

INSERT INTO main.percentile (cell, direction, p_num, p_den, low_ns, high_ns, origin)
SELECT x.cell + s.cell, x.direction, x.p_num, x.p_den, x.low_ns, x.high_ns, x.origin
  FROM other.percentile x JOIN other.cell c ON c.id = x.cell JOIN temp.merge_run m ON m.old = c.run,
       temp.merge_shift s;

INSERT INTO main.interval (cell, t_ns, direction, length_ns, ios, bytes, errors, lat_n, lat_sum, lat_sq_high,
       lat_sq_low, lat_min, lat_max, batches)
SELECT x.cell + s.cell, x.t_ns, x.direction, x.length_ns, x.ios, x.bytes, x.errors, x.lat_n,
       x.lat_sum, x.lat_sq_high, x.lat_sq_low, x.lat_min, x.lat_max, x.batches
  FROM other.interval x JOIN other.cell c ON c.id = x.cell JOIN temp.merge_run m ON m.old = c.run,
       temp.merge_shift s;

INSERT INTO main.interval_histogram (cell, t_ns, direction, bins)
SELECT x.cell + s.cell, x.t_ns, x.direction, x.bins
  FROM other.interval_histogram x JOIN other.cell c ON c.id = x.cell JOIN temp.merge_run m ON m.old = c.run,
       temp.merge_shift s;

INSERT INTO main.sample (cell, no, t_ns, "offset", lat_ns, size, direction, slow)
SELECT x.cell + s.cell, x.no, x.t_ns, x."offset", x.lat_ns, x.size, x.direction, x.slow
  FROM other.sample x JOIN other.cell c ON c.id = x.cell JOIN temp.merge_run m ON m.old = c.run,
       temp.merge_shift s;

INSERT INTO main.event (run, target, cell, code, severity, t_ns, what, text, sys, "offset", count)
SELECT m.new, x.target + s.target, x.cell + s.cell, x.code, x.severity, x.t_ns, x.what, x.text,
       x.sys, x."offset", x.count
  FROM other.event x JOIN temp.merge_run m ON m.old = x.run, temp.merge_shift s ORDER BY x.id;

INSERT INTO main.source_file (run, no, path, format, tool, sha256)
SELECT m.new, x.no, x.path, x.format, x.tool, x.sha256
  FROM other.source_file x JOIN temp.merge_run m ON m.old = x.run, temp.merge_shift s;
