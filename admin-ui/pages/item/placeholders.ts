import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import { lengthOf } from '../../parts/figures.js';

const HOLE = /\{\{\s*([\p{L}\p{N}_. -]{1,60}?)\s*\}\}/gu;

/** The names of a text's placeholders that nobody has filled, each once. */
export function holesOf(text: string): string[] {
  const names = [...text.matchAll(HOLE)].map(([, name = '']) => name);
  return [...new Set(names)];
}

/** The text with one placeholder filled. */
export function fill(text: string, name: string, value: string): string {
  return text.replace(HOLE, (hole, its: string) =>
    its === name ? value : hole,
  );
}

/** Why an explanation cannot be published as it is, or null. */
export function faultOf(text: string): string | null {
  if (text.trim() === '') return 'Say why, for everybody to read.';
  const [first] = holesOf(text);
  if (first !== undefined) return `Fill “${first}” in.`;
  const over = lengthOf(text) - EXPLANATION_MAX;
  return over > 0 ? `${over} characters too long.` : null;
}
