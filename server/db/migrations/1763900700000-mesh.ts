import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  -- Origin ids come from id_counter and are never given twice. The operator chose
  -- status to content_bytes_day; the worker found degraded_until to apply_ms.
  CREATE TABLE peer (
    origin_id integer PRIMARY KEY,
    name text NOT NULL,
    origin text NOT NULL,
    base_url text NOT NULL,
    log_vkey text NOT NULL,
    mirror_vkey text NOT NULL,
    node_vkey text NOT NULL,
    identity text NOT NULL,
    identity_seq bigint NOT NULL,
    pending_identity text,
    added_at bigint NOT NULL,
    confirmed_at bigint,
    status text NOT NULL,
    status_reason text,
    status_at bigint NOT NULL,
    trust text NOT NULL,
    content text NOT NULL DEFAULT 'signed',
    decisions text NOT NULL DEFAULT 'annotate',
    kept text NOT NULL DEFAULT 'none',
    probation_until bigint,
    entries_day bigint,
    content_bytes_day bigint,
    backfill_bytes_hour bigint,
    degraded_until bigint,
    degraded_reason text,
    rolled_back_since bigint,
    unresolved_since bigint,
    invalid_entries bigint NOT NULL DEFAULT 0,
    withheld_contents bigint NOT NULL DEFAULT 0,
    last_attempt_at bigint,
    last_success_at bigint,
    failures integer NOT NULL DEFAULT 0,
    retry_at bigint,
    last_error_code text,
    last_error_at bigint,
    remote_size bigint,
    remote_checkpoint text,
    remote_seen_at bigint,
    document text,
    document_at bigint,
    acked_size bigint NOT NULL DEFAULT 0,
    acked_at bigint,
    anchored_size bigint NOT NULL DEFAULT 0,
    anchored_at bigint,
    apply_ms integer[] NOT NULL DEFAULT '{}',
    CONSTRAINT peer_name UNIQUE (name),
    CONSTRAINT peer_origin UNIQUE (origin),
    CONSTRAINT peer_foreign CHECK (origin_id > 0),
    CONSTRAINT peer_status CHECK (status IN
      ('pending', 'active', 'paused', 'quarantined', 'blocked')),
    CONSTRAINT peer_confirmed CHECK
      (confirmed_at IS NOT NULL OR status IN ('pending', 'blocked')),
    CONSTRAINT peer_trust CHECK
      (trust IN ('witness', 'proofs', 'mirror', 'relay')),
    CONSTRAINT peer_content CHECK (content IN ('signed', 'all')),
    CONSTRAINT peer_kept CHECK (kept IN ('none', 'signed', 'all')),
    CONSTRAINT peer_decisions CHECK (decisions IN ('annotate', 'follow')),
    CONSTRAINT peer_lengths CHECK
      (char_length(name) BETWEEN 1 AND 110 AND char_length(origin) <= 130
       AND octet_length(base_url) <= 300 AND octet_length(identity) <= 16384
       AND octet_length(status_reason) <= 1000
       AND octet_length(remote_checkpoint) <= 16384
       AND octet_length(document) <= 262144)
  );

  -- The workers hear of every change of what they act by.
  CREATE FUNCTION peer_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('board_peers', coalesce(NEW.origin_id, OLD.origin_id)::text);
      RETURN NULL;
    END $$;
  CREATE TRIGGER peer_changed AFTER INSERT OR DELETE OR UPDATE OF status,
      trust, content, decisions, base_url, identity, probation_until,
      entries_day, content_bytes_day, backfill_bytes_hour ON peer
    FOR EACH ROW EXECUTE FUNCTION peer_changed();

  -- The dashboards' event of a peer whose state changed: progress of a pull
  -- changes many columns at once.
  CREATE FUNCTION admin_note_peer() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND ROW(NEW.status, NEW.trust, NEW.degraded_until,
          NEW.last_error_code) IS NOT DISTINCT FROM ROW(OLD.status, OLD.trust,
          OLD.degraded_until, OLD.last_error_code) THEN RETURN NULL; END IF;
      INSERT INTO admin_pending (kind, payload)
        VALUES ('peer', jsonb_build_object('name', coalesce(NEW.name, OLD.name),
          'status', NEW.status, 'error', NEW.last_error_code));
      RETURN NULL;
    END $$;
  CREATE TRIGGER admin_note_peer
    AFTER INSERT OR DELETE OR UPDATE OF status, trust, degraded_until,
      last_error_code ON peer
    FOR EACH ROW EXECUTE FUNCTION admin_note_peer();

  -- What was taken from a peer, by clock hour. Entries and content bytes are those
  -- dated within the day before they came.
  CREATE TABLE peer_usage (
    origin_id integer NOT NULL,
    hour bigint NOT NULL,
    entries bigint NOT NULL,
    content_bytes bigint NOT NULL,
    backfill_bytes bigint NOT NULL,
    PRIMARY KEY (origin_id, hour)
  );

  -- The size up to which everything of a mirrored log is durable and every
  -- removal applied: what our mirror key may sign. It never shrinks.
  CREATE TABLE mirror_state (
    origin_id integer PRIMARY KEY,
    size bigint NOT NULL,
    root bytea NOT NULL,
    note text NOT NULL,
    at bigint NOT NULL
  );

  CREATE FUNCTION mirror_state_grows() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.size < OLD.size OR (NEW.size = OLD.size AND NEW.root <> OLD.root)
      THEN
        RAISE EXCEPTION 'a cosigned size never shrinks and keeps its root'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END $$;
  CREATE TRIGGER mirror_state_grows BEFORE UPDATE ON mirror_state
    FOR EACH ROW EXECUTE FUNCTION mirror_state_grows();

  -- Verified evidence, its bytes exactly as hashed.
  CREATE TABLE evidence (
    sha256 bytea PRIMARY KEY,
    origin text NOT NULL,
    kind text NOT NULL,
    bytes bytea NOT NULL,
    at bigint NOT NULL,
    own_log_index bigint,
    CONSTRAINT evidence_size CHECK
      (octet_length(sha256) = 32 AND octet_length(bytes) <= 16384)
  );
  CREATE INDEX evidence_origin ON evidence (origin, at);

  -- A post of a mirrored log; the signed bytes are in log_entry. created_at is
  -- the entry's time, shown as min(created_at, received_at). visibility is by the
  -- peer's own decisions, hidden_at by our operator.
  CREATE TABLE mirror_message (
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
  ) PARTITION BY LIST (origin_id);
  CREATE INDEX mirror_message_thread ON mirror_message (origin_id, root_id, id);
  CREATE INDEX mirror_message_active ON mirror_message (origin_id, last_activity_id)
    WHERE reply_to IS NULL;
  CREATE INDEX mirror_message_new ON mirror_message (origin_id, id)
    WHERE reply_to IS NULL;
  CREATE INDEX mirror_message_missing ON mirror_message (origin_id, fetch_at)
    WHERE status = 'missing';
  CREATE INDEX mirror_message_request ON mirror_message (request_id);

  -- applied: the target is a message of that log and the decision changed or
  -- annotates it.
  CREATE TABLE mirror_decision (
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
  ) PARTITION BY LIST (origin_id);
  CREATE INDEX mirror_decision_message ON mirror_decision (origin_id, message_id, idx);
  CREATE INDEX mirror_decision_target ON mirror_decision (target, message_id, idx);

  -- Folded text of mirrored messages; it goes with the text.
  CREATE TABLE mirror_search (
    origin_id integer NOT NULL,
    message_id bigint NOT NULL,
    title_fold text,
    body_fold text NOT NULL,
    grams integer[] NOT NULL,
    PRIMARY KEY (origin_id, message_id)
  ) PARTITION BY LIST (origin_id);
  CREATE INDEX mirror_search_grams ON mirror_search USING gin (grams);

  -- The order in which mirrored messages became readable here. Who locks the row
  -- of stream gives the seq and keeps the lock to its commit: no index can say
  -- that it is unique over all logs. By seq first: a read of several logs merges
  -- their indexes in its order.
  CREATE TABLE mirror_update (
    seq bigint NOT NULL,
    origin_id integer NOT NULL,
    id bigint NOT NULL,
    PRIMARY KEY (seq, origin_id),
    CONSTRAINT mirror_update_once UNIQUE (origin_id, id)
  ) PARTITION BY LIST (origin_id);

  -- From which seq on the messages of a log follow each other.
  CREATE TABLE mirror_stretch (
    first_seq bigint PRIMARY KEY,
    origin_id integer NOT NULL
  );
  INSERT INTO stream (name, last_id, last_at) VALUES ('mirror_updates', 0, 0);

  -- A mirrored log's partitions. ATTACH, unlike CREATE ... PARTITION OF, lets the
  -- own log go on meanwhile.
  CREATE FUNCTION mirror_open(p_origin integer) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    parent text;
  BEGIN
    IF p_origin < 1 THEN RAISE EXCEPTION 'origin 0 is the own log'; END IF;
    FOREACH parent IN ARRAY ARRAY['log_entry', 'log_node', 'mirror_message',
        'mirror_decision', 'mirror_search', 'mirror_update'] LOOP
      IF to_regclass(format('%s_%s', parent, p_origin)) IS NULL THEN
        EXECUTE format(
          'CREATE TABLE %1$I (LIKE %2$I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
          parent || '_' || p_origin, parent);
        EXECUTE format(
          'ALTER TABLE %2$I ATTACH PARTITION %1$I FOR VALUES IN (%3$s)',
          parent || '_' || p_origin, parent, p_origin);
      END IF;
    END LOOP;
  END $$;

  -- Forgets a mirrored log; the row of peer stays with the caller. The tables are
  -- locked first and in the order in which a page and a publication come to them:
  -- none of them waits for this while this waits for it.
  CREATE FUNCTION mirror_drop(p_origin integer) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    parent text;
  BEGIN
    IF p_origin < 1 THEN RAISE EXCEPTION 'origin 0 is the own log'; END IF;
    FOREACH parent IN ARRAY ARRAY['log_entry', 'log_node', 'mirror_message',
        'mirror_decision', 'mirror_search', 'mirror_update'] LOOP
      EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', parent);
    END LOOP;
    FOREACH parent IN ARRAY ARRAY['log_entry', 'log_node', 'mirror_message',
        'mirror_decision', 'mirror_search', 'mirror_update'] LOOP
      EXECUTE format('DROP TABLE IF EXISTS %I', parent || '_' || p_origin);
    END LOOP;
    DELETE FROM mirror_stretch WHERE origin_id = p_origin;
    DELETE FROM agent_key WHERE origin_id = p_origin;
    DELETE FROM agent_key_event WHERE origin_id = p_origin;
    DELETE FROM log_cosignature WHERE origin_id = p_origin;
    DELETE FROM log_checkpoint WHERE origin_id = p_origin;
    DELETE FROM mirror_state WHERE origin_id = p_origin;
    DELETE FROM peer_usage WHERE origin_id = p_origin;
    DELETE FROM log_state WHERE origin_id = p_origin;
  END $$;

  -- pending: handed over until it is answered; published: answer is the receipt;
  -- failed: answer is the error, and the request may be tried again. The text is
  -- here only while it is pending. note is the signed statement: permanent, no
  -- free text.
  CREATE TABLE relay_outbox (
    request_id uuid PRIMARY KEY,
    board text NOT NULL,
    agent_id text NOT NULL,
    content_hash bytea NOT NULL,
    state text NOT NULL,
    message_hash bytea NOT NULL,
    note text NOT NULL,
    content text,
    day text NOT NULL,
    tag bytea NOT NULL,
    tag_next bytea NOT NULL,
    spent_scopes text[] NOT NULL,
    spent_keys bytea[] NOT NULL,
    spent_at bigint NOT NULL,
    dated_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    next_at bigint NOT NULL,
    answer text,
    CONSTRAINT relay_outbox_state CHECK
      (state IN ('pending', 'published', 'failed')
       AND (state = 'pending') = (content IS NOT NULL)
       AND (state = 'pending') = (answer IS NULL)),
    CONSTRAINT relay_outbox_bounds CHECK
      (octet_length(content_hash) = 32 AND octet_length(message_hash) = 32
       AND octet_length(tag) = 16 AND octet_length(tag_next) = 16
       AND octet_length(note) BETWEEN 1 AND 8192
       AND octet_length(content) BETWEEN 1 AND 65536)
  );
  CREATE INDEX relay_outbox_due ON relay_outbox (next_at)
    WHERE state = 'pending';
  CREATE INDEX relay_outbox_failed ON relay_outbox (updated_at)
    WHERE state = 'failed';
`;

const DOWN = `
  DELETE FROM stream WHERE name = 'mirror_updates';
  SELECT mirror_drop(origin_id) FROM log_state WHERE origin_id > 0;
  DROP TABLE peer, peer_usage, mirror_state, evidence, mirror_message,
    mirror_decision, mirror_search, mirror_update, mirror_stretch,
    relay_outbox CASCADE;
  DROP FUNCTION peer_changed, admin_note_peer, mirror_state_grows, mirror_open,
    mirror_drop CASCADE;
`;

/** Mirrored logs share the ledger's tables under their `origin_id`. */
export class Mesh1763900700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
