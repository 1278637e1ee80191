import { equalBytes, sha256, toBase64 } from '../../../protocol/bytes.js';
import {
  type Content,
  contentHash,
  contentToJson,
} from '../../../protocol/content.js';
import { isLineOf } from '../../../protocol/note.js';
import type { Room } from '../../../protocol/room.js';
import { verifySignature } from '../../../protocol/signing.js';
import { contentOfLine } from './content-of-line.js';
import { addFault, type Faults } from './faults.js';
import { type KeyTable, keyAt } from './key-table.js';
import { messageLine } from './lines.js';
import type { LoggedPost } from './logged-post.js';

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

function isSigned(
  { index, post: { statement, line } }: LoggedPost,
  text: Uint8Array,
  table: KeyTable,
): boolean {
  if (statement.agent === null) return true;
  const vkey = keyAt(table, statement.agent, index);
  if (vkey === null || line === null || !isLineOf(line, vkey)) return false;
  return verifySignature(line.signature, text, vkey.publicKey);
}

/** The line says what the log says, with the text that was hashed. */
function checkLine(
  logged: LoggedPost,
  hash: string,
  line: string | undefined,
  removed: ReadonlySet<number>,
  faults: Faults,
): void {
  const { index, entry } = logged;
  const content = contentOfLine(line);
  if (content === undefined) {
    const what = 'the message line is missing or not well formed';
    addFault(faults, 'message', index, what);
  } else if (content === null && !removed.has(entry.id)) {
    const what = 'a text is missing that no entry removed';
    addFault(faults, 'removal', index, what);
  } else if (content !== null && removed.has(entry.id)) {
    addFault(faults, 'removal', index, 'a text is there that the log removed');
  } else if (content !== null && !isLogged(content, logged)) {
    addFault(
      faults,
      'content',
      index,
      'the text is not the one that was logged',
    );
  } else if (
    line !== messageLine(logged, hash, content && contentToJson(content))
  ) {
    addFault(faults, 'message', index, 'the message line differs from the log');
  }
}

function isLogged(content: Content, { post, entry }: LoggedPost): boolean {
  if ((content.poll === undefined) !== (entry.poll === undefined)) return false;
  return equalBytes(contentHash(content), post.statement.content);
}

/**
 * Checks one post by itself; its place among others is the caller's. `text`
 * holds the bytes of its statement.
 */
export function checkPost(
  logged: LoggedPost,
  text: Uint8Array,
  line: string | undefined,
  { board, table, removed }: Known,
  faults: Faults,
): PostFacts {
  const { index, entry, post } = logged;
  const { statement } = post;
  const { agent, room, request, parent } = statement;
  if (statement.board !== board) {
    addFault(faults, 'entry', index, 'a post names another board');
  }
  if (!isSigned(logged, text, table)) {
    const what = 'a post is not signed by the key its agent had then';
    addFault(faults, 'signature', index, what);
  }
  const hash = toBase64(sha256(text));
  checkLine(logged, hash, line, removed, faults);
  return {
    index,
    id: entry.id,
    root: entry.root,
    room,
    request,
    hash,
    parent: parent && { id: parent.id, hash: toBase64(parent.hash) },
    poll: entry.poll ?? null,
    signed: agent !== null,
  };
}
