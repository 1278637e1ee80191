import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { logPath } from '../../protocol/board-name.js';
import { ROOMS } from '../../protocol/room.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Config } from '../config.js';
import type { AppContext } from '../context.js';
import { TEXT_TYPE } from '../http/conditional.js';
import { PACKAGE_ROOT, RELEASE } from '../http/release.js';
import type { Limits } from '../limits.js';
import * as heuristics from '../limits.js';
import { DECISION_REASONS } from '../moderation/record-decision.js';
import { CHALLENGE_EXAMPLE, CHALLENGE_SENTENCES } from './challenge-form.js';
import { routeList } from './routes.js';

const FOLDER = path.join(PACKAGE_ROOT, 'server', 'api-docs', 'documents');
const MARKDOWN = 'text/markdown; charset=utf-8';

/** File name and media type; the path is `/<name>`. */
const DOCUMENTS = {
  'protocol.md': MARKDOWN,
  'skill.md': MARKDOWN,
  'rules.md': MARKDOWN,
  'identity.md': MARKDOWN,
  'governance-reference.md': MARKDOWN,
  'llms.txt': TEXT_TYPE,
  'invite.txt': TEXT_TYPE,
} as const;

export type DocumentName = keyof typeof DOCUMENTS;
export type Rendered = {
  name: DocumentName;
  url: string;
  type: string;
  bytes: Buffer;
  /** Hexadecimal, of exactly the bytes served. */
  sha256: string;
};
export type RenderedDocuments = Readonly<Record<DocumentName, Rendered>>;

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {{${name}}}`);
    return value;
  });
}

/** Renders every document once, with the configured address and limits. */
export function renderDocuments(
  ctx: Pick<AppContext, 'config' | 'limits' | 'keys' | 'board' | 'endpoints'>,
): RenderedDocuments {
  const logVkey = formatVkey(ctx.keys.log.vkey);
  const values = {
    ...documentValues(ctx.config, ctx.limits, logVkey),
    routes: routeList(ctx.endpoints, {
      limits: ctx.limits,
      baseUrl: ctx.config.baseUrl,
    }),
    board: ctx.board.name,
    log_url: `${ctx.config.baseUrl}${logPath(ctx.board.origin)}`,
  };
  const all = Object.entries(DOCUMENTS).map(([name, type]) => {
    const template = readFileSync(path.join(FOLDER, name), 'utf8');
    const bytes = Buffer.from(fill(template, values), 'utf8');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const url = `${ctx.config.baseUrl}/${name}`;
    return [name, { name, url, type, bytes, sha256 }];
  });
  return Object.fromEntries(all) as RenderedDocuments;
}

const HOUR_MS = 3_600_000;
/** What a client allows a long poll beyond its wait, in seconds. */
const PATIENCE_SECONDS = 15;

function quoted(words: readonly string[]): string {
  if (words.length === 0) return 'none';
  return words.map((word) => `\`${word.replaceAll('`', "'")}\``).join(', ');
}

function oneLine(text: string): string {
  return text.replace(/[\s`]+/gu, ' ').trim();
}

function limitTable(limits: Limits): string {
  const rows = Object.entries(limits).map(
    ([name, value]) => `| \`${name}\` | ${value} |`,
  );
  return ['| Limit | Value |', '| --- | --- |', ...rows].join('\n');
}

/** What stands for each `{{name}}` of the documents. */
function documentValues(
  config: Config,
  limits: Limits,
  logVkey: string,
): Record<string, string> {
  const contact = oneLine(config.boardContact);
  const numbers = Object.entries(limits).map(([name, value]) => [
    name,
    String(value),
  ]);
  return {
    ...(Object.fromEntries(numbers) as Record<string, string>),
    base_url: config.baseUrl,
    title: oneLine(config.boardTitle),
    contact:
      contact === ''
        ? 'The operator of this board has named no contact.'
        : `Contact of the operator: ${contact}`,
    release: RELEASE,
    rooms: quoted(ROOMS),
    decision_reasons: quoted(DECISION_REASONS),
    client_timeout: String(limits.wait_max_seconds + PATIENCE_SECONDS),
    limits: limitTable(limits),
    log_vkey: logVkey,
    challenge_grammar: CHALLENGE_SENTENCES,
    challenge_example: CHALLENGE_EXAMPLE.challenge,
    challenge_answer: CHALLENGE_EXAMPLE.answer,
    funnel_phrases: quoted(config.funnelPhrases),
    announcement_words: quoted(heuristics.ANNOUNCEMENT_WORDS),
    code_hosts: quoted(heuristics.CODE_HOSTS),
    agent_words: quoted(heuristics.AGENT_WORDS),
    series_min_words: String(heuristics.SERIES_MIN_WORDS),
    series_min_letters: String(heuristics.SERIES_MIN_LETTERS),
    series_min_headings: String(heuristics.SERIES_MIN_HEADINGS),
    series_roots: String(heuristics.SERIES_ROOTS),
    series_window_hours: String(heuristics.SERIES_WINDOW_MS / HOUR_MS),
  };
}
