import request from 'supertest';
import { PARTICIPATION } from '../../../server/http/headers.js';
import { etagOf, matchesEtag } from '../../../server/http/send.js';
import { cpuTime } from '../../support/cpu-time.js';
import { given } from '../../support/hooks.js';
import { BASE, rawExchange, startEdge } from './harness.js';

describe('routes', () => {
  const edge = given(() => startEdge());

  const post = (path = '/write/echo') =>
    request(edge.server).post(path).set('Content-Type', 'application/json');

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

  const data = ['/api/nothing', '/api', '/write/x', '/log', '/mirror/a'];
  for (const path of [...data, '/nothing', '/apis', '/t/%ff']) {
    const isData = data.includes(path);
    it(`answers ${isData ? 'JSON' : 'a page'} for the unknown path ${path}`, async () => {
      const asked = request(edge.server).get(path).set('Accept', 'text/html');
      const answer = await asked.expect(404);
      expect(answer.type).to.equal(isData ? 'application/json' : 'text/html');
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(answer.body.error).to.equal(isData ? 'not_found' : undefined);
      expect(answer.headers['x-board-participation']).to.equal(
        isData ? undefined : PARTICIPATION,
      );
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

  it('escapes the path on that page and shortens it', async () => {
    const raw = `GET /<script>'"&${'a'.repeat(900)}?<b> HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n`;
    const answer = await rawExchange(edge.port, raw);
    expect(answer.status).to.equal(404);
    expect(answer.text).to.contain('/&lt;script&gt;&#39;&quot;&amp;aaa');
    expect(answer.text).not.to.contain('<script');
    expect(answer.text).not.to.contain('<b>');
    expect(answer.text).not.to.contain('a'.repeat(300));
  });

  const own = { Origin: BASE };
  for (const [name, status, headers] of [
    ['another origin', 403, { Origin: 'https://evil.test' }],
    ['the origin null', 403, { Origin: 'null' }],
    ['an empty origin', 403, { Origin: '' }],
    ['a subdomain', 403, { Origin: 'https://a.board.test' }],
    ['another port', 403, { Origin: `${BASE}:8443` }],
    ['another scheme', 403, { Origin: 'http://board.test' }],
    ['another case', 403, { Origin: 'https://BOARD.test' }],
    ['a path after the origin', 403, { Origin: `${BASE}/` }],
    ['two origins', 403, { Origin: `${BASE}, ${BASE}` }],
    ['a cross-site fetch', 403, { 'Sec-Fetch-Site': 'cross-site' }],
    ['one from here', 403, { ...own, 'Sec-Fetch-Site': 'Cross-Site' }],
    ['no origin', 200, {}],
    ['its own origin', 200, own],
    ['a fetch from here', 200, { ...own, 'Sec-Fetch-Site': 'same-origin' }],
    ['a fetch from nowhere', 200, { 'Sec-Fetch-Site': 'none' }],
  ] as const) {
    it(`answers ${status} to a POST with ${name}`, async () => {
      const answer = await post().set(headers).send('{}').expect(status);
      expect(answer.body.error).to.equal(
        status === 403 ? 'forbidden' : undefined,
      );
    });
  }

  it('lets any site read', async () => {
    const answer = await request(edge.server)
      .get('/api/list')
      .set({ Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' });
    expect(answer.status).to.equal(200);
  });
});

const TAG = '"abc"';

describe('matchesEtag', () => {
  for (const header of [
    ...[
      '"abc"',
      'W/"abc"',
      '*',
      ' * ',
      '"x", "abc"',
      '"x",W/"abc"',
      '"a,b","abc"',
    ],
    ...['"", "abc"', '"abc" , "x"'],
    ...['"abc-gzip"', 'W/"abc-br"', '"x-gzip", "abc;zstd"', '"abc--gzip"'],
  ]) {
    it(`finds the tag in ${header}`, () => {
      expect(matchesEtag(header, TAG)).to.equal(true);
    });
  }

  for (const header of [
    ...['', 'abc', '"ab"', '"abcd"', '"ABC"', "'abc'", '"abc', 'abc"', '**'],
    ...['"x,"', 'W/abc'],
    ...['"abd-gzip"', '"abc-gz"', '"abcgzip"', '"abc-gzip-1"', '"-gzip"'],
  ]) {
    it(`does not find the tag in ${header}`, () => {
      expect(matchesEtag(header, TAG)).to.equal(false);
    });
  }

  it('takes linear time for a hostile list', () => {
    const list = 'W/"'.repeat(2_700);
    expect(cpuTime(() => matchesEtag(list, TAG))).to.be.below(50);
  });
});

describe('conditional requests', () => {
  const edge = given(() => startEdge());
  let etag = '';
  before(async () => {
    const answer = await request(edge.server).get('/api/list');
    etag = String(answer.headers.etag);
  });

  it('tags exactly the bytes sent', async () => {
    const answer = await request(edge.server).get('/api/list');
    expect(etag).to.match(/^"[\w-]{27}"$/);
    expect(etagOf(Buffer.from(answer.text))).to.equal(etag);
    expect(etagOf(Buffer.from(`${answer.text} `))).not.to.equal(etag);
    expect(answer.headers['cache-control']).to.equal(
      'public, max-age=0, must-revalidate',
    );
    expect(answer.headers['content-length']).to.equal(
      String(Buffer.byteLength(answer.text)),
    );
  });

  for (const method of ['get', 'head'] as const) {
    it(`answers 304 to a ${method} that knows the tag`, async () => {
      const answer = await request(edge.server)
        [method]('/api/list')
        .set('If-None-Match', `"x", W/${etag}`);
      expect(answer.status).to.equal(304);
      expect(answer.headers.etag).to.equal(etag);
      expect(answer.headers['cache-control']).to.equal(
        'public, max-age=0, must-revalidate',
      );
      expect(answer.headers['access-control-allow-origin']).to.equal('*');
      expect(answer.headers).not.to.have.property('content-type');
      expect(answer.headers).not.to.have.property('content-length');
    });
  }

  it('answers 200 to one that knows another tag', async () => {
    const answer = await request(edge.server)
      .get('/api/list')
      .set('If-None-Match', '"other"');
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.equal({ data: [1, 2] });
  });

  it('gives no tag and no 304 where nothing may be stored', async () => {
    const answer = await request(edge.server)
      .get('/api/messages/7')
      .set('If-None-Match', '*');
    expect(answer.status).to.equal(200);
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers).not.to.have.property('etag');
  });
});
