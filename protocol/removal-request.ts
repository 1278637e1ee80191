import { parseAgentNote } from './agent-note.js';
import { toBase64, utf8 } from './bytes.js';
import { readFields, readHash, readInteger, writeFields } from './fields.js';
import { chainVkey, currentSeq, type KeyChain } from './key-chain.js';
import { isLineOf, type Signer, signNote } from './note.js';
import { verifySignature } from './signing.js';

/** Signed by the author (spec/board.md §7): board, message hash, time in ms. */
export type RemovalRequest = { board: string; message: Uint8Array; at: number };

const HEADER = 'reserve-board/removal-request/v1';

/** By an author's key, or by the node key of a board that passes a report on. */
export function signRemovalRequest(
  { board, message, at }: RemovalRequest,
  signer: Signer,
): string {
  const hash = toBase64(message);
  const fields = [
    ['board', board],
    ['message', hash],
    ['at', at],
  ] as const;
  return signNote(writeFields(HEADER, fields), [signer]);
}

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
  return readRemovalRequest(text);
}

/** What was signed; null for another text. */
export function readRemovalRequest(text: string): RemovalRequest | null {
  const fields = readFields(text, HEADER, ['board', 'message', 'at']);
  const board = fields?.get('board');
  const message = readHash(fields?.get('message'));
  const at = readInteger(fields?.get('at'));
  if (board === undefined || message === null || at === null) return null;
  return { board, message, at };
}
