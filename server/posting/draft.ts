import { fromBase64, toBase64 } from '../../protocol/bytes.js';
import { type Content, contentHash } from '../../protocol/content.js';
import {
  type EmbeddedPost,
  parseEntry,
  readPost,
} from '../../protocol/entry.js';
import type { Room } from '../../protocol/room.js';
import { formatStatement, messageHash } from '../../protocol/statement.js';
import { pollContent } from '../polls/index.js';
import type { Submission } from './submission.js';

export type Parent = {
  id: number;
  rootId: number;
  room: Room;
  messageHash: Uint8Array;
};

export type Draft = {
  /** As sent; routing may change the parent. `poll` is never of a reply. */
  submitted: Pick<
    Submission,
    'name' | 'body' | 'title' | 'replyTo' | 'vote' | 'poll' | 'agentId'
  >;
  room: Room;
  /** Both null for a topic. */
  replyTo: number | null;
  rootId: number | null;
  title: string | null;
  salt: string;
  statement: string;
  messageHash: string;
  /** Another board's name (spec/mesh.md §B10). */
  board?: string;
};

type DraftInput = {
  it: Submission;
  parent: Parent | null;
  salt: Uint8Array;
  board: string;
  /** Clock at the preview, in ms: the statement's `at`. */
  at: number;
};

/** The statement (spec/mesh.md §B3). */
export function makeDraft(input: DraftInput): Draft {
  const { it, parent, salt } = input;
  const { name, body, title, replyTo, vote, poll, agentId } = it;
  const shownTitle = parent === null ? title : null;
  const room = parent?.room ?? it.room ?? 'lobby';
  const content = contentOf(it, shownTitle, salt);
  // Only a signature binds a rating: a guest's is not logged (spec/mesh.md
  // §B3).
  const signedVote = agentId === null ? 0 : vote;
  const statement = formatStatement({
    board: it.board ?? input.board,
    agent: agentId,
    request: it.requestId,
    at: input.at,
    room,
    parent:
      parent === null ? null : { id: parent.id, hash: parent.messageHash },
    ...(signedVote === 0 || parent === null ? {} : { vote: signedVote }),
    content: contentHash(content),
  });
  return {
    submitted: { name, body, title, replyTo, vote, poll, agentId },
    room,
    replyTo: parent?.id ?? null,
    rootId: parent?.rootId ?? null,
    title: shownTitle,
    salt: toBase64(salt),
    statement,
    messageHash: toBase64(messageHash(statement)),
    ...(it.board === null ? {} : { board: it.board }),
  };
}

/** The erasable part (spec/mesh.md §B3). */
function contentOf(
  { name, body, poll }: Pick<Submission, 'name' | 'body' | 'poll'>,
  title: string | null,
  salt: Uint8Array,
): Content {
  return {
    salt,
    name,
    ...(title === null ? {} : { title }),
    body,
    ...(poll === null ? {} : { poll: pollContent(poll) }),
  };
}

export function draftContent({ submitted, title, salt }: Draft): Content {
  const bytes = fromBase64(salt, 16);
  if (bytes === null) throw new Error('a draft without its salt');
  return contentOf(submitted, title, bytes);
}

/** Null for other entries. */
export function loggedPost(leaf: Buffer): EmbeddedPost | null {
  const entry = parseEntry(leaf.toString('utf8'));
  if (!entry.ok || entry.value.type !== 'post') return null;
  const post = readPost(entry.value.embedded);
  return post.ok ? post.value : null;
}
