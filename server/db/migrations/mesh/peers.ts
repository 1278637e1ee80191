/**
 * Peers, what they are known by and what was taken from them (spec/mesh.md
 * §B7).
 */
export const PEERS = [
  // One row per peer. Origin ids come from `id_counter` and are never given
  // twice. What the operator chose: status to content_bytes_day. What the
  // worker found: degraded_until to apply_ms. `kept`: of which posts texts are
  // stored at the moment, which follows trust and content. Times in ms.
  `CREATE TABLE peer (
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
  )`,
  // The workers hear of every change of what they act by.
  `CREATE FUNCTION peer_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('board_peers', coalesce(NEW.origin_id, OLD.origin_id)::text);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER peer_changed AFTER INSERT OR DELETE OR UPDATE OF status,
      trust, content, decisions, base_url, identity, probation_until,
      entries_day, content_bytes_day, backfill_bytes_hour ON peer
    FOR EACH ROW EXECUTE FUNCTION peer_changed()`,

  // The size up to which everything of a mirrored log is durable and every
  // removal applied: what our mirror key may sign. It never shrinks.
  `CREATE TABLE mirror_state (
    origin_id integer PRIMARY KEY,
    size bigint NOT NULL,
    root bytea NOT NULL,
    note text NOT NULL,
    at bigint NOT NULL
  )`,
  `CREATE FUNCTION mirror_state_grows() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.size < OLD.size OR (NEW.size = OLD.size AND NEW.root <> OLD.root)
      THEN
        RAISE EXCEPTION 'a cosigned size never shrinks and keeps its root'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER mirror_state_grows BEFORE UPDATE ON mirror_state
    FOR EACH ROW EXECUTE FUNCTION mirror_state_grows()`,

  // Cosignatures of any log: others' of ours (origin 0), ours of others'.
  `CREATE TABLE log_cosignature (
    origin_id integer NOT NULL,
    size bigint NOT NULL,
    cosigner text NOT NULL,
    vkey text NOT NULL,
    line text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (origin_id, size, cosigner),
    CONSTRAINT log_cosignature_lengths CHECK
      (octet_length(vkey) <= 300 AND octet_length(line) <= 400)
  )`,
  'CREATE INDEX log_cosignature_newest ON log_cosignature (origin_id, cosigner, size)',

  // Verified evidence, its bytes exactly as hashed.
  `CREATE TABLE evidence (
    sha256 bytea PRIMARY KEY,
    origin text NOT NULL,
    kind text NOT NULL,
    bytes bytea NOT NULL,
    at bigint NOT NULL,
    own_log_index bigint,
    CONSTRAINT evidence_size CHECK
      (octet_length(sha256) = 32 AND octet_length(bytes) <= 16384)
  )`,
  'CREATE INDEX evidence_origin ON evidence (origin, at)',

  // What was taken from a peer, by clock hour: the daily and hourly quotas.
  // Entries and content bytes are those dated within the day before they came.
  `CREATE TABLE peer_usage (
    origin_id integer NOT NULL,
    hour bigint NOT NULL,
    entries bigint NOT NULL,
    content_bytes bigint NOT NULL,
    backfill_bytes bigint NOT NULL,
    PRIMARY KEY (origin_id, hour)
  )`,
];
