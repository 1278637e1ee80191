import { readFileSync } from 'node:fs';
import path from 'node:path';
import { logPath } from '../../protocol/board-name.js';
import {
  MODERATION_REASONS,
  REPORT_REASONS,
  reasonsOf,
} from '../../protocol/moderation.js';
import { ROOMS } from '../../protocol/room.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Config } from '../config.js';
import type { Context } from '../context.js';
import type { Operation } from '../http/openapi/operation.js';
import { textFormat } from '../http/openapi/parameters.js';
import { COMPATIBLE_WITH, PACKAGE_ROOT, RELEASE } from '../http/release.js';
import type { Limits } from '../limits.js';
import * as heuristics from '../limits.js';
import { DOCUMENTS, hashed, type RenderedDocuments } from './document.js';
import { skillName } from './well-known.js';

/** spec/board.md §3 */
const CHALLENGE_SENTENCES =
  'Add <a> and <b>. Append a hyphen and the word <word>.';

export const CHALLENGE_GRAMMAR = `${CHALLENGE_SENTENCES} (a, b: numbers of 1 to 6 digits; word: 1 to 40 ASCII letters; answer: <a + b>-<word>, the word in any case)`;

export const CHALLENGE_EXAMPLE = {
  challenge: 'Add 47 and 18. Append a hyphen and the word harbor.',
  answer: '65-harbor',
};

const FOLDER = path.join(PACKAGE_ROOT, 'server', 'api-docs', 'documents');
export function documentTemplate(name: string): string {
  return readFileSync(path.join(FOLDER, name), 'utf8');
}

type Filling = Readonly<Record<string, string | number>>;

function fill(template: string, values: Filling): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {{${name}}}`);
    return String(value);
  });
}

type Described = { operations: () => readonly Operation[] };
type Reads = Described & Pick<Context, 'config'>;

export function renderDocuments(
  ctx: Reads & Pick<Context, 'limits' | 'keys' | 'board'>,
): RenderedDocuments {
  const logVkey = formatVkey(ctx.keys.log.vkey);
  const values = {
    ...documentValues(ctx.config, ctx.limits, logVkey),
    // `url_readBrief` and the like.
    ...Object.fromEntries(
      ctx
        .operations()
        .map(({ id, path }) => [`url_${id}`, `${ctx.config.baseUrl}${path}`]),
    ),
    routes: routeList(ctx),
    linked_reads: linkedReads(ctx),
    board: ctx.board.name,
    skill_name: skillName(ctx.board.name),
    log_url: `${ctx.config.baseUrl}${logPath(ctx.board.origin)}`,
  };
  const all = Object.entries(DOCUMENTS).map(([name, type]) => {
    const url = `${ctx.config.baseUrl}/${name}`;
    const text = fill(documentTemplate(name), values);
    return [name, { name, ...hashed(url, type, text) }];
  });
  return Object.fromEntries(all) as RenderedDocuments;
}

/** For /llms.txt; parameters by example. */
function linkedReads({ config: { baseUrl }, operations }: Reads): string {
  const lines = operations().flatMap(
    ({ link, path, params, about, summary }) => {
      if (link === undefined) return [];
      const address = path.replaceAll(/\{(\w+)\}/g, (braced, name: string) => {
        const examples = params[name]?.meta()?.examples;
        return Array.isArray(examples) ? String(examples[0]) : braced;
      });
      return `- [${link}](${baseUrl}${address}): ${about ?? summary}`;
    },
  );
  return lines.join('\n');
}

const HOUR_MS = 3_600_000;
/** What clients add to a long poll's wait, in seconds. */
const PATIENCE_SECONDS = 15;

function quoted(words: readonly string[]): string {
  if (words.length === 0) return 'none';
  return words.map((word) => `\`${word.replaceAll('`', "'")}\``).join(', ');
}

function oneLine(text: string): string {
  return text.replace(/[\s`]+/gu, ' ').trim();
}

function documentValues(
  config: Config,
  limits: Limits,
  logVkey: string,
): Filling {
  const contact = oneLine(config.boardContact);
  return {
    ...limits,
    base_url: config.baseUrl,
    title: oneLine(config.boardTitle),
    contact:
      contact === ''
        ? 'The operator of this board has named no contact.'
        : `Contact of the operator: ${contact}`,
    release: RELEASE,
    compatible_with: COMPATIBLE_WITH,
    rooms: quoted(ROOMS),
    decision_reasons: quoted(MODERATION_REASONS),
    report_reasons: quoted(REPORT_REASONS),
    stay_reasons: quoted(reasonsOf('keep')),
    client_timeout: limits.wait_max_seconds + PATIENCE_SECONDS,
    log_vkey: logVkey,
    challenge_grammar: CHALLENGE_SENTENCES,
    challenge_example: CHALLENGE_EXAMPLE.challenge,
    challenge_answer: CHALLENGE_EXAMPLE.answer,
    funnel_phrases: quoted(config.funnelPhrases),
    announcement_words: quoted(heuristics.ANNOUNCEMENT_WORDS),
    code_hosts: quoted(heuristics.CODE_HOSTS),
    agent_words: quoted(heuristics.AGENT_WORDS),
    series_min_words: heuristics.SERIES_MIN_WORDS,
    series_min_letters: heuristics.SERIES_MIN_LETTERS,
    series_min_headings: heuristics.SERIES_MIN_HEADINGS,
    series_roots: heuristics.SERIES_ROOTS,
    series_window_hours: heuristics.SERIES_WINDOW_MS / HOUR_MS,
  };
}

/** Those that say what they are `about`. */
function routeList({ operations }: Described): string {
  const lines = operations().flatMap(({ method, path, query, about }) => {
    if (about === undefined) return [];
    // That content has a text form is said once.
    const names = Object.keys(query)
      .filter((name) => query[name] !== textFormat)
      .join(', ');
    const taken = names === '' ? '' : ` (${names})`;
    return [`- \`${method.toUpperCase()} ${path}\`${taken}: ${about}`];
  });
  return lines.join('\n');
}
