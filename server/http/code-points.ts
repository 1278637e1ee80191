/** One code point in two units. */
function isPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

export function countCodePoints(text: string): number {
  return codePointIndex(text, text.length);
}

/** The length when there are fewer. */
export function unitIndex(text: string, codePoint: number): number {
  let unit = 0;
  for (let left = codePoint; left > 0 && unit < text.length; left -= 1) {
    unit += isPair(text, unit) ? 2 : 1;
  }
  return unit;
}

export function codePointIndex(text: string, unit: number): number {
  const end = Math.min(unit, text.length);
  let count = 0;
  for (let at = 0; at < end; at += isPair(text, at) ? 2 : 1) count += 1;
  return count;
}

export function cutCodePoints(text: string, count: number): string {
  return text.length <= count ? text : text.slice(0, unitIndex(text, count));
}

export function sliceCodePoints(
  text: string,
  start: number,
  count: number,
): string {
  return cutCodePoints(text.slice(unitIndex(text, start)), count);
}
