import type { StateInline } from 'markdown-it';
import { parseUrl } from '../../../protocol/parse-url.js';
import { ENDS_ADDRESS } from '../../http/urls.js';

const WEB = /^https?:\/\/[^/]/i;
const LONGEST = 2048;

/** Where a link really leads. */
type WebAddress = {
  href: string;
  host: string;
  /** The text shows the target; else the host is added. */
  plain: (text: string) => boolean;
};

/** Absolute `http(s)` only, else null. */
function webAddress(text: string): WebAddress | null {
  const isShort = text.length <= LONGEST;
  const url = isShort && WEB.test(text) ? parseUrl(text) : null;
  if (url === null) return null;
  const { href, host, protocol, username, password } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // `https://bank.example@evil.example` reads like the bank's.
  const disguised = username !== '' || password !== '';
  const plain = (shown: string) =>
    !disguised && (shown === href || `${shown}/` === href);
  return { href, host, plain };
}

const OPENING = 0x5b; // [
const BANG = 0x21;
const LESS = 0x3c;

/** `(destination "title")` from `at` on; inline form only. */
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

function pushLink(
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

/** Never fetched: the source is shown. */
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

/** Raw HTML stays source text. */
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

/** A second `<` ends the search. */
function tagEnd(src: string, start: number, max: number): number {
  for (let at = start + 1; at < max; at += 1) {
    const code = src.charCodeAt(at);
    if (code === LESS) return -1;
    if (code === 0x3e) return at;
  }
  return -1;
}

function pushText(state: StateInline, text: string): void {
  state.push('text', '', 0).content = text;
}

const COLON = 0x3a;
/** In scripts without blanks a letter may precede it. */
const SCHEME =
  /(?:^|[\s\p{P}\p{S}\p{Cf}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}])(https?)$/iu;
const ENDS_WORD = new RegExp(
  `[\\s<>"\`[\\]\\\\\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]|${ENDS_ADDRESS}`,
  'u',
);
/** At the end they belong to the sentence. Each run is read once. */
const CLOSING =
  /(?<![.,;:!?'*_~\xb7\u2010-\u2013\u2019\u30fb])[.,;:!?'*_~\xb7\u2010-\u2013\u2019\u30fb]+$/;

const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/** At a blank, bracket or `**`. */
function endOfAddress(src: string, from: number, max: number): number {
  const open: string[] = [];
  let at = from;
  for (let character = ''; at < max; at += character.length) {
    character = String.fromCodePoint(src.codePointAt(at) ?? 0);
    if (ENDS_WORD.test(character) || src.startsWith('**', at)) break;
    const closing = CLOSED_BY[character];
    if (closing !== undefined) open.push(closing);
    if (/[)}]/.test(character) && open.pop() !== character) break;
  }
  return at;
}

/** Runs at the colon, when the scheme is already part of a word. */
export function bareAddress(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== COLON || state.linkLevel > 0) return false;
  if (!src.startsWith('://', pos)) return false;
  const scheme = SCHEME.exec(src.slice(Math.max(0, pos - 7), pos))?.[1];
  if (scheme === undefined) return false;
  const start = pos - scheme.length;
  if (!silent && !state.pending.endsWith(scheme)) return false;
  const end = endOfAddress(src, pos, posMax);
  const text = src.slice(start, end).replace(CLOSING, '');
  const address = webAddress(text);
  if (address === null) {
    // Its later colons would read it all again.
    if (!silent) state.pending += src.slice(pos, end);
    state.pos = end;
    return true;
  }
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    pushLink(state, address, text, () => pushText(state, text));
  }
  state.pos = start + text.length;
  return true;
}
