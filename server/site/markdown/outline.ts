import type { StateCore } from 'markdown-it';

const FIRST = 3;
const LAST = 6;

/**
 * Outermost blocks take their direction from their own words; what they hold
 * follows, so that markers and bars stand on the right side.
 */
const DIRECTED = new Set([
  'paragraph_open',
  'heading_open',
  'bullet_list_open',
  'ordered_list_open',
  'blockquote_open',
]);

/**
 * Puts a body's headings below the page's own: the outermost become h3, and
 * none is more than one level below the heading before it.
 */
export function outline(state: StateCore): void {
  const above: number[] = [];
  let tag = '';
  for (const token of state.tokens) {
    if (token.level === 0 && DIRECTED.has(token.type)) {
      token.attrPush(['dir', 'auto']);
    }
    if (token.type === 'heading_open') {
      const level = Number(token.tag.slice(1));
      while ((above.at(-1) ?? 0) >= level) above.pop();
      above.push(level);
      tag = `h${Math.min(FIRST + above.length - 1, LAST)}`;
    }
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = tag;
    }
  }
}
