import { expect } from 'chai';
import { ICON, STYLE } from '../../../server/html/assets.js';
import { LIMIT_DEFAULTS, type LimitName } from '../../../server/limits.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { type OpenApi, operationsOf } from '../../support/described.js';
import { mountedRoutes, templateOf } from '../../support/routes.js';
import { BOUNDLESS, type Furnished, furnish } from './furnished.js';
import { spendingRequests } from './spending.js';
import { UNDESCRIBED } from './undescribed.js';

/** What is spent by asking; the other limits are sizes and bounds. */
const SPENT = Object.keys(BOUNDLESS) as LimitName[];

/** Limits of what a peer sends, not of a route. */
const ELSEWHERE = /^mesh_(?:peer|backfill)_/;

type Row = { method: string; path: string; spends: readonly string[] };

/** reliability §2 30: one table of routes and budgets, held to the board. */
describe('the table of routes and budgets', () => {
  let test: TestBoard;
  let has: Furnished;
  let table: Row[];
  let networks = 0;

  before(async () => {
    test = await startBoard({ limits: BOUNDLESS });
    has = await furnish(test);
    const { text } = await test.as().get('/openapi.json');
    const described = operationsOf(JSON.parse(text) as OpenApi).map(
      ({ method, path, operation }) => ({
        method,
        path,
        spends: operation['x-limits'],
      }),
    );
    const others = Object.entries(UNDESCRIBED).map(([path, spends]) => ({
      method: 'get',
      path,
      spends,
    }));
    table = [...described, ...others];
  });

  after(() => test.stop());

  it('has a row for every route', () => {
    const rows = table.map(({ method, path }) => `${method} ${path}`);
    const routes = mountedRoutes(test.board.app).flatMap(({ path, methods }) =>
      methods
        .filter((method) => method !== 'options')
        .map((method) => `${method} ${templateOf(path)}`),
    );
    expect(rows).to.include.members(routes);
    expect(new Set(rows).size).to.equal(rows.length);
  });

  it('gives every read and all that writes to a network a limit', () => {
    // Ratings have none by the specification, nor has what changes nothing.
    const free = table
      .filter(({ spends }) => spends.length === 0)
      .map(({ method, path }) => `${method} ${path}`);
    expect(free).to.have.members([
      'get /healthz',
      'get /readyz',
      `get ${STYLE.path}`,
      `get ${ICON.path}`,
      'get /write/preview',
      'post /api/messages/{id}/votes/preview',
      'post /api/messages/{id}/votes',
    ]);
  });

  it('names every limit that is spent', () => {
    const named = new Set(table.flatMap(({ spends }) => spends));
    const spent = SPENT.filter((name) => !ELSEWHERE.test(name));
    expect([...named]).to.have.members(spent);
    expect(Object.keys(LIMIT_DEFAULTS)).to.include.members([...named]);
  });

  for (const limit of SPENT) {
    it(`tells who meets ${limit}`, async () => {
      networks += 1;
      const from = `198.51.100.${networks}`;
      const tight = await startBoard({
        limits: { ...BOUNDLESS, [limit]: 0 },
        databaseUrl: test.databaseUrl,
        clock: test.clock,
      });
      try {
        // Reads first: who waits at the end of a log must not see it grow.
        const all = (which: (method: string) => boolean) =>
          Promise.all(
            table.map((row) =>
              which(row.method) ? refused(tight, row, limit, from) : false,
            ),
          );
        const reads = await all((method) => method === 'get');
        const writes = await all((method) => method !== 'get');
        const met = reads.map((read, at) => read || writes[at] === true);
        const meant = table.map(({ spends }) => spends.includes(limit));
        expect(named(met)).to.deep.equal(named(meant));
      } finally {
        await tight.stop();
      }
    });
  }

  const named = (is: boolean[]) =>
    table
      .filter((_, at) => is[at])
      .map(({ method, path }) => `${method} ${path}`);

  /** Whether a request of the route is refused for this limit. */
  const refused = async (
    tight: TestBoard,
    { method, path }: Row,
    limit: LimitName,
    from: string,
  ): Promise<boolean> => {
    const it = { has, from };
    const asked = await spendingRequests(test, method, path, limit, it);
    const answers = await Promise.all(
      asked.map(({ path, body }) =>
        body === null
          ? tight.as(from).get(path)
          : tight.as(from).post(path).send(body),
      ),
    );
    for (const { status, body, headers, text } of answers) {
      if (status !== 429) continue;
      if (headers['content-type']?.startsWith('text/html')) {
        expect(text, path).to.include(limit);
        expect(Number(headers['retry-after']), path).to.be.at.least(1);
        continue;
      }
      expect(body.scope, path).to.equal(limit);
      expect(body.retry_after_seconds, path).to.be.at.least(1);
      expect(headers['retry-after'], path).to.equal(
        String(body.retry_after_seconds),
      );
    }
    return answers.some(({ status }) => status === 429);
  };
});
