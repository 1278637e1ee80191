import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Polls, their ballots and their events. Event ids come from the `stream` row
 * under its lock, poll ids from the head lock: no sequence stands near them.
 * Of a removed topic's poll only numbers stay, so events hold none of its
 * texts: options are named by their place.
 */
const UP = [
  // Ordered streams other than the log: whoever holds the row gives the ids.
  `CREATE TABLE stream (
    name text PRIMARY KEY,
    last_id bigint NOT NULL,
    last_at bigint NOT NULL
  )`,
  "INSERT INTO stream (name, last_id, last_at) VALUES ('poll_events', 0, 0)",

  `CREATE TABLE poll (
    id bigint PRIMARY KEY,
    root_id bigint NOT NULL,
    type text NOT NULL,
    question text,
    options text[],
    kind text,
    summary text,
    duration_hours integer NOT NULL,
    secret bytea NOT NULL,
    created_at bigint NOT NULL,
    closes_at bigint NOT NULL,
    counts integer[] NOT NULL,
    voters integer NOT NULL DEFAULT 0,
    closed_at bigint,
    close_reason text,
    result text,
    winner smallint,
    decision jsonb,
    CONSTRAINT poll_root UNIQUE (root_id),
    CONSTRAINT poll_type CHECK (type IN ('survey', 'proposal')),
    CONSTRAINT poll_text CHECK
      ((question IS NULL) = (options IS NULL)
       AND (summary IS NOT NULL) = (kind IS NOT NULL AND question IS NOT NULL)),
    CONSTRAINT poll_kind CHECK
      ((kind IS NOT NULL) = (type = 'proposal')
       AND kind IN ('rule', 'feature', 'moderation', 'other')),
    CONSTRAINT poll_lengths CHECK
      (octet_length(question) BETWEEN 1 AND 24576
       AND octet_length(summary) BETWEEN 1 AND 24576
       AND cardinality(counts) BETWEEN 2 AND 8
       AND cardinality(options) = cardinality(counts)),
    CONSTRAINT poll_closed CHECK
      ((closed_at IS NULL) = (close_reason IS NULL)
       AND close_reason IN ('deadline', 'topic_removed')),
    CONSTRAINT poll_result CHECK
      ((result IS NOT NULL) = coalesce(close_reason = 'deadline', false)
       AND (winner IS NOT NULL) = coalesce(result = 'selected', false)
       AND result IN ('selected', 'tie', 'insufficient_votes'))
  )`,
  'CREATE INDEX poll_open ON poll (closes_at) WHERE closed_at IS NULL',

  `CREATE TABLE ballot (
    poll_id bigint NOT NULL,
    voter bytea NOT NULL,
    choice smallint NOT NULL,
    request_id uuid NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (poll_id, voter),
    CONSTRAINT ballot_request UNIQUE (poll_id, request_id),
    CONSTRAINT ballot_choice CHECK (choice BETWEEN 0 AND 7)
  )`,

  `CREATE TABLE poll_event (
    id bigint PRIMARY KEY,
    poll_id bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    data jsonb NOT NULL,
    CONSTRAINT poll_event_kind CHECK (kind IN ('opened', 'vote_accepted',
      'lifetime_extended', 'closed', 'decision_recorded', 'voided'))
  )`,
  'CREATE INDEX poll_event_poll ON poll_event (poll_id, id)',
  // A poll ends once, whatever runs at the same time.
  `CREATE UNIQUE INDEX poll_event_end ON poll_event (poll_id)
    WHERE kind IN ('closed', 'voided')`,

  // Several budgets at once, all or none. The heads are locked in one order,
  // so that two takers never wait for each other.
  `CREATE FUNCTION budget_take_all(p_scopes text[], p_keys bytea[],
      p_olds bytea[], p_limits bigint[], p_sinces bigint[], p_at bigint)
      RETURNS bigint[]
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      blocked bigint[];
    BEGIN
      INSERT INTO budget_head (scope, key, total, at)
        SELECT DISTINCT u.scope, u.key, 0, p_at
        FROM unnest(p_scopes, p_keys) AS u (scope, key)
        ORDER BY u.scope, u.key
        ON CONFLICT (scope, key) DO NOTHING;
      PERFORM 1 FROM budget_head h
        WHERE (h.scope, h.key) IN (SELECT u.scope, u.key
          FROM unnest(p_scopes, p_keys) AS u (scope, key))
        ORDER BY h.scope, h.key FOR UPDATE;
      blocked := ARRAY(
        SELECT budget_blocked_by(c.scope, c.key, c.old, c.bound, c.since,
          p_at + 120000)
        FROM unnest(p_scopes, p_keys, p_olds, p_limits, p_sinces)
          WITH ORDINALITY AS c (scope, key, old, bound, since, place)
        ORDER BY c.place);
      IF cardinality(array_remove(blocked, NULL)) = 0 THEN
        PERFORM budget_spend_one(u.scope, u.key, p_at) FROM (
          SELECT DISTINCT t.scope, t.key
          FROM unnest(p_scopes, p_keys) AS t (scope, key)) AS u;
      END IF;
      RETURN blocked;
    END $$`,
];

const DOWN = [
  'DROP FUNCTION budget_take_all(text[], bytea[], bytea[], bigint[], bigint[], bigint)',
  ...['poll_event', 'ballot', 'poll', 'stream'].map(
    (table) => `DROP TABLE ${table}`,
  ),
];

export class Polls1763700100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
