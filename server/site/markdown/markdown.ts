import MarkdownIt, {
  type Env,
  type StateBlock,
  type StateCore,
  type StateInline,
  type Token,
} from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { type ReferencePlace, referencePlaces } from '../../http/urls.js';
import { visibleText } from '../invisible-characters.js';
import { autolink, bareAddress, image, link, rawTag } from './link.js';
import { escapeHtml, renderRules } from './render-rules.js';

/** A list item counts as two. */
const MAX_NESTING = 20;

/** All else is text (spec/board.md §8). */
const parser = new MarkdownIt('zero', {
  maxNesting: MAX_NESTING,
  breaks: true, // writers end a line where they mean one to end
}).enable([
  'table',
  ...['heading', 'lheading', 'list', 'blockquote', 'hr', 'fence'],
  ...['newline', 'escape', 'backticks', 'strikethrough', 'emphasis'],
  ...['link', 'image', 'autolink', 'entity'],
]);
parser.use(cjkFriendly);
const { block, inline, core, renderer } = parser;

/** Scripts without blanks that `cjkFriendly` does not know. */
const NO_BLANKS =
  /[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u;

/** Emphasis beside their letters works as beside Chinese. */
inline.State = class extends inline.State {
  override scanDelims(start: number, canSplitWord: boolean) {
    const run = super.scanDelims(start, canSplitWord);
    const before = this.src.slice(start - 1, start);
    const after = this.src.slice(start + run.length, start + run.length + 1);
    const isInside = /\S/.test(before) && /\S/.test(after);
    return canSplitWord && isInside && NO_BLANKS.test(before + after)
      ? { ...run, can_open: true, can_close: true }
      : run;
  }
};

block.ruler.at('table', pipeTable, { alt: ['paragraph'] });
block.ruler.before('blockquote', 'shallow', shallow(MAX_NESTING - 2));
inline.ruler.at('link', link);
inline.ruler.at('image', image);
inline.ruler.at('autolink', autolink);
inline.ruler.after('autolink', 'raw_tag', rawTag);
inline.ruler.after('text', 'bare_address', bareAddress);
inline.ruler.after('raw_tag', 'reference', reference);
core.ruler.push('outline', outline);
Object.assign(renderer.rules, renderRules);

/**
 * Headings (from h3, one level at most below the one before), paragraphs,
 * emphasis, strikethrough, lists, quotes, rules, code, links to `http(s)` and
 * messages; all else stays source. Fully escaped. At most eight times the
 * source and 1 kB, else the source is shown.
 * @param messages address of each message that `#ID` may name
 */
export function renderMarkdown(
  source: string,
  messages: ReadonlyMap<number, string> = new Map(),
): string {
  const env: MarkdownEnv = { messages, linked: new Set() };
  const html = parser.render(source, env);
  const most = GROWTH * Buffer.byteLength(source) + FRAME;
  return Buffer.byteLength(html) <= most ? html : sourceAsHtml(source);
}

/** Small, with hidden characters shown. */
export function sourceAsHtml(source: string): string {
  const text = escapeHtml(visibleText(source));
  return `<pre tabindex="0"><code>${text}</code></pre>\n`;
}

/** For callers that need words only. */
export function parseMarkdown(source: string): Token[] {
  return parser.parse(source, {});
}

/** The parser would silently drop what is nested deeper. */
function shallow(level: number) {
  return (state: StateBlock, start: number, end: number, silent: boolean) => {
    if (silent || state.level < level) return false;
    const paragraph = state.md.block.ruler.getRules('').at(-1);
    return paragraph?.(state, start, end, false) ?? false;
  };
}

const DELIMITER = /^:?-+:?$/;

/** Tables keep their lines; cells are not parsed. */
function pipeTable(
  state: StateBlock,
  start: number,
  end: number,
  silent: boolean,
): boolean {
  const lineAt = (line: number) =>
    line < end && (state.sCount[line] ?? 0) >= state.blkIndent
      ? state.getLines(line, line + 1, state.blkIndent, false).trim()
      : '';
  const delimiters = lineAt(start + 1);
  if (!lineAt(start).includes('|') || !delimiters.includes('|')) return false;
  const cells = delimiters.replace(/^\|/, '').replace(/\|$/, '').split('|');
  if (!cells.every((cell) => DELIMITER.test(cell.trim()))) return false;
  if (silent) return true;
  let next = start + 2;
  while (lineAt(next).includes('|')) next += 1;
  const token = state.push('fence', 'code', 0);
  token.content = `${state.getLines(start, next, state.blkIndent, false)}\n`;
  token.map = [start, next];
  state.line = next;
  return true;
}

/** Of HTML per byte of source, marks included. */
const GROWTH = 8;
const FRAME = 1024;

const FIRST = 3;
const LAST = 6;

/** Inner blocks follow, so that markers and bars are on the right side. */
const DIRECTED = new Set([
  'paragraph_open',
  'heading_open',
  'bullet_list_open',
  'ordered_list_open',
  'blockquote_open',
]);

/** From h3 on, each at most one level below the one before. */
function outline(state: StateCore): void {
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

const HASH = 0x23;

type MarkdownEnv = Env & {
  /** By ID (spec/board.md §2.8). */
  messages?: ReadonlyMap<number, string>;
  linked?: Set<number>;
  /** Found once per text. */
  places?: { src: string; byStart: ReadonlyMap<number, ReferencePlace> };
};

function placeAt(env: MarkdownEnv, src: string, start: number) {
  if (env.places?.src !== src) {
    const places = referencePlaces(src).map((it) => [it.start, it] as const);
    env.places = { src, byStart: new Map(places) };
  }
  return env.places.byStart.get(start);
}

/** `#ID` of an existing message; not in code or after an escape. */
function reference(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== HASH || state.linkLevel > 0) return false;
  const env = state.env as MarkdownEnv;
  if (env.messages === undefined || env.messages.size === 0) return false;
  const place = placeAt(env, src, pos);
  const href = place && env.messages.get(place.id);
  if (place === undefined || href === undefined) return false;
  if (env.linked?.has(place.id)) return false;
  if (!silent) {
    env.linked?.add(place.id);
    const open = state.push('reference_open', 'a', 1);
    open.attrs = [['href', href]];
    state.push('text', '', 0).content = `#${place.id}`;
    state.push('reference_close', 'a', -1);
  }
  state.pos = place.end;
  return true;
}
