import { fromBase64 } from '../protocol/bytes.js';
import { contentHash } from '../protocol/content.js';
import { readObject, readString } from '../protocol/json.js';
import {
  formatStatement,
  parseStatement,
  type Statement,
} from '../protocol/statement.js';
import type { WritePreview } from './answers.js';
import { ClientRefusal } from './failures.js';
import { contentOf, type PostInput } from './post-input.js';

/** How far a statement's `at` may be from this clock (spec/mesh.md §B3). */
const STATEMENT_MS = 900_000;

export type Signing = {
  /** As this client knows it, never from an answer. */
  board: string;
  agentId: string;
  requestId: string;
  now: number;
};

function mismatch(detail: string): ClientRefusal {
  return new ClientRefusal('statement_mismatch', detail);
}

/**
 * From the client's own words (spec/mesh.md §B3). Of the answer it takes `at`,
 * salt, parent's hash, a reply's room, and the parent only of a routed topic.
 * @throws ClientRefusal `clock` when `at` is over 900 s off; `unsigned` without
 *   anything to sign; `statement_mismatch` for another statement
 */
export function ownStatement(
  input: PostInput,
  preview: WritePreview,
  signing: Signing,
): string {
  const { signing: asked, content, routing } = preview;
  if (asked === undefined) {
    throw new ClientRefusal(
      'unsigned',
      'The board prepared an unsigned message although a key was named.',
    );
  }
  const text = readString(readObject(asked)?.statement) ?? '';
  const shown = parseStatement(text);
  const salt = fromBase64(readString(readObject(content)?.salt) ?? '', 16);
  if (!shown.ok || salt === null) {
    throw mismatch('The board shows a statement that is not well formed.');
  }
  const { at, parent, room } = shown.value;
  if (Math.abs(at - signing.now) > STATEMENT_MS) {
    throw new ClientRefusal(
      'clock',
      `The board dates this message ${Math.round((at - signing.now) / 1000)} s from this clock, more than 900 s; set the clock that is wrong.`,
    );
  }
  const replyTo = input.reply_to ?? routing?.target_id ?? null;
  const { vote } = input;
  const own: Statement = {
    board: signing.board,
    agent: signing.agentId,
    request: signing.requestId,
    at,
    room: replyTo === null ? (input.room ?? 'lobby') : room,
    parent:
      replyTo === null || parent === null
        ? null
        : { id: replyTo, hash: parent.hash },
    ...(vote === 1 || vote === -1 ? { vote } : {}),
    content: contentHash(contentOf(input, salt, replyTo === null)),
  };
  const signed = formatStatement(own);
  if (signed !== text) throw mismatch(difference(signed, text));
  return signed;
}

/** The first line that differs: field names, no text. */
function difference(own: string, shown: string): string {
  const theirs = shown.split('\n');
  const line = own.split('\n').find((one, at) => one !== theirs[at]) ?? '';
  const [field = 'end'] = line.split(' ');
  const hint =
    field === 'board'
      ? ' If you mean that board, give its name (boardName, --board-name).'
      : '';
  return `The board asks to sign another \`${field}\` than yours; nothing was signed.${hint}`;
}
