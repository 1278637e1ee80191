import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Test } from 'supertest';
import { PARTICIPATION } from '../../../../server/http/headers.js';
import { ICON, STYLE } from '../../../../server/site/asset-files.js';
import { recordFaults } from '../../../faults/report.js';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { admin } from '../../../support/cluster.js';
import { mountedRoutes, templateOf } from '../../../support/routes.js';
import { addressOf, BOUNDLESS, type Furnished, furnish } from './furnished.js';

type Answer = Awaited<Test>;

const ASSETS = [STYLE.path, ICON.path];
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
const REVALIDATE = 'public, max-age=0, must-revalidate';

/** On every answer (spec/operators.md §R6.3; spec/board.md §1.7). */
const ALWAYS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': DATA_POLICY,
};

/**
 * What spec/board.md §1.7 names: messages, requests, updates, stats,
 * usefulness, reports, moderation; the content of a log entry is a message, and
 * health is of this moment.
 */
const NO_STORE = [
  ...['/api/messages/{id}', '/api/requests/{uuid}', '/api/updates'],
  ...['/api/polls/updates', '/api/stats', '/api/usefulness', '/log/content'],
  ...['/api/reports/{uuid}', '/api/moderation', '/healthz', '/readyz'],
  ...['/api/moderation/{message_id}', '/log/feed', '/api/mesh/updates'],
  ...['/mirror/{hash}/feed', '/mirror/{hash}/content'],
  '/api/mesh/boards/{name}/updates',
  '/api/mesh/boards/{name}/messages/{id}',
];
const ENTRY_POINTS = [
  ...['/all.txt', '/protocol.md', '/skill.md', '/rules.md', '/identity.md'],
  ...['/llms.txt', '/governance-reference.md', '/invite.txt', '/robots.txt'],
  ...['/.well-known/agent-skills/reserve-board/SKILL.md', '/sitemap.xml'],
];
const IMMUTABLE = [
  ...['/log/tile/*n', '/log/tile/entries/*n', '/api/mesh/evidence/{sha256}'],
  ...['/mirror/{hash}/tile/*n', '/mirror/{hash}/tile/entries/*n'],
];

/** The names that an answer may have, but for those of `ALWAYS`. */
const OTHERS = [
  ...['permissions-policy', 'cross-origin-resource-policy', 'date'],
  ...['access-control-allow-origin', 'cache-control', 'connection', 'etag'],
  ...['content-type', 'content-length', 'keep-alive', 'allow'],
  ...['x-board-participation', 'retry-after', 'transfer-encoding', 'vary'],
  ...['link', 'ratelimit', 'ratelimit-policy', 'content-encoding'],
];

/** Pages for people and what they load have headers and tests of their own. */
const PAGES =
  /^\/(?:$|top$|t\/|search$|moderation$|mesh|connect$|my$|selections$|reference$)/;

describe('the headers of every route', () => {
  let test: TestBoard;
  let has: Furnished;
  let reads: string[];
  let writes: string[];
  let checked = 0;

  before(async () => {
    // No worker changes what /api/mesh says of a peer between two reads.
    const env = { ROLES: 'api' };
    test = await startBoard({ limits: BOUNDLESS, env });
    has = await furnish(test);
    const routes = mountedRoutes(test.board.app);
    const named = (method: string) =>
      routes
        .filter(({ methods }) => methods.includes(method))
        .map(({ path }) => templateOf(path))
        .filter((path) => !PAGES.test(path) && !ASSETS.includes(path));
    reads = named('get');
    writes = named('post');
    expect(reads.length).to.be.greaterThan(25);
    expect(writes.length).to.be.greaterThan(7);
  });

  after(async () => {
    await test.stop();
    await recordFaults({ test: 'D9', faults: checked });
  });

  const check = (answer: Answer, at: string, publicRead: boolean): void => {
    const { headers } = answer;
    checked += 1;
    expect(headers, at).to.include(ALWAYS);
    expect(headers['permissions-policy'], at).to.match(/^[a-z-]+=\(\)(, |$)/);
    expect(headers['permissions-policy'], at).not.to.match(/=\([^)]/);
    expect(headers['cross-origin-resource-policy'], at).to.equal(
      publicRead ? 'cross-origin' : 'same-origin',
    );
    expect(headers['access-control-allow-origin'], at).to.equal(
      publicRead ? '*' : undefined,
    );
    const known = [...Object.keys(ALWAYS), ...OTHERS];
    expect(known, at).to.include.members(Object.keys(headers));
  };

  const checkError = (answer: Answer, at: string, read: boolean): void => {
    check(answer, at, read);
    const { headers } = answer;
    expect(headers['cache-control'], at).to.equal('no-store');
    expect(headers, at).not.to.have.any.keys('etag', 'x-board-participation');
    expect(headers['content-type'], at).to.equal(
      'application/json; charset=utf-8',
    );
  };

  it('are those of the table at 200 and 304', async () => {
    for (const route of reads) {
      const path = addressOf(route, has);
      const answer = await test.as().get(path);
      // Health compares the clocks of process and database.
      const expected = route === '/readyz' ? 503 : 200;
      expect(answer.status, `${path} ${answer.text}`).to.equal(expected);
      check(answer, route, true);
      const { headers } = answer;
      expect(headers['x-board-participation'], route).to.equal(
        ENTRY_POINTS.includes(route) ? PARTICIPATION : undefined,
      );
      if (NO_STORE.includes(route)) {
        expect(headers['cache-control'], route).to.equal('no-store');
        expect(headers, route).not.to.have.property('etag');
        continue;
      }
      expect(headers['cache-control'], route).to.equal(
        IMMUTABLE.includes(route)
          ? 'public, max-age=31536000, immutable'
          : REVALIDATE,
      );
      expect(headers.etag, route).to.match(/^(?:W\/)?"[^"]{16,}"$/);
      const tags = [headers.etag ?? '', `W/${headers.etag}`, '*'];
      for (const tag of tags) {
        const again = await test.as().get(path).set('If-None-Match', tag);
        expect(again.status, `${route} ${tag}`).to.equal(304);
        expect(again.text ?? '', route).to.equal('');
        check(again, route, true);
        expect(again.headers.etag, route).to.equal(headers.etag);
        expect(again.headers['cache-control'], route).to.equal(
          headers['cache-control'],
        );
      }
    }
  });

  it('tag a proof with the SHA-256 of its bytes', async () => {
    const path = `/api/messages/${has.signed}/proof`;
    const { headers, text } = await test.as().get(path);
    const digest = createHash('sha256').update(text).digest('hex');
    expect(headers.etag).to.equal(`"${digest}"`);
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
    for (const route of reads) {
      const path = addressOf(route, has);
      const get = await test.as().get(path);
      const head = await test.as().head(path);
      expect(head.status, route).to.equal(get.status);
      expect(head.text ?? '', route).to.equal('');
      for (const [name, value] of Object.entries(get.headers)) {
        // Streams have no length; generated documents have a new date.
        // What is left of a limit changes with every request.
        if (
          /^(?:date|transfer-encoding|content-(?:length|encoding)|ratelimit)$/.test(
            name,
          )
        )
          continue;
        expect(head.headers[name], `${route} ${name}`).to.equal(value);
      }
    }
  });

  it('are those of the table at the 4xx of a read', async () => {
    for (const route of reads) {
      const path = addressOf(route, has);
      const [plain = ''] = path.split('?');
      const wrong = await test.as().delete(plain);
      expect(wrong.status, route).to.equal(405);
      checkError(wrong, route, false);
      expect(wrong.headers.allow, route).to.match(/^GET, HEAD(?:, |$)/);
      if (route.includes('{')) {
        const missing = await test.as().get(plain.replace(/[^/]+$/, 'none'));
        const page = missing.headers['content-type']?.includes('html');
        // `…/none` of a longer path, or a page that says so
        if (missing.status !== 404 || page) continue;
        checkError(missing, route, true);
      }
      const bad = await test.as().get(`${plain}?limit=0&preview=-1&wait=99`);
      if (bad.status === 400) checkError(bad, route, true);
    }
  });

  it('never let another site write', async () => {
    for (const route of writes) {
      const path = addressOf(route, has);
      const post = () => test.as().post(path);
      const json = { 'Content-Type': 'application/json' };
      const refused: [number, Promise<Answer>][] = [
        [400, post().set(json).send('{')],
        [400, post().set(json).send('{"unknown":1}')],
        [400, post().query({ a: '1' }).set(json).send('{}')],
        [403, post().set(json).set('Origin', 'http://evil.test').send('{}')],
        [415, post().set('Content-Type', 'text/plain').send('x')],
      ];
      for (const [status, answer] of refused) {
        const got = await answer;
        expect(got.status, `${route} ${got.text}`).to.equal(status);
        checkError(got, route, false);
      }
      const preflight = await test
        .as()
        .options(path)
        .set('Origin', 'http://evil.test')
        .set('Access-Control-Request-Method', 'POST');
      expect(preflight.status, route).to.equal(204);
      expect(preflight.headers.allow, route).to.include('POST');
      const cors = preflight.headers['access-control-allow-methods'] ?? '';
      expect(cors, route).not.to.include('POST');
    }
  });

  it('refuse to read a write path, with the POST to send', async () => {
    for (const route of writes.filter((path) => !reads.includes(path))) {
      for (const method of ['get', 'head'] as const) {
        const answer = await test.as()[method](`${addressOf(route, has)}?a=b`);
        expect(answer.status, route).to.equal(405);
        expect(answer.headers.allow, route).to.equal('POST');
        checkError(answer, route, true);
        if (method === 'head') continue;
        const { suggested_action: action } = answer.body;
        expect(action.method, route).to.equal('POST');
        expect(action.json_template, route).to.deep.equal({ a: 'b' });
      }
    }
  });

  it('are those of the table at the 503 of a read', async () => {
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
      for (const route of reads) {
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
