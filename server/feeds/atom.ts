import { publicTime } from '../clock.js';
import { CONTENT_TRUST } from '../http/community.js';
import { type Entry, type Feed, updatedOf } from './feed.js';
import { element } from './xml.js';

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';
const SELF_TYPE = 'application/atom+xml';

const ATOM = 'http://www.w3.org/2005/Atom';
const THREADING = 'http://purl.org/syndication/thread/1.0';
/** Schemes of the categories: the room, and how far a text can be trusted. */
const SCHEME = 'tag:reserve-board,2026:';

/**
 * A feed as Atom (RFC 4287), replies by RFC 4685. Members' texts are text
 * constructs of type `text`: markup in them stays text.
 */
export function atomOf(feed: Feed): string {
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
