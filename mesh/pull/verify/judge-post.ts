import { equalBytes, sha256 } from '../../../protocol/bytes.js';
import { type Content, contentHash } from '../../../protocol/content.js';
import type { EmbeddedPost, PostEntry } from '../../../protocol/entry.js';
import type { FeedEntry } from '../../../protocol/feed-page.js';
import { type KeyChain, openReadPost } from '../../../protocol/key.js';
import type { Statement } from '../../../protocol/statement.js';
import type { MirrorStatus } from '../../../server/db/states.js';
import {
  type EntryFault,
  freshState,
  type Keeping,
  type KnownPost,
  type NewPost,
  type PageFacts,
} from './judged.js';

export type PostFacts = Pick<
  PageFacts,
  'board' | 'formerBelow' | 'keeping' | 'textRules' | 'verify'
> & {
  chainOf(agent: string): KeyChain | null;
  postOf(id: number): KnownPost | undefined;
  isRepeated(agent: string, request: string): boolean;
};

/** Everything but its id (spec/mesh.md §B7, step 5). */
export function judgePost(
  entry: PostEntry,
  post: EmbeddedPost,
  index: number,
  sent: FeedEntry['content'],
  facts: PostFacts,
): NewPost {
  const { statement, bytes } = post;
  const signed = judgeSignature(post, facts);
  const content = matching(sent, statement.content);
  const fault =
    (statement.board === facts.board ? null : 'wrong_board') ??
    signed.fault ??
    (isRepeated(post, facts) ? 'repeated_request' : null) ??
    judgePlace(entry, post, facts) ??
    judgeText(entry, post, content, facts);
  const status = statusOf(statement.agent, content, fault, facts.keeping);
  return {
    id: entry.id,
    rootId: entry.root,
    hash: sha256(bytes),
    agentId: statement.agent,
    pollId: entry.poll ?? null,
    state: freshState(status),
    index,
    replyTo: statement.parent?.id ?? null,
    answers: answered(statement, facts),
    room: statement.room,
    keySeq: signed.seq,
    request: statement.request,
    at: entry.at,
    via: entry.via,
    vote: statement.vote ?? null,
    voteResult: entry.voteResult ?? null,
    contentHash: statement.content,
    content: status === 'ok' ? content : null,
    fault,
  };
}

/** A wrong hash counts as missing. */
export function matching(
  sent: FeedEntry['content'],
  hash: Uint8Array,
): Content | null {
  if (sent === undefined || sent === null || sent === 'bad') return null;
  return equalBytes(contentHash(sent), hash) ? sent : null;
}

function judgeSignature(post: EmbeddedPost, { chainOf, verify }: PostFacts) {
  const { agent } = post.statement;
  if (agent === null) return { seq: null, fault: null };
  const opened = openReadPost(post, chainOf(agent), verify);
  return opened.ok
    ? { seq: opened.value.seq, fault: null }
    : { seq: null, fault: opened.reason };
}

/** Repeated requests do not count. */
function isRepeated({ statement }: EmbeddedPost, facts: PostFacts): boolean {
  const { agent, request } = statement;
  return agent !== null && facts.isRepeated(agent, request);
}

/** Parent's root and room: the board cannot move a reply. */
function judgePlace(
  entry: PostEntry,
  { statement: { parent, room } }: EmbeddedPost,
  { postOf, formerBelow = 0 }: PostFacts,
): EntryFault | null {
  if (parent === null) return null;
  const known = postOf(parent.id);
  if (known === undefined) {
    return parent.id >= formerBelow ? 'parent_unknown' : null;
  }
  if (!equalBytes(known.hash, parent.hash)) return 'parent_mismatch';
  if (known.rootId !== entry.root) return 'wrong_root';
  return known.room === room ? null : 'wrong_room';
}

/** As `enterMirrored` looks it up: not of a former generation. */
function answered({ agent, parent }: Statement, { postOf }: PostFacts) {
  const target = parent === null ? undefined : postOf(parent.id);
  if (target === undefined || target.originId !== undefined) return null;
  const isInvalid = target.state.status === 'invalid';
  return isInvalid || target.agentId === agent ? null : target.agentId;
}

function judgeText(
  entry: PostEntry,
  { statement }: EmbeddedPost,
  content: Content | null,
  { textRules }: PostFacts,
): EntryFault | null {
  if (content === null) return null;
  const isTopic = statement.parent === null;
  return textRules(content, { isTopic, hasPoll: entry.poll !== undefined });
}

function statusOf(
  agent: string | null,
  content: Content | null,
  fault: EntryFault | null,
  keeping: Keeping,
): MirrorStatus {
  if (fault !== null) return 'invalid';
  if (wantedText(agent, keeping) === 'bare') return 'bare';
  if (content === null) return 'missing';
  return keeping.keeps ? 'ok' : 'bare';
}

/** To be fetched, or never requested. */
export function wantedText(
  agent: string | null,
  { asked }: Keeping,
): 'missing' | 'bare' {
  if (asked === 'none') return 'bare';
  return agent === null && asked === 'signed' ? 'bare' : 'missing';
}
