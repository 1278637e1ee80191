import fc from 'fast-check';
import { cpuTime } from '../../support/cpu-time.js';

/** An expression with a loop in a loop takes ages for one of these. */
const SHORT = Array.from({ length: 17 }, (_, n) => 16 + 2 * n);
const AGES_MS = 30;
const SCREENED = 1000;
const SUSPECTS = 6;
const SEED = 7;
/** Whether it repeats anything: without that it is never slow. */
export function repeats({ source }: RegExp): boolean {
  return /[*+{]/.test(source.replace(/\\[pPu]\{|\\[*+{]/g, ''));
}

/** What a match might stumble over in the end. */
const ENDS = ['', '\0', '\n!'];
const BEYOND_ASCII = ['é', 'ß', 'İ', '\u0301', '\u200b', '\u202e', '中', '👩'];

/** `tried` texts, of which one of `length` took the longest. */
export type Worst = { ms: number; length: number; unit: string; tried: number };

/** Characters, pieces of the pattern and texts that match it. */
function unitsOf(regex: RegExp, matching: readonly string[]): string[] {
  const { source } = regex;
  const words = source.match(/[A-Za-z0-9]{2,}/g) ?? [];
  const signs = [...new Set(source.replace(/[\\[\](){}?*+^$|]/g, ''))];
  const pairs = signs.slice(0, 6).flatMap((a, n) => {
    return signs.slice(n + 1, 6).map((b) => `${a}${b}`);
  });
  return [
    ...new Set([
      ...signs.slice(0, 20),
      ...['a', 'A', 'z', '1', '_', '-', '.', '/', ':', '"', "'", '\\', '<'],
      ...['[', '(', ')', ']', '*', '+', '=', '&', '#', '%', ',', ';', '|'],
      ...[' ', '\n', '\t', '\r\n', '\u00a0', ...BEYOND_ASCII],
      ...['a ', ' a', 'a.', 'aA', 'a1', 'a\n', '](', '\\"'],
      ...words.slice(0, 10),
      ...pairs,
      ...matching,
    ]),
  ];
}

function matchesOf(regex: RegExp): string[] {
  if (/\[\^|\\[pP]/.test(regex.source)) return [];
  try {
    const texts = fc.stringMatching(new RegExp(regex.source, 'u'), {
      size: 'xsmall',
    });
    return fc
      .sample(texts, { numRuns: 4, seed: SEED })
      .map((text) => text.slice(0, 40))
      .filter((text) => text !== '');
  } catch {
    return []; // looks behind, or the like
  }
}

function run(regex: RegExp, text: string): void {
  regex.lastIndex = 0;
  if (regex.global) text.replace(regex, '');
  else regex.exec(text);
}

const pumped = (unit: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/**
 * The longest that an expression takes for a text of at most `length`
 * characters that was made to be slow: beginnings, repetitions and ends from
 * its own pattern, screened at some length, the worst of them grown. It stops
 * where `enough` ms are reached, for there is no end to some.
 */
export function worstOf(regex: RegExp, length: number, enough: number): Worst {
  let tried = 0;
  const screened: { ms: number; unit: string; make: Make }[] = [];
  const matching = matchesOf(regex);
  const starts = ['', ...matching.slice(0, 1)];
  for (const unit of unitsOf(regex, matching)) {
    for (const end of ENDS) {
      for (const start of starts) {
        const make: Make = (most) =>
          `${start}${pumped(unit, Math.max(0, most - start.length - 1))}${end}`;
        for (const most of SHORT) {
          const short = () => run(regex, make(most));
          if (elapsed(short) < AGES_MS || cpuTime(short) < AGES_MS) continue;
          return { ms: Number.POSITIVE_INFINITY, length: most, unit, tried };
        }
        tried += 1;
        const text = make(Math.min(SCREENED, length));
        screened.push({ ms: elapsed(() => run(regex, text)), unit, make });
      }
    }
  }
  screened.sort((a, b) => b.ms - a.ms);
  let worst: Worst = { ms: 0, length: 0, unit: '', tried };
  for (const { unit, make } of screened.slice(0, SUSPECTS)) {
    for (let most = Math.min(SCREENED, length); ; most *= 2) {
      const size = Math.min(most, length);
      const text = make(size);
      const work = () => run(regex, text);
      const first = elapsed(work);
      const ms = first > enough ? cpuTime(work) : first;
      if (ms > worst.ms) worst = { ms, length: size, unit, tried };
      if (ms > enough || size === length) break;
    }
    if (worst.ms > enough) break;
  }
  return worst;
}

type Make = (length: number) => string;

function elapsed(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
