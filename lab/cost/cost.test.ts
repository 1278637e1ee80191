import { writeFileSync } from 'node:fs';
import { COMMANDS } from '../../server/dashboard/all-commands.js';
import { operator } from '../../test/admin/operators.js';
import {
  declaredRoutes,
  isFullTile,
} from '../../test/server/http/openapi/declared.js';
import {
  BOUNDLESS,
  type Furnished,
  furnish,
} from '../../test/server/http/openapi/furnished.js';
import { reply, topic } from '../../test/server/reading/fixture.js';
import { BASE_URL } from '../../test/support/board.js';
import { EXACT, FULL } from '../../test/support/full.js';
import { givenBoard } from '../../test/support/hooks.js';
import { type Asked, type Cost, measure, paceOfMachine } from './measure.js';
import { refusedWrites, worstReads } from './requests.js';

const ROWS = 10;
const PATH = 60;

/** The dearest request of each address; `COST_TABLE=<file>`: as Markdown. */
function writeTable(costs: readonly Cost[]): void {
  const whole = ({ ms, databaseMs }: Cost) => ms + databaseMs;
  const dearest = costs.toSorted((a, b) => whole(b) - whole(a));
  const seen = new Set<string>();
  const rows = dearest.filter(({ method, path, status }) => {
    const key = `${method} ${path.split('?')[0]} ${status}`;
    return !seen.has(key) && seen.add(key);
  });
  const table = [
    '| request | what | status | node ms | database ms | kB | reads |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.slice(0, ROWS).map((one) => {
      const address = `${one.method} ${one.path.slice(0, PATH)}`;
      const kb = (one.bytes / 1000).toFixed(0);
      const times = `${one.ms.toFixed(1)} | ${one.databaseMs.toFixed(1)}`;
      return `| \`${address}\` | ${one.what} | ${one.status} | ${times} | ${kb} | ${one.reads} |`;
    }),
  ].join('\n');
  console.log(table);
  const file = process.env.COST_TABLE;
  if (file !== undefined) writeFileSync(file, `${table}\n`);
}

const SIZE = FULL ? { runs: 10, batches: 3 } : { runs: 3, batches: 1 };
/** What looked dear is looked at again before a test fails: others share this machine. */
const AGAIN = { runs: 10, batches: 5 };
const REPLIES = FULL ? 99 : 60;
const TIMES = 10;
/** Processor time too is longer on a machine that others use. */
const READ_MS = EXACT ? 5 : 10;
/** Of the bodies, the commands of the dashboard take a part by turns. */
const PARTS = FULL ? 1 : 6;

const NASTY = [
  ...[`a${'\u200b'.repeat(3990)}`, 'a\u200b'.repeat(2000), '"'.repeat(4000)],
  ...['#1 '.repeat(1300), 'http://1 '.repeat(440), '# a\n'.repeat(1000)],
  ...['*a_ '.repeat(1000), '[a]('.repeat(1000), '`a``'.repeat(1000)],
  ...['> > '.repeat(1000), '- a\n'.repeat(1000), '&#1;'.repeat(1000)],
  ...['**a *b '.repeat(570), '[](http://1) '.repeat(300), '<a b="'.repeat(660)],
];

/** spec/board.md §2.21: no request costs more than it is counted as. */
describe('what requests cost', () => {
  const limits = { ...BOUNDLESS, refused_per_network_minute: 1e9 };
  const test = givenBoard({ limits });
  let has: Furnished;
  const measured: Cost[] = [];
  const roots: number[] = [];

  before(async () => {
    has = await furnish(test);
    const nasty = await topic(test, { body: String(NASTY[0]) });
    const short = await topic(test, { title: '"\u200b'.repeat(90) });
    for (let n = 0; n < REPLIES; n += 1) {
      const body = `${n}${NASTY[n % NASTY.length]}`.slice(0, 4000);
      await reply(test, nasty, body);
      await reply(test, short, `Short ${n}.`);
    }
    for (let n = 0; n < 30; n += 1) {
      await topic(test, {
        title: `${n}${'a\u200b'.repeat(85)}`,
        name: 'a\u200b'.repeat(24),
      });
    }
    roots.push(nasty, short);
  });

  after(() => writeTable(measured));

  const costOf = async (asked: Asked, size = SIZE) => {
    const cost = await measure(test, asked, size);
    // What was looked at again counts by its second look.
    const before = measured.findIndex(
      ({ method, path, what }) =>
        method === asked.method && path === asked.path && what === asked.what,
    );
    if (before >= 0) measured.splice(before, 1);
    measured.push(cost);
    return cost;
  };

  const heavy = (template: string) =>
    [
      '/t/{id}',
      '/api/thread/{id}',
      '/api/thread/{id}/text',
      '/t/{id}/feed.atom',
      '/t/{id}/feed.json',
    ].includes(template)
      ? roots.flatMap((id) => {
          const path = template.replace('{id}', String(id));
          return template.endsWith('}') ? [path, `${path}?last=99`] : [path];
        })
      : [];

  it('is for a read no more than it is counted as', async () => {
    const dear: string[] = [];
    for (const route of await declaredRoutes(test)) {
      const { method, path, spends } = route;
      if (method !== 'get' || isFullTile(path)) continue;
      if (!spends.includes('reads_per_network_minute')) continue;
      if (spends.includes('exports_per_network_hour')) continue;
      for (const asked of worstReads(route, has, heavy)) {
        let pace = 1;
        const isDear = ({ ms, databaseMs, reads }: Cost) =>
          ms + databaseMs > Math.max(1, reads) * READ_MS * pace;
        let cost = await costOf(asked);
        if (cost.status !== 200 || !isDear(cost)) continue;
        // Before and after: a shared machine changes from second to second.
        pace = paceOfMachine();
        cost = await costOf(asked, AGAIN);
        pace = Math.max(pace, paceOfMachine());
        if (isDear(cost)) dear.push(`${lineOf(cost)}, pace ${pace}`);
      }
    }
    expect(dear).to.eql([]);
  });

  it('is for a request refused by its form at most ten times that of {}', async () => {
    const routes = await declaredRoutes(test);
    const writes = routes.flatMap(({ method, path }) =>
      method === 'post' ? [path.replace(/\{\w+\}/, String(has.topic))] : [],
    );
    await expectCheap(
      [...writes, ...['/nothing/is/here', '/admin/api/sign-in/passphrase']],
      1,
    );
  });

  it('is so for every command of the dashboard', async () => {
    const { cookie } = await operator(test, 'admin');
    const paths = Object.keys(COMMANDS).map((name) => `/admin/api/do/${name}`);
    await expectCheap(paths, PARTS, { Cookie: cookie, Origin: BASE_URL });
  });

  /** With every body, or at each path with one of so many parts of them. */
  async function expectCheap(
    paths: readonly string[],
    parts: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const dear: string[] = [];
    const plain = { method: 'POST', path: '/write/preview', body: '{}' };
    const { ms: least } = await costOf({ ...plain, what: '{}' }, AGAIN);
    for (const [turn, path] of paths.entries()) {
      const rest = refusedWrites(path).map((one) => ({
        ...one,
        headers: { ...one.headers, ...headers },
      }));
      const some = rest.filter((_, at) => at % parts === turn % parts);
      for (const asked of some) {
        let cost = await costOf(asked);
        if (cost.status < 400 || cost.ms <= TIMES * least) continue;
        cost = await costOf(asked, AGAIN);
        if (cost.ms > TIMES * least) {
          dear.push(`${lineOf(cost)}, {} ${least.toFixed(2)} ms`);
        }
      }
    }
    expect(dear).to.eql([]);
  }
});

function lineOf(cost: Cost): string {
  const { method, path, what, status, ms, databaseMs, reads } = cost;
  const address = path.slice(0, 80);
  return `${method} ${address} (${what}): ${status}, ${ms.toFixed(1)} + ${databaseMs.toFixed(1)} ms, ${reads} reads`;
}
