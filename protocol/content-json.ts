import { fromBase64, isWellFormed, toBase64 } from './bytes.js';
import {
  type Content,
  formatContentBlock,
  isPoll,
  type PollContent,
} from './content-block.js';
import { readCount, readList, readObject } from './json.js';
import { CONTENT_BYTES } from './limits.js';
import { accepted, refused, type Verdict } from './verdict.js';

/** With base64 salt, for feeds, envelopes and proofs (spec/mesh.md §B3). */
export type ContentJson = Omit<Content, 'salt'> & { salt: string };

export function contentToJson(content: Content): ContentJson {
  const { salt, name, title, body, poll } = content;
  return {
    salt: toBase64(salt),
    name,
    ...(title === undefined ? {} : { title }),
    body,
    ...(poll === undefined ? {} : { poll }),
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' && isWellFormed(value) ? value : null;
}

/** Undefined stays; a wrong value becomes null. */
function maybe<T>(value: unknown, read: (value: unknown) => T | null) {
  return value === undefined ? undefined : read(value);
}

/** More than a block needs without texts. */
const NAMES_BYTES = 128;
const POLL_KEYS = ['question', 'options', 'duration_hours', 'kind', 'summary'];

function readPoll(value: unknown): PollContent | null {
  const json = readObject(value, POLL_KEYS);
  const question = text(json?.question);
  const hours = readCount(json?.duration_hours);
  const options = maybe(json?.options, (list) => readList(list, 8, text));
  const kind = maybe(json?.kind, text);
  const summary = maybe(json?.summary, text);
  if (question === null || hours === null || options === null) return null;
  if (kind === null || summary === null) return null;
  const poll = {
    question,
    ...(options === undefined ? {} : { options }),
    duration_hours: hours,
    ...(kind === undefined ? {} : { kind }),
    ...(summary === undefined ? {} : { summary }),
  };
  return isPoll(poll) ? poll : null;
}

/** A UTF-16 unit is three bytes at most. */
function isShort({ name, title = '', body, poll }: Content): boolean {
  const units = name.length + title.length + body.length;
  return poll === undefined && 3 * units < CONTENT_BYTES - NAMES_BYTES;
}

/** Refuses unknown keys, ill-formed texts and blocks over 24 KiB. */
export function contentFromJson(
  value: unknown,
): Verdict<Content, 'bad_content'> {
  const json = readObject(value, ['salt', 'name', 'title', 'body', 'poll']);
  const salt =
    typeof json?.salt === 'string' ? fromBase64(json.salt, 16) : null;
  const name = text(json?.name);
  const title = maybe(json?.title, text);
  const body = text(json?.body);
  const poll = maybe(json?.poll, readPoll);
  if (salt === null || name === null || body === null) {
    return refused('bad_content');
  }
  if (title === null || poll === null) return refused('bad_content');
  const content = {
    salt,
    name,
    ...(title === undefined ? {} : { title }),
    body,
    ...(poll === undefined ? {} : { poll }),
  };
  return isShort(content) || formatContentBlock(content).length <= CONTENT_BYTES
    ? accepted(content)
    : refused('bad_content');
}
