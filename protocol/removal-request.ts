import { parseAgentNote } from './agent-note.js';
import { toBase64, utf8 } from './bytes.js';
import { readFields, readHash, readInteger, writeFields } from './fields.js';
import { chainVkey, currentSeq, type KeyChain } from './key-chain.js';
import { agentSigner } from './key-event.js';
import { isLineOf, signNote } from './note.js';
import { type KeyPair, verifySignature } from './signing.js';

/**
 * What the author of a signed message signs to ask for its removal
 * (spec/board.md §7): the board's name, the message's hash, and the time in ms.
 */
export type RemovalRequest = { board: string; message: Uint8Array; at: number };

const HEADER = 'reserve-board/removal-request/v1';

/** The note that a report has in its `detail`, by the agent's key. */
export function signRemovalRequest(
  { board, message, at }: RemovalRequest,
  agent: string,
  pair: KeyPair,
): string {
  const text = writeFields(HEADER, [
    ['board', board],
    ['message', toBase64(message)],
    ['at', at],
  ]);
  return signNote(text, [agentSigner(agent, pair)]);
}

/** The part of a text that may be such a note: from its header on. */
export function removalRequestIn(detail: string): string | null {
  const start = detail.indexOf(`${HEADER}\n`);
  if (start < 0) return null;
  return `${detail.slice(start).trimEnd()}\n`;
}

/**
 * Reads a note that the key `seq` of an agent, or its current one, signed. Null
 * for any other, and of a key that was revoked or has two histories.
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
