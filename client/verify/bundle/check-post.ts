import { toBase64, utf8 } from '../../../protocol/bytes.js';
import {
  type Content,
  contentHash,
  contentToJson,
} from '../../../protocol/content.js';
import type { PostEntry } from '../../../protocol/entry.js';
import { sha256 } from '../../../protocol/hash.js';
import { isLineOf } from '../../../protocol/note.js';
import type { Room } from '../../../protocol/room.js';
import { verifySignature } from '../../../protocol/signing.js';
import { contentOfLine } from './content-of-line.js';
import { addFault, type Faults } from './faults.js';
import { type KeyTable, keyAt } from './key-table.js';
import { messageLine } from './lines.js';
import { type LoggedPost, loggedPost } from './logged-post.js';

/** What the posts of other tiles have to fit to. Hashes are in base64. */
export type PostFacts = {
  index: number;
  id: number;
  root: number;
  room: Room;
  request: string;
  hash: string;
  parent: { id: number; hash: string } | null;
  poll: number | null;
  signed: boolean;
};

/** What is known of the whole log before its posts are checked. */
export type Known = {
  board: string;
  table: KeyTable;
  removed: ReadonlySet<number>;
};

function checkSignature(
  { agent, line, index }: LoggedPost,
  statement: Uint8Array,
  table: KeyTable,
  faults: Faults,
): void {
  if (agent === null) return;
  const vkey = keyAt(table, agent, index);
  const good =
    vkey !== null &&
    line !== null &&
    isLineOf(line, vkey) &&
    verifySignature(line.signature, statement, vkey.publicKey);
  if (!good) {
    const what = 'a post is not signed by the key its agent had then';
    addFault(faults, 'signature', index, what);
  }
}

/** The line says what the log says, with the text that was hashed. */
function checkLine(
  post: LoggedPost,
  hash: string,
  line: string | undefined,
  removed: ReadonlySet<number>,
  faults: Faults,
): void {
  const { index, entry } = post;
  const fault = (step: 'message' | 'content' | 'removal', what: string) =>
    addFault(faults, step, index, what);
  const content = contentOfLine(line);
  if (content === undefined) {
    fault('message', 'the message line is missing or not well formed');
  } else if (content === null && !removed.has(entry.id)) {
    fault('removal', 'a text is missing that no entry removed');
  } else if (content !== null && removed.has(entry.id)) {
    fault('removal', 'a text is there that the log removed');
  } else if (content !== null && !isLogged(content, post)) {
    fault('content', 'the text is not the one that was logged');
  } else if (
    line !== messageLine(post, hash, content && contentToJson(content))
  ) {
    fault('message', 'the message line differs from the log');
  }
}

function isLogged(content: Content, { content: logged, entry }: LoggedPost) {
  if ((content.poll === undefined) !== (entry.poll === undefined)) return false;
  return toBase64(contentHash(content)) === logged;
}

/** Checks one post by itself; its place among others is the caller's. */
export function checkPost(
  entry: PostEntry,
  index: number,
  line: string | undefined,
  { board, table, removed }: Known,
  faults: Faults,
): PostFacts {
  const post = loggedPost(entry, index);
  const { room, request, parent } = post;
  if (post.board !== board) {
    addFault(faults, 'entry', index, 'a post names another board');
  }
  const statement = utf8(post.text);
  const hash = toBase64(sha256(statement));
  checkSignature(post, statement, table, faults);
  checkLine(post, hash, line, removed, faults);
  return {
    index,
    id: entry.id,
    root: entry.root,
    room,
    request,
    hash,
    parent,
    poll: entry.poll ?? null,
    signed: post.agent !== null,
  };
}
