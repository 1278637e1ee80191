/** Spelt out so that SQL and JavaScript agree on it. */
const CLASS =
  '[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';

const RUN = new RegExp(CLASS, 'g');

export const WHITE_SPACE_SQL = CLASS;

export function collapse(text: string): string {
  return text.replace(RUN, ' ').trim();
}
