import { parseAgentNote } from './agent-note.js';
import { utf8 } from './bytes.js';
import { readFields, readHash, readInteger } from './fields.js';
import { chainVkey, currentSeq, type KeyChain } from './key-chain.js';
import { isLineOf } from './note.js';
import { verifySignature } from './signing.js';

/** Signed by the author (spec/board.md §7): board, message hash, time in ms. */
export type RemovalRequest = { board: string; message: Uint8Array; at: number };

const HEADER = 'reserve-board/removal-request/v1';

/** From its header on, or null. */
export function removalRequestIn(detail: string): string | null {
  const start = detail.indexOf(`${HEADER}\n`);
  if (start < 0) return null;
  return `${detail.slice(start).trimEnd()}\n`;
}

/**
 * Signed by key `seq` of the agent or the current one. Null for others and for
 * revoked or conflicted keys.
 */
export function openRemovalRequest(
  raw: string,
  chain: KeyChain,
  seq: number,
): RemovalRequest | null {
  const note = parseAgentNote(raw);
  if (!note.ok || chain.status !== 'active') return null;
  const { text, line } = note.value;
  const isGood = [seq, currentSeq(chain)].some((one) => {
    const vkey = chainVkey(chain, one);
    if (vkey === null || !isLineOf(line, vkey)) return false;
    return verifySignature(line.signature, utf8(text), vkey.publicKey);
  });
  if (!isGood) return null;
  const fields = readFields(text, HEADER, ['board', 'message', 'at']);
  const board = fields?.get('board');
  const message = readHash(fields?.get('message'));
  const at = readInteger(fields?.get('at'));
  if (board === undefined || message === null || at === null) return null;
  return { board, message, at };
}
