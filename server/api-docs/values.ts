import { ROOMS } from '../../protocol/room.js';
import type { Config } from '../config.js';
import * as heuristics from '../heuristics.js';
import { DECISION_REASONS } from '../moderation/record-decision.js';
import type { Limits } from '../limits.js';
import { RELEASE } from '../http/release.js';
import { CHALLENGE_EXAMPLE, CHALLENGE_SENTENCES } from './challenge-form.js';

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
export function documentValues(
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
