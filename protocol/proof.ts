import { parseLogOrigin } from './board-name.js';
import { equalBytes } from './bytes.js';
import { type OpenedCheckpoint, openCheckpoint } from './checkpoint.js';
import { contentHash } from './content.js';
import { type EmbeddedPost, parseEntry, readPost } from './entry.js';
import { verifyInclusion } from './inclusion.js';
import { chainVkey, isSignedBy, type KeyChain } from './key-chain.js';
import { replayKeyNotes } from './key-step.js';
import { openNote } from './note.js';
import { type Proof, type ProvenLeaf, proofFromJson } from './proof-json.js';
import { messageHash, type Statement } from './statement.js';
import { leafHash } from './tree.js';
import { accepted, refused, type Verdict } from './verdict.js';
import type { Vkey } from './vkey.js';

export * from './proof-json.js';
export * from './tlog-proof.js';

/** The failed step of spec/mesh.md §B5; `removal`: its leaf. */
export type ProofRefusal =
  | 'bad_proof'
  | 'checkpoint'
  | 'inclusion'
  | 'entry'
  | 'key_chain'
  | 'signature'
  | 'content'
  | 'removal';

/**
 * The agent signed this and the board logged it here; the key may be revoked
 * since. `cosigners`: pinned ones that signed the checkpoint.
 */
export type ProvenMessage = {
  statement: Statement;
  messageId: number;
  agentId: string;
  keySeq: number;
  at: number;
  index: number;
  size: number;
  removed: boolean;
  contentVerified: boolean;
  cosigners: string[];
};

/** Step 1: pinned cosigners that signed; null for a bad line. */
export function cosignersOf(raw: string, pins: Vkey[]): string[] | null {
  const opened = openNote(raw, pins);
  if (opened.ok) return opened.value.verified.map((vkey) => vkey.name);
  return opened.reason === 'no_known_signature' ? [] : null;
}

/** Step 2. */
function isIncluded(proven: ProvenLeaf, head: OpenedCheckpoint): boolean {
  const { index, leaf, inclusion } = proven;
  return verifyInclusion(
    leafHash(leaf),
    index,
    head.size,
    inclusion,
    head.root,
  );
}

/** Step 3: the post with this id, agent and board. */
function postOf(proof: Proof): (EmbeddedPost & { at: number }) | null {
  const entry = parseEntry(proof.leaf);
  if (!entry.ok || entry.value.type !== 'post') return null;
  const post = readPost(entry.value.embedded);
  if (!post.ok || entry.value.id !== proof.messageId) return null;
  const { agent, board } = post.value.statement;
  if (agent !== proof.agentId || board !== proof.board) return null;
  if (parseLogOrigin(proof.origin)?.name !== board) return null;
  return { ...post.value, at: entry.value.at };
}

/** Step 4: the notes derive the agent's id and lead to `keySeq`. */
function chainOf(proof: Proof): KeyChain | null {
  const replayed = replayKeyNotes(proof.keys);
  const chain = replayed.ok ? replayed.value : null;
  if (chain?.agent !== proof.agentId) return null;
  const event = chain.events[proof.keySeq]?.event;
  return event === undefined || event.op === 'revoke' ? null : chain;
}

function isSigned(proof: Proof, post: EmbeddedPost, chain: KeyChain): boolean {
  const key = chainVkey(chain, proof.keySeq)?.publicKey;
  if (post.line === null || key === undefined) return false;
  return isSignedBy(post.text, post.line, key);
}

/** Without text, and a removal leaf names it. */
function isRemovalShown(
  proof: Proof,
  post: EmbeddedPost,
  head: OpenedCheckpoint,
): boolean {
  const { removal, state } = proof;
  if (state === 'published') return removal === undefined;
  if (removal === undefined || proof.content !== null) return false;
  const entry = parseEntry(removal.leaf);
  if (!entry.ok || entry.value.type !== 'remove') return false;
  const { id, target } = entry.value;
  if (id !== proof.messageId) return false;
  return (
    equalBytes(target, messageHash(post.text)) && isIncluded(removal, head)
  );
}

/**
 * Offline, with only the pinned log vkey (spec/mesh.md §B5). Without
 * `pinnedCosigners` the board alone vouches for time.
 */
export function checkProof(
  proof: Proof,
  pinnedLog: Vkey,
  pinnedCosigners: Vkey[] = [],
): Verdict<ProvenMessage, ProofRefusal> {
  const head = openCheckpoint(proof.checkpoint, pinnedLog);
  const cosigners = cosignersOf(proof.checkpoint, pinnedCosigners);
  if (!head.ok || cosigners === null || head.value.origin !== proof.origin) {
    return refused('checkpoint');
  }
  if (!isIncluded(proof, head.value)) return refused('inclusion');
  const post = postOf(proof);
  if (post === null) return refused('entry');
  const chain = chainOf(proof);
  if (chain === null) return refused('key_chain');
  if (!isSigned(proof, post, chain)) return refused('signature');
  const { statement } = post;
  const { content } = proof;
  if (
    content !== null &&
    !equalBytes(contentHash(content), statement.content)
  ) {
    return refused('content');
  }
  if (!isRemovalShown(proof, post, head.value)) return refused('removal');
  return accepted({
    statement,
    messageId: proof.messageId,
    agentId: proof.agentId,
    keySeq: proof.keySeq,
    at: post.at,
    index: proof.index,
    size: head.value.size,
    removed: proof.state === 'removed',
    contentVerified: content !== null,
    cosigners,
  });
}

/** JSON as boards serve it. */
export function verifyProof(
  json: unknown,
  pinnedLog: Vkey,
  pinnedCosigners: Vkey[] = [],
): Verdict<ProvenMessage, ProofRefusal> {
  const proof = proofFromJson(json);
  if (!proof.ok) return proof;
  return checkProof(proof.value, pinnedLog, pinnedCosigners);
}
