import { setImmediate as yieldLoop } from 'node:timers/promises';
import { And, LessThanOrEqual, MoreThanOrEqual } from 'typeorm';
import { DEFAULT_NAME, fold } from '../../../protocol/fold.js';
import { Message } from '../../db/entities/message.js';
import type { Sql } from '../../db/sql.js';
import { linksOf } from '../../search/index.js';
import type { RuleSaid } from './watch-rule.js';

const MINUTE_MS = 60_000;
/** Longest turn of the event loop, one rule excepted. */
const TURN_MS = 10;

export const WATCHED = {
  id: true,
  agentId: true,
  author: true,
  title: true,
  body: true,
  createdAt: true,
  score: true,
} as const;
export type Watched = Pick<Message, keyof typeof WATCHED>;

export type Matched = { message: Watched; rules: number[] };

/** In order of ids, with every rule. Removed messages match nothing. */
export async function matchPage(
  sql: Sql,
  rules: readonly RuleSaid[],
  messages: readonly Watched[],
): Promise<Matched[]> {
  const history = await readHistory(sql, rules, messages);
  const tests = rules.map((rule) => testOf(rule, history));
  const matched: Matched[] = [];
  let began = performance.now();
  for (const message of messages) {
    if (message.body === null) continue;
    const facts = new Facts(message);
    const found: number[] = [];
    for (const [place, test] of tests.entries()) {
      if (test(facts)) found.push(place);
      if (performance.now() - began < TURN_MS) continue;
      await yieldLoop();
      began = performance.now();
    }
    if (found.length > 0) matched.push({ message, rules: found });
  }
  return matched;
}

class Facts {
  private foldedText: string | null = null;
  private places: Uint8Array | null = null;
  private linkHosts: readonly string[] | null = null;
  private foldedName: string | null = null;

  constructor(readonly message: Watched) {}

  get text(): string {
    const { title, body } = this.message;
    this.foldedText ??= fold(`${title ?? ''}\n${body ?? ''}`);
    return this.foldedText;
  }

  get inWord(): Uint8Array {
    this.places ??= wordsIn(this.text);
    return this.places;
  }

  get hosts(): readonly string[] {
    this.linkHosts ??= [
      ...new Set(
        [...linksOf(this.message.body ?? '')].map(({ hostname }) => hostname),
      ),
    ];
    return this.linkHosts;
  }

  get name(): string {
    this.foldedName ??= fold(this.message.author ?? '');
    return this.foldedName;
  }
}

type Test = (facts: Facts) => boolean;

function testOf(rule: RuleSaid, history: History): Test {
  switch (rule.kind) {
    case 'words': {
      const terms = rule.terms.map((term) => fold(term.trim()));
      return (facts) => terms.some((term) => holds(facts, term));
    }
    case 'hosts':
      return ({ hosts }) =>
        hosts.some((host) =>
          rule.hosts.some((it) => host === it || host.endsWith(`.${it}`)),
        );
    case 'names': {
      const names = new Set(rule.names.map(fold));
      return ({ name }) => names.has(name);
    }
    case 'keys': {
      const keys = new Set(rule.keys);
      return ({ message }) => keys.has(message.agentId ?? '');
    }
    case 'score':
      return ({ message }) => message.score <= rule.at_most;
    case 'rate':
      return ({ message }) =>
        history.count(message, rule.of, rule.minutes) === rule.messages;
  }
}

/** Without scripts that do not separate words. */
const WORDS =
  /(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{N}])+/gu;

/** 1 where a word is. */
function wordsIn(text: string): Uint8Array {
  const inWord = new Uint8Array(text.length);
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    inWord.fill(1, index, index + word.length);
  }
  return inWord;
}

/** As a whole word. Each place is read once. */
function holds({ text, inWord }: Facts, term: string): boolean {
  const goesOn = (at: number) => inWord[at - 1] === 1 && inWord[at] === 1;
  let at = text.indexOf(term);
  while (at >= 0) {
    if (!goesOn(at) && !goesOn(at + term.length)) return true;
    let next = at + 1;
    while (goesOn(next)) next += 1;
    at = text.indexOf(term, next);
  }
  return false;
}

/** Ascending. */
type Series = { ids: number[]; times: number[] };

class History {
  private readonly series = new Map<string, Series>();

  add(author: string | null, id: number, at: number): void {
    for (const whose of author === null ? [ALL] : [ALL, author]) {
      const known = this.series.get(whose) ?? { ids: [], times: [] };
      known.ids.push(id);
      known.times.push(at);
      this.series.set(whose, known);
    }
  }

  /** In the minutes before and with the message. */
  count(message: Watched, of: 'author' | 'board', minutes: number): number {
    const whose = of === 'board' ? ALL : authorOf(message);
    const series = whose === null ? undefined : this.series.get(whose);
    if (series === undefined) return 0;
    const before = message.createdAt - minutes * MINUTE_MS;
    return (
      placeAfter(series.ids, message.id) - placeAfter(series.times, before)
    );
  }
}

const ALL = '';

/** Null for unnamed guests. */
function authorOf({
  agentId,
  author,
}: Pick<Watched, 'agentId' | 'author'>): string | null {
  if (agentId !== null) return agentId;
  if (author === null || author === DEFAULT_NAME) return null;
  return `guest ${fold(author)}`;
}

function placeAfter(ascending: readonly number[], bound: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** With the hour before, for rules that count. */
async function readHistory(
  { manager }: Sql,
  rules: readonly RuleSaid[],
  messages: readonly Watched[],
): Promise<History> {
  const history = new History();
  const minutes = rules.map((rule) =>
    rule.kind === 'rate' ? rule.minutes : 0,
  );
  const longest = Math.max(0, ...minutes);
  const [first] = messages;
  const last = messages.at(-1);
  if (longest === 0 || first === undefined || last === undefined) {
    return history;
  }
  const since = MoreThanOrEqual(first.createdAt - longest * MINUTE_MS);
  const rows = await manager.find(Message, {
    select: { id: true, agentId: true, author: true, createdAt: true },
    where: { createdAt: And(since, LessThanOrEqual(last.createdAt)) },
    order: { id: 'ASC' },
  });
  for (const row of rows) history.add(authorOf(row), row.id, row.createdAt);
  return history;
}
