import { expect } from 'chai';
import { PARTICIPATION } from '../../../../server/http/headers.js';
import { recordFaults } from '../../../faults/report.js';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { admin } from '../../../support/cluster.js';
import { compiledClient } from '../../../support/compiled.js';
import type { OpenApi } from '../../../support/described.js';
import {
  type Declared,
  declaredRoutes,
  isAsset,
  isFullTile,
  isTile,
  methodsOf,
  routeOf,
} from './declared.js';
import { addressOf, BOUNDLESS, type Furnished, furnish } from './furnished.js';
import {
  checkHeaders,
  checkRefusal,
  IMMUTABLE,
  invites,
  isHtml,
  NEVER_STORED,
  REVALIDATE,
} from './header-rules.js';

describe('the headers of every route', () => {
  let test: TestBoard;
  let has: Furnished;
  let reads: Declared[];
  /** All but pages for people and what they load. */
  let data: Declared[];
  let document: OpenApi;
  let checked = 0;

  before(async () => {
    // No worker changes what /api/mesh says of a peer between two reads.
    const env = { ROLES: 'api' };
    test = await startBoard({
      ...{ limits: BOUNDLESS, env },
      clientFile: await compiledClient(),
    });
    has = await furnish(test);
    const methods = methodsOf(test);
    document = (await test.as().get('/openapi.json')).body;
    const mounted = (await declaredRoutes(test)).filter(
      ({ method, path }) =>
        methods.get(routeOf(path))?.includes(method) && !isFullTile(path),
    );
    [reads, data] = [[], []];
    for (const read of mounted.filter(({ method }) => method === 'get')) {
      if (read.path === '/') continue; // its counters move
      const answer = await test.as().get(addressOf(read.path, has));
      if (answer.status === 302) continue; // a page without its question
      reads.push(read);
      if (!isHtml(answer) && !isAsset(read.path)) data.push(read);
    }
  });

  after(async () => {
    await test.stop();
    await recordFaults({ test: 'D9', faults: checked });
  });

  const check = (...it: Parameters<typeof checkHeaders>): void => {
    checked += 1;
    checkHeaders(...it);
  };
  const checkError = (...it: Parameters<typeof checkRefusal>): void => {
    checked += 1;
    checkRefusal(...it);
  };

  it('are those declared at 200 and 304', async () => {
    for (const read of reads) {
      const { path: route, operation } = read;
      const path = addressOf(route, has);
      const answer = await test.as().get(path);
      // Health compares the clocks of process and database.
      const expected = route === '/readyz' ? 503 : 200;
      expect(answer.status, `${path} ${answer.text}`).to.equal(expected);
      check(answer, route, true);
      const { headers } = answer;
      if (operation === null) {
        expect(headers['content-type'], route).not.to.include('json');
      }
      expect(headers['x-board-participation'], route).to.equal(
        invites(read, document, answer) ? PARTICIPATION : undefined,
      );
      const isKept = !NEVER_STORED.test(route);
      if (operation !== null) {
        expect('304' in operation.responses, route).to.equal(isKept);
      }
      if (!isKept) {
        expect(headers['cache-control'], route).to.equal('no-store');
        expect(headers, route).not.to.have.property('etag');
        continue;
      }
      const isHashed = isAsset(route) && route !== '/favicon.ico';
      const byContent = isTile(route) || isHashed || /sha256/.test(route);
      expect(headers['cache-control'], route).to.equal(
        byContent ? IMMUTABLE : REVALIDATE,
      );
      expect(headers.etag, route).to.match(/^(?:W\/)?"[^"]{16,}"$/);
      for (const tag of [headers.etag ?? '', `W/${headers.etag}`, '*']) {
        const again = await test.as().get(path).set('If-None-Match', tag);
        expect(again.status, `${route} ${tag}`).to.equal(304);
        expect(again.text ?? '', route).to.equal('');
        check(again, route, true, isHtml(answer));
        expect(again.headers.etag, route).to.equal(headers.etag);
        expect(again.headers['cache-control'], route).to.equal(
          headers['cache-control'],
        );
      }
    }
  });

  it('name each limit that a read declares, board and mesh aside', async () => {
    for (const { path, spends } of data) {
      const { headers } = await test.as().get(addressOf(path, has));
      const own = spends.filter((name) => /^(?!mesh_|waits_)/.test(name));
      const policies = own.map((name) => {
        const seconds = name.endsWith('_hour') ? 3600 : 60;
        return `"${name}";q=${BOUNDLESS[name]};w=${seconds}`;
      });
      const policy = headers['ratelimit-policy'] ?? '';
      expect(policy, path).to.equal(policies.join(', '));
      const left = (headers.ratelimit ?? '').match(/(?<=")\w+(?=";r=\d)/g);
      expect(left ?? [], path).to.deep.equal(own);
    }
  });

  it('are those of a text when text is asked for', async () => {
    for (const path of [
      `/api/thread/${has.topic}?format=text`,
      `/api/messages/${has.signed}/proof?format=tlog-proof`,
    ]) {
      const answer = await test.as().get(path);
      check(answer, path, true);
      expect(answer.headers['content-type']).to.equal(
        'text/plain; charset=utf-8',
      );
      expect(answer.headers['x-board-participation']).to.equal(PARTICIPATION);
    }
  });

  it('are the same for HEAD', async () => {
    // Streams have no length; generated documents have a new date.
    // What is left of a limit changes with every request.
    const changing =
      /^(?:date|transfer-encoding|content-(?:length|encoding)|ratelimit)$/;
    for (const { path: route } of reads) {
      const path = addressOf(route, has);
      const get = await test.as().get(path);
      const head = await test.as().head(path);
      expect(head.status, route).to.equal(get.status);
      expect(head.text ?? '', route).to.equal('');
      for (const [name, value] of Object.entries(get.headers)) {
        if (changing.test(name)) continue;
        expect(head.headers[name], `${route} ${name}`).to.equal(value);
      }
    }
  });

  it('are those declared at the 4xx of a read', async () => {
    for (const { path: route } of data) {
      const [plain = ''] = addressOf(route, has).split('?');
      if (route.includes('{')) {
        const missing = await test.as().get(plain.replace(/[^/]+$/, 'none'));
        // `…/none` of a longer path, or a page that says so
        if (missing.status !== 404 || isHtml(missing)) continue;
        checkError(missing, route, true);
      }
      const bad = await test.as().get(`${plain}?limit=0&preview=-1&wait=99`);
      if (bad.status === 400) checkError(bad, route, true);
    }
  });

  it('are those declared at the 503 of a read', async () => {
    const database = new URL(test.databaseUrl).pathname.slice(1);
    const open = (yes: boolean) =>
      admin(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS ${yes}`);
    const failed: string[] = [];
    await open(false);
    try {
      await admin(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = '${database}'`,
      );
      for (const { path: route } of data) {
        const answer = await test.as().get(addressOf(route, has));
        // Documents, and what is kept for a moment, need no database.
        if (answer.status < 400) continue;
        expect(answer.status, `${route} ${answer.text}`).to.equal(503);
        checkError(answer, route, true);
        failed.push(route);
      }
    } finally {
      await open(true);
    }
    expect(failed.length).to.be.above(15);
  });
});
