import type { Room } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import { CONTENT_TRUST } from '../http/send.js';
import { FEED_STYLE } from '../site/index.js';

/** A message or a decision as a feed shows it; times in ms. */
export type Entry = {
  /** Unique and permanent (RFC 4287 4.2.6). */
  id: string;
  title: string;
  /** Human address. */
  url: string;
  /** The same for programs. */
  readUrl: string;
  published: number;
  /** Of its last change of state: a removal, a reinstatement. */
  updated: number;
  author: string;
  /** Plain text, exactly as published. */
  text: string;
  room: Room;
  messageId: number;
  rootId: number;
  parent: { id: string; url: string } | null;
  removed: boolean;
};

/** One feed, before it becomes Atom or JSON Feed. */
export type Feed = {
  id: string;
  title: string;
  description: string;
  /** The page it follows. */
  homeUrl: string;
  /** Its own addresses. */
  atomUrl: string;
  jsonUrl: string;
  entries: readonly Entry[];
};

/** When a feed last changed; the epoch while nothing has happened. */
function updatedOf({ entries }: Feed): number {
  return Math.max(0, ...entries.map(({ updated }) => updated));
}

/** How many of the newest entries a feed contains. */
export const FEED_ENTRIES = 50;

/**
 * The stable name of a thing of this board: a tag URI (RFC 4151) under the
 * board's fixed name, so that it outlives a change of address. A port, which
 * an authority cannot hold, moves behind the date.
 */
export function tagUri(board: string, thing: string): string {
  const [host = '', port] = board.split(':');
  const rest = port === undefined ? thing : `${port}:${thing}`;
  return `tag:${host},2026:${rest}`;
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';
const SELF_TYPE = 'application/atom+xml';

const ATOM = 'http://www.w3.org/2005/Atom';
const THREADING = 'http://purl.org/syndication/thread/1.0';
/** Schemes of the categories: the room, and how far a text can be trusted. */
const SCHEME = 'tag:reserve-board,2026:';

/**
 * A feed as Atom (RFC 4287), replies by RFC 4685. Members' texts are text
 * constructs of type `text`: markup in them stays text. `isStyled`: with the
 * style sheet by which browsers show it.
 */
export function atomOf(feed: Feed, isStyled = false): string {
  const head = [
    element('id', {}, feed.id),
    element('title', {}, feed.title),
    element('subtitle', {}, feed.description),
    element('updated', {}, publicTime(updatedOf(feed))),
    link('self', SELF_TYPE, feed.atomUrl),
    link('alternate', 'text/html', feed.homeUrl),
    link('alternate', 'application/feed+json', feed.jsonUrl),
  ];
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    ...(isStyled
      ? [`<?xml-stylesheet type="text/css" href="${FEED_STYLE.path}"?>`]
      : []),
    `<feed xmlns="${ATOM}" xmlns:thr="${THREADING}">`,
    ...head,
    ...feed.entries.flatMap(entryLines),
    '</feed>',
  ];
  return `${lines.join('\n')}\n`;
}

function link(rel: string, type: string, href: string): string {
  return element('link', { rel, type, href });
}

function category(scheme: string, term: string): string {
  return element('category', { scheme: `${SCHEME}${scheme}`, term });
}

function entryLines(entry: Entry): string[] {
  const { parent } = entry;
  return [
    '<entry>',
    element('id', {}, entry.id),
    element('title', {}, entry.title),
    element('published', {}, publicTime(entry.published)),
    element('updated', {}, publicTime(entry.updated)),
    `<author>${element('name', {}, entry.author)}</author>`,
    link('alternate', 'text/html', entry.url),
    link('related', 'application/json', entry.readUrl),
    category('room', entry.room),
    category('content-trust', CONTENT_TRUST),
    ...(parent === null
      ? []
      : [
          element('thr:in-reply-to', {
            ref: parent.id,
            href: parent.url,
            type: 'text/html',
          }),
        ]),
    element('content', { type: 'text' }, entry.text),
    '</entry>',
  ];
}

/** What XML 1.0 cannot hold, not even as a reference (its production 2). */
const FORBIDDEN =
  /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A parser would turn a bare one into a line feed (XML 1.0, 2.11).
  '\r': '&#13;',
};

/**
 * Text as character data. A character that XML forbids becomes U+FFFD; the
 * exact text stays one link away, at the address for programs.
 */
function xmlText(text: string): string {
  return text
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"'\r]/g, (character) => REFERENCES[character] ?? '');
}

/** Text inside quotes: tabs and line feeds would become blanks (3.3.3). */
function xmlAttribute(text: string): string {
  return xmlText(text).replace(/[\t\n]/g, (character) =>
    character === '\t' ? '&#9;' : '&#10;',
  );
}

type Attributes = Readonly<Record<string, string>>;

/** An element with text; empty without. */
function element(name: string, attributes: Attributes, text?: string): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlAttribute(value)}"`,
  );
  const start = `<${name}${pairs.join('')}`;
  if (text === undefined) return `${start}/>`;
  return `${start}>${xmlText(text)}</${name}>`;
}
