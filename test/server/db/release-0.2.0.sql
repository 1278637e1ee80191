-- A row of every table, as release 0.2.0 could have written it. Frozen: later
-- releases upgrade it (upgrade.test.ts).
INSERT INTO log_state (origin_id, board, origin, log_vkey, identity, size,
    frontier, last_message_id, last_at, checkpoint)
  VALUES (0, 'board.test', 'board.test/log', 'vkey', 'identity', 3, '\x01', 2,
    1000, 'note'),
  (1, 'other.test', 'other.test/log', 'vkey', 'identity', 1, '\x02', 1, 900,
    'note');
SELECT mirror_open(1);
INSERT INTO log_entry (origin_id, idx, type, message_id, message_hash, leaf,
    leaf_hash)
  VALUES (0, 1, 'post', 1, '\x11', '\x21', '\x31'),
  (0, 2, 'post', 2, '\x12', '\x22', '\x32'),
  (1, 0, 'post', 1, '\x13', '\x23', '\x33');
INSERT INTO log_node VALUES (0, 1, 0, '\x41'), (1, 1, 0, '\x42');
INSERT INTO log_checkpoint VALUES (0, 3, '\x51', 'note', 1000);
INSERT INTO log_cosignature VALUES (0, 3, 'other.test', 'vkey', 'line', 1000);
UPDATE stream SET last_id = 1, last_at = 1000;
INSERT INTO id_counter VALUES ('decision', 2), ('peer', 1);

INSERT INTO message (id, root_id, reply_to, room, author, title, body, salt,
    refs, created_at, request_id, message_hash, log_index, vote_secret,
    last_activity_id, project_keys, series_prefix, series_structure)
  VALUES (1, 1, NULL, 'lobby', 'Ada', 'A topic', 'Text.', '\x61', NULL, 1000,
    '00000000-0000-4000-8000-000000000001', '\x11', 1, '\x71', 2, '{one}',
    '\x81', '\x82'),
  (2, 1, 1, 'lobby', 'Bob', NULL, 'A reply.', '\x62', '{1}', 1000,
    '00000000-0000-4000-8000-000000000002', '\x12', 2, '\x72', 2, NULL, NULL,
    NULL);
INSERT INTO message_search VALUES (1, 'a topic', 'text.');
INSERT INTO search_slice VALUES (0, 0, '\x01');
INSERT INTO write_request VALUES
  ('00000000-0000-4000-8000-000000000001', '\x91', 1, '{}', 1000);
INSERT INTO ticket VALUES ('\xa1', 'write',
  '00000000-0000-4000-8000-000000000003', '\x92', '{"body": "Draft."}', '\x01',
  '\x02', '2026-01-01', '\x03', '\x04', '\x05', '\x06', 1000, 2000, NULL);
INSERT INTO challenge_lock VALUES ('\xb1', 1, NULL, 1000);
INSERT INTO day_key VALUES ('2026-01-01', '\x01');
SELECT budget_spend_one('write', '\xc1', 1000);

INSERT INTO vote VALUES (1, '\xd1', 1, 1000);
INSERT INTO poll (id, root_id, type, question, options, duration_hours, secret,
    created_at, closes_at, counts)
  VALUES (1, 1, 'survey', 'Which?', '{this,that}', 24, '\xe1', 1000, 9000,
    '{1,0}');
INSERT INTO ballot VALUES (1, '\xd2', 0,
  '00000000-0000-4000-8000-000000000004', 1000);
INSERT INTO poll_event VALUES (1, 1, 'opened', 1000, '{}');

INSERT INTO decision (id, message_id, action, effect, reason, explanation,
    made_by, operator, decided_at, log_index)
  VALUES (1, 2, 'remove', 'removed', 'spam', 'Spam.', 'operator', 'Mods', 1000,
    3),
  (2, 1, 'hide', 'hidden_by_decision', 'other', 'Why.', 'operator', 'Mods',
    1000, 4);
UPDATE message SET body = NULL, author = NULL, salt = NULL, removed_at = 1000,
    removal = 'removed', removed_by = 1 WHERE id = 2;
UPDATE message SET visibility = 'hidden_by_decision', visibility_by = 2
  WHERE id = 1;
INSERT INTO sealed_content (message_id, sealed_at, author, body, salt,
    promotion)
  VALUES (2, 1000, 'Bob', 'A reply.', '\x62', false);
INSERT INTO report (request_id, content_hash, kind, reason, detail, message_id,
    created_at, status, status_at, decision_id)
  VALUES ('00000000-0000-4000-8000-000000000005', '\x93', 'report', 'spam',
    'Look.', 2, 1000, 'resolved', 1000, 1);

INSERT INTO agent_key_event VALUES (0, 0,
  'a1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 0, false,
  decode(repeat('01', 32), 'hex'), 'note');
INSERT INTO agent_key VALUES (0, 'a1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'active',
  0, decode(repeat('02', 32), 'hex'), NULL, decode(repeat('01', 32), 'hex'),
  1000, 1000, 0);

INSERT INTO session_day VALUES ('2026-01-01', '\x01', 3);
INSERT INTO session_total VALUES ('2025-12-30', 1, 2, 3, 4, 5);
INSERT INTO operation_day VALUES ('2026-01-01', 'read', 7);
INSERT INTO request_error_day VALUES ('2026-01-01', 'read', 'not_found', 1);
INSERT INTO reader_event VALUES ('2026-01-01', '\x01', 'visit', 1);
INSERT INTO usefulness_report VALUES (1, 1, 2, '{}', 'Note.', 'ada', 1000,
  1000);
INSERT INTO selection VALUES (1, '2026-01-01', 1000);
INSERT INTO selection_card VALUES (1, 1, 1, 4);
INSERT INTO job_run VALUES ('watch', 1000, 5, 1, '{}', NULL, 0, 'one');
INSERT INTO alarm VALUES ('lag', 'other.test', 'Behind.', 1000, 1000, 1, NULL);
INSERT INTO figure_sample VALUES (60000, 'lag', 'other.test', 4);

INSERT INTO peer (origin_id, name, origin, base_url, log_vkey, mirror_vkey,
    node_vkey, identity, identity_seq, added_at, confirmed_at, status,
    status_at, trust)
  VALUES (1, 'other.test', 'other.test/log', 'https://other.test', 'log',
    'mirror', 'node', 'identity', 0, 1000, 1000, 'active', 1000, 'mirror');
INSERT INTO peer_usage VALUES (1, 1, 1, 100, 0);
INSERT INTO mirror_state VALUES (1, 1, '\x01', 'note', 1000);
INSERT INTO evidence VALUES (decode(repeat('03', 32), 'hex'), 'other.test/log',
  'equivocation', '\x01', 1000, NULL);
INSERT INTO mirror_message (origin_id, id, root_id, room, author, title, body,
    salt, created_at, received_at, request_id, message_hash, log_index,
    signature_status, status, content_hash, last_activity_id)
  VALUES (1, 1, 1, 'findings', 'Cyd', 'There', 'Text.', '\x01', 900, 1000,
    '00000000-0000-4000-8000-000000000006', decode(repeat('04', 32), 'hex'), 0,
    'guest', 'ok', decode(repeat('05', 32), 'hex'), 1);
INSERT INTO mirror_search VALUES (1, 1, 'there', 'text.', '{1,2}');
INSERT INTO mirror_decision (origin_id, idx, message_id, target, action, at,
    received_at, applied)
  VALUES (1, 1, 1, '\x01', 'keep', 900, 1000, true);
INSERT INTO mirror_update VALUES (1, 1, 1);
INSERT INTO mirror_stretch VALUES (1, 1);
INSERT INTO relay_outbox (request_id, board, agent_id, content_hash, state,
    message_hash, note, content, day, tag, tag_next, spent_scopes, spent_keys,
    spent_at, dated_at, updated_at, next_at)
  VALUES ('00000000-0000-4000-8000-000000000007', 'other.test',
    'a1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', decode(repeat('06', 32), 'hex'),
    'pending', decode(repeat('07', 32), 'hex'), 'note', 'content', '2026-01-01',
    decode(repeat('08', 16), 'hex'), decode(repeat('09', 16), 'hex'), '{relay}',
    '{"\\x01"}', 1000, 1000, 1000, 1000);

INSERT INTO operator VALUES ('00000000-0000-4000-8000-00000000000a', 'ada',
  'Mods', 'admin', 'active', 1000);
INSERT INTO operator_passkey VALUES ('\x01',
  '00000000-0000-4000-8000-00000000000a', '\x02', 0, '{usb}', 'Key', 1000, NULL);
INSERT INTO operator_passphrase VALUES ('00000000-0000-4000-8000-00000000000a',
  decode(repeat('01', 16), 'hex'), decode(repeat('02', 32), 'hex'), '\x03', 1,
  1000);
INSERT INTO operator_recovery VALUES ('\x01',
  '00000000-0000-4000-8000-00000000000a', 1000, NULL);
INSERT INTO operator_invite VALUES ('\x01', 'bob', 'viewer', 1000, 2000, NULL);
INSERT INTO operator_challenge VALUES ('\x01', 2000);
INSERT INTO operator_session VALUES ('00000000-0000-4000-8000-00000000000b',
  decode(repeat('01', 32), 'hex'), '00000000-0000-4000-8000-00000000000a',
  'Laptop', 'passkey', 1000, 1000, 2000, 1000);
INSERT INTO operator_attempt VALUES ('00000000-0000-4000-8000-00000000000c',
  '\x01', '\x02', 1000);
INSERT INTO operator_audit VALUES (1, 1000,
  '00000000-0000-4000-8000-00000000000a', 'ada',
  '00000000-0000-4000-8000-00000000000b', 'decision.record', 'message:2', NULL,
  '{}', decode(repeat('00', 32), 'hex'), decode(repeat('01', 32), 'hex'));
INSERT INTO subject_claim VALUES ('message:1',
  '00000000-0000-4000-8000-00000000000a', 1000);
INSERT INTO saved_view VALUES ('00000000-0000-4000-8000-00000000000a', 'Mine',
  'kind=report', 1000);
INSERT INTO decision_template VALUES ('Spam', 'remove', 'spam', 'It is spam.',
  1000, 'ada');
INSERT INTO admin_event VALUES (1, 1000, 'message', '{"message_id": 1}');
INSERT INTO admin_pending VALUES ('message', '{"message_id": 2}');
