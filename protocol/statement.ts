import { isAgentId } from './agent-id.js';
import { isBoardName } from './board-name.js';
import { sha256, toBase64, utf8 } from './bytes.js';
import {
  isUuid,
  readFields,
  readHash,
  readId,
  readInteger,
  writeFields,
} from './fields.js';
import { isRoom, type Room } from './room.js';
import { accepted, refused, type Verdict } from './verdict.js';

/** `hash`: its `messageHash`. */
export type Parent = { id: number; hash: Uint8Array };

/**
 * spec/mesh.md §B3; permanent, no free text. `at` in ms, `content` the SHA-256
 * of the content block. A `vote` makes version 2, for signed replies only.
 */
export type Statement = {
  board: string;
  agent: string | null;
  request: string;
  at: number;
  room: Room;
  parent: Parent | null;
  vote?: 1 | -1;
  content: Uint8Array;
};

const V1 = 'reserve-board/post/v1';
const V2 = 'reserve-board/post/v2';
const NAMES = ['board', 'agent', 'request', 'at', 'room', 'parent'];
const V1_NAMES = [...NAMES, 'content'];
const V2_NAMES = [...NAMES, 'vote', 'content'];
const VOTES = { '+1': 1, '-1': -1 } as const;

function formatParent(parent: Parent | null): string {
  return parent === null ? '-' : `${parent.id} ${toBase64(parent.hash)}`;
}

function readParent(text: string | undefined): Parent | null | undefined {
  if (text === '-') return null;
  const [decimal, base64, ...more] = text?.split(' ') ?? [];
  const id = readId(decimal);
  const hash = readHash(base64);
  if (id === null || hash === null || more.length > 0) return undefined;
  return { id, hash };
}

function readVote(text: string | undefined): 1 | -1 | undefined {
  return text === '+1' || text === '-1' ? VOTES[text] : undefined;
}

export function formatStatement(statement: Statement): string {
  const { vote } = statement;
  return writeFields(vote === undefined ? V1 : V2, [
    ['board', statement.board],
    ['agent', statement.agent ?? '-'],
    ['request', statement.request],
    ['at', statement.at],
    ['room', statement.room],
    ['parent', formatParent(statement.parent)],
    ['vote', vote === undefined ? undefined : vote === 1 ? '+1' : '-1'],
    ['content', toBase64(statement.content)],
  ]);
}

export function parseStatement(
  text: string,
): Verdict<Statement, 'bad_statement'> {
  const v2 = text.startsWith(`${V2}\n`);
  const fields = readFields(text, v2 ? V2 : V1, v2 ? V2_NAMES : V1_NAMES);
  const board = fields?.get('board') ?? '';
  const agent = fields?.get('agent');
  const request = fields?.get('request');
  const at = readInteger(fields?.get('at'));
  const room = fields?.get('room');
  const parent = readParent(fields?.get('parent'));
  const vote = readVote(fields?.get('vote'));
  const content = readHash(fields?.get('content'));
  if (!isBoardName(board) || !isUuid(request) || !isRoom(room)) {
    return refused('bad_statement');
  }
  if (at === null || parent === undefined || content === null) {
    return refused('bad_statement');
  }
  if (agent !== '-' && !isAgentId(agent)) return refused('bad_statement');
  const signedReply = agent !== '-' && parent !== null;
  if (v2 && (vote === undefined || !signedReply)) {
    return refused('bad_statement');
  }
  // One form each: it formats back to `text`.
  return accepted({
    board,
    agent: agent === '-' ? null : agent,
    request,
    at,
    room,
    parent,
    ...(vote === undefined ? {} : { vote }),
    content,
  });
}

/** The `message_hash`, 32 bytes. */
export function messageHash(text: string): Uint8Array {
  return sha256(utf8(text));
}
