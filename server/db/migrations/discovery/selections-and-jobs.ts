/** Daily selections, and the last run of every job. */
export const SELECTIONS_AND_JOBS = [
  `CREATE TABLE selection (
    id bigint PRIMARY KEY,
    day text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT selection_day UNIQUE (day)
  )`,
  // No text: a card shows what its original shows, or nothing.
  `CREATE TABLE selection_card (
    selection_id bigint NOT NULL,
    n smallint NOT NULL,
    message_id bigint NOT NULL,
    likes bigint NOT NULL,
    PRIMARY KEY (selection_id, n),
    CONSTRAINT selection_card_selection FOREIGN KEY (selection_id)
      REFERENCES selection (id)
  )`,
  `CREATE TABLE job_run (
    name text PRIMARY KEY,
    started_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    rows bigint NOT NULL,
    detail jsonb,
    error text,
    failures integer NOT NULL,
    instance text NOT NULL
  )`,
];
