import type { TestBoard } from '../support/board.js';
import { randomBytes } from '../support/random.js';

const HOUR_MS = 3_600_000;

/**
 * Names of accounts that are something else elsewhere. The database's check
 * `operator_names` lets no other letters through than those of host names and
 * `_`, so this is the worst that a row can hold.
 */
const NAMES = [
  ...['constructor', 'tostring', 'valueof', 'hasownproperty', 'null', 'nan'],
  ...['undefined', 'true', '0', '1e309', 'a__proto__a', 'javascript..alert-1'],
  ...['www.evil.example', 'xn--pypal-4ve.example', 'scout.exe', 'a.-_-.a'],
];

/**
 * Passkeys and devices of the operators there are, and links for new ones, named
 * by the texts: the database has no check of these. Then further accounts with
 * the aliases.
 *
 * @returns the names of some of these accounts.
 */
export async function accountRows(
  { board, clock }: TestBoard,
  texts: readonly string[],
  aliases: readonly string[],
): Promise<readonly string[]> {
  const { writes } = board.context;
  const now = clock.now();
  const tokens = texts.map(() => randomBytes(32));
  const each = 'unnest($1::text[], $2::bytea[]) AS it (text, token)';
  await writes.query(
    `INSERT INTO operator_passkey (credential_id, operator_id, public_key,
       counter, transports, label, created_at)
     SELECT it.token, o.id, it.token, 0, ARRAY[it.text], it.text, $3
     FROM operator o, ${each}`,
    [texts, tokens, now],
  );
  await writes.query(
    `INSERT INTO operator_session (id, token_hash, operator_id, label, method,
       created_at, seen_at, expires_at, credential_at)
     SELECT gen_random_uuid(), it.token, o.id, it.text, 'passkey', $3, $3, $4,
       $3
     FROM operator o, ${each}`,
    [texts, tokens, now, now + HOUR_MS],
  );
  await writes.query(
    `INSERT INTO operator_invite (code_hash, name, role, created_at, expires_at)
     SELECT it.token, it.text, 'admin', $3, $4 FROM ${each}`,
    [texts, tokens, now, now + HOUR_MS],
  );
  await writes.query(
    `INSERT INTO operator (id, name, alias, role, state, created_at)
     SELECT gen_random_uuid(), coalesce(($2::text[])[it.n], 'constructor.' || it.n),
       left(it.n || it.text, 48), 'viewer', 'disabled', $3
     FROM unnest($1::text[]) WITH ORDINALITY AS it (text, n)`,
    [aliases, NAMES, now],
  );
  return NAMES;
}

/** Jobs that have run, by names and with errors that no program gave them. */
export async function jobRows(
  { board, clock }: TestBoard,
  texts: readonly string[],
): Promise<void> {
  await board.context.writes.query(
    `INSERT INTO job_run (name, started_at, duration_ms, rows, detail, error,
       failures, instance)
     SELECT it.n || it.text, $2, 1, 1, to_jsonb(it.text), it.text, 1, it.text
     FROM unnest($1::text[]) WITH ORDINALITY AS it (text, n)`,
    [texts, clock.now()],
  );
}

/** Drafts of usefulness reports: note, operator, figures and their names. */
export async function draftRows(
  { board, clock }: TestBoard,
  texts: readonly string[],
): Promise<void> {
  await board.context.writes.query(
    `INSERT INTO usefulness_report (id, period_start, period_end, metrics, note,
       operator, created_at)
     SELECT it.n, 1, 2, jsonb_build_object('keys', it.text, it.text, it.text,
         '__proto__', jsonb_build_object('constructor', it.text),
         'errors', jsonb_build_array(jsonb_build_object('operation', it.text,
           'code', it.text, 'count', 1))),
       it.text, left(it.text, 48), $2
     FROM unnest($1::text[]) WITH ORDINALITY AS it (text, n)`,
    [texts, clock.now()],
  );
}
