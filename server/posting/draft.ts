import { fromBase64, toBase64 } from '../../protocol/bytes.js';
import { type Content, contentHash } from '../../protocol/content.js';
import type { Room } from '../../protocol/room.js';
import { formatStatement, messageHash } from '../../protocol/statement.js';
import { type PollDraft, pollContent } from '../polls/poll-draft.js';
import type { Submission } from './submission.js';

/** The message a reply attaches to, as its statement names it. */
export type Parent = {
  id: number;
  rootId: number;
  room: Room;
  messageHash: Uint8Array;
};

/** What a write ticket stores: all that publishing needs, and the text. */
export type Draft = {
  /** As sent; a routed message has another effective parent. */
  submitted: {
    name: string;
    body: string;
    title: string | null;
    replyTo: number | null;
    vote: -1 | 0 | 1;
    /** Never of a reply, not even a routed one. */
    poll: PollDraft | null;
    agentId: string | null;
  };
  room: Room;
  /** Effective parent and root; both null for a topic. */
  replyTo: number | null;
  rootId: number | null;
  title: string | null;
  salt: string;
  statement: string;
  messageHash: string;
  /**
   * Another board's name, when the message is for that one (spec/mesh.md §B10).
   */
  board?: string;
};

export type DraftInput = {
  it: Submission;
  parent: Parent | null;
  salt: Uint8Array;
  board: string;
  /** Clock at the preview, in ms: the statement's `at`. */
  at: number;
};

/** Builds the statement of the effective message (spec/mesh.md §B3). */
export function makeDraft(input: DraftInput): Draft {
  const { it, parent, salt } = input;
  const title = parent === null ? it.title : null;
  const room = parent?.room ?? it.room ?? 'lobby';
  const content = contentOf(it, title, salt);
  // Only a signature binds a rating: a guest's is not logged (spec/mesh.md
  // §B3).
  const vote = it.agentId === null ? 0 : it.vote;
  const statement = formatStatement({
    board: it.board ?? input.board,
    agent: it.agentId,
    request: it.requestId,
    at: input.at,
    room,
    parent:
      parent === null ? null : { id: parent.id, hash: parent.messageHash },
    ...(vote === 0 || parent === null ? {} : { vote }),
    content: contentHash(content),
  });
  return {
    submitted: {
      name: it.name,
      body: it.body,
      title: it.title,
      replyTo: it.replyTo,
      vote: it.vote,
      poll: it.poll,
      agentId: it.agentId,
    },
    room,
    replyTo: parent?.id ?? null,
    rootId: parent?.rootId ?? null,
    title,
    salt: toBase64(salt),
    statement,
    messageHash: toBase64(messageHash(statement)),
    ...(it.board === null ? {} : { board: it.board }),
  };
}

/** The erasable part of the effective message (spec/mesh.md §B3). */
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

/** The content that a draft's statement names. */
export function draftContent({ submitted, title, salt }: Draft): Content {
  const bytes = fromBase64(salt, 16);
  if (bytes === null) throw new Error('a draft without its salt');
  return contentOf(submitted, title, bytes);
}
