/**
 * The messages and decisions of mirrored logs (spec/mesh.md §B8 to §B11). Ids
 * of messages never mix, because every table here is keyed by origin first.
 */
export const MIRRORS = [
  // Why an entry is invalid (`status` = invalid), in one word.
  'ALTER TABLE log_entry ADD COLUMN fault text',
  `CREATE INDEX log_entry_invalid ON log_entry (origin_id, idx)
    WHERE status = 'invalid'`,

  // A post of a mirrored log; the signed bytes stand in `log_entry`.
  // status: ok = text held; bare = text not kept by trust or content option
  // (guests' stubs); missing = to be fetched again; withheld = the origin does
  // not give it; removed; invalid = never shown, kept for those that name it.
  // created_at is the entry's time, shown as min(created_at, received_at).
  // visibility is by the peer's own decisions, hidden_at by our operator.
  `CREATE TABLE mirror_message (
    origin_id integer NOT NULL,
    id bigint NOT NULL,
    root_id bigint NOT NULL,
    reply_to bigint,
    room text NOT NULL,
    author text,
    agent_id text,
    key_seq integer,
    title text,
    body text,
    poll jsonb,
    salt bytea,
    refs bigint[],
    created_at bigint NOT NULL,
    received_at bigint NOT NULL,
    request_id uuid NOT NULL,
    message_hash bytea NOT NULL,
    log_index bigint NOT NULL,
    via text,
    vote smallint,
    vote_result text,
    signature_status text NOT NULL,
    status text NOT NULL,
    fault text,
    content_hash bytea NOT NULL,
    fetch_tries smallint NOT NULL DEFAULT 0,
    fetch_at bigint,
    removal text,
    removal_by text,
    removal_at bigint,
    removal_explain bytea,
    removal_index bigint,
    erased boolean NOT NULL DEFAULT false,
    visibility text NOT NULL DEFAULT 'visible',
    hidden_at bigint,
    hidden_reason text,
    poll_id bigint,
    poll_close jsonb,
    poll_decision jsonb,
    reply_count integer NOT NULL DEFAULT 0,
    last_reply_id bigint,
    last_activity_id bigint NOT NULL,
    PRIMARY KEY (origin_id, id),
    CONSTRAINT mirror_message_status CHECK (status IN
      ('ok', 'bare', 'missing', 'withheld', 'removed', 'invalid')),
    CONSTRAINT mirror_message_text CHECK
      ((status = 'ok') = (body IS NOT NULL)
       AND (body IS NULL) = (salt IS NULL)
       AND (body IS NULL) = (author IS NULL)
       AND (title IS NOT NULL) = (reply_to IS NULL AND status = 'ok')
       AND (poll IS NULL OR status = 'ok')),
    CONSTRAINT mirror_message_removal CHECK
      ((removal_index IS NULL) = (removal IS NULL)
       AND (removal_index IS NULL) = (removal_at IS NULL)
       AND (status <> 'removed' OR removal_index IS NOT NULL)),
    CONSTRAINT mirror_message_root CHECK
      ((reply_to IS NULL) = (root_id = id)),
    CONSTRAINT mirror_message_room CHECK
      (room IN ('lobby', 'findings', 'questions', 'workshop')),
    CONSTRAINT mirror_message_signature CHECK
      ((agent_id IS NULL) = (signature_status = 'guest')
       AND signature_status IN ('signed', 'guest')),
    CONSTRAINT mirror_message_visibility CHECK (visibility IN
      ('visible', 'hidden_by_decision', 'restored_by_decision')),
    CONSTRAINT mirror_message_lengths CHECK
      (octet_length(body) BETWEEN 1 AND 24576
       AND octet_length(title) BETWEEN 1 AND 24576
       AND octet_length(author) BETWEEN 1 AND 24576
       AND octet_length(message_hash) = 32 AND octet_length(content_hash) = 32)
  ) PARTITION BY LIST (origin_id)`,
  'CREATE INDEX mirror_message_thread ON mirror_message (origin_id, root_id, id)',
  'CREATE INDEX mirror_message_active ON mirror_message (origin_id, last_activity_id) WHERE reply_to IS NULL',
  'CREATE INDEX mirror_message_new ON mirror_message (origin_id, id) WHERE reply_to IS NULL',
  "CREATE INDEX mirror_message_missing ON mirror_message (origin_id, fetch_at) WHERE status = 'missing'",
  'CREATE INDEX mirror_message_request ON mirror_message (request_id)',

  // remove and decision entries of a mirrored log, in its order. `applied`:
  // the target is a message of that log and the decision changed or annotates
  // it.
  `CREATE TABLE mirror_decision (
    origin_id integer NOT NULL,
    idx bigint NOT NULL,
    message_id bigint NOT NULL,
    target bytea NOT NULL,
    action text NOT NULL,
    made_by text,
    reason text,
    explain bytea,
    at bigint NOT NULL,
    received_at bigint NOT NULL,
    applied boolean NOT NULL,
    PRIMARY KEY (origin_id, idx),
    CONSTRAINT mirror_decision_action CHECK (action IN
      ('remove', 'reinstate', 'restore', 'hide', 'keep', 'erase',
       'poll-accepted', 'poll-declined', 'poll-deferred')),
    CONSTRAINT mirror_decision_removal CHECK
      ((action = 'remove') = (reason IS NOT NULL)
       AND (action = 'remove') = (made_by IS NOT NULL))
  )`,
  'CREATE INDEX mirror_decision_message ON mirror_decision (origin_id, message_id, idx)',

  // Folded text of mirrored messages; it goes with the text.
  `CREATE TABLE mirror_search (
    origin_id integer NOT NULL,
    message_id bigint NOT NULL,
    title_fold text,
    body_fold text NOT NULL,
    grams integer[] NOT NULL,
    PRIMARY KEY (origin_id, message_id)
  ) PARTITION BY LIST (origin_id)`,
  'CREATE INDEX mirror_search_grams ON mirror_search USING gin (grams)',

  // The order in which mirrored messages became readable here. Whoever holds
  // the row of `stream` gives the seq, and holds it to its commit.
  `CREATE TABLE mirror_update (
    seq bigint PRIMARY KEY,
    origin_id integer NOT NULL,
    id bigint NOT NULL,
    CONSTRAINT mirror_update_once UNIQUE (origin_id, id)
  )`,
  "INSERT INTO stream (name, last_id, last_at) VALUES ('mirror_updates', 0, 0)",

  // A mirrored log's partitions. ATTACH, unlike CREATE … PARTITION OF, lets
  // the own log go on meanwhile.
  `CREATE FUNCTION mirror_open(p_origin integer) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      parent text;
    BEGIN
      IF p_origin < 1 THEN RAISE EXCEPTION 'origin 0 is the own log'; END IF;
      FOREACH parent IN ARRAY
        ARRAY['log_entry', 'log_node', 'mirror_message', 'mirror_search'] LOOP
        IF to_regclass(format('%s_%s', parent, p_origin)) IS NULL THEN
          EXECUTE format(
            'CREATE TABLE %1$I (LIKE %2$I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
            parent || '_' || p_origin, parent);
          EXECUTE format(
            'ALTER TABLE %2$I ATTACH PARTITION %1$I FOR VALUES IN (%3$s)',
            parent || '_' || p_origin, parent, p_origin);
        END IF;
      END LOOP;
    END $$`,
  // Forgets a mirrored log; the row of `peer` stays the caller's.
  `CREATE FUNCTION mirror_drop(p_origin integer) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      parent text;
    BEGIN
      IF p_origin < 1 THEN RAISE EXCEPTION 'origin 0 is the own log'; END IF;
      FOREACH parent IN ARRAY
        ARRAY['mirror_search', 'mirror_message', 'log_node', 'log_entry'] LOOP
        EXECUTE format('DROP TABLE IF EXISTS %I', parent || '_' || p_origin);
      END LOOP;
      DELETE FROM mirror_update WHERE origin_id = p_origin;
      DELETE FROM mirror_decision WHERE origin_id = p_origin;
      DELETE FROM agent_key WHERE origin_id = p_origin;
      DELETE FROM agent_key_event WHERE origin_id = p_origin;
      DELETE FROM log_cosignature WHERE origin_id = p_origin;
      DELETE FROM log_checkpoint WHERE origin_id = p_origin;
      DELETE FROM mirror_state WHERE origin_id = p_origin;
      DELETE FROM peer_usage WHERE origin_id = p_origin;
      DELETE FROM log_state WHERE origin_id = p_origin;
    END $$`,
];
