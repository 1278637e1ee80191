import { toBase64 } from '../../../protocol/bytes.js';
import { changed } from '../pull/scripted-peer.js';
import type { Mode } from '../support/hostile-peer.js';
import {
  noise,
  type ScriptedLog,
  type WireEntry,
  type WirePage,
} from '../support/scripted-log.js';
import type { Lie } from './wire-lies.js';

/** Members of a page that are not as they were. */
type Change = (page: WirePage, log: ScriptedLog) => object;

/** The text of a page that is honest but for what `change` makes of it. */
const text =
  (
    log: ScriptedLog,
    change: (page: string, log: ScriptedLog) => string | Buffer,
  ): Mode =>
  ({ path, query, res }) => {
    if (path !== '/log/feed') return false;
    const page = log.page(Number(query.get('from')), 256, 'all');
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.end(change(JSON.stringify(page), log));
    return true;
  };

const json = (log: ScriptedLog, change: Change): Mode =>
  changed(log, (page) => ({ ...page, ...change(page, log) }));

const tampered = (entries: WireEntry[], at: number) => ({
  entries: entries.map((entry, nth) =>
    nth === at
      ? { ...entry, leaf: entry.leaf.replace(/lobby/, 'found') }
      : entry,
  ),
});

const withoutLast = ({ to, entries }: WirePage, consistency: string[]) => ({
  to: to - 1,
  entries: entries.slice(0, -1),
  consistency,
});

/** Lies in the JSON of a page; ../pull/rules.test.ts has others. */
const SHAPES: [string, (page: string) => string | Buffer][] = [
  ['null', () => 'null'],
  ['a list', (page) => `[${page}]`],
  ['half of it', (page) => page.slice(0, page.length / 2)],
  ['a second value', (page) => `${page}{}`],
  ['a byte order mark', (page) => `\uFEFF${page}`],
  ['UTF-16', (page) => Buffer.from(page, 'utf16le')],
  [
    'no UTF-8',
    (page) => Buffer.from(page.replace('lobby', 'l\xFFbby'), 'latin1'),
  ],
  ['a lone surrogate', (page) => page.replace('lobby', '\\ud800')],
  ['a duplicate key', (page) => page.replace(/}$/, ',"to":1}')],
  ['a duplicate list', (page) => page.replace(/}$/, ',"entries":[]}')],
  ['deep nesting', () => '['.repeat(1_000_000)],
  [
    'deep nesting inside',
    (page) =>
      page.replace('"entries":[', `"entries":[${'{"a":'.repeat(50_000)}`),
  ],
  [
    'a million entries',
    (page) => page.replace('"entries":[', `"entries":[${'0,'.repeat(1e6)}`),
  ],
  [
    'a leaf of 64 KiB',
    (page) => page.replace('"leaf":"', `"leaf":"${'x'.repeat(65_536)}`),
  ],
  ['an infinite number', (page) => page.replace(/"to":\d+/, '"to":1e999')],
  ['a negative number', (page) => page.replace(/"from":\d+/, '"from":-1')],
  ['a fraction', (page) => page.replace(/"to":(\d+)/, '"to":$1.5')],
  ['a number as text', (page) => page.replace(/"to":(\d+)/, '"to":"$1"')],
  ['2^53', (page) => page.replace(/"to":\d+/, '"to":9007199254740992')],
  ['a prototype', (page) => page.replace('"entries":', '"__proto__":')],
];

/** Lies about the log itself, with all that the JSON asks for; ../pull/rules.test.ts has others. */
const CLAIMS: Record<string, Record<string, Change>> = {
  bad_checkpoint: {
    'no checkpoint': () => ({ checkpoint: 'none' }),
    'an unsigned checkpoint': ({ checkpoint }) => ({
      checkpoint: checkpoint.split('\n\n')[0],
    }),
    'a changed signature': ({ checkpoint }) => ({
      checkpoint: checkpoint.replace(/.{9}\n$/, 'AAAAAAAA=\n'),
    }),
    'too many signatures': ({ checkpoint }) => ({
      checkpoint: checkpoint + '— x.example/mirror AAAAAAAA\n'.repeat(40),
    }),
    'a giant checkpoint': ({ checkpoint }) => ({
      checkpoint: `${checkpoint}— x ${'A'.repeat(20_000)}\n`,
    }),
  },
  feed_corrupt: {
    'a tampered leaf': ({ entries }) => tampered(entries, 0),
    'a tampered last leaf': ({ entries }) => tampered(entries, 2),
    'a missing entry': ({ to, entries }) => ({
      to: to - 1,
      entries: entries.slice(1),
    }),
    'a doubled entry': ({ entries }) => ({
      entries: [entries[0], ...entries.slice(0, -1)],
    }),
    'more than the head': ({ to, entries }) => ({
      to: to + 1,
      entries: [...entries, entries[0]],
    }),
    '257 entries': ({ from }) => ({
      to: from + 257,
      entries: Array(257).fill({ leaf: 'x' }),
    }),
    'a wrong proof': (page) => withoutLast(page, [toBase64(noise('a'))]),
    'a proof of junk': (page) => withoutLast(page, ['!!', 'AA==']),
  },
  unsupported_protocol: {
    'another protocol': () => ({ protocol: 'reserve-mesh/2' }),
  },
  rolled_back: {
    'an older head': (_, log) => ({
      ...log.page(0, 2),
      checkpoint: log.head(2),
    }),
  },
};

export type LogLie = Omit<Lie, 'mode'> & { lie: (log: ScriptedLog) => Mode };

/** Lies of which nothing may be stored; each names its error. */
export function pageLies(): LogLie[] {
  return [
    ...SHAPES.map(([name, change]) => ({
      name,
      code: 'feed_corrupt',
      lie: (log: ScriptedLog) => text(log, change),
    })),
    ...Object.entries(CLAIMS).flatMap(([code, claims]) =>
      Object.entries(claims).map(([name, change]) => ({
        name,
        code,
        lie: (log: ScriptedLog) => json(log, change),
      })),
    ),
    {
      name: 'a cursor that is always ahead',
      code: 'http_409',
      lie:
        (log) =>
        ({ path, res }) => {
          if (path !== '/log/feed') return false;
          const checkpoint = log.head();
          res.writeHead(409, { 'Content-Type': 'application/json' });
          res.end(JSON.stringify({ error: 'cursor_ahead', checkpoint }));
          return true;
        },
    },
  ];
}
