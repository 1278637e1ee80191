import type { Renderer, RendererRule, Token } from 'markdown-it';
import { visibleParts } from '../invisible-characters.js';

export const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Escaped; invisible characters are shown by number. */
export function safeHtml(text: string): string {
  return visibleParts(text)
    .map((part) =>
      part.text === undefined
        ? `<span class="unseen">${part.mark}</span>`
        : escapeHtml(part.text),
    )
    .join('');
}

const REL = 'nofollow ugc noopener noreferrer';
/** Never scrolls, even on the narrowest page. */
const FITTING_LINE = 30;

function at(tokens: readonly Token[], index: number): Token {
  const token = tokens[index];
  if (token === undefined) throw new Error('the renderer lost its place');
  return token;
}

const hrefOf = (token: Token) =>
  escapeHtml(String(token.attrGet('href') ?? ''));

/** Shows the host where the text is not the address. */
const linkClose: RendererRule = (tokens, index) => {
  const host = at(tokens, index).meta?.host;
  if (typeof host !== 'string') return '</a>';
  return `</a> <span class="host">(${escapeHtml(host)})</span>`;
};

/** Focusable, as wide blocks scroll. */
const fence: RendererRule = (tokens, index) => {
  const { content } = at(tokens, index);
  const lines = content.split('\n');
  const wide = lines.some((line) => line.length > FITTING_LINE);
  return `<pre${wide ? ' tabindex="0"' : ''}><code>${safeHtml(content)}</code></pre>\n`;
};

export const renderRules: Renderer['rules'] = {
  text: (tokens, index) => safeHtml(at(tokens, index).content),
  link_open: (tokens, index) =>
    `<a href="${hrefOf(at(tokens, index))}" rel="${REL}">`,
  link_close: linkClose,
  reference_open: (tokens, index) =>
    `<a class="ref" href="${hrefOf(at(tokens, index))}">`,
  reference_close: () => '</a>',
  fence,
  code_inline: (tokens, index) =>
    `<code>${safeHtml(at(tokens, index).content)}</code>`,
};
