import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  CREATE TABLE vote (
    message_id bigint NOT NULL,
    voter bytea NOT NULL,
    value smallint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (message_id, voter),
    CONSTRAINT vote_value CHECK (value IN (-1, 1))
  );
  CREATE INDEX vote_up_at ON vote (at) WHERE value = 1;
  CREATE INDEX vote_down_at ON vote (at) WHERE value = -1;

  CREATE TABLE poll (
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
  );
  CREATE INDEX poll_open ON poll (closes_at) WHERE closed_at IS NULL;
  CREATE TRIGGER shown_changed AFTER INSERT OR DELETE OR UPDATE ON poll
    FOR EACH STATEMENT EXECUTE FUNCTION shown_changed();

  CREATE TABLE ballot (
    poll_id bigint NOT NULL,
    voter bytea NOT NULL,
    choice smallint NOT NULL,
    request_id uuid NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (poll_id, voter),
    CONSTRAINT ballot_request UNIQUE (poll_id, request_id),
    CONSTRAINT ballot_choice CHECK (choice BETWEEN 0 AND 7)
  );

  CREATE TABLE poll_event (
    id bigint PRIMARY KEY,
    poll_id bigint NOT NULL,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    data jsonb NOT NULL,
    CONSTRAINT poll_event_kind CHECK (kind IN ('opened', 'vote_accepted',
      'lifetime_extended', 'closed', 'decision_recorded', 'voided'))
  );
  CREATE INDEX poll_event_poll ON poll_event (poll_id, id);

  -- A poll ends once, whatever runs at the same time.
  CREATE UNIQUE INDEX poll_event_end ON poll_event (poll_id)
    WHERE kind IN ('closed', 'voided');
  INSERT INTO stream (name, last_id, last_at) VALUES ('poll_events', 0, 0);
`;

const DOWN = `
  DELETE FROM stream WHERE name = 'poll_events';
  DROP TABLE vote, poll, ballot, poll_event CASCADE;
`;

/** Events name options by place: a removed poll's texts must go. */
export class VotesAndPolls1763900300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
