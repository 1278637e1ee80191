import { utf8, utf8Into, utf8Length } from './bytes.js';

/** 2..8 `options` of a survey; `kind` and `summary` of a proposal. */
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

export function isPoll(poll: PollContent): boolean {
  const { options, kind, summary } = poll;
  if (options === undefined) return kind !== undefined && summary !== undefined;
  const count = options.length;
  return kind === undefined && summary === undefined && count > 1 && count < 9;
}
