import { fromUtf8, utf8, utf8Into, utf8Length } from './bytes.js';
import { readInteger } from './fields.js';

/**
 * A survey has 2..8 `options`; a proposal has `kind`, `summary` and fixed
 * options.
 */
export type PollContent = {
  question: string;
  options?: string[];
  duration_hours: number;
  kind?: string;
  summary?: string;
};

/**
 * The erasable part (spec/mesh.md §B3): `salt` 16 random bytes, texts as sent,
 * well formed, not normalised, with defaults.
 */
export type Content = {
  salt: Uint8Array;
  name: string;
  title?: string;
  body: string;
  poll?: PollContent;
};

const HEADER = 'reserve-board/content/v1\n';
const SALT_BYTES = 16;
/** Encoded once. */
const BEGIN = utf8(`${HEADER}salt ${SALT_BYTES}\n`);

function field(name: string, text: string): string {
  return `${name} ${utf8Length(text)}\n${text}\n`;
}

function pollFields(poll: PollContent): string {
  const { question, options = [], duration_hours, kind, summary } = poll;
  let text = field('poll-question', question);
  for (const option of options) text += field('poll-option', option);
  text += field('poll-hours', String(duration_hours));
  if (kind !== undefined) text += field('poll-kind', kind);
  return summary === undefined ? text : text + field('poll-summary', summary);
}

/**
 * Hashed as `content`: `name length`, LF, bytes, LF, in order (spec/mesh.md
 * §B3). Texts MUST be well formed.
 */
export function formatContentBlock(content: Content): Uint8Array {
  const { salt, name, title, body, poll } = content;
  let text = `\n${field('name', name)}`;
  if (title !== undefined) text += field('title', title);
  text += field('body', body);
  if (poll !== undefined) text += pollFields(poll);
  const begin =
    salt.length === SALT_BYTES ? BEGIN : utf8(`${HEADER}salt ${salt.length}\n`);
  const from = begin.length + salt.length;
  const block = new Uint8Array(from + utf8Length(text));
  block.set(begin);
  block.set(salt, begin.length);
  utf8Into(text, block.subarray(from));
  return block;
}

type Reader = {
  /** Undefined unless the next field has this name. */
  take(name: string): Uint8Array | undefined;
};

function reader(block: Uint8Array): Reader {
  let at = HEADER.length;
  return {
    take(name) {
      const end = block.indexOf(0x0a, at);
      const line = end < 0 ? null : fromUtf8(block.subarray(at, end));
      if (!line?.startsWith(`${name} `)) return undefined;
      const length = readInteger(line.slice(name.length + 1));
      if (length === null || end + 1 + length > block.length) return undefined;
      at = end + 2 + length;
      return block.slice(end + 1, end + 1 + length);
    },
  };
}

function takeText(fields: Reader, name: string): string | undefined {
  const bytes = fields.take(name);
  return bytes === undefined ? undefined : (fromUtf8(bytes) ?? undefined);
}

function takePoll(fields: Reader): PollContent | null | undefined {
  const question = takeText(fields, 'poll-question');
  if (question === undefined) return undefined;
  const options: string[] = [];
  for (let option = takeText(fields, 'poll-option'); option !== undefined; ) {
    options.push(option);
    option = takeText(fields, 'poll-option');
  }
  const hours = readInteger(takeText(fields, 'poll-hours'));
  const kind = takeText(fields, 'poll-kind');
  const summary = takeText(fields, 'poll-summary');
  const poll = {
    question,
    ...(options.length === 0 ? {} : { options }),
    duration_hours: hours ?? 0,
    ...(kind === undefined ? {} : { kind }),
    ...(summary === undefined ? {} : { summary }),
  };
  return hours !== null && isPoll(poll) ? poll : null;
}

export function isPoll(poll: PollContent): boolean {
  const { options, kind, summary } = poll;
  if (options === undefined) return kind !== undefined && summary !== undefined;
  const count = options.length;
  return kind === undefined && summary === undefined && count > 1 && count < 9;
}

/** The caller MUST compare the block formatted again. */
export function readContentBlock(block: Uint8Array): Content | null {
  const fields = reader(block);
  const salt = fields.take('salt');
  const name = takeText(fields, 'name');
  const title = takeText(fields, 'title');
  const body = takeText(fields, 'body');
  const poll = takePoll(fields);
  if (salt?.length !== SALT_BYTES || name === undefined) return null;
  if (body === undefined || poll === null) return null;
  return {
    salt,
    name,
    ...(title === undefined ? {} : { title }),
    body,
    ...(poll === undefined ? {} : { poll }),
  };
}
