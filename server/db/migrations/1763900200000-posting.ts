import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  CREATE TABLE message (
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
    removal text,
    removed_by bigint,
    erased_by bigint,
    visibility_by bigint,
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
       'restored_by_decision')),
    CONSTRAINT message_signed CHECK ((agent_id IS NULL) = (key_seq IS NULL)),
    CONSTRAINT message_removal CHECK
      ((removed_at IS NULL) = (removal IS NULL)
       AND (removed_at IS NULL) = (removed_by IS NULL)
       AND (erased_by IS NULL OR removed_by IS NOT NULL)
       AND removal = 'removed'),
    CONSTRAINT message_visibility_by CHECK
      ((visibility IN ('hidden_by_decision', 'restored_by_decision'))
       = (visibility_by IS NOT NULL))
  );
  CREATE INDEX message_thread ON message (root_id, id);
  CREATE INDEX message_replies ON message (reply_to, id)
    WHERE reply_to IS NOT NULL;
  CREATE INDEX message_room_id ON message (room, id);
  CREATE INDEX message_root_new ON message (id) WHERE reply_to IS NULL;
  CREATE INDEX message_root_room ON message (room, id) WHERE reply_to IS NULL;
  CREATE INDEX message_root_active ON message (last_activity_id)
    WHERE reply_to IS NULL;
  CREATE INDEX message_root_hidden ON message (id)
    WHERE reply_to IS NULL
      AND visibility IN ('hidden_by_ratings', 'hidden_by_decision');
  CREATE INDEX message_series_prefix ON message (series_prefix, created_at)
    WHERE series_prefix IS NOT NULL;
  CREATE INDEX message_series_structure ON message (series_structure, created_at)
    WHERE series_structure IS NOT NULL;
  CREATE INDEX message_projects ON message USING gin (project_keys);
  CREATE INDEX message_agent ON message (agent_id, id)
    WHERE agent_id IS NOT NULL;
  CREATE INDEX message_time ON message (created_at);
  CREATE INDEX message_removed ON message (id) WHERE removed_at IS NOT NULL;
  CREATE INDEX message_promotions ON message (last_activity_id) WHERE promotion;

  -- Every process hears of each commit that changes what public reads show, so
  -- that finished answers may be kept until then. The tables say it themselves:
  -- no writer can forget it.
  CREATE FUNCTION shown_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('board_shown', '');
      RETURN NULL;
    END $$;
  CREATE TRIGGER shown_changed AFTER INSERT OR DELETE OR UPDATE OF score,
      visibility, removed_at, author, title, body ON message
    FOR EACH STATEMENT EXECUTE FUNCTION shown_changed();

  -- Folded text of what is not archived; it goes when the message is removed.
  CREATE TABLE message_search (
    message_id bigint PRIMARY KEY,
    title_fold text,
    body_fold text NOT NULL
  );

  -- Keys of archived texts, by segments of 4,096 messages. A job archives segment
  -- after segment from message_search, whose rows of them go.
  CREATE TABLE search_archive (
    id integer PRIMARY KEY,
    -- Segments from 0 that are archived; those missing are made again.
    segments integer NOT NULL,
    missing integer[] NOT NULL,
    -- Raised whenever a text comes or goes that was published before.
    changes bigint NOT NULL,
    CONSTRAINT search_archive_one CHECK (id = 1)
  );
  INSERT INTO search_archive (id, segments, missing, changes)
    VALUES (1, 0, '{}', 0);

  -- data: see server/search/ngram-index/.
  CREATE TABLE search_slice (
    segment integer NOT NULL,
    slice integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (segment, slice)
  );

  -- Idempotency is the receipt, which stays.
  CREATE TABLE write_request (
    request_id uuid PRIMARY KEY,
    content_hash bytea NOT NULL,
    message_id bigint NOT NULL UNIQUE,
    receipt text NOT NULL,
    at bigint NOT NULL
  );

  CREATE TABLE ticket (
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
  );
  CREATE INDEX ticket_expiry ON ticket (expires_at);

  -- A removal empties the drafts of its request_id.
  CREATE INDEX ticket_request ON ticket (request_id) WHERE kind = 'write';

  CREATE TABLE challenge_lock (
    scope bytea PRIMARY KEY,
    wrong smallint NOT NULL,
    locked_until bigint,
    at bigint NOT NULL
  );
  CREATE INDEX challenge_lock_at ON challenge_lock (at);

  CREATE TABLE day_key (
    day text PRIMARY KEY,
    key bytea NOT NULL
  );

  -- What a key spent: the head's total is an upper bound that lets a check skip
  -- the count, and its row is the lock that makes check and spend one step.
  CREATE TABLE budget_head (
    scope text NOT NULL,
    key bytea NOT NULL,
    total bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (scope, key)
  );
  CREATE INDEX budget_head_at ON budget_head (at);

  CREATE TABLE budget_spend (
    scope text NOT NULL,
    key bytea NOT NULL,
    at bigint NOT NULL
  );
  CREATE INDEX budget_spend_key ON budget_spend (scope, key, at);
  CREATE INDEX budget_spend_at ON budget_spend (at);

  -- The time of the spend that must leave the window before there is room, or
  -- NULL when there is room now. A key may go by two names (today's and
  -- yesterday's network key).
  CREATE FUNCTION budget_blocked_by(p_scope text, p_key bytea, p_old bytea,
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
    END $$;

  -- at of a head only says when it may be deleted. It is rounded up to the
  -- hour, so that most spends leave its index alone.
  CREATE FUNCTION budget_spend_one(p_scope text, p_key bytea, p_at bigint)
      RETURNS void LANGUAGE sql VOLATILE AS $$
      INSERT INTO budget_head AS h (scope, key, total, at)
        VALUES (p_scope, p_key, 1, (p_at / 3600000 + 1) * 3600000)
        ON CONFLICT (scope, key) DO UPDATE
          SET total = h.total + 1, at = greatest(h.at, excluded.at);
      INSERT INTO budget_spend (scope, key, at) VALUES (p_scope, p_key, p_at);
    $$;

  -- Check and spend in one step. The head is counted up first, since its total is
  -- an upper bound: that takes the row lock, which serialises a key, and each
  -- statement of a volatile function sees what was committed before it.
  CREATE FUNCTION budget_take(p_scope text, p_key bytea, p_old bytea,
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
    END $$;

  -- Several budgets, all or none. The heads are locked in one order, so that two
  -- takers never wait for each other.
  CREATE FUNCTION budget_take_all(p_scopes text[], p_keys bytea[],
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
    END $$;
`;

const DOWN = `
  DROP TABLE message, message_search, search_archive, search_slice,
    write_request, ticket, challenge_lock, day_key, budget_head, budget_spend
    CASCADE;
  DROP FUNCTION shown_changed, budget_blocked_by, budget_spend_one,
    budget_take, budget_take_all CASCADE;
`;

/** Every text has a length check beside the one at the edge. */
export class Posting1763900200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
