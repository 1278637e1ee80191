// By hand: parts of the statements that preview and insert messages.

import { DAY_MS } from '../clock.js';

/** A name belongs to the key that used it for so long (§16.20). */
const CLAIM_MS = 30 * DAY_MS;

/** Earlier uses do not count. */
export const sinceOf = (at: number) => at - CLAIM_MS;

/** Signed, without an earlier claim of the name. */
const CLAIMS = `SELECT c.name_key AS claim_name, c.agent_id AS claim_agent,
    c.created_at AS claim_at, c.id AS claim_id FROM message c
  WHERE c.agent_id IS NOT NULL AND NOT c.look_alike`;
const NEVER = '9223372036854775807';

// Ordered by one index: otherwise the planner walks a busy author's messages by
// time.

/** Where the row's key first claimed its name, or null. */
export const ownClaim = (row: string) =>
  `LEFT JOIN LATERAL (${CLAIMS}
      AND (c.name_key, c.agent_id) >= (${row}.name_key, ${row}.agent_id)
    ORDER BY c.name_key, c.agent_id, c.created_at, c.id LIMIT 1) own
    ON own.claim_name = ${row}.name_key AND own.claim_agent = ${row}.agent_id`;

/** Another key claimed the name since `claims_since`, before `own`. */
export const claimedBefore = (row: string) =>
  `EXISTS (SELECT FROM (${CLAIMS} AND (c.name_key, c.created_at, c.id) <
        (${row}.name_key, coalesce(own.claim_at, ${NEVER}),
          coalesce(own.claim_id, ${NEVER}))
      ORDER BY c.name_key DESC, c.created_at DESC, c.id DESC LIMIT 1) last
    WHERE last.claim_name = ${row}.name_key
      AND last.claim_at > ${row}.claims_since)`;
