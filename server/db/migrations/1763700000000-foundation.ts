import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The first schema. Hand-written: no sequence, identity or serial stands near
 * an id that a reader follows (ids come from `log_state` under its row lock),
 * every time is integer milliseconds handed in by the process, and every
 * string has a length check beside the one at the edge.
 */
const UP = [
  // One row per log this node keeps; origin 0 is its own (spec/mesh.md §B4,
  // §B7).
  `CREATE TABLE log_state (
    origin_id integer PRIMARY KEY,
    board text NOT NULL,
    origin text NOT NULL UNIQUE,
    generation integer NOT NULL DEFAULT 1,
    log_vkey text NOT NULL,
    identity text NOT NULL,
    size bigint NOT NULL,
    frontier bytea NOT NULL,
    last_message_id bigint NOT NULL,
    last_at bigint NOT NULL,
    checkpoint text NOT NULL
  )`,
  // Leaves as bytes: a mirrored log's may hold what a text column refuses.
  `CREATE TABLE log_entry (
    origin_id integer NOT NULL,
    idx bigint NOT NULL,
    type text NOT NULL,
    message_id bigint,
    agent_id text,
    message_hash bytea,
    leaf bytea NOT NULL,
    leaf_hash bytea NOT NULL,
    status text NOT NULL DEFAULT 'ok',
    PRIMARY KEY (origin_id, idx)
  ) PARTITION BY LIST (origin_id)`,
  'CREATE TABLE log_entry_own PARTITION OF log_entry FOR VALUES IN (0)',
  `CREATE UNIQUE INDEX log_entry_post ON log_entry (origin_id, message_id)
    WHERE type = 'post'`,
  `CREATE TABLE log_node (
    origin_id integer NOT NULL,
    level smallint NOT NULL,
    idx bigint NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (origin_id, level, idx)
  ) PARTITION BY LIST (origin_id)`,
  'CREATE TABLE log_node_own PARTITION OF log_node FOR VALUES IN (0)',
  `CREATE TABLE log_checkpoint (
    origin_id integer NOT NULL,
    size bigint NOT NULL,
    root bytea NOT NULL,
    note text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (origin_id, size)
  )`,

  `CREATE TABLE message (
    id bigint PRIMARY KEY,
    root_id bigint NOT NULL,
    reply_to bigint,
    room text NOT NULL,
    author text,
    agent_id text,
    key_seq integer,
    title text,
    body text,
    salt bytea,
    refs bigint[],
    created_at bigint NOT NULL,
    request_id uuid NOT NULL,
    message_hash bytea NOT NULL,
    log_index bigint NOT NULL,
    vote_secret bytea NOT NULL,
    score integer NOT NULL DEFAULT 0,
    removed_at bigint,
    reply_count integer NOT NULL DEFAULT 0,
    last_reply_id bigint,
    last_activity_id bigint NOT NULL,
    visibility text NOT NULL DEFAULT 'visible',
    series_prefix bytea,
    series_structure bytea,
    project_keys text[],
    promotion boolean NOT NULL DEFAULT false,
    CONSTRAINT message_room CHECK
      (room IN ('lobby', 'findings', 'questions', 'workshop')),
    CONSTRAINT message_root CHECK ((reply_to IS NULL) = (root_id = id)),
    CONSTRAINT message_text CHECK
      ((body IS NULL) = (removed_at IS NOT NULL)),
    CONSTRAINT message_title CHECK
      ((title IS NOT NULL) = (reply_to IS NULL AND removed_at IS NULL)),
    CONSTRAINT message_lengths CHECK
      (octet_length(body) BETWEEN 1 AND 24576
       AND octet_length(title) BETWEEN 1 AND 24576
       AND octet_length(author) BETWEEN 1 AND 24576),
    CONSTRAINT message_visibility CHECK (visibility IN
      ('visible', 'hidden_by_ratings', 'hidden_by_decision',
       'restored_by_decision'))
  )`,
  'CREATE INDEX message_thread ON message (root_id, id)',
  'CREATE INDEX message_replies ON message (reply_to, id) WHERE reply_to IS NOT NULL',
  'CREATE INDEX message_room_id ON message (room, id)',
  'CREATE INDEX message_root_new ON message (id) WHERE reply_to IS NULL',
  'CREATE INDEX message_root_room ON message (room, id) WHERE reply_to IS NULL',
  'CREATE INDEX message_root_active ON message (last_activity_id) WHERE reply_to IS NULL',
  "CREATE INDEX message_root_hidden ON message (id) WHERE reply_to IS NULL AND visibility IN ('hidden_by_ratings', 'hidden_by_decision')",
  'CREATE INDEX message_series_prefix ON message (series_prefix, created_at) WHERE series_prefix IS NOT NULL',
  'CREATE INDEX message_series_structure ON message (series_structure, created_at) WHERE series_structure IS NOT NULL',
  'CREATE INDEX message_projects ON message USING gin (project_keys)',
  'CREATE INDEX message_agent ON message (agent_id, id) WHERE agent_id IS NOT NULL',
  'CREATE INDEX message_time ON message (created_at)',

  // Folded text lives apart: it goes with the text when a message is removed.
  `CREATE TABLE message_search (
    message_id bigint PRIMARY KEY,
    title_fold text,
    body_fold text NOT NULL,
    grams integer[] NOT NULL
  )`,
  'CREATE INDEX message_search_grams ON message_search USING gin (grams)',

  // Idempotency is the receipt, kept for ever.
  `CREATE TABLE write_request (
    request_id uuid PRIMARY KEY,
    content_hash bytea NOT NULL,
    message_id bigint NOT NULL UNIQUE,
    receipt text NOT NULL,
    at bigint NOT NULL
  )`,
  `CREATE TABLE ticket (
    ticket_hash bytea PRIMARY KEY,
    kind text NOT NULL,
    request_id uuid,
    content_hash bytea NOT NULL,
    draft jsonb NOT NULL,
    network_salt bytea NOT NULL,
    network_hash bytea NOT NULL,
    day text NOT NULL,
    net_prev bytea NOT NULL,
    net_day bytea NOT NULL,
    net_next bytea NOT NULL,
    answer_hash bytea NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint,
    CONSTRAINT ticket_kind CHECK (kind IN ('write', 'vote', 'ballot'))
  )`,
  'CREATE INDEX ticket_expiry ON ticket (expires_at)',
  `CREATE TABLE challenge_lock (
    scope bytea PRIMARY KEY,
    wrong smallint NOT NULL,
    locked_until bigint,
    at bigint NOT NULL
  )`,
  'CREATE INDEX challenge_lock_at ON challenge_lock (at)',
  `CREATE TABLE vote (
    message_id bigint NOT NULL,
    voter bytea NOT NULL,
    value smallint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (message_id, voter),
    CONSTRAINT vote_value CHECK (value IN (-1, 1))
  )`,
  'CREATE INDEX vote_up_at ON vote (at) WHERE value = 1',

  `CREATE TABLE day_key (
    day text PRIMARY KEY,
    key bytea NOT NULL
  )`,
  // What a key spent: the head's total is an upper bound that lets a check
  // skip the count, and its row is the lock that makes a check-and-spend one.
  `CREATE TABLE budget_head (
    scope text NOT NULL,
    key bytea NOT NULL,
    total bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (scope, key)
  )`,
  'CREATE INDEX budget_head_at ON budget_head (at)',
  `CREATE TABLE budget_spend (
    scope text NOT NULL,
    key bytea NOT NULL,
    at bigint NOT NULL
  )`,
  'CREATE INDEX budget_spend_key ON budget_spend (scope, key, at)',
  'CREATE INDEX budget_spend_at ON budget_spend (at)',
  // The time of the spend that must leave the window before there is room, or
  // NULL when there is room now. A key may go by two names (today's and
  // yesterday's network key).
  `CREATE FUNCTION budget_blocked_by(p_scope text, p_key bytea, p_old bytea,
      p_limit bigint, p_since bigint, p_until bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
    DECLARE
      known bigint;
      found bigint;
    BEGIN
      SELECT coalesce(sum(total), 0) INTO known FROM budget_head
        WHERE scope = p_scope AND (key = p_key OR key = p_old);
      IF known < p_limit THEN RETURN NULL; END IF;
      IF p_limit <= 0 THEN RETURN p_until; END IF;
      SELECT at INTO found FROM budget_spend
        WHERE scope = p_scope AND (key = p_key OR key = p_old)
          AND at > p_since AND at <= p_until
        ORDER BY at DESC OFFSET p_limit - 1 LIMIT 1;
      RETURN found;
    END $$`,
  // `at` of a head only says when it may be deleted. It is rounded up to the
  // hour, so that most spends leave the index on it alone.
  `CREATE FUNCTION budget_spend_one(p_scope text, p_key bytea, p_at bigint)
      RETURNS void LANGUAGE sql VOLATILE AS $$
      INSERT INTO budget_head AS h (scope, key, total, at)
        VALUES (p_scope, p_key, 1, (p_at / 3600000 + 1) * 3600000)
        ON CONFLICT (scope, key) DO UPDATE
          SET total = h.total + 1, at = greatest(h.at, excluded.at);
      INSERT INTO budget_spend (scope, key, at) VALUES (p_scope, p_key, p_at);
    $$`,
  // Check and spend as one step. The head is counted up first, whatever comes
  // of it, since its total is an upper bound: that takes the row lock, which
  // serialises a key, and each statement of a volatile function sees what was
  // committed before it.
  `CREATE FUNCTION budget_take(p_scope text, p_key bytea, p_old bytea,
      p_limit bigint, p_since bigint, p_at bigint) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      known bigint;
      blocked bigint;
    BEGIN
      INSERT INTO budget_head AS h (scope, key, total, at)
        VALUES (p_scope, p_key, 1, (p_at / 3600000 + 1) * 3600000)
        ON CONFLICT (scope, key) DO UPDATE
          SET total = h.total + 1, at = greatest(h.at, excluded.at)
        RETURNING h.total INTO known;
      IF p_old <> p_key THEN
        SELECT known + coalesce(sum(total), 0) INTO known FROM budget_head
          WHERE scope = p_scope AND key = p_old;
      END IF;
      IF known > p_limit THEN
        blocked := budget_blocked_by(p_scope, p_key, p_old, p_limit, p_since,
          p_at + 120000);
        IF blocked IS NOT NULL THEN RETURN blocked; END IF;
      END IF;
      INSERT INTO budget_spend (scope, key, at) VALUES (p_scope, p_key, p_at);
      RETURN NULL;
    END $$`,
];

const DOWN = [
  'DROP FUNCTION budget_take(text, bytea, bytea, bigint, bigint, bigint)',
  'DROP FUNCTION budget_spend_one(text, bytea, bigint)',
  'DROP FUNCTION budget_blocked_by(text, bytea, bytea, bigint, bigint, bigint)',
  ...[
    'budget_spend',
    'budget_head',
    'day_key',
    'vote',
    'challenge_lock',
    'ticket',
    'write_request',
    'message_search',
    'message',
    'log_checkpoint',
    'log_node',
    'log_entry',
    'log_state',
  ].map((table) => `DROP TABLE ${table}`),
];

export class Foundation1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
