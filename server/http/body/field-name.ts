const MAX_CODE_POINTS = 128;
const UNPRINTABLE = /[\p{Surrogate}\p{Cc}]/gu;

/**
 * The `field` of an error body: keys joined by dots, array positions left out
 * (`poll.options`, spec/board.md §15), always well-formed and never long.
 */
export function fieldName(path: readonly PropertyKey[]): string {
  const name = path
    .filter((part) => typeof part !== 'number')
    .map((part) => String(part))
    .join('.');
  const short = Array.from(name.slice(0, MAX_CODE_POINTS * 2))
    .slice(0, MAX_CODE_POINTS)
    .join('');
  return short.replace(UNPRINTABLE, '\ufffd');
}
