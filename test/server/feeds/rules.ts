import type { Element } from '../../support/xml.js';

type Rule = [name: string, holds: (it: Element) => boolean];

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const IRI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i;

const named = (it: Element, name: string) =>
  it.children.filter((child) => child.name === name);
const count = (it: Element, name: string) => named(it, name).length;
const text = (it: Element, name: string) => named(it, name)[0]?.text ?? '';
const links = (it: Element, rel: string) =>
  named(it, 'link').filter((link) => link.attributes.rel === rel);
/** No two alternates of one type (RFC 4287 4.1.1, 4.1.2). */
const distinct = (all: readonly Element[]) =>
  new Set(all.map((it) => it.attributes.type)).size === all.length;

/** What RFC 4287 asks of feeds and entries alike. */
const BOTH: readonly Rule[] = [
  ['one id', (it) => count(it, 'id') === 1],
  ['the id is an IRI', (it) => IRI.test(text(it, 'id'))],
  ['one title', (it) => count(it, 'title') === 1],
  ['a title that says something', (it) => text(it, 'title').trim() !== ''],
  ['one updated', (it) => count(it, 'updated') === 1],
  ['updated is a date', (it) => DATE.test(text(it, 'updated'))],
  ['distinct alternates', (it) => distinct(links(it, 'alternate'))],
  [
    'links have an IRI',
    (it) => named(it, 'link').every((l) => IRI.test(l.attributes.href ?? '')),
  ],
];

const FEED: readonly Rule[] = [
  ...BOTH,
  ['the element', (it) => it.name === 'feed'],
  [
    'the namespace',
    (it) => it.attributes.xmlns === 'http://www.w3.org/2005/Atom',
  ],
  ['one self link', (it) => links(it, 'self').length === 1],
  ['at most one subtitle', (it) => count(it, 'subtitle') <= 1],
  [
    'an author of its own or of every entry',
    (it) => named(it, 'entry').every((entry) => count(entry, 'author') > 0),
  ],
  [
    'entries with ids of their own',
    (it) => {
      const ids = named(it, 'entry').map((entry) => text(entry, 'id'));
      return new Set(ids).size === ids.length;
    },
  ],
  [
    'nothing newer than itself',
    (it) =>
      named(it, 'entry').every(
        (entry) =>
          Date.parse(text(entry, 'updated')) <= Date.parse(text(it, 'updated')),
      ),
  ],
];

const ENTRY: readonly Rule[] = [
  ...BOTH,
  ['one content', (it) => count(it, 'content') === 1],
  [
    'content that is text and holds no element',
    (it) =>
      named(it, 'content').every(
        (one) => one.attributes.type === 'text' && one.children.length === 0,
      ),
  ],
  ['a named author', (it) => named(it, 'author').every(isPerson)],
  ['published is a date', (it) => DATE.test(text(it, 'published'))],
  [
    'published before updated',
    (it) =>
      Date.parse(text(it, 'published')) <= Date.parse(text(it, 'updated')),
  ],
  ['categories with a term', (it) => named(it, 'category').every(hasTerm)],
  [
    'replies with what they answer (RFC 4685)',
    (it) =>
      named(it, 'thr:in-reply-to').every((one) =>
        IRI.test(one.attributes.ref ?? ''),
      ),
  ],
];

const isPerson = (it: Element) =>
  count(it, 'name') === 1 && text(it, 'name').trim() !== '';
const hasTerm = (it: Element) => (it.attributes.term ?? '') !== '';

/** The rules of RFC 4287 that a feed breaks; none when it is sound. */
export function atomFaults(feed: Element): string[] {
  const entries = named(feed, 'entry');
  return [
    ...broken(FEED, feed, 'feed'),
    ...entries.flatMap((it) => broken(ENTRY, it, text(it, 'id'))),
  ];
}

function broken(rules: readonly Rule[], it: Element, at: string): string[] {
  return rules
    .filter(([, holds]) => !holds(it))
    .map(([name]) => `${at}: ${name}`);
}

type Json = { [member: string]: unknown };

const FEED_MEMBERS = [
  ...['version', 'title', 'home_page_url', 'feed_url', 'description'],
  ...['user_comment', 'next_url', 'icon', 'favicon', 'authors', 'language'],
  ...['expired', 'hubs', 'items'],
];
const ITEM_MEMBERS = [
  ...['id', 'url', 'external_url', 'title', 'content_html', 'content_text'],
  ...['summary', 'image', 'banner_image', 'date_published', 'date_modified'],
  ...['authors', 'tags', 'language', 'attachments'],
];

export function jsonFeedFaults(feed: Json): string[] {
  const faults: string[] = [];
  const check = (fine: boolean, name: string) => {
    if (!fine) faults.push(name);
  };
  const known = (it: Json, names: readonly string[], at: string) => {
    for (const name of Object.keys(it)) {
      check(names.includes(name) || /^_[a-zA-Z]/.test(name), `${at}: ${name}`);
    }
  };
  check(feed.version === 'https://jsonfeed.org/version/1.1', 'the version');
  check(typeof feed.title === 'string' && feed.title !== '', 'the title');
  known(feed, FEED_MEMBERS, 'feed');
  for (const name of ['home_page_url', 'feed_url']) {
    check(URL.canParse(String(feed[name])), name);
  }
  const items = feed.items as Json[];
  check(Array.isArray(items), 'items');
  check(new Set(items.map((it) => it.id)).size === items.length, 'ids');
  for (const item of items) {
    const at = String(item.id);
    known(item, ITEM_MEMBERS, at);
    check(typeof item.id === 'string' && item.id !== '', `${at}: id`);
    check(URL.canParse(String(item.url)), `${at}: url`);
    check(typeof item.content_text === 'string', `${at}: content_text`);
    check(!('content_html' in item), `${at}: content_html`);
    for (const name of ['date_published', 'date_modified']) {
      check(DATE.test(String(item[name])), `${at}: ${name}`);
    }
    const authors = item.authors as Json[];
    check(
      authors.length > 0 && authors.every((it) => it.name !== ''),
      `${at}: authors`,
    );
    check(
      (item.tags as unknown[]).every((it) => typeof it === 'string'),
      at,
    );
  }
  return faults;
}
