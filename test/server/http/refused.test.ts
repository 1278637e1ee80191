import { expect } from 'chai';
import { paddedTilePath } from '../../../protocol/tile.js';
import { parseConfig } from '../../../server/config.js';
import { guessName } from '../../../server/http/body/guess.js';
import { guessAddress } from '../../../server/http/guess-address.js';
import { boardKeys } from '../../../server/ledger/board-keys.js';
import { relayBody } from '../../mesh/relay/hand-in.js';
import { newAgent } from '../../support/agent.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, preview } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';

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
      const { status } = await test.as(from).get('/write/publish?ticket=a');
      expect(status).to.equal(wanted);
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
    ['/api/posts', undefined],
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
