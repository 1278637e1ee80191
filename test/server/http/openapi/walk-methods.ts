import { BASE_URL } from '../../../support/board.js';
import { operationsOf } from '../../../support/described.js';
import { methodsOf, nameOf, routeOf } from './declared.js';
import { ALWAYS, type Answer, checkRefusal } from './header-rules.js';
import type { Walk } from './walk.js';

/** An address of the route; what it names need not be there. */
const anyOf = (template: string): string =>
  template
    .replace(/\{\w+\}/g, '1')
    .replace('tile/*n', 'tile/0/000')
    .replace('*n', '000');

/** The error of an answer, also where /mcp says it in JSON-RPC. */
const errorOf = ({ body }: Answer) => body.error?.data ?? body;

export function walkMethods({ plain, watched, test }: Walk): void {
  let methods: Map<string, string[]>;
  before(() => {
    methods = methodsOf(plain);
  });

  it('names the methods of a route by a 204 to OPTIONS and a 405 to others', async () => {
    for (const [route, mounted] of methods) {
      const path = anyOf(route);
      const read = mounted.includes('get');
      const write = mounted.includes('post');
      const named = [
        ...(read ? ['GET', 'HEAD'] : []),
        ...(write ? ['POST'] : []),
      ];
      const whole = [...named, 'OPTIONS'].join(', ');
      const options = await test
        .as()
        .options(path)
        .set('Origin', 'http://evil.test')
        .set('Access-Control-Request-Method', 'POST');
      expect(options.status, route).to.equal(204);
      expect(options.text, route).to.equal('');
      const cors = Object.entries(options.headers).filter(([name]) =>
        name.startsWith('access-control-'),
      );
      expect(options.headers, route).to.include({ ...ALWAYS, allow: whole });
      expect(Object.fromEntries(cors), route).to.deep.equal(
        read && route !== '/api/budgets'
          ? {
              'access-control-allow-origin': '*',
              'access-control-allow-methods': 'GET, HEAD, OPTIONS',
              'access-control-allow-headers':
                'X-Agent-Name, X-Board-Source, If-None-Match, Last-Event-ID, Cache-Control',
            }
          : {},
      );
      for (const method of ['post', 'put', 'patch', 'delete'] as const) {
        if (mounted.includes(method)) continue;
        const wrong = await test.as()[method](path);
        expect(wrong.status, `${method} ${route}`).to.equal(405);
        const { error, detail, suggested_action: action } = errorOf(wrong);
        expect(error, route).to.equal('method_not_allowed');
        if (method === 'delete') expect(action, route).to.equal(undefined);
        if (action === undefined) continue;
        // The write that is meant, which is there (spec/board.md §16.21).
        expect(detail, route).to.include(action.url);
        const there = await test.as().get(new URL(action.url).pathname);
        expect([there.status, there.headers.allow]).to.deep.equal([
          405,
          'POST',
        ]);
        expect(wrong.headers.allow, route).to.equal(read ? whole : 'POST');
        checkRefusal(wrong, `${method} ${route}`, false);
      }
    }
  });

  it('takes no POST of another site, nor one that is not strict JSON', async () => {
    for (const [route, mounted] of methods) {
      // A form of the board's own pages, the one write that is no JSON.
      if (!mounted.includes('post') || route === '/report') continue;
      const path = anyOf(route);
      const post = () => test.as().post(path);
      const json = { 'Content-Type': 'application/json' };
      const plain = { 'Content-Type': 'text/plain' };
      const gzip = { ...json, 'Content-Encoding': 'gzip' };
      const from = (origin: string) => post().set(json).set('Origin', origin);
      const refused: [string, number, Promise<Answer>][] = [
        ['invalid_json', 400, post().set(json).send('{')],
        ['unknown_field', 400, post().set(json).send('{"unknown":1}')],
        ['url_parameters_rejected', 400, post().query({ a: '1' }).send({})],
        ['forbidden', 403, from('http://evil.test').send('{}')],
        ['forbidden', 403, from('null').send('{}')],
        ['forbidden', 403, post().set('Sec-Fetch-Site', 'cross-site').send({})],
        ['unsupported_media_type', 415, post().set(plain).send('x')],
        ['unsupported_media_type', 415, post().set(gzip).send('{}')],
      ];
      for (const [error, status, answer] of refused) {
        const got = await answer;
        expect(got.status, `${route} ${got.text}`).to.equal(status);
        expect(errorOf(got).error, route).to.equal(error);
        checkRefusal(got, route, false);
      }
    }
  });

  it('refuses to read a write path, with the POST to send', async () => {
    for (const [route, mounted] of methods) {
      if (mounted.includes('get')) continue;
      for (const method of ['get', 'head'] as const) {
        const path = anyOf(route);
        const answer = await test.as()[method](`${path}?a=b`);
        expect(answer.status, route).to.equal(405);
        expect(answer.headers.allow, route).to.equal('POST');
        // Reading them spends nothing (spec/board.md §1.8).
        expect(answer.headers, route).not.to.have.property('ratelimit');
        checkRefusal(answer, route, true);
        if (method === 'head') continue;
        const { detail, suggested_action: action } = errorOf(answer);
        const reads = [...methods].some(
          ([one, names]) =>
            one.startsWith(`${route}/:`) && names.includes('get'),
        );
        if (reads) expect(detail).to.match(/ GET \/[a-z/]+\/<\w+> reads\./);
        expect(action, route).to.include({
          method: 'POST',
          url: `${BASE_URL}${path}`,
        });
        expect(action.json_template, route).to.deep.equal({ a: 'b' });
      }
    }
  });

  it('has one description of every route, and of no other', () => {
    const { document } = watched.description;
    const described = operationsOf(document).map(nameOf);
    expect(new Set(described).size).to.equal(described.length);
    const routes = described.map(routeOf);
    const mounted = [...methods].flatMap(([path, names]) =>
      names.map((method) => nameOf({ method, path })),
    );
    const missing = mounted.filter((one) => !routes.includes(one));
    expect(missing).to.deep.equal([]);
    // It only refuses, as older descriptions of this API made it known.
    const more = routes.filter((one) => !mounted.includes(one));
    expect(more).to.deep.equal(['get /write/preview']);
    expect(described).to.include.members([
      ...['get /healthz', 'post /write/publish', 'get /log/checkpoint'],
      ...['get /t/{id}', 'get /skill.md', 'get /log/tile/{L}/{N}'],
    ]);
  });
}
