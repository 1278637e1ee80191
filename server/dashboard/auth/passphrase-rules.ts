import { z } from 'zod';
import { BoardError } from '../../errors.js';
import { COMMON } from './common-passphrases.js';

const MIN = 12;
const MAX = 256;
const DISTINCT_MIN = 5;
const RUN_MIN = 6;

/** A passphrase as it is typed; its quality is checked when it is new. */
export const typedPassphrase = z.string().max(MAX);

/** Letters and digits only, lower case, spaces and marks gone. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Pieces that stand in the list, taken away from either end. */
function withoutCommon(text: string): string {
  const rest = text.replace(/^\p{N}+|\p{N}+$/gu, '');
  if (COMMON.has(text) || COMMON.has(rest)) return '';
  for (let cut = rest.length - 1; cut >= 4; cut -= 1) {
    if (COMMON.has(rest.slice(0, cut))) return rest.slice(cut);
  }
  return rest;
}

/** `abcdefgh`, `87654321`: every letter next to the one before. */
function isRun(text: string): boolean {
  const points = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const steps = new Set(
    points.slice(1).map((point, n) => point - (points[n] ?? 0)),
  );
  const [step = 9] = steps;
  return text.length >= RUN_MIN && steps.size === 1 && Math.abs(step) <= 1;
}

/** `abcabcabc`: one short piece again and again. */
function isRepeated(text: string): boolean {
  return /^(.{1,6}?)\1{2,}.{0,5}$/su.test(text);
}

/** What is wrong with a new passphrase, as a sentence, or null. */
export function passphraseFault(
  passphrase: string,
  names: readonly string[],
): string | null {
  const length = [...passphrase.normalize('NFKC')].length;
  if (length < MIN)
    return `\`passphrase\` must have at least ${MIN} characters.`;
  const text = folded(passphrase);
  const left = names
    .map(folded)
    .filter((name) => name.length > 2)
    .reduce((rest, name) => rest.replaceAll(name, ''), text);
  const weak =
    new Set(text).size < DISTINCT_MIN ||
    withoutCommon(left).length < 4 ||
    isRun(text) ||
    isRepeated(text);
  return weak
    ? '`passphrase` is among those that are guessed first; choose one that others would not, such as five words that do not belong together.'
    : null;
}

/**
 * Refuses short and common passphrases (spec/operators.md §1.1).
 * @throws BoardError `invalid_input`
 */
export function checkNewPassphrase(
  passphrase: string,
  names: readonly string[],
): void {
  const fault = passphraseFault(passphrase, names);
  if (fault === null) return;
  throw new BoardError('invalid_input', fault, { field: 'passphrase' });
}
