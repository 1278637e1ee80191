/** A run of backticks that is longer than any in the text, at least three. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const run of text.match(/`+/g) ?? []) {
    longest = Math.max(longest, run.length);
  }
  return '`'.repeat(longest + 1);
}

/**
 * A text between two lines that it cannot forge. Whoever reads takes the line
 * before the text and everything up to the next line that equals it.
 */
export function fenced(text: string): string {
  const fence = fenceFor(text);
  return `${fence}\n${text}\n${fence}\n`;
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * JSON on one line whatever a program takes for a line end, with invisible
 * and direction-changing characters as escapes: for labels around fences.
 */
export function oneLineJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (character) => {
    let escapes = '';
    for (let unit = 0; unit < character.length; unit += 1) {
      const code = character.charCodeAt(unit).toString(16).padStart(4, '0');
      escapes += `\\u${code}`;
    }
    return escapes;
  });
}
