import type { Context } from '../context.js';
import { type KeyState, readKeyState } from '../ledger/key-state.js';
import { OWN_LOG } from '../ledger/nodes.js';
import { checkKeyStatus, postRefusal } from './post-refusal.js';
import type { Submission } from './submission.js';

/** What a signed preview asks to be signed (spec/mesh.md §B3, Flow). */
export type Signing = { version: 1 | 2; statement: string; key_seq: number };

const V2 = 'reserve-board/post/v2\n';

/**
 * The key that is to sign a submission, null for a guest's. An accepted
 * request_id asks only that there is one: its ticket answers with the receipt,
 * also after the key has ended.
 * @throws BoardError `key_unknown`, `key_revoked`, `key_conflicted`.
 */
export async function signingKey(
  ctx: Context,
  { agentId }: Submission,
  isAccepted: boolean,
): Promise<KeyState | null> {
  if (agentId === null) return null;
  const key = await readKeyState(ctx.writes, OWN_LOG, agentId);
  if (key === null) throw postRefusal('key_unknown', 'agent_id');
  const ended = isAccepted ? null : checkKeyStatus(key.status);
  if (ended !== null) throw postRefusal(ended, 'agent_id');
  return key;
}

export function signingOf(
  statement: string,
  key: KeyState | null,
): Signing | null {
  if (key === null) return null;
  const version = statement.startsWith(V2) ? 2 : 1;
  return { version, statement, key_seq: key.seq };
}
