import { equalBytes, sha256, toBase64 } from '../../../protocol/bytes.js';
import {
  type Content,
  contentHash,
  contentToJson,
} from '../../../protocol/content.js';
import { isLineOf } from '../../../protocol/note.js';
import { verifySignature } from '../../../protocol/signing.js';
import { addFault, type FaultStep, type Faults } from './faults.js';
import { type KeyTable, keyAt } from './key-table.js';
import { contentOfLine, type LoggedPost, messageLine } from './lines.js';

/** For posts in other tiles. Hashes in base64. */
export type PostFacts = ReturnType<typeof checkPost>;

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

function lineFault(
  logged: LoggedPost,
  hash: string,
  line: string | undefined,
  removed: ReadonlySet<number>,
): [FaultStep, string] | null {
  const content = contentOfLine(line);
  if (content === undefined) {
    return ['message', 'the message line is missing or not well formed'];
  }
  const gone = removed.has(logged.entry.id);
  if (content === null && !gone) {
    return ['removal', 'a text is missing that no entry removed'];
  }
  if (content !== null && gone) {
    return ['removal', 'a text is there that the log removed'];
  }
  if (content !== null && !isLogged(content, logged)) {
    return ['content', 'the text is not the one that was logged'];
  }
  const own = messageLine(logged, hash, content && contentToJson(content));
  return line === own
    ? null
    : ['message', 'the message line differs from the log'];
}

function isLogged(content: Content, { post, entry }: LoggedPost): boolean {
  if ((content.poll === undefined) !== (entry.poll === undefined)) return false;
  return equalBytes(contentHash(content), post.statement.content);
}

/** Without its place; `text`: the statement's bytes. */
export function checkPost(
  logged: LoggedPost,
  text: Uint8Array,
  line: string | undefined,
  { board, table, removed }: Known,
  faults: Faults,
) {
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
  const [step, what] = lineFault(logged, hash, line, removed) ?? [];
  if (step && what) addFault(faults, step, index, what);
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
