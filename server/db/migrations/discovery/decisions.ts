/**
 * A message can be removed, hidden, restored or erased only with the decision
 * that says so: the foreign keys of `message` name a decision about that very
 * message whose `effect` is the state the message takes.
 */
export const DECISIONS = [
  // Ids of rows that no reader follows; their row is their lock.
  `CREATE TABLE id_counter (
    name text PRIMARY KEY,
    last_id bigint NOT NULL
  )`,
  `CREATE TABLE decision (
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
    CONSTRAINT decision_log_index UNIQUE (log_index),
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
  )`,
  'CREATE INDEX decision_of_message ON decision (message_id, id)',
  `CREATE FUNCTION row_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% rows are never changed or deleted', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
    END $$`,
  `CREATE TRIGGER decision_is_final BEFORE UPDATE OR DELETE ON decision
    FOR EACH ROW EXECUTE FUNCTION row_is_final()`,

  `ALTER TABLE message
    ADD COLUMN removal text,
    ADD COLUMN removed_by bigint,
    ADD COLUMN erased_by bigint,
    ADD COLUMN visibility_by bigint,
    ADD CONSTRAINT message_removal CHECK
      ((removed_at IS NULL) = (removal IS NULL)
       AND (removed_at IS NULL) = (removed_by IS NULL)
       AND (erased_by IS NULL OR removed_by IS NOT NULL)
       AND removal = 'removed'),
    ADD CONSTRAINT message_visibility_by CHECK
      ((visibility IN ('hidden_by_decision', 'restored_by_decision'))
       = (visibility_by IS NOT NULL)),
    ADD CONSTRAINT message_removed_by FOREIGN KEY (removed_by, id, removal)
      REFERENCES decision (id, message_id, effect),
    ADD CONSTRAINT message_erased_by FOREIGN KEY (erased_by, id, removal)
      REFERENCES decision (id, message_id, effect),
    ADD CONSTRAINT message_visibility_decision
      FOREIGN KEY (visibility_by, id, visibility)
      REFERENCES decision (id, message_id, effect)`,
  'CREATE INDEX message_removed ON message (id) WHERE removed_at IS NOT NULL',
  // The ways back have no state of their own that a foreign key could name.
  `CREATE FUNCTION message_needs_decision() RETURNS trigger
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
    END $$`,
  `CREATE TRIGGER message_needs_decision BEFORE UPDATE ON message FOR EACH ROW
    WHEN ((OLD.removed_at IS NOT NULL AND NEW.removed_at IS NULL)
      OR (OLD.visibility <> 'visible' AND NEW.visibility = 'visible'))
    EXECUTE FUNCTION message_needs_decision()`,

  // The text of a removed message, for reinstatement within 30 days.
  `CREATE TABLE sealed_content (
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
  )`,
  'CREATE INDEX sealed_content_at ON sealed_content (sealed_at)',
  `CREATE FUNCTION sealed_content_kept() RETURNS trigger
    LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM message m WHERE m.id = OLD.message_id
          AND m.removed_at IS NOT NULL AND m.erased_by IS NULL) THEN
        RAISE EXCEPTION 'sealed text is erased by a decision only'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER sealed_content_kept AFTER DELETE ON sealed_content
    FOR EACH ROW EXECUTE FUNCTION sealed_content_kept()`,
  // A removal empties the drafts of its request_id.
  `CREATE INDEX ticket_request ON ticket (request_id) WHERE kind = 'write'`,
];
