import { messageText } from '../corpus/message.js';
import { COMMON_WORD, RARE_WORD } from '../corpus/words.js';
import { Connection } from '../load/connection.js';
import { median, quantile } from '../load/figures.js';
import { getRequest } from '../load/get.js';
import { atLeast, atMost, figure, type Row, rounded } from '../row.js';
import type { DataSet } from '../set-up/data-set.js';
import type { Lab } from '../set-up/lab.js';

const LONGEST = 100;

/** What is looked for; the kinds of the specification and both ends of each. */
function searchTerms({ seed, size }: DataSet): Record<string, string> {
  const [middle, last] = [
    messageText(seed, size >> 1),
    messageText(seed, size),
  ];
  const part = (text: string, length: number) =>
    [...text.replace(/\s+/g, ' ')]
      .slice(5, 5 + length)
      .join('')
      .trim();
  return {
    'two letters, common': 'th',
    'two letters, rare': 'xq',
    'two letters, absent': 'ƕþ',
    'a common word': COMMON_WORD,
    'a rare word': RARE_WORD,
    'an absent word': 'zyzzyvaqux',
    'a common word, absent end': 'the boardxqz',
    'three Han characters': '不丞丈',
    'two Han characters, common': '一丁',
    Cyrillic: 'абв',
    'Arabic, absent': 'هههههه',
    'thirty characters': part(middle.body, 30),
    'a hundred characters': part(last.body, LONGEST),
    'a hundred, absent': `${part(middle.body, LONGEST - 4)}qxzj`,
  };
}

const SLOWEST_MS = 50;
const FASTER = 100;
const LARGEST_INDEX = 1.7;
const ASKED_EACH = 40;

export const searchRow: Row = {
  id: 'R4',
  section: 'reads',
  work: 'search: 2 to 100 characters, rare, common, absent, any script',
  reference: 'an `ILIKE` count over the table',
  marks: `p99 ≤ ${SLOWEST_MS} ms; ≥ ${FASTER} times faster; index ≤ ${LARGEST_INDEX} of the text`,
  sameWithoutFastPaths: 'searches go through Express',
  run,
};

async function run(lab: Lab) {
  const set = await lab.large();
  const board = await lab.board(set);
  const asked = Object.entries(searchTerms(set));
  const all: number[] = [];
  const found: { kind: string; p50: number; slowest: number; scan: number }[] =
    [];
  for (const [at, [kind, term]] of asked.entries()) {
    lab.at('R4', at, asked.length);
    // A count takes longer than a board keeps an idle connection.
    const connection = await Connection.open(board.port);
    const times: number[] = [];
    for (let n = 0; n <= ASKED_EACH; n += 1) {
      const begun = performance.now();
      const { status } = await connection.request(
        getRequest(`/api/search?q=${encodeURIComponent(term)}`),
      );
      if (status !== 200) throw new Error(`search answered ${status}`);
      // The first one makes plans and brings pages into memory.
      if (n > 0) times.push(performance.now() - begun);
    }
    connection.close();
    all.push(...times);
    const scan = await countByScan(lab, set, term);
    times.sort((a, b) => a - b);
    found.push({ kind, p50: median(times), slowest: times.at(-1) ?? 0, scan });
  }
  const p99 = quantile(
    all.sort((a, b) => a - b),
    0.99,
  );
  const faster = found.map(({ scan, p50 }) => scan / p50);
  const least = Math.min(...faster);
  const size = await indexSize(lab, set);
  return {
    figures: [
      figure('p99 of all terms', [p99, 'ms', 1], {
        mark: atMost(p99, SLOWEST_MS, ' ms'),
      }),
      figure(
        'times faster than a count, the worst term',
        [median(found.map(({ p50 }) => p50)), 'ms'],
        {
          reference: [
            'ILIKE count over the table',
            median(found.map(({ scan }) => scan)),
          ],
          ratio: least,
          mark: atLeast(least, FASTER, ' ×'),
        },
      ),
      figure('index by text', [size.index / 1e6, 'MB', 1], {
        reference: ['titles and bodies', size.text / 1e6],
        ratio: size.index / size.text,
        mark: atMost(size.index / size.text, LARGEST_INDEX, ' ×'),
      }),
    ],
    notes: found.map(
      ({ kind, p50, slowest, scan }) =>
        `${kind}: p50 ${rounded(p50)} ms, slowest ${rounded(slowest, 1)} ms, count ${rounded(scan, 0)} ms`,
    ),
  };
}

async function countByScan(lab: Lab, set: DataSet, term: string) {
  const escaped = term.replace(/[\\%_]/g, '\\$&');
  const begun = performance.now();
  await lab.cluster.query(
    set.database,
    'SELECT count(*) FROM message WHERE title ILIKE $1 OR body ILIKE $1',
    [`%${escaped}%`],
  );
  return performance.now() - begun;
}

async function indexSize(lab: Lab, { database }: DataSet) {
  const [row] = await lab.cluster.query<{ index: string; text: string }>(
    database,
    `SELECT pg_indexes_size('message_search')
         + pg_total_relation_size('search_slice') AS index,
       sum(octet_length(body) + coalesce(octet_length(title), 0)) AS text
     FROM message`,
  );
  return { index: Number(row?.index), text: Number(row?.text) };
}
