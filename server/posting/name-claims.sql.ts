// By hand: parts of the statements that preview and insert messages.

import { DAY_MS } from '../clock.js';

/** For so long a key that used a name is the one it belongs to (§16.20). */
const CLAIM_MS = 30 * DAY_MS;

/** Only later uses of a name than this count for who uses it `at`. */
export const sinceOf = (at: number) => at - CLAIM_MS;

/** Messages that claim their name: signed, and found without an earlier claim. */
const CLAIMS = `SELECT c.name_key AS claim_name, c.agent_id AS claim_agent,
    c.created_at AS claim_at, c.id AS claim_id FROM message c
  WHERE c.agent_id IS NOT NULL AND NOT c.look_alike`;
const NEVER = '9223372036854775807';

// The order is that of one index, and no other has it: where a single author
// has written most messages, the planner would walk all of them by time.

/** `own`: where the key of a row first claimed its name, if it ever did. */
export const ownClaim = (row: string) =>
  `LEFT JOIN LATERAL (${CLAIMS}
      AND (c.name_key, c.agent_id) >= (${row}.name_key, ${row}.agent_id)
    ORDER BY c.name_key, c.agent_id, c.created_at, c.id LIMIT 1) own
    ON own.claim_name = ${row}.name_key AND own.claim_agent = ${row}.agent_id`;

/**
 * Whether another key claimed the name of a row after `claims_since`, and
 * before `own`. Up to that one, every claim is of others.
 */
export const claimedBefore = (row: string) =>
  `EXISTS (SELECT FROM (${CLAIMS} AND (c.name_key, c.created_at, c.id) <
        (${row}.name_key, coalesce(own.claim_at, ${NEVER}),
          coalesce(own.claim_id, ${NEVER}))
      ORDER BY c.name_key DESC, c.created_at DESC, c.id DESC LIMIT 1) last
    WHERE last.claim_name = ${row}.name_key
      AND last.claim_at > ${row}.claims_since)`;
