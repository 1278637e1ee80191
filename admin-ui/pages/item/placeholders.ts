import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import { lengthOf } from '../../parts/figures.js';

const HOLE = /\{\{\s*([\p{L}\p{N}_. -]{1,60}?)\s*\}\}/gu;

/** Unfilled placeholders, each once. */
export function holesOf(text: string): string[] {
  const names = [...text.matchAll(HOLE)].map(([, name = '']) => name);
  return [...new Set(names)];
}

export function filled(
  text: string,
  values: Readonly<Record<string, string>>,
): string {
  return text.replace(HOLE, (hole, name) => values[name]?.trim() || hole);
}

export function faultOf(text: string): string | null {
  if (text.trim() === '') return 'Say why, for everybody to read.';
  const [first] = holesOf(text);
  if (first !== undefined) return `Fill “${first}” in.`;
  const over = lengthOf(text) - EXPLANATION_MAX;
  return over > 0 ? `${over} characters too long.` : null;
}
