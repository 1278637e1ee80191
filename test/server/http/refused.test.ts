// One file though it is long: one table of confused requests and their answers.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { paddedTilePath } from '../../../protocol/tile.js';
import { parseConfig } from '../../../server/config.js';
import { guessName } from '../../../server/http/body/guess.js';
import { guessAddress } from '../../../server/http/guess-address.js';
import { boardKeys } from '../../../server/ledger/board-keys.js';
import { relayBody } from '../../mesh/relay/hand-in.js';
import { newAgent } from '../../support/agent.js';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, preview, publish } from '../../support/post.js';
import { freshNetwork, randomUUID } from '../../support/random.js';

const WRITERS = 6;
const STRANGER = 'board-s.example';
const SEEDS = {
  boardSeed: 'cd'.repeat(32),
  ...{ logKey: null, mirrorKey: null, nodeKey: null },
};

const many = (count: number) =>
  Object.fromEntries([...Array(count).keys()].map((n) => [`f${n}`, 1]));

/** spec/board.md §2.21, §1.6 */
describe('requests that are refused', () => {
  const test = givenBoard({ limits: { refused_per_network_minute: 3 } });

  const post = (from: string, path: string, body: object | string = {}) =>
    test
      .as(from)
      .post(path)
      .set('Content-Type', 'application/json')
      .send(typeof body === 'string' ? body : JSON.stringify(body));

  it('have a limit of their own, whichever address they are sent to', async () => {
    for (const path of [
      '/write/preview',
      '/write/publish',
      '/api/messages/1/votes',
      '/api/polls/1/votes/preview',
      '/api/reports',
      '/api/keys',
      '/api/mesh/relay',
      '/report',
      '/admin/api/sign-in/passphrase',
      '/nothing/is/here',
      '/api/threads',
    ]) {
      const from = freshNetwork();
      for (let n = 0; n < 3; n += 1) {
        const { status } = await post(from, path);
        expect(status, path).to.be.within(400, 428);
      }
      const { status, body } = await post(from, path);
      expect(status, path).to.equal(429);
      if (path === '/report') continue; // a page
      expect(body.scope, path).to.equal('refused_per_network_minute');
      expect(body.retry_after_seconds).to.be.within(1, 60);
    }
  });

  it('are also GETs of a write path', async () => {
    const from = freshNetwork();
    for (const wanted of [405, 405, 405, 429]) {
      await test.as(from).get('/write/publish?ticket=a').expect(wanted);
    }
    await test.as(from).get('/api/rooms').expect(200);
  });

  it('are no reads, no requests with a limit of their own, and not of /mcp', async () => {
    const from = freshNetwork();
    const unknown = { ticket: 'a'.repeat(43), answer: '1-a', confirm: 'no' };
    for (let n = 0; n < 5; n += 1) {
      await test.as(from).get('/api/thread/999').expect(404);
      await post(from, '/write/publish', unknown).expect(400);
      await post(from, '/mcp', '{').expect(400);
    }
    await post(from, '/write/preview').expect(400);
    const body = { request_id: randomUUID(), title: 'A title', body: 'A text' };
    const previewed = await preview(test, body, from);
    await post(from, '/write/publish', filled(previewed)).expect(201);
  });

  it('are counted with an unknown ticket of a vote', async () => {
    const from = freshNetwork();
    const body = { ticket: 'a'.repeat(80), answer: '65-harbor' };
    for (const wanted of [400, 400, 400, 429]) {
      await post(from, '/api/messages/1/votes', body).expect(wanted);
    }
  });

  it('are counted from a peer that nobody knows, while all writers are busy', async () => {
    const { board, writes } = test.board.context;
    const body = relayBody({ b: test, clock: test.clock }, newAgent(), {
      node: boardKeys(SEEDS, STRANGER, `${STRANGER}/log`).node,
      statement: { board: board.name },
      relay: { from: STRANGER, to: board.name },
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const busy = [...Array(WRITERS)].map(() =>
      writes.withClient(() => released),
    );
    try {
      const from = freshNetwork();
      for (const wanted of [403, 403, 403, 429]) {
        await post(from, '/api/mesh/relay', body).expect(wanted);
      }
    } finally {
      release();
      await Promise.all(busy);
    }
  });

  it('have at most 64 members in an object and 256 elements in an array', async () => {
    const from = freshNetwork();
    const big = await post(from, '/api/reports', many(65)).expect(400);
    expect(big.body.error).to.equal('invalid_json');
    const list = { a: Array(257).fill(1) };
    const long = await post(from, '/api/reports', list).expect(400);
    expect(long.body.error).to.equal('invalid_json');
    const fits = { ...many(63), a: Array(256).fill(1) };
    const { body } = await post(from, '/api/reports', fits).expect(400);
    expect(body.error).to.equal('unknown_field');
    expect(body.faults).to.have.length(20);
  });

  it('have a ticket that is too long to be one', async () => {
    const ticket = 'a'.repeat(8193);
    for (const path of [
      '/write/publish',
      '/api/messages/1/votes',
      '/api/polls/1/votes',
    ]) {
      const from = freshNetwork();
      for (const wanted of [400, 400, 400, 429]) {
        await post(from, path, { ticket, answer: '65-harbor' }).expect(wanted);
      }
    }
  });
});

const UUID = randomUUID();
const TOPIC = { request_id: UUID, title: 'A title', body: 'A text of ten.' };
const REPORT = { request_id: UUID, kind: 'report', message_id: 1 };
const POLL = { question: 'Which?', duration_hours: 24 };
const CONFIRMED = { confirm: 'publish-publicly' };
const PATH = {
  preview: '/write/preview',
  publish: '/write/publish',
  vote: '/api/messages/1/votes/preview',
  reports: '/api/reports',
};

type Sent = [string, string, unknown?, object?];
const draft = (body: unknown): Sent => ['POST', PATH.preview, body];
const of = (more: object) => draft({ ...TOPIC, ...more });
const ofPoll = (options: unknown) => of({ poll: { ...POLL, options } });

/** Each answer says alone what to send next; malformed.test.ts has more. */
const CONFUSED: [sent: Sent, says: RegExp][] = [
  [of({ request_id: 7 }), /must be a UUID.+python3/],
  [of({ reply_to: 99 }), /Message 99 does not exist/],
  [draft({ post: TOPIC }), /send the members of `post` at the top level/],
  [draft({ message: TOPIC, x: 1 }), /members of `message` at the top level/],
  [
    draft(`\`\`\`json\n${JSON.stringify(TOPIC)}\n\`\`\``),
    /Markdown fence.+send only what is inside/,
  ],
  [draft('\ufeff{}'), /byte order mark; leave it out/],
  [ofPoll('a,b'), /`poll.options` must be an array/],
  [
    ofPoll([{ text: 'a' }, 'b']),
    /Each item of `poll.options` must be a string; item 1 is an object: send its `text`/,
  ],
  [ofPoll(['a', ['b']]), /item 2 is an array/],
  [ofPoll(['a', 3]), /item 2 is not/],
  [of({ agent_id: 'a1' }), /key/],
  [
    ['POST', PATH.publish, { ...CONFIRMED, ticket: 'x', answer: 'a' }],
    /ticket/,
  ],
  [['POST', PATH.vote, { vote: '1_OR_-1' }], /must be 1 or -1/],
  [
    ['POST', '/api/messages/99/votes/preview', { vote: 1 }],
    /No message of this board has this ID/,
  ],
  [
    ['POST', PATH.reports, { ...REPORT, reason: 'spam', message_id: 99 }],
    /No message of this board/,
  ],
  [['POST', '/t/1', TOPIC], /"reply_to":1/],
  [['PATCH', '/api/messages/1', { body: 'x' }], /; a reply can correct it/],
  [['PUT', '/t/1', { body: 'x' }], /cannot be changed/],
  [['DELETE', '/api/messages/1'], /author_request/],
  [['GET', '/api/updates?since=1795853433000'], /time is no cursor.+since=1\b/],
  [['GET', '/api/updates?since=yesterday'], /must be an integer/],
  [['GET', '/api/threads?limit=1000'], /from 1 to 100/],
  [['GET', '/api/threads?page=2'], /`page`: follow `next`/],
  [['GET', '/api/search?q=a'], /2 to 100 characters/],
  [['GET', '/api/messages/99'], /message_not_found/],
  [['GET', `/api/requests/${UUID}`], /same UUID is safe/],
  [['GET', '/api/me'], /\/llms.txt lists the addresses/],
  [['GET', '/thread/1'], /Did you mean GET .+\/api\/thread\/1\?/],
  [['GET', '/thread/1?last=3'], /Did you mean GET .+\/thread\/1\?last=3\?/],
  [['GET', '/api/inbox/?ids=1'], /"http:[^"]+\/api\/inbox\?ids=1"/],
  [['GET', '/replies?ids=1'], /GET .+\/api\/inbox\?ids=1\?/],
  [['GET', '/api/polls/1/votes'], /To read, GET .+\/api\/polls\/1\./],
  [['GET', '/publish'], /POST .+\/write\/preview\?/],
  [['GET', '/api/publish'], /"json_template":\{.+first of two steps/],
  [['GET', '/t'], /GET .+\/api\/threads\?/],
  [['GET', '/x/', undefined, { Accept: 'text/plain' }], /llms.txt lists/],
  [['GET', '/rules'], /\/rules.md\?/],
  [['GET', '/SKILL.md'], /\/skill.md\?/],
  [['GET', '/skill'], /\/skill.md\?/],
  [['GET', '/docs'], /\/protocol.md\?/],
  [['GET', '/openapi.yaml'], /\/openapi.json\?/],
  [['GET', '/AGENTS.md'], /\/llms.txt\?/],
  [['GET', '/.well-known/mcp.json'], /Did you mean POST .+\/mcp\?/],
  [['GET', '/.well-known/agent-card.json'], /agent-skills\/index.json\?/],
  [['GET', '/api/inbox?ids=%231'], /message IDs with commas, as 12,40/],
  [['GET', `/api/inbox?ids=${UUID}`], /UUIDs are `request_ids`/],
  [['GET', '/api/inbox?request_ids=1'], /message IDs are `ids`/],
  [['GET', '/api/inbox?ids=1&cursor=9'], /`cursor` \(use `since`\)/],
  [['GET', '/api/inbox?ids=1&since=2026-11-30'], /the last cursor.+no time/],
  [['GET', '/api/inbox/1'], /\/api\/inbox\?ids=<IDs/],
  [['POST', '/api/inbox', { ids: [1] }], /into the address: \?name=value/],
  [['GET', `/api/requests/%7B${UUID}%7D`], new RegExp(`requests/${UUID}"`)],
  [['GET', `/api/reports/urn:uuid:${UUID}`], new RegExp(`reports/${UUID}"`)],
  [of({ request_id: UUID.replaceAll('-', '') }), new RegExp(`_id":"${UUID}"`)],
  [['GET', `/api/inbox?request_ids=urn:uuid:${UUID}`], /hyphens.+no braces/],
  [['GET', '/api/v1/threads'], /\/api\/threads\?/],
  [['GET', '/api/v1/posts/1'], /\/api\/messages\/1\?/],
  [['GET', '/v2/topics/1/posts'], /\/api\/thread\/1\?/],
  [['GET', '/api/v1'], /\/protocol.md\?/],
  [['POST', '/api/v1/posts', TOPIC], /POST .+\/write\/preview\?/],
  [['GET', '/api/polls/1/results'], /\/api\/polls\/1\?/],
  [['GET', '/api/requests/1'], /\/api\/messages\/<id>/],
  [['GET', '/api/messages/1/replies'], /\/api\/inbox\?ids=1\?/],
  [['GET', '/notifications'], /\/api\/inbox\?ids=<id>\?/],
  [['GET', '/api/quota'], /\/api\/budgets\?/],
  [['GET', '/r/lobby'], /\/api\/threads\?room=lobby\?/],
  [['GET', '/api/search/some%20word'], /\/api\/search\?q=some%20word\?/],
  [['GET', '/api/requests?uuid=1'], /\/api\/requests\/<uuid>\?/],
  [['GET', `/u/a1${'b'.repeat(32)}`], /\/api\/profiles\/a1b+\?/],
  [['GET', '/rss.xml'], /\/feed.atom\?/],
  [['POST', '/api/thread/1/replies', { body: 'x' }], /"reply_to":1/],
  [draft("{'body':'x'}"), /a key in double quotes/],
];

describe('a confused request', () => {
  const test = givenBoard({ limits: { refused_per_network_minute: 1000 } });
  before(() => publish(test, { title: 'The first' }));

  for (const [[method, path, body, headers], says] of CONFUSED) {
    const what = JSON.stringify(body ?? null).slice(0, 60);
    it(`is told what to send: ${method} ${path} ${what}`, async () => {
      const asked = test.as(freshNetwork());
      const way = method.toLowerCase() as 'get' | 'post';
      const request = asked[way](path).buffer(true);
      if (body !== undefined) request.type('application/json');
      for (const [name, value] of Object.entries(headers ?? {})) {
        request.set(name, value);
      }
      const answer =
        body === undefined
          ? await request
          : await request.send(
              typeof body === 'string' ? body : JSON.stringify(body),
            );
      expect(answer.status).to.be.within(200, 499);
      expect(answer.text).to.match(says);
      expect(answer.text.length).to.be.at.most(4000);
      expect(answer.text).not.to.match(/^<!doctype/i);
    });
  }

  for (const [name, bytes, says] of [
    [
      'a TLS hello',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      /speaks http, not https/,
    ],
    [
      'letters beyond ASCII',
      'GET /api/search?q=\u00e5\u008f\u0096 HTTP/1.1\r\nHost: a\r\n\r\n',
      /percent-encoded.+--data-urlencode/,
    ],
    [
      'a blank',
      'GET /api/search?q=two words HTTP/1.1\r\nHost: a\r\n\r\n',
      /percent-encoded/,
    ],
    ['no HTTP', 'hello\r\n\r\n', /not valid HTTP/],
  ] as const) {
    it(`is told what to send: ${name}`, async () => {
      const { port } = new URL(test.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(Buffer.from(bytes, 'latin1'));
      expect(await text(socket)).to.match(says);
    });
  }

  it('for JSON or text of a page of a message is led to it', async () => {
    const page = async (accept: string, path = '/t/1') => {
      const asked = test.as().get(path).set('Accept', accept);
      const first = await asked.redirects(0);
      const { location } = first.headers;
      return location === undefined
        ? first
        : await test.as().get(location.replace(BASE_URL, ''));
    };
    expect((await page('application/json')).body.root_id).to.equal(1);
    const one = await page('application/json', '/t/1?message=1');
    expect(one.body).to.include({ id: 1, body: 'A body.' });
    const last = await page('application/json', '/t/1?last=0&limit=1');
    expect(last.body.windowed).to.equal(false);
    const plain = await page('text/plain');
    expect(plain.headers['content-type']).to.match(/^text\/plain/);
    expect(plain.text).to.match(/^THREAD \{/);
  });
});

const FIELDS = ['body', 'title', 'request_id', 'reply_to', 'agent_id', 'room'];

describe('guesses', () => {
  for (const [name, meant] of [
    ['content', 'body'],
    ['requestID', 'request_id'],
    ['Reply-To', 'reply_to'],
    ['parent_id', 'reply_to'],
    ['rquest_id', 'request_id'],
    ['bodyy', 'body'],
    ['boy', 'body'],
    ['__proto__', null],
    ['constructor', null],
    ['x', null],
    ['b'.repeat(50_000), null],
  ] as const) {
    it(`take ${name.slice(0, 20)} for ${meant}`, () => {
      expect(guessName(name, FIELDS)).to.equal(meant);
    });
  }

  it('name the setting that was misspelt', () => {
    expect(() => parseConfig({ BOARD_TITEL: 'x', BOARD_QQ: 'x' })).to.throw(
      /BOARD_TITEL is not a setting of this board; did you mean BOARD_TITLE\?[\s\S]*BOARD_QQ is not a setting of this board; remove it\./,
    );
  });

  const KNOWN = [
    { method: 'get', path: '/api/threads' },
    { method: 'get', path: '/api/thread/:id' },
    { method: 'post', path: '/api/keys' },
    { method: 'get', path: '/api/polls' },
  ] as const;

  for (const [path, url] of [
    ['/api/Threads/', '/api/threads'],
    ['/api/threads/7', '/api/thread/7'],
    ['/api/key', '/api/keys'],
    ['/api/quarks', undefined],
    ['/api/threads/7/8', undefined],
    [`/api/${'x'.repeat(9000)}`, undefined],
  ] as const) {
    it(`take ${path.slice(0, 20)} for ${url}`, () => {
      expect(guessAddress(path, 'GET', KNOWN)?.url).to.equal(url);
    });
  }

  for (const [path, padded] of [
    ['entries/0.p/15', 'entries/000.p/15'],
    ['0/7', '0/007'],
    ['0/1234.p/3', '0/x001/234.p/3'],
    ['0/x1/234', '0/x001/234'],
    ['entries/000.p/15', null],
    ['entries/0.p/300', null],
    ['data/0', null],
    [`0/${'9'.repeat(500)}`, null],
  ] as const) {
    it(`write the tile ${path.slice(0, 20)} as ${padded}`, () => {
      expect(paddedTilePath(path)).to.equal(padded);
    });
  }
});
