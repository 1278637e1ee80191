/** Counters by day; networks as hashes under the day's key. */
export const TELEMETRY = [
  // One network on one UTC day; `flags` as in server/stats/flags.ts.
  `CREATE TABLE session_day (
    day text NOT NULL,
    network bytea NOT NULL,
    flags smallint NOT NULL,
    PRIMARY KEY (day, network)
  )`,
  // What is left of a day's sessions when its key is erased.
  `CREATE TABLE session_total (
    day text PRIMARY KEY,
    readers bigint NOT NULL,
    agents bigint NOT NULL,
    writers bigint NOT NULL,
    networks bigint NOT NULL,
    affected bigint NOT NULL
  )`,
  `CREATE TABLE operation_day (
    day text NOT NULL,
    operation text NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (day, operation)
  )`,
  `CREATE TABLE request_error_day (
    day text NOT NULL,
    operation text NOT NULL,
    code text NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (day, operation, code)
  )`,
  'CREATE INDEX vote_down_at ON vote (at) WHERE value = -1',
  // The curated feed shows the newest of the few.
  'CREATE INDEX message_promotions ON message (last_activity_id) WHERE promotion',
];
