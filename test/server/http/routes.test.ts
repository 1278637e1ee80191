import { expect } from 'chai';
import request from 'supertest';
import { PARTICIPATION } from '../../../server/http/headers.js';
import { BASE, type Edge, rawExchange, startEdge } from './harness.js';

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

describe('routes', () => {
  let edge: Edge;
  before(async () => {
    edge = await startEdge();
  });
  after(() => edge.stop());

  const post = (path = '/write/echo') =>
    request(edge.server).post(path).set('Content-Type', 'application/json');

  it('answers OPTIONS on a read path for any origin', async () => {
    const answer = await request(edge.server).options('/api/list');
    expect(answer.status).to.equal(204);
    expect(answer.text).to.equal('');
    expect(answer.headers).to.include({
      ...ALWAYS,
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers':
        'X-Agent-Name, X-Board-Source, If-None-Match',
    });
  });

  it('answers OPTIONS on a write path without any CORS header', async () => {
    const answer = await request(edge.server).options('/write/echo');
    expect(answer.status).to.equal(204);
    expect(answer.headers.allow).to.equal('POST, OPTIONS');
    const names = Object.keys(answer.headers).join();
    expect(names).not.to.contain('access-control');
  });

  for (const method of ['post', 'put', 'patch', 'delete'] as const) {
    it(`refuses ${method} on a read path`, async () => {
      const answer = await request(edge.server)[method]('/api/list');
      expect(answer.status).to.equal(405);
      expect(answer.headers.allow).to.equal('GET, HEAD, OPTIONS');
      expect(answer.body.error).to.equal('method_not_allowed');
      expect(answer.body).not.to.have.property('suggested_action');
    });
  }

  it('turns a GET of a write path into a POST template', async () => {
    const answer = await request(edge.server).get(
      '/write/echo?body=a+b%26c&vote=-1&reply_to=12&title=5&name=&vote=1',
    );
    expect(answer.status).to.equal(405);
    expect(answer.headers.allow).to.equal('POST');
    const { suggested_action: action } = answer.body;
    expect(action.method).to.equal('POST');
    expect(action.url).to.equal(`${BASE}/write/echo`);
    expect(action.content_type).to.equal('application/json');
    expect(action.json_template).to.deep.equal({
      body: 'a b&c',
      vote: -1,
      reply_to: 12,
      title: '5',
      name: '',
    });
    expect(action.instruction).to.be.a('string');
  });

  it('keeps integers that are not canonical as they were sent', async () => {
    const query = 'vote=%2B1&reply_to=012&__proto__=x';
    const answer = await request(edge.server).get(`/write/echo?${query}`);
    const template = JSON.stringify(answer.body.suggested_action.json_template);
    expect(template).to.equal('{"vote":"+1","reply_to":"012","__proto__":"x"}');
  });

  it('refuses a HEAD of a write path like the GET', async () => {
    const answer = await request(edge.server).head('/write/echo?body=a');
    expect(answer.status).to.equal(405);
    expect(answer.headers.allow).to.equal('POST');
    expect(answer.text ?? '').to.equal('');
  });

  for (const path of ['/api/list', '/api/messages/7', '/page', '/api/no']) {
    it(`answers HEAD ${path} as GET without the body`, async () => {
      const get = await request(edge.server).get(path);
      const head = await rawExchange(
        edge.port,
        `HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expect(head.status).to.equal(get.status);
      expect(head.text).to.match(/\r\n\r\n$/);
      for (const [name, value] of Object.entries(get.headers)) {
        if (name === 'date' || name === 'connection') continue;
        expect(head.head).to.contain(`${name}: ${value}`.toLowerCase());
      }
    });
  }

  for (const path of [
    '/api/nothing',
    '/api',
    '/write/x',
    '/log',
    '/mirror/a',
  ]) {
    it(`answers JSON for the unknown path ${path}`, async () => {
      const answer = await request(edge.server).get(path);
      expect(answer.status).to.equal(404);
      expect(answer.type).to.equal('application/json');
      expect(answer.body.error).to.equal('not_found');
    });
  }

  it('takes the path out of a whole address', async () => {
    const ask = (target: string) =>
      rawExchange(
        edge.port,
        `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
    const unknown = await ask('http://evil.test/api/nothing');
    expect(unknown.body.error).to.equal('not_found');
    const write = await ask('http://evil.test/write/echo?body=x');
    expect(write.status).to.equal(405);
    expect(write.body.suggested_action).to.deep.include({
      json_template: { body: 'x' },
    });
    expect(write.text).not.to.contain('evil');
    const page = await ask('http://evil.test');
    expect([page.status, page.text.includes('evil')]).to.deep.equal([
      404,
      false,
    ]);
  });

  for (const path of ['/nothing', '/apis', '/t/%ff']) {
    it(`answers a page for the unknown path ${path}`, async () => {
      const answer = await request(edge.server).get(path);
      expect(answer.status).to.equal(404);
      expect(answer.type).to.equal('text/html');
      expect(answer.headers['content-security-policy']).to.equal(PAGE_POLICY);
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(answer.headers['x-board-participation']).to.equal(PARTICIPATION);
    });
  }

  it('escapes the path on that page and shortens it', async () => {
    const raw = `GET /<script>'"&${'a'.repeat(900)}?<b> HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const answer = await rawExchange(edge.port, raw);
    expect(answer.status).to.equal(404);
    expect(answer.text).to.contain('/&lt;script&gt;&#39;&quot;&amp;aaa');
    expect(answer.text).not.to.contain('<script');
    expect(answer.text).not.to.contain('<b>');
    expect(answer.text).not.to.contain('a'.repeat(300));
  });

  it('dresses a public read as data of any origin', async () => {
    const answer = await request(edge.server).get('/api/list');
    expect(answer.headers).to.include({
      ...ALWAYS,
      'content-security-policy': DATA_POLICY,
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.headers['permissions-policy']).to.contain('camera=()');
    expect(answer.headers).not.to.have.property('x-board-participation');
    expect(answer.headers).not.to.have.property('x-powered-by');
  });

  it('dresses a write as data of its own origin', async () => {
    for (const body of ['{}', '{']) {
      const answer = await post().send(body);
      expect(answer.headers).to.include({
        ...ALWAYS,
        'content-security-policy': DATA_POLICY,
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(answer.headers).not.to.have.property(
        'access-control-allow-origin',
      );
    }
  });

  it('dresses a page', async () => {
    const answer = await request(edge.server).get('/page');
    expect(answer.headers).to.include({
      ...ALWAYS,
      'content-security-policy': PAGE_POLICY,
      'cross-origin-resource-policy': 'same-origin',
      'x-board-participation': PARTICIPATION,
      'content-type': 'text/html; charset=utf-8',
    });
  });

  for (const [name, headers] of Object.entries({
    'another origin': { Origin: 'https://evil.test' },
    'the origin null': { Origin: 'null' },
    'an empty origin': { Origin: '' },
    'a subdomain': { Origin: 'https://a.board.test' },
    'another port': { Origin: `${BASE}:8443` },
    'another scheme': { Origin: 'http://board.test' },
    'another case': { Origin: 'https://BOARD.test' },
    'a path after the origin': { Origin: `${BASE}/` },
    'two origins': { Origin: `${BASE}, ${BASE}` },
    'a cross-site fetch': { 'Sec-Fetch-Site': 'cross-site' },
    'a cross-site fetch from here': {
      Origin: BASE,
      'Sec-Fetch-Site': 'Cross-Site',
    },
  })) {
    it(`refuses a POST with ${name}`, async () => {
      const answer = await post().set(headers).send('{}');
      expect(answer.status).to.equal(403);
      expect(answer.body.error).to.equal('forbidden');
    });
  }

  for (const headers of [
    {},
    { Origin: BASE },
    { Origin: BASE, 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
  ]) {
    it(`takes a POST with ${JSON.stringify(headers)}`, async () => {
      const answer = await post().set(headers).send('{}');
      expect(answer.status).to.equal(200);
    });
  }

  it('lets any site read', async () => {
    const answer = await request(edge.server)
      .get('/api/list')
      .set({ Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' });
    expect(answer.status).to.equal(200);
  });
});
