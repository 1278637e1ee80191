import { fromBase64, utf8 } from '../../protocol/bytes.js';
import { notePost, type PostRefusal } from '../../protocol/key.js';
import { formatNote } from '../../protocol/note.js';
import { verifySignature } from '../../protocol/signing.js';
import { parseStatement } from '../../protocol/statement.js';
import { ED25519, makeVkey } from '../../protocol/vkey.js';
import type { Context } from '../context.js';
import { BoardError, type ErrorCode, invalid } from '../errors.js';
import {
  type KeyState,
  loadKeyChain,
  readKeyState,
} from '../ledger/key-state.js';
import { OWN_LOG } from '../ledger/own-log.sql.js';
import type { Draft } from './draft.js';
import type { Submission } from './submission.js';

export type Signing = { version: 1 | 2; statement: string; key_seq: number };

const V2 = 'reserve-board/post/v2\n';

/**
 * Null for guests. An accepted request_id needs any key: its ticket answers
 * with the receipt even after the key ended.
 * @throws BoardError `key_unknown`, `key_revoked`, `key_conflicted`
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

export type SignedNote = { note: string; seq: number };

/** How far a statement's `at` may be from the clock (spec/mesh.md §B3). */
const STATEMENT_MS = 900_000;

/**
 * Form, key state, `at`, signature (spec/board.md §5.1); null for a guest.
 * Under the lock only `keyRefusal` is checked again.
 * @throws BoardError 400 `unknown_field` (a guest's ticket), `invalid_input`,
 *   `stale_statement`; 403 `key_unknown`, `key_revoked`, `key_conflicted`,
 *   `key_superseded`, `signature_invalid`
 */
export async function signedNote(
  ctx: Pick<Context, 'writes'>,
  { submitted, statement }: Draft,
  base64: string | undefined,
  now: number,
): Promise<SignedNote | null> {
  const { agentId } = submitted;
  if (agentId === null) {
    if (base64 === undefined) return null;
    throw new BoardError(
      'unknown_field',
      'This ticket is a guest’s and takes no signature; leave it out, or preview with agent_id to sign.',
      { field: 'signature' },
    );
  }
  const signature = base64 === undefined ? null : fromBase64(base64, 64);
  if (signature === null) throw illFormed();
  const key = await readKeyState(ctx.writes, OWN_LOG, agentId);
  const refusal = keyRefusal(key, key?.seq ?? 0);
  if (key === null || refusal !== null) throw refusal;
  const drafted = parseStatement(statement);
  if (!drafted.ok) throw new Error('a draft without a statement');
  if (Math.abs(now - drafted.value.at) > STATEMENT_MS) {
    throw postRefusal('stale_statement', 'signature');
  }
  return await verifiedNote(ctx, key, statement, signature);
}

/** Null when key `seq` may sign. Asked again under the head lock. */
export function keyRefusal(
  key: Pick<KeyState, 'status' | 'seq'> | null,
  seq: number,
): BoardError | null {
  if (key === null) return postRefusal('key_unknown', 'signature');
  const ended = checkKeyStatus(key.status);
  const code = ended ?? (key.seq === seq ? null : 'key_superseded');
  return code === null ? null : postRefusal(code, 'signature');
}

/** Only a signature that fails needs the whole chain. */
async function verifiedNote(
  ctx: Pick<Context, 'writes'>,
  key: KeyState,
  text: string,
  signature: Uint8Array,
): Promise<SignedNote> {
  const { name, keyId } = makeVkey(key.agent, ED25519, key.publicKey);
  if (verifySignature(signature, utf8(text), key.publicKey)) {
    const signatures = [{ name, keyId, signature }];
    return { note: formatNote({ text, signatures }), seq: key.seq };
  }
  const chain = await loadKeyChain(ctx.writes, OWN_LOG, key.agent);
  const noted = notePost(text, signature, chain);
  if (noted.ok) return noted.value;
  throw postRefusal(noted.reason, 'signature');
}

function illFormed(): BoardError {
  return invalid(
    'signature',
    '`signature` must be the padded base64 of the 64 bytes that the agent’s current key makes over signing.statement.',
  );
}

type PostRefusalCode = PostRefusal | 'stale_statement';

/** Of both steps of signed messages (spec/mesh.md §B3). */
export const KEY_CODES: readonly ErrorCode[] = [
  'key_unknown',
  'key_revoked',
  'key_conflicted',
];

const DETAILS: Readonly<Record<PostRefusalCode, string>> = {
  bad_note: 'The statement of this ticket cannot be signed; preview it again.',
  bad_statement:
    'The statement of this ticket cannot be signed; preview it again.',
  key_unknown:
    "The board that takes this post knows no key of this agent_id; POST the key's register note to that board's /api/keys, or leave agent_id out to post as a guest.",
  key_revoked:
    'The key of this agent_id was revoked and signs no more messages; register a new identity or post as a guest.',
  key_conflicted:
    'Two events of one seq are on record for this agent_id, so it signs no more messages; register a new identity or post as a guest.',
  key_superseded:
    'The signature is by a former key of this agent; sign the same statement with the current one.',
  signature_invalid:
    "The signature does not verify under the agent's current key; sign exactly the bytes of signing.statement, its last line feed included.",
  stale_statement:
    'The time in the statement is more than 900 s from the clock of this board; preview the same content again with the same request_id and sign the new statement.',
};

function postRefusal(
  code: PostRefusalCode,
  field: 'agent_id' | 'signature',
): BoardError {
  return new BoardError(code, DETAILS[code], { field });
}

/** Null for a key that can sign. */
function checkKeyStatus(
  status: KeyState['status'],
): 'key_revoked' | 'key_conflicted' | null {
  return status === 'active' ? null : `key_${status}`;
}
