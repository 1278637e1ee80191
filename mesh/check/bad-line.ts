import { addressOf } from '../../protocol/address.js';
import { isAgentId } from '../../protocol/agent-id.js';
import { isBoardName } from '../../protocol/board-name.js';
import {
  readAnchor,
  readIdentityNote,
  readKeyNote,
  readPost,
} from '../../protocol/entry.js';
import {
  isUuid,
  readHash,
  readHashOrDash,
  readId,
  readInteger,
} from '../../protocol/fields.js';
import { parseSignatureLine } from '../../protocol/note.js';
import { isRoom } from '../../protocol/room.js';
import { parseVkey } from '../../protocol/vkey.js';

type Test = (text: string) => boolean;
const id: Test = (text) => readId(text) !== null;
const integer: Test = (text) => readInteger(text) !== null;
const hash: Test = (text) => readHash(text) !== null;
const hashOrDash: Test = (text) => readHashOrDash(text) !== undefined;
const vkey =
  (type: number): Test =>
  (text) => {
    const read = parseVkey(text);
    return read.ok && read.value.type === type;
  };

/** Of identities, key events and posts, and of their entries. */
const LINES: Record<string, Test> = {
  at: integer,
  seq: integer,
  id,
  root: id,
  room: isRoom,
  request: isUuid,
  content: hash,
  key: hash,
  next: hashOrDash,
  prev: hashOrDash,
  log: vkey(1),
  mirror: vkey(4),
  node: vkey(1),
  name: isBoardName,
  agent: (text) => text === '-' || isAgentId(text),
  board: isBoardName,
  via: (text) => text === '-' || isBoardName(text),
  url: (text) => addressOf(text) !== null,
};

const NEEDED: readonly (readonly [start: string, names: string])[] = [
  ['reserve-board/identity/v1\n', 'name url origin log mirror node seq at'],
  ['reserve-board/key/v1\n', 'agent op seq key next prev at'],
  ['reserve-board/post/v1\n', 'board agent request at room parent content'],
  ['reserve-board/entry/v1\ntype post\n', 'at id root via'],
];

const EMBEDDED = Object.entries({
  board: readIdentityNote,
  key: readKeyNote,
  post: readPost,
  anchor: readAnchor,
});

/** A guess at the line that made a parser refuse an entry or note, or ''. */
export function badLine(text: string): string {
  if (!text.endsWith('\n')) return ' (no LF at the end)';
  const lines = text.slice(0, -1).split('\n');
  for (const [start, names] of NEEDED) {
    if (!text.includes(start)) continue;
    const name = names.split(' ').find((it) => !text.includes(`\n${it} `));
    if (name !== undefined) return ` (no line \`${name}\`)`;
  }
  for (const line of lines) {
    const [name = '', ...value] = line.split(' ');
    const isRight = Object.hasOwn(LINES, name) ? LINES[name] : undefined;
    if (isRight?.(value.join(' ')) === false) return ` (line \`${name}\`)`;
    const isSignature = /^[-–—]/.test(line);
    if (isSignature && parseSignatureLine(`${line}\n`) === null) {
      return ' (signature line)';
    }
  }
  const embedded = text.slice(text.indexOf('\n\n') + 2);
  for (const [type, read] of EMBEDDED) {
    if (!text.includes(`\ntype ${type}\n`)) continue;
    const note = read(embedded);
    if (!note.ok && note.reason === 'bad_note') {
      return ' (its note needs other signature lines: §B4.2)';
    }
  }
  return '';
}
