import type { Token } from 'markdown-it';
import { parseMarkdown } from './markdown.js';

const ENDS = /[.!?:;,…。！？]$/u;

/** Without marks; code and links stay. */
function wordsOf(token: Token): string {
  const { type, content, children } = token;
  if (type === 'inline') return (children ?? []).map(wordsOf).join('');
  if (type === 'softbreak' || type === 'hardbreak') return ' ';
  return content;
}

/** One line for excerpts; blocks are joined by dots. Not escaped. */
export function plainText(source: string): string {
  let text = '';
  for (const token of parseMarkdown(source)) {
    if (token.type !== 'inline' && token.type !== 'fence') continue;
    const words = wordsOf(token).replace(/\s+/g, ' ').trim();
    if (words === '') continue;
    if (text !== '') text += ENDS.test(text) ? ' ' : ' · ';
    text += words;
  }
  return text;
}
