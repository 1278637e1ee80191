import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  CREATE TABLE operator (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    alias text NOT NULL,
    role text NOT NULL,
    state text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT operator_name UNIQUE (name),
    CONSTRAINT operator_role CHECK (role IN ('viewer', 'moderator', 'admin')),
    CONSTRAINT operator_state CHECK (state IN ('active', 'disabled')),
    CONSTRAINT operator_names CHECK
      (name ~ '^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$'
       AND char_length(alias) BETWEEN 1 AND 48)
  );

  -- Two operators who look the same in public would be one to readers.
  CREATE UNIQUE INDEX operator_alias ON operator (lower(alias));

  CREATE TABLE operator_passkey (
    credential_id bytea PRIMARY KEY,
    operator_id uuid NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    label text NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint,
    CONSTRAINT operator_passkey_of FOREIGN KEY (operator_id)
      REFERENCES operator (id)
  );
  CREATE INDEX operator_passkey_operator ON operator_passkey (operator_id);

  -- totp is sealed under a key of the board's seed.
  CREATE TABLE operator_passphrase (
    operator_id uuid PRIMARY KEY,
    salt bytea NOT NULL,
    hash bytea NOT NULL,
    totp bytea NOT NULL,
    totp_step bigint NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT operator_passphrase_of FOREIGN KEY (operator_id)
      REFERENCES operator (id),
    CONSTRAINT operator_passphrase_bounds CHECK
      (octet_length(salt) = 16 AND octet_length(hash) = 32)
  );

  CREATE TABLE operator_recovery (
    code_hash bytea PRIMARY KEY,
    operator_id uuid NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint,
    CONSTRAINT operator_recovery_of FOREIGN KEY (operator_id)
      REFERENCES operator (id)
  );
  CREATE INDEX operator_recovery_operator ON operator_recovery (operator_id);

  -- Without a name it is the first operator's, who chooses one.
  CREATE TABLE operator_invite (
    code_hash bytea PRIMARY KEY,
    name text,
    role text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint,
    CONSTRAINT operator_invite_role CHECK
      (role IN ('viewer', 'moderator', 'admin') AND
       (name IS NOT NULL OR role = 'admin'))
  );

  -- Challenges that were answered: none is answered twice.
  CREATE TABLE operator_challenge (
    hash bytea PRIMARY KEY,
    expires_at bigint NOT NULL
  );

  CREATE TABLE operator_session (
    id uuid PRIMARY KEY,
    token_hash bytea NOT NULL,
    operator_id uuid NOT NULL,
    label text NOT NULL,
    method text NOT NULL,
    created_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    credential_at bigint NOT NULL,
    CONSTRAINT operator_session_token UNIQUE (token_hash),
    CONSTRAINT operator_session_of FOREIGN KEY (operator_id)
      REFERENCES operator (id),
    CONSTRAINT operator_session_method CHECK
      (method IN ('passkey', 'passphrase', 'recovery')
       AND octet_length(token_hash) = 32)
  );
  CREATE INDEX operator_session_operator ON operator_session (operator_id);

  CREATE TABLE operator_attempt (
    id uuid PRIMARY KEY,
    account bytea NOT NULL,
    network bytea NOT NULL,
    at bigint NOT NULL
  );
  CREATE INDEX operator_attempt_pair ON operator_attempt (account, network, at);
  CREATE INDEX operator_attempt_at ON operator_attempt (at);

  -- before and after are the JSON texts that the hash covers.
  CREATE TABLE operator_audit (
    id bigint PRIMARY KEY,
    at bigint NOT NULL,
    operator_id uuid,
    operator text NOT NULL,
    session_id uuid,
    action text NOT NULL,
    subject text NOT NULL,
    before text,
    after text,
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT operator_audit_hashes CHECK
      (octet_length(previous) = 32 AND octet_length(hash) = 32)
  );
  CREATE INDEX operator_audit_operator ON operator_audit (operator_id, id);
  CREATE TRIGGER operator_audit_is_final BEFORE UPDATE OR DELETE
    ON operator_audit FOR EACH ROW EXECUTE FUNCTION row_is_final();
  CREATE TRIGGER operator_audit_is_kept BEFORE TRUNCATE
    ON operator_audit FOR EACH STATEMENT EXECUTE FUNCTION row_is_final();

  -- Who is at which subject, such as message:12, card:3-1 or poll:4.
  CREATE TABLE subject_claim (
    subject text PRIMARY KEY,
    operator_id uuid NOT NULL,
    claimed_at bigint NOT NULL,
    CONSTRAINT subject_claim_of FOREIGN KEY (operator_id)
      REFERENCES operator (id)
  );

  CREATE TABLE saved_view (
    operator_id uuid NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (operator_id, name),
    CONSTRAINT saved_view_of FOREIGN KEY (operator_id)
      REFERENCES operator (id),
    CONSTRAINT saved_view_lengths CHECK
      (char_length(name) BETWEEN 1 AND 60
       AND char_length(query) BETWEEN 0 AND 2000)
  );

  CREATE TABLE decision_template (
    name text PRIMARY KEY,
    action text NOT NULL,
    reason text NOT NULL,
    explanation text NOT NULL,
    updated_at bigint NOT NULL,
    updated_by text NOT NULL,
    CONSTRAINT decision_template_lengths CHECK
      (char_length(name) BETWEEN 1 AND 60
       AND char_length(explanation) BETWEEN 1 AND 2000)
  );

  -- Events of the dashboards, in one order for all processes (spec/operators.md §4).
  CREATE TABLE admin_event (
    seq bigint PRIMARY KEY,
    at bigint NOT NULL,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    CONSTRAINT admin_event_kind CHECK (kind IN ('message', 'rating', 'report',
      'hidden', 'decision', 'poll', 'peer', 'job', 'alert'))
  );
  CREATE INDEX admin_event_at ON admin_event (at);
  INSERT INTO stream (name, last_id, last_at) VALUES ('admin_events', 0, 0);

  -- Events that have no number yet, in no order (server/db/note-event.ts).
  CREATE TABLE admin_pending (
    kind text NOT NULL,
    payload jsonb NOT NULL
  );
`;

const DOWN = `
  DELETE FROM stream WHERE name = 'admin_events';
  DROP TABLE operator, operator_passkey, operator_passphrase,
    operator_recovery, operator_invite, operator_challenge, operator_session,
    operator_attempt, operator_audit, subject_claim, saved_view,
    decision_template, admin_event, admin_pending CASCADE;
`;

/** Secrets as hashes; networks and names as tags (spec/operators.md §1). */
export class Operators1763900800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
