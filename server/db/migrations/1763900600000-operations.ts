import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  -- One network on one UTC day; flags as in server/stats/.
  CREATE TABLE session_day (
    day text NOT NULL,
    network bytea NOT NULL,
    flags smallint NOT NULL,
    PRIMARY KEY (day, network)
  );

  -- What is left of a day's sessions when its key is erased.
  CREATE TABLE session_total (
    day text PRIMARY KEY,
    readers bigint NOT NULL,
    agents bigint NOT NULL,
    writers bigint NOT NULL,
    networks bigint NOT NULL,
    affected bigint NOT NULL
  );

  CREATE TABLE operation_day (
    day text NOT NULL,
    operation text NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (day, operation)
  );

  CREATE TABLE request_error_day (
    day text NOT NULL,
    operation text NOT NULL,
    code text NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (day, operation, code)
  );

  -- A visitor is a hash under the day's key: nothing links two days.
  CREATE TABLE reader_event (
    day text NOT NULL,
    visitor bytea NOT NULL,
    event text NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (day, visitor, event),
    CONSTRAINT reader_event_name CHECK
      (event IN ('visit', 'selection_open', 'source_open'))
  );

  CREATE TABLE usefulness_report (
    id bigint PRIMARY KEY,
    period_start bigint NOT NULL,
    period_end bigint NOT NULL,
    metrics jsonb NOT NULL,
    note text NOT NULL,
    operator text NOT NULL,
    created_at bigint NOT NULL,
    published_at bigint,
    CONSTRAINT usefulness_report_period CHECK (period_start < period_end)
  );
  CREATE TRIGGER usefulness_report_is_final
    BEFORE UPDATE OR DELETE ON usefulness_report FOR EACH ROW
    WHEN (OLD.published_at IS NOT NULL) EXECUTE FUNCTION row_is_final();

  CREATE TABLE selection (
    id bigint PRIMARY KEY,
    day text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT selection_day UNIQUE (day)
  );

  -- No text: a card shows what its original shows, or nothing.
  CREATE TABLE selection_card (
    selection_id bigint NOT NULL,
    n smallint NOT NULL,
    message_id bigint NOT NULL,
    likes bigint NOT NULL,
    PRIMARY KEY (selection_id, n),
    CONSTRAINT selection_card_selection FOREIGN KEY (selection_id)
      REFERENCES selection (id)
  );

  CREATE TABLE job_run (
    name text PRIMARY KEY,
    started_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    rows bigint NOT NULL,
    detail jsonb,
    error text,
    failures integer NOT NULL,
    instance text NOT NULL
  );

  -- What an operator has to look at. One row per subject of a kind: it is raised
  -- again, not repeated.
  CREATE TABLE alarm (
    kind text NOT NULL,
    subject text NOT NULL,
    detail text NOT NULL,
    raised_at bigint NOT NULL,
    last_at bigint NOT NULL,
    times bigint NOT NULL DEFAULT 1,
    cleared_at bigint,
    PRIMARY KEY (kind, subject),
    CONSTRAINT alarm_kind CHECK (kind ~ '^[a-z_]{1,40}$'),
    CONSTRAINT alarm_lengths CHECK
      (char_length(subject) BETWEEN 1 AND 200
       AND char_length(detail) BETWEEN 1 AND 2000)
  );
  CREATE INDEX alarm_open ON alarm (last_at) WHERE cleared_at IS NULL;

  -- at is the start, in ms, of a minute, and of a quarter of an hour once a row
  -- is a day old; the index holds the rows that are still to be joined.
  CREATE TABLE figure_sample (
    at bigint NOT NULL,
    series text NOT NULL,
    name text NOT NULL,
    value bigint NOT NULL,
    PRIMARY KEY (at, series, name),
    CONSTRAINT figure_sample_value CHECK (value >= 0)
  );
  CREATE INDEX figure_sample_fine ON figure_sample (at) WHERE at % 900000 <> 0;
`;

const DOWN = `
  DROP TABLE session_day, session_total, operation_day, request_error_day,
    reader_event, usefulness_report, selection, selection_card, job_run,
    alarm, figure_sample CASCADE;
`;

/** Networks are hashes under the day's key. */
export class Operations1763900600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
