import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  CREATE TABLE decision (
    id bigint PRIMARY KEY,
    message_id bigint NOT NULL,
    card_id text,
    poll_id bigint,
    action text NOT NULL,
    outcome text,
    effect text,
    reason text NOT NULL,
    explanation text NOT NULL,
    private_note text,
    made_by text NOT NULL,
    operator text NOT NULL,
    decided_at bigint NOT NULL,
    supersedes bigint,
    log_index bigint NOT NULL,
    generation integer NOT NULL DEFAULT 1,
    CONSTRAINT decision_log_index UNIQUE (generation, log_index),
    CONSTRAINT decision_effect_key UNIQUE (id, message_id, effect),
    CONSTRAINT decision_message FOREIGN KEY (message_id)
      REFERENCES message (id),
    CONSTRAINT decision_supersedes FOREIGN KEY (supersedes)
      REFERENCES decision (id),
    CONSTRAINT decision_action CHECK (action IN
      ('remove', 'reinstate', 'restore_visibility', 'hide', 'keep', 'erase',
       'poll_decision')),
    CONSTRAINT decision_effect CHECK (effect IS NOT DISTINCT FROM
      CASE action WHEN 'remove' THEN 'removed' WHEN 'erase' THEN 'removed'
        WHEN 'hide' THEN 'hidden_by_decision'
        WHEN 'restore_visibility' THEN 'restored_by_decision' END),
    CONSTRAINT decision_reason CHECK (reason IN
      ('spam', 'advertising', 'dangerous_instructions', 'rating_visibility',
       'disagreement', 'other', 'privacy', 'legal', 'author_request')),
    CONSTRAINT decision_no_removal_for_disagreement CHECK
      (effect IS DISTINCT FROM 'removed' OR reason <> 'disagreement'),
    CONSTRAINT decision_made_by CHECK
      (made_by IN ('operator', 'author', 'policy')),
    CONSTRAINT decision_outcome CHECK
      ((action = 'poll_decision') = (outcome IS NOT NULL)
       AND (action = 'poll_decision') = (poll_id IS NOT NULL)
       AND outcome IN ('accepted', 'declined', 'deferred')),
    CONSTRAINT decision_lengths CHECK
      (char_length(explanation) BETWEEN 1 AND 2000
       AND char_length(private_note) <= 2000
       AND char_length(operator) BETWEEN 1 AND 48)
  );
  CREATE INDEX decision_of_message ON decision (message_id, id);
  CREATE INDEX decision_of_poll ON decision (poll_id) WHERE poll_id IS NOT NULL;

  CREATE FUNCTION row_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% rows are never changed or deleted', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
    END $$;
  CREATE TRIGGER decision_is_final BEFORE UPDATE OR DELETE ON decision
    FOR EACH ROW EXECUTE FUNCTION row_is_final();

  -- A message can be removed, hidden, restored or erased only with the decision
  -- that says so: the keys name a decision about that very message whose effect
  -- is the state the message takes.
  ALTER TABLE message
    ADD CONSTRAINT message_removed_by FOREIGN KEY (removed_by, id, removal)
      REFERENCES decision (id, message_id, effect),
    ADD CONSTRAINT message_erased_by FOREIGN KEY (erased_by, id, removal)
      REFERENCES decision (id, message_id, effect),
    ADD CONSTRAINT message_visibility_decision
      FOREIGN KEY (visibility_by, id, visibility)
      REFERENCES decision (id, message_id, effect);

  -- The ways back have no state of their own that a foreign key could name.
  CREATE FUNCTION message_needs_decision() RETURNS trigger
    LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.visibility <> 'visible' AND NEW.visibility = 'visible' THEN
        RAISE EXCEPTION 'a hidden topic is restored by a decision only'
          USING ERRCODE = 'check_violation';
      END IF;
      IF OLD.removed_at IS NOT NULL AND NEW.removed_at IS NULL
          AND NOT EXISTS (SELECT FROM decision d WHERE d.message_id = NEW.id
            AND d.action = 'reinstate' AND d.id > OLD.removed_by) THEN
        RAISE EXCEPTION 'a removed message is reinstated by a decision only'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END $$;
  CREATE TRIGGER message_needs_decision BEFORE UPDATE ON message FOR EACH ROW
    WHEN ((OLD.removed_at IS NOT NULL AND NEW.removed_at IS NULL)
      OR (OLD.visibility <> 'visible' AND NEW.visibility = 'visible'))
    EXECUTE FUNCTION message_needs_decision();

  -- What the foreign keys leave open to SQL by hand (spec/operators.md §2.1): a
  -- text changed in place, a message deleted, a topic hidden as if by votes that
  -- nobody gave, a decision used a second time.
  CREATE FUNCTION message_stays() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a message is removed by a decision only'
        USING ERRCODE = 'check_violation';
    END $$;
  CREATE TRIGGER message_stays BEFORE DELETE ON message
    FOR EACH ROW EXECUTE FUNCTION message_stays();
  CREATE TRIGGER message_stays_whole BEFORE TRUNCATE ON message
    FOR EACH STATEMENT EXECUTE FUNCTION message_stays();
  CREATE TRIGGER message_text_stays
    BEFORE UPDATE OF body, title, author, salt, created_at, agent_id,
      message_hash ON message FOR EACH ROW
    WHEN (NEW.created_at <> OLD.created_at
      OR NEW.agent_id IS DISTINCT FROM OLD.agent_id
      OR NEW.message_hash <> OLD.message_hash
      OR ((NEW.removed_at IS NULL) = (OLD.removed_at IS NULL)
        AND (NEW.body, NEW.title, NEW.author, NEW.salt)
          IS DISTINCT FROM (OLD.body, OLD.title, OLD.author, OLD.salt)))
    EXECUTE FUNCTION message_stays();
  CREATE TRIGGER message_hidden_by_votes BEFORE UPDATE OF visibility
    ON message FOR EACH ROW
    WHEN (NEW.visibility = 'hidden_by_ratings'
      AND OLD.visibility <> 'hidden_by_ratings'
      AND (OLD.visibility = 'restored_by_decision' OR NEW.score >= 0))
    EXECUTE FUNCTION message_stays();

  CREATE FUNCTION decision_is_new() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.visibility_by < OLD.visibility_by OR EXISTS (
          SELECT FROM decision d WHERE d.message_id = NEW.id
            AND d.action = 'reinstate' AND OLD.removed_by IS NULL
            AND d.id > NEW.removed_by) THEN
        RAISE EXCEPTION 'a decision takes effect once'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END $$;
  CREATE TRIGGER decision_is_new
    BEFORE UPDATE OF visibility_by, removed_by ON message FOR EACH ROW
    WHEN (NEW.visibility_by <> OLD.visibility_by
      OR (OLD.removed_by IS NULL AND NEW.removed_by IS NOT NULL))
    EXECUTE FUNCTION decision_is_new();

  -- The text of a removed message, for reinstatement within 30 days.
  CREATE TABLE sealed_content (
    message_id bigint PRIMARY KEY,
    sealed_at bigint NOT NULL,
    author text NOT NULL,
    title text,
    body text NOT NULL,
    salt bytea NOT NULL,
    refs bigint[],
    series_prefix bytea,
    series_structure bytea,
    project_keys text[],
    promotion boolean NOT NULL,
    poll jsonb
  );
  CREATE INDEX sealed_content_at ON sealed_content (sealed_at);

  CREATE FUNCTION sealed_content_kept() RETURNS trigger
    LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM message m WHERE m.id = OLD.message_id
          AND m.removed_at IS NOT NULL AND m.erased_by IS NULL) THEN
        RAISE EXCEPTION 'sealed text is erased by a decision only'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END $$;
  CREATE TRIGGER sealed_content_kept AFTER DELETE ON sealed_content
    FOR EACH ROW EXECUTE FUNCTION sealed_content_kept();

  CREATE TABLE report (
    request_id uuid PRIMARY KEY,
    content_hash bytea NOT NULL,
    kind text NOT NULL,
    reason text NOT NULL,
    detail text,
    message_id bigint,
    card_id text,
    created_at bigint NOT NULL,
    status text NOT NULL DEFAULT 'received',
    status_at bigint NOT NULL,
    claimed_by text,
    decision_id bigint,
    CONSTRAINT report_message FOREIGN KEY (message_id)
      REFERENCES message (id),
    CONSTRAINT report_decision FOREIGN KEY (decision_id)
      REFERENCES decision (id),
    CONSTRAINT report_kind CHECK
      (kind IN ('report', 'appeal', 'selection_error')),
    CONSTRAINT report_reason CHECK (reason IN
      ('spam', 'advertising', 'dangerous_instructions', 'rating_visibility',
       'disagreement', 'other')),
    CONSTRAINT report_status CHECK
      (status IN ('received', 'in_review', 'resolved', 'dismissed')),
    CONSTRAINT report_subject CHECK
      ((message_id IS NULL) <> (card_id IS NULL)
       AND (kind = 'selection_error') = (card_id IS NOT NULL)),
    CONSTRAINT report_lengths CHECK (octet_length(detail) <= 65536)
  );
  CREATE INDEX report_queue ON report (status, created_at);
  CREATE INDEX report_open ON report (created_at)
    WHERE status IN ('received', 'in_review');
  CREATE INDEX report_subject_message ON report (message_id);
  CREATE INDEX report_subject_card ON report (card_id) WHERE card_id IS NOT NULL;
`;

const DOWN = `
  DROP TABLE decision, sealed_content, report CASCADE;
  DROP FUNCTION row_is_final, message_needs_decision, message_stays,
    decision_is_new, sealed_content_kept CASCADE;
`;

export class Moderation1763900400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
