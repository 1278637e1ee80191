import { createHmac } from 'node:crypto';
import { fromBase64 } from '../../protocol/bytes.js';
import type { Room } from '../../protocol/room.js';
import { BoardError } from '../errors.js';
import { DEFAULT_NAME, type PreviewRequest } from './preview-request.js';

/** What a client asks to publish, with the defaults filled in. */
export type Submission = {
  requestId: string;
  body: string;
  name: string;
  /** Topics only. */
  title: string | null;
  /** Topics only; a reply inherits its parent's. */
  room: Room | null;
  replyTo: number | null;
  vote: -1 | 0 | 1;
  agentId: string | null;
  salt: Uint8Array | null;
};

/**
 * Fills in defaults and checks what concerns several fields at once.
 * @throws BoardError as decisions §4.5 and mesh.md B3 say.
 */
export function submissionOf(
  request: PreviewRequest,
  board: string,
): Submission {
  const replyTo = request.reply_to ?? null;
  const isTopic = replyTo === null;
  if (isTopic && request.title === undefined) {
    throw invalid('title', 'A new topic needs a title of 1 to 180 characters.');
  }
  if (isTopic && request.vote) {
    throw invalid(
      'vote',
      'A vote rates the message in `reply_to`; leave it out or set it to 0 on a new topic.',
    );
  }
  checkBoard(request, board);
  return {
    requestId: request.request_id,
    body: request.body,
    name: request.name ?? DEFAULT_NAME,
    title: isTopic ? (request.title ?? null) : null,
    room: isTopic ? (request.room ?? 'lobby') : null,
    replyTo,
    vote: request.vote ?? 0,
    agentId: request.agent_id ?? null,
    salt: saltOf(request.salt),
  };
}

function checkBoard(request: PreviewRequest, board: string): void {
  if (request.board === undefined || request.board === board) return;
  if (request.agent_id === undefined) {
    throw invalid(
      'board',
      'Only signed messages can be posted to another board; add agent_id or leave board out.',
    );
  }
  throw new BoardError(
    'unknown_board',
    'This node does not mirror a board of that name; post on that board itself.',
    { field: 'board' },
  );
}

function saltOf(text: string | undefined): Uint8Array | null {
  if (text === undefined) return null;
  const salt = fromBase64(text, 16);
  if (salt !== null) return salt;
  throw new BoardError(
    'bad_content',
    'salt must be the padded base64 of exactly 16 random bytes; leave it out to have one drawn.',
    { field: 'salt' },
  );
}

function invalid(field: string, detail: string): BoardError {
  return new BoardError('invalid_input', detail, { field });
}

/**
 * What "same content" means (decisions §4.4): all that the client sent, with
 * defaults; not routing, salt, times or network. Kept only as a keyed hash.
 */
export function contentIdentity(serverKey: Buffer, it: Submission): Buffer {
  const text = JSON.stringify([
    'content/v1',
    it.body,
    it.name,
    it.title,
    it.room,
    it.replyTo,
    it.vote,
    null, // poll
    it.agentId,
    null, // board: another one is not posted to from here
  ]);
  return createHmac('sha256', serverKey).update(text).digest();
}
