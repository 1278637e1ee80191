import { expect } from 'chai';
import { LIMIT_DEFAULTS, type LimitName } from '../../../../server/limits.js';
import { FEED_STYLE, ICON, STYLE } from '../../../../server/site/assets.js';
import {
  BASE_URL,
  startBoard,
  type TestBoard,
} from '../../../support/board.js';
import { givenBoard } from '../../../support/hooks.js';
import { withLimits } from '../../../support/limits.js';
import { type Declared, declaredRoutes, nameOf } from './declared.js';
import { BOUNDLESS, type Furnished, furnish } from './furnished.js';
import { spendingRequests } from './spending.js';

/** What is spent by asking; the other limits are sizes and bounds. */
const SPENT = Object.keys(BOUNDLESS) as LimitName[];

/** Limits of what a peer sends, not of a route. */
const ELSEWHERE = /^mesh_(?:peer|backfill)_/;

/**
 * spec/operators.md §R2 30: one table of routes and budgets, held to the board.
 */
describe('the table of routes and budgets', () => {
  const test = givenBoard({ limits: BOUNDLESS });
  let has: Furnished;
  let table: Declared[];
  /** A board beside the other one, on its database. */
  let tight: TestBoard;
  before(async () => {
    has = await furnish(test);
    table = await declaredRoutes(test);
    const { databaseUrl, clock } = test;
    tight = await startBoard({ limits: BOUNDLESS, databaseUrl, clock });
  });
  after(() => tight.stop());

  it('gives every read and all that writes to a network a limit', () => {
    const free = table.filter(({ spends }) => spends.length === 0).map(nameOf);
    expect(free).to.have.members([
      'get /healthz',
      'get /readyz',
      `get ${STYLE.path}`,
      `get ${ICON.path}`,
      `get ${FEED_STYLE.path}`,
      'get /favicon.ico',
    ]);
  });

  it('names every limit that is spent', () => {
    const named = new Set(table.flatMap(({ spends }) => spends));
    const spent = SPENT.filter((name) => !ELSEWHERE.test(name));
    expect([...named]).to.have.members(spent);
    expect(Object.keys(LIMIT_DEFAULTS)).to.include.members([...named]);
  });

  for (const limit of SPENT) {
    it(`refuses by ${limit} on each route that names it`, async () => {
      await withLimits(tight, { [limit]: 0 }, async (from) => {
        const rows = table.filter(({ spends }) => spends.includes(limit));
        // Reads first: who waits at the end of a log must not see it grow.
        for (const reads of [true, false]) {
          const some = rows.filter(
            ({ method }) => (method === 'get') === reads,
          );
          const met = await Promise.all(
            some.map((row) => refused(row, limit, from)),
          );
          expect(some.filter((_, at) => !met[at])).to.eql([]);
        }
      });
    });
  }

  it('refuses by no limit that a route does not name', async () => {
    const groups = new Map<string, Declared[]>();
    for (const row of table) {
      const key = row.spends.join();
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    for (const rows of groups.values()) {
      const named: readonly string[] = rows[0]?.spends ?? [];
      const others = SPENT.filter((limit) => !named.includes(limit));
      const none = Object.fromEntries(others.map((limit) => [limit, 0]));
      await withLimits(tight, none, async (from) => {
        const waits = named.filter((limit) => limit.includes('waits_'));
        const forms = [null, ...waits] as (LimitName | null)[];
        for (const reads of [true, false]) {
          const some = rows
            .filter(({ method }) => (method === 'get') === reads)
            .flatMap((row) => forms.map((form) => ({ row, form })));
          const met = await Promise.all(
            some.map(({ row, form }) => refused(row, form, from)),
          );
          expect(some.filter((_, at) => met[at])).to.eql([]);
        }
      });
    }
  });

  /** Whether a request of the route is refused, and for this limit. */
  const refused = async (
    route: Declared,
    limit: LimitName | null,
    from: string,
  ): Promise<boolean> => {
    const it = { has, from };
    const asked = await spendingRequests(test, route, limit, it);
    const answers = await Promise.all(
      asked.map(({ path, body }) =>
        body === null
          ? tight.as(from).get(path)
          : path === '/report' // a form of the board's own pages
            ? tight
                .as(from)
                .post(path)
                .type('form')
                .set('Origin', BASE_URL)
                .send(body)
            : tight.as(from).post(path).send(body),
      ),
    );
    for (const { status, body: said, headers, text } of answers) {
      if (status !== 429) continue;
      if (limit === null) return true;
      if (headers['content-type']?.startsWith('text/html')) {
        expect(text, nameOf(route)).to.include(limit);
        expect(Number(headers['retry-after']), nameOf(route)).to.be.at.least(1);
        continue;
      }
      const body = said.error?.data ?? said; // in JSON-RPC at /mcp
      expect(body.scope, nameOf(route)).to.equal(limit);
      expect(body.retry_after_seconds, nameOf(route)).to.be.at.least(1);
      expect(headers['retry-after'], nameOf(route)).to.equal(
        String(body.retry_after_seconds),
      );
    }
    return answers.some(({ status }) => status === 429);
  };
});
