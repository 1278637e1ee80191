import { createHmac } from 'node:crypto';
import type { Tx } from '../../db/sql.js';
import { insertReports } from './file-report.js';

export type Match = {
  ruleId: string;
  messageId: number;
  /** The rule, never the message's text. */
  detail: string;
};

/**
 * One report of kind `watch` per rule and message (spec/operators.md §5.3),
 * without a budget.
 * @returns how many are new
 */
export async function fileMatches(
  tx: Tx,
  serverKey: Buffer,
  matches: readonly Match[],
  now: number,
): Promise<number> {
  if (matches.length === 0) return 0;
  const rows = matches.map(({ ruleId, messageId, detail }) => {
    const hash = createHmac('sha256', serverKey)
      .update(JSON.stringify(['watch/v1', ruleId, messageId]))
      .digest();
    return {
      requestId: uuidOf(hash),
      contentHash: hash,
      messageId,
      detail,
      ...({ kind: 'watch', reason: 'other', status: 'received' } as const),
      createdAt: now,
      statusAt: now,
    };
  });
  return await insertReports(tx, rows);
}

/** Version 8, which is for custom hashes. */
export function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
