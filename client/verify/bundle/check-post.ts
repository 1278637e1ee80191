import { equalBytes, toBase64, utf8 } from '../../../protocol/bytes.js';
import { contentFromJson, contentHash } from '../../../protocol/content.js';
import {
  type EmbeddedPost,
  type PostEntry,
  readPost,
} from '../../../protocol/entry.js';
import { isLineOf } from '../../../protocol/note.js';
import type { Room } from '../../../protocol/room.js';
import { verifySignature } from '../../../protocol/signing.js';
import { messageHash } from '../../../protocol/statement.js';
import { addFault, type Faults } from './faults.js';
import { type KeyTable, keyAt } from './key-table.js';
import { type BundledPost, messageLine } from './lines.js';

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
  board: string;
  signed: boolean;
};

/** What is known of the whole log before its posts are checked. */
export type Known = { table: KeyTable; removed: ReadonlySet<number> };

function checkSignature(
  { statement, text, line }: EmbeddedPost,
  index: number,
  table: KeyTable,
  faults: Faults,
): void {
  if (statement.agent === null || line === null) return;
  const vkey = keyAt(table, statement.agent, index);
  const good =
    vkey !== null &&
    isLineOf(line, vkey) &&
    verifySignature(line.signature, utf8(text), vkey.publicKey);
  if (!good) {
    addFault(
      faults,
      'signature',
      index,
      'a post is not signed by the key its agent had then',
    );
  }
}

function contentOf(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'content' in value
      ? value.content
      : undefined;
  } catch {
    return undefined;
  }
}

/** The line says what the log says, with the text that was hashed. */
function checkLine(
  post: BundledPost,
  line: string | undefined,
  removed: ReadonlySet<number>,
  faults: Faults,
): void {
  const { index, entry, statement } = post;
  const fault = (step: 'message' | 'content' | 'removal', what: string) =>
    addFault(faults, step, index, what);
  const json = contentOf(line ?? '');
  if (json === null) {
    if (!removed.has(entry.id)) {
      fault('removal', 'a text is missing that no entry removed');
    } else if (line !== messageLine(post, null)) {
      fault('message', 'the message line differs from the log');
    }
    return;
  }
  const content = contentFromJson(json);
  if (!content.ok) {
    fault('message', 'the message line is missing or not well formed');
  } else if (removed.has(entry.id)) {
    fault('removal', 'a text is there that the log removed');
  } else if (!equalBytes(contentHash(content.value), statement.content)) {
    fault('content', 'the text is not the one that was logged');
  } else if (
    (content.value.poll === undefined) !==
    (entry.poll === undefined)
  ) {
    fault('content', 'the text and the log differ about a poll');
  } else if (line !== messageLine(post, content.value)) {
    fault('message', 'the message line differs from the log');
  }
}

/** Checks one post by itself; its place among others is the caller's. */
export function checkPost(
  entry: PostEntry,
  index: number,
  line: string | undefined,
  { table, removed }: Known,
  faults: Faults,
): PostFacts | null {
  const post = readPost(entry.embedded);
  if (!post.ok) return null; // parseEntry has read it before
  const { statement, text } = post.value;
  const { parent, room, request, board, agent } = statement;
  const hash = toBase64(messageHash(text));
  checkSignature(post.value, index, table, faults);
  checkLine(
    { index, entry, statement, messageHash: hash },
    line,
    removed,
    faults,
  );
  return {
    index,
    id: entry.id,
    root: entry.root,
    room,
    request,
    hash,
    parent: parent && { id: parent.id, hash: toBase64(parent.hash) },
    poll: entry.poll ?? null,
    board,
    signed: agent !== null,
  };
}
