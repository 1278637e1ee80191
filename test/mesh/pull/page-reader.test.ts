import type { PageWish } from '../../../mesh/pull/fetch/fetch-page.js';
import { PageReader } from '../../../mesh/pull/fetch/page-reader.js';
import type { PullClient } from '../../../mesh/pull/hooks.js';
import { PagePreparer } from '../../../mesh/pull/verify/prepare-page.js';
import { ready } from '../../../protocol/signing.js';
import { accepted } from '../../../protocol/verdict.js';
import { until } from '../../support/until.js';
import { ScriptedLog } from '../support/scripted-log.js';

const LIMIT = 4;
const SOURCE = { baseUrl: 'http://board-a.example', prefix: '/log' };

describe('pages that are read ahead', () => {
  let log: ScriptedLog;
  let asked: number[];
  let reader: PageReader;
  const stopper = new AbortController();

  const wishOf = (from: number): PageWish => ({
    source: SOURCE,
    logVkey: log.keys.log.vkey,
    from,
    limit: LIMIT,
    content: 'all',
    wait: 0,
  });

  async function take(from: number): Promise<void> {
    const page = await reader.next(wishOf(from), stopper.signal);
    if (!page.ok) throw new Error(page.reason);
    expect(page.value.page.from).to.equal(from);
    reader.fetchAhead(wishOf(page.value.page.to));
  }

  beforeEach(async () => {
    await ready();
    log = new ScriptedLog('board-a.example', 1_768_478_400_000);
    while (log.size < 10 * LIMIT) log.post();
    asked = [];
    const client: PullClient = {
      get: async (_, path) => {
        const { searchParams } = new URL(path, SOURCE.baseUrl);
        const from = Number(searchParams.get('from'));
        asked.push(from);
        const body = Buffer.from(JSON.stringify(log.page(from, LIMIT, 'all')));
        return accepted({ status: 200, body });
      },
    };
    const store = { chains: async () => new Map() };
    const preparer = new PagePreparer(
      { store, judgeAhead: async () => null },
      1,
    );
    reader = new PageReader(client, preparer, stopper.signal);
  });

  it('are two behind each page that is taken', async () => {
    for (const page of [0, 1, 2, 3, 4]) {
      await take(page * LIMIT);
      const ahead = Array.from({ length: page + 3 }, (_, n) => n * LIMIT);
      await until('two pages ahead', () => asked.length >= ahead.length);
      expect(asked).to.deep.equal(ahead);
    }
  });
});
