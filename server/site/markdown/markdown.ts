import MarkdownIt from 'markdown-it';
import { bareAddress } from './bare-address.js';
import { autolink, image, link, rawTag } from './link.js';
import { outline } from './outline.js';
import { type MarkdownEnv, reference } from './reference.js';
import { renderRules } from './render-rules.js';
import { shallow } from './shallow.js';

/** Quotes and lists inside one another; an item of a list counts as two. */
const MAX_NESTING = 20;

const BLOCKS = ['heading', 'lheading', 'list', 'blockquote', 'hr', 'fence'];
const INLINES = [
  'newline',
  'escape',
  'backticks',
  'strikethrough',
  'emphasis',
  'link',
  'image',
  'autolink',
  'entity',
];

/**
 * Only what is named here is understood; all else is text (spec/board.md §8).
 */
function restrictedParser() {
  const md = new MarkdownIt('zero', { maxNesting: MAX_NESTING });
  md.enable([...BLOCKS, ...INLINES]);
  md.block.ruler.before('blockquote', 'shallow', shallow(MAX_NESTING - 2));
  md.inline.ruler.at('link', link);
  md.inline.ruler.at('image', image);
  md.inline.ruler.at('autolink', autolink);
  md.inline.ruler.after('autolink', 'raw_tag', rawTag);
  md.inline.ruler.after('text', 'bare_address', bareAddress);
  md.inline.ruler.after('raw_tag', 'reference', reference);
  md.core.ruler.push('outline', outline);
  Object.assign(md.renderer.rules, renderRules);
  return md;
}

const parser = restrictedParser();

/**
 * A message's body as HTML: headings (from h3 on, each at most one below the
 * one before), paragraphs, emphasis, strikethrough, lists, quotes, rules, code,
 * links to `http(s)` and to existing messages; everything else as its source.
 * Every character of it is escaped, so the result can go into a page as it is.
 *
 * @param messages address of each message that `#ID` may name
 */
export function renderMarkdown(
  source: string,
  messages: ReadonlyMap<number, string> = new Map(),
): string {
  const env: MarkdownEnv = { messages };
  return parser.render(source, env);
}
