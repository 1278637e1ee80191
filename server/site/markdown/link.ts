import type { StateInline } from 'markdown-it';
import { type WebAddress, webAddress } from './address.js';

const OPENING = 0x5b; // [
const BANG = 0x21;
const LESS = 0x3c;

/** `(destination "title")` from `at` on, in the inline form only. */
function targetAt(
  state: StateInline,
  at: number,
): { end: number; destination: string } | null {
  const { src, posMax, md } = state;
  if (src[at] !== '(') return null;
  let pos = skipBlank(src, at + 1, posMax);
  const found = md.helpers.parseLinkDestination(src, pos, posMax);
  if (!found.ok) return null;
  pos = skipBlank(src, found.pos, posMax);
  if (pos > found.pos) {
    const title = md.helpers.parseLinkTitle(src, pos, posMax);
    if (title.ok) pos = skipBlank(src, title.pos, posMax);
  }
  if (pos >= posMax || src[pos] !== ')') return null;
  return { end: pos + 1, destination: found.str };
}

function skipBlank(src: string, from: number, max: number): number {
  let at = from;
  while (at < max && /[ \t\n]/.test(src[at] ?? '')) at += 1;
  return at;
}

/** Opens and closes an anchor around what `inside` pushes. */
export function pushLink(
  state: StateInline,
  address: WebAddress,
  text: string,
  inside: () => void,
): void {
  const open = state.push('link_open', 'a', 1);
  open.attrs = [['href', address.href]];
  state.linkLevel += 1;
  inside();
  state.linkLevel -= 1;
  const close = state.push('link_close', 'a', -1);
  if (!address.plain(text)) close.meta = { host: address.host };
}

/** `[text](address)`. Any other scheme leaves the source as it is. */
export function link(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== OPENING) return false;
  const start = state.pos + 1;
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (labelEnd < 0) return false;
  const target = targetAt(state, labelEnd + 1);
  const address = target === null ? null : webAddress(target.destination);
  if (target === null || address === null) return false;
  if (!silent) {
    const { posMax } = state;
    const label = state.src.slice(start, labelEnd);
    state.pos = start;
    state.posMax = labelEnd;
    pushLink(state, address, label, () => {
      if (label.trim() === '') pushText(state, address.href);
      else state.md.inline.tokenize(state);
    });
    state.posMax = posMax;
  }
  state.pos = target.end;
  return true;
}

/** Images are never fetched: their source stands where they would. */
export function image(state: StateInline, silent: boolean): boolean {
  const { src, pos: start } = state;
  if (src.charCodeAt(start) !== BANG) return false;
  if (src.charCodeAt(start + 1) !== OPENING) return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, start + 1, false);
  if (labelEnd < 0) return false;
  const target = targetAt(state, labelEnd + 1);
  if (target === null) return false;
  if (!silent) pushText(state, src.slice(start, target.end));
  state.pos = target.end;
  return true;
}

/** `<https://…>`. */
export function autolink(state: StateInline, silent: boolean): boolean {
  const { src, pos: start, posMax } = state;
  if (src.charCodeAt(start) !== LESS || state.linkLevel > 0) return false;
  const end = tagEnd(src, start, posMax);
  if (end < 0) return false;
  const text = src.slice(start + 1, end);
  const address = /\s/.test(text) ? null : webAddress(text);
  if (address === null) return false;
  if (!silent) {
    pushLink(state, address, text, () => pushText(state, text));
  }
  state.pos = end + 1;
  return true;
}

/** Raw HTML stays source text, and nothing inside a tag is looked at. */
export function rawTag(state: StateInline, silent: boolean): boolean {
  const { src, pos: start, posMax } = state;
  if (src.charCodeAt(start) !== LESS) return false;
  if (!/[A-Za-z/!?]/.test(src[start + 1] ?? '')) return false;
  const end = tagEnd(src, start, posMax);
  if (end < 0) return false;
  if (!silent) pushText(state, src.slice(start, end + 1));
  state.pos = end + 1;
  return true;
}

/** The `>` that ends the tag; a second `<` before it ends the search. */
function tagEnd(src: string, start: number, max: number): number {
  for (let at = start + 1; at < max; at += 1) {
    const code = src.charCodeAt(at);
    if (code === LESS) return -1;
    if (code === 0x3e) return at;
  }
  return -1;
}

function pushText(state: StateInline, text: string): void {
  const token = state.push('text', '', 0);
  token.content = text;
}
