import { seenParts } from '../invisible-characters.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Text for a page: escaped, and what cannot be seen shown by its number. */
export function shownText(text: string): string {
  return seenParts(text)
    .map((part) =>
      part.text === undefined
        ? `<span class="unseen">${part.mark}</span>`
        : escapeHtml(part.text),
    )
    .join('');
}
