import type { Room } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import { CONTENT_TRUST } from '../http/send.js';
import { ENTITIES, FEED_STYLE } from '../site/index.js';

/** Times in ms. */
export type Entry = {
  /** Unique and permanent (RFC 4287 4.2.6). */
  id: string;
  title: string;
  /** For people. */
  url: string;
  /** For programs. */
  readUrl: string;
  published: number;
  /** Last removal or reinstatement. */
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

export type Feed = {
  id: string;
  title: string;
  description: string;
  homeUrl: string;
  atomUrl: string;
  jsonUrl: string;
  entries: readonly Entry[];
};

export const FEED_ENTRIES = 50;

/**
 * Tag URI (RFC 4151) under the board's fixed name, so that it outlives a change
 * of address. A port, which an authority cannot have, moves behind the date.
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
/** Of categories: room, and how far a text can be trusted. */
const SCHEME = 'tag:reserve-board,2026:';

/**
 * Atom (RFC 4287), replies by RFC 4685. Texts have type `text`: markup in them
 * stays text. `isStyled`: with the style sheet for browsers.
 */
export function atomOf(feed: Feed, isStyled = false): string {
  // The epoch while it is empty.
  const updated = Math.max(0, ...feed.entries.map((one) => one.updated));
  const head = [
    element('id', {}, feed.id),
    element('title', {}, feed.title),
    element('subtitle', {}, feed.description),
    element('updated', {}, publicTime(updated)),
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

/** Not allowed in XML 1.0, not even as a reference (production 2). */
const FORBIDDEN =
  /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  ...ENTITIES,
  // A parser would turn a bare one into a line feed (XML 1.0, 2.11).
  '\r': '&#13;',
};

/** Forbidden characters become U+FFFD; the exact text is at `readUrl`. */
function xmlText(text: string): string {
  return text
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"'\r]/g, (character) => REFERENCES[character] ?? '');
}

/** In attributes tabs and line feeds would become blanks (3.3.3). */
function xmlAttribute(text: string): string {
  return xmlText(text).replace(/[\t\n]/g, (character) =>
    character === '\t' ? '&#9;' : '&#10;',
  );
}

type Attributes = Readonly<Record<string, string>>;

function element(name: string, attributes: Attributes, text?: string): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlAttribute(value)}"`,
  );
  const start = `<${name}${pairs.join('')}`;
  if (text === undefined) return `${start}/>`;
  return `${start}>${xmlText(text)}</${name}>`;
}
