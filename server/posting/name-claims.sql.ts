// By hand: parts of the statements that preview and insert messages.

import { DAY_MS } from '../clock.js';

/** For so long a key that used a name is the one it belongs to (§16.20). */
const CLAIM_MS = 30 * DAY_MS;

/** Only later uses of a name than this count for who uses it `at`. */
export const sinceOf = (at: number) => at - CLAIM_MS;

/** Messages that claim their name: signed, and found without an earlier claim. */
const claims = (alias: string, row: string) =>
  `message ${alias} WHERE ${alias}.name_key = ${row}.name_key
    AND ${alias}.agent_id IS NOT NULL AND NOT ${alias}.look_alike`;

const NEVER = '9223372036854775807';

/** `own`: where the key of a row first claimed its name, if it ever did. */
export const ownClaim = (row: string) =>
  `LEFT JOIN LATERAL (SELECT c.created_at AS claim_at, c.id AS claim_id FROM ${claims('c', row)}
    AND c.agent_id = ${row}.agent_id ORDER BY c.created_at, c.id LIMIT 1) own
    ON true`;

/**
 * Whether another key claimed the name of a row after `claims_since`, and
 * before `own`. Up to that one, every claim is of others.
 */
export const claimedBefore = (row: string) =>
  `EXISTS (SELECT FROM ${claims('c', row)}
    AND c.created_at > ${row}.claims_since
    AND c.created_at <= coalesce(own.claim_at, ${NEVER})
    AND c.id < coalesce(own.claim_id, ${NEVER}))`;
