import http, { type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import {
  type HeldQuery,
  holdQuery,
  type Query,
} from '../../support/held-query.js';
import { until } from '../../support/until.js';
import {
  get,
  givenReadable,
  ids,
  replies,
  reply,
  statementsOf,
  topic,
} from './fixture.js';

describe('waiting for updates', () => {
  const test = givenReadable({ limits: { waits_per_network: 3 } });
  let root: number;
  let newest: number;

  beforeEach(async () => {
    root = await topic(test);
    newest = root;
  });

  const wait = (seconds: number, more = '') =>
    get(test, `/api/updates?since=${newest}&wait=${seconds}${more}`);

  /** Resolves once so many requests are waiting for messages. */
  const held = (count: number) =>
    until(
      `${count} waiting`,
      async () => (await test.waits('messages')) === count,
    );

  /** Resolves once so many hold a place to wait. */
  const places = (count: number) =>
    until(
      `${count} places`,
      async () => (await test.waits('places')) === count,
    );

  it('answers HEAD at once, as there is nothing to wait for', async () => {
    const started = performance.now();
    const answer = await test.as().head('/api/updates?since=999&wait=25');
    expect(answer.status).to.equal(200);
    expect(performance.now() - started).to.be.below(10_000);
  });

  it('answers with a message that comes meanwhile', async () => {
    const waiting = wait(25).then((answer) => answer);
    await held(1);
    const id = await reply(test, root);
    const { status, body } = await waiting;
    expect(status).to.equal(200);
    expect(ids({ body })).to.deep.equal([id]);
    expect(body.cursor).to.equal(id);
    expect(await test.waits('messages')).to.equal(0);
  });

  it('misses nothing that commits while it looks', async () => {
    const reads = test.board.context.reads as { query: unknown };
    type Query = (text: string) => Promise<unknown[]>;
    const { query } = reads as { query: Query };
    let during: number | null = null;
    reads.query = async (...call: [string]) => {
      // The look by a timer would find it too, only later.
      if (call[0].includes("IN ('poll_events'")) return [];
      const rows = await query(...call);
      if (during === null && call[0].includes('log_state head')) {
        during = 0;
        during = await reply(test, root);
      }
      return rows;
    };
    try {
      const answer = await wait(25);
      expect(ids(answer)).to.deep.equal([during]);
    } finally {
      reads.query = query;
    }
  });

  it('answers at once when there is something already', async () => {
    newest = root - 1;
    const { body } = await wait(25);
    expect(ids({ body })).to.deep.equal([root]);
  });

  it('goes on waiting when what comes does not match', async () => {
    const waiting = wait(25, '&room=findings').then((answer) => answer);
    await held(1);
    await reply(test, root);
    await held(1);
    const id = await topic(test, { room: 'findings' });
    const { body } = await waiting;
    expect(ids({ body })).to.deep.equal([id]);
  });

  it('answers with the unchanged cursor when time runs out', async () => {
    const { status, body } = await wait(1);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ data: [], count: 0, cursor: newest });
    expect(await test.waits('messages')).to.equal(0);
  });

  it('answers with the unchanged cursor when the board stops', async () => {
    // The app alone reads a name that is written like this.
    const waiting = ['wait', 'w%61it'].map((name) =>
      test
        .as()
        .get(`/api/updates?since=${newest}&${name}=25`)
        .set('Connection', 'keep-alive')
        .then((answer) => answer),
    );
    await places(2);
    const stopped = test.board.stop();
    for (const { status, body, headers } of await Promise.all(waiting)) {
      expect(status).to.equal(200);
      expect(body).to.deep.include({ data: [], cursor: newest });
      expect(headers.connection).to.equal('close');
    }
    await stopped;
    await test.restart();
  });

  it('leaves nothing behind when the client goes away', async () => {
    const url = `${test.url}/api/updates?since=${newest}&wait=25`;
    const headers = { 'X-Forwarded-For': '203.0.113.1' };
    for (let n = 0; n < 4; n += 1) {
      const request = http.get(url, { headers });
      request.on('error', () => {});
      await held(1);
      request.destroy();
      await held(0);
      await places(0);
    }
  });

  it('holds as many as a network may have, and no more', async () => {
    const waiting = [wait(25), wait(25), wait(25)].map((one) =>
      one.then((answer) => answer),
    );
    await places(3);
    const { status, body, headers } = await wait(25);
    expect(status).to.equal(429);
    expect(body).to.include({
      error: 'rate_limited',
      scope: 'waits_per_network',
    });
    expect(headers['retry-after']).to.equal(String(body.retry_after_seconds));
    const other = test
      .as('203.0.113.2')
      .get(`/api/updates?since=${newest}&wait=25`)
      .then((answer) => answer);
    await held(4);
    const id = await reply(test, root);
    for (const answer of await Promise.all([...waiting, other])) {
      expect(ids(answer)).to.deep.equal([id]);
    }
    await places(0);
  });

  it('asks the database once for all, also with several cursors', async () => {
    const older = root - 1;
    const networks = Array.from({ length: 20 }, (_, n) => `203.0.113.${n}`);
    const ask = (network: string, since: number) =>
      test
        .as(network)
        .get(`/api/updates?since=${since}&wait=25&room=findings`)
        .then((answer) => answer);
    const waiting = networks.flatMap((network) => [
      ask(network, newest),
      ask(network, older),
    ]);
    await places(40);
    const answered = Promise.all(waiting);
    const { events } = test.board.context;
    let wakes = 0;
    // The look by a timer may wake them too.
    events.gather('messages', { size: 0, wake: () => (wakes += 1) });
    let id = 0;
    const texts = await statementsOf(test, async () => {
      id = await topic(test, { room: 'findings' });
      await answered;
    });
    const pages = texts.filter((text) => text.includes('log_state head'));
    expect(pages.length).to.be.within(1, wakes);
    expect(wakes).to.be.below(waiting.length / 2);
    for (const { status, text, body } of await answered) {
      expect(status).to.equal(200);
      expect(text).to.equal((await answered)[0]?.text);
      expect(ids({ body })).to.deep.equal([id]);
    }
  });

  it('gives nobody what is not above the cursor sent', async () => {
    const later = get(test, `/api/updates?since=${newest + 1}&wait=25`).then(
      (answer) => answer,
    );
    const waiting = wait(25).then((answer) => answer);
    await places(2);
    const first = await reply(test, root);
    expect(ids(await waiting)).to.deep.equal([first]);
    await places(1);
    const second = await reply(test, root);
    expect(ids(await later)).to.deep.equal([second]);
  });

  it('has the headers and the body of an answer of the app', async () => {
    // The app alone reads a name that is written like this.
    const ways = ['wait', 'w%61it'].map((name) =>
      get(test, `/api/updates?since=${newest}&${name}=25`).then(
        (answer) => answer,
      ),
    );
    await places(2);
    await reply(test, root);
    const [early, late] = await Promise.all(ways);
    const headersOf = (answer: typeof early) => {
      const { rawHeaders } = (answer as unknown as { res: IncomingMessage })
        .res;
      return rawHeaders.map((text) =>
        text
          .replace(/(minute";r)=\d+;t=\d+/, '$1')
          .replace(/^\w{3}, .* GMT$/, 'a date'),
      );
    };
    expect(headersOf(early)).to.deep.equal(headersOf(late));
    expect(early?.headers).to.include.keys('ratelimit-policy');
    expect(early?.text).to.equal(late?.text);
  });

  it('spends one read, also where there is no place left', async () => {
    const left = async () => {
      const { headers } = await get(test, '/api/rooms');
      return Number(/;r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
    };
    const before = await left();
    const waiting = [wait(25), wait(25), wait(25)].map((one) =>
      one.then((answer) => answer),
    );
    await places(3);
    expect((await wait(25)).status).to.equal(429);
    expect(await left()).to.equal(before - 5);
    await reply(test, root);
    await Promise.all(waiting);
  });

  it('answers all with the same error when the look for them fails', async () => {
    const waiting = [wait(25), wait(25)].map((one) =>
      one.then((answer) => answer),
    );
    await places(2);
    const reads = test.board.context.reads as { query: unknown };
    const { query } = reads as { query: (text: string) => Promise<unknown[]> };
    reads.query = async (...call: [string]) => {
      if (call[0].includes('log_state head')) throw new Error('a test');
      return await query(...call);
    };
    try {
      test.board.context.events.emit('messages');
      for (const { status, body, headers } of await Promise.all(waiting)) {
        expect(status).to.equal(500);
        expect(body.error).to.equal('internal_error');
        expect(headers['ratelimit-policy']).to.match(/^"reads_[^,]*$/);
      }
    } finally {
      reads.query = query;
    }
    await places(0);
    expect(await test.waits('messages')).to.equal(0);
  });

  it('answers each at its own time', async () => {
    const longer = wait(25).then((answer) => answer);
    await places(1);
    expect(ids(await wait(1))).to.deep.equal([]);
    await places(1);
    const id = await reply(test, root);
    expect(ids(await longer)).to.deep.equal([id]);
  });
});

/** Another process had shown it what this one did not know of yet. */
describe('a reader that waits ahead of this process', () => {
  const test = givenReadable();

  /** Holds the next page above a message back. */
  function holdPage(since: number): HeldQuery {
    const reads = test.board.context.reads as { query: Query };
    return holdQuery(
      reads,
      (text, values) => text.includes('log_state head') && values[0] === since,
    );
  }

  it('misses nothing that came while it was looked for', async () => {
    const root = await topic(test);
    const ahead = root + 2;
    const wait = (since: number) =>
      get(test, `/api/updates?since=${since}&wait=25`).then((answer) => answer);
    const waiting = [wait(root), wait(ahead)] as const;
    const { events } = test.board.context;
    await until('both held', () => events.waiters('messages') === 2);
    const forAll = holdPage(root);
    const forOne = holdPage(ahead);
    try {
      const published = await replies(test, root, 3);
      await until('a look for all', () => forAll.held() === 1);
      forAll.release();
      await until('a look for the one', () => forOne.held() === 1);
      await replies(test, root, 1);
      const [first, second] = await Promise.all(waiting);
      expect(ids(first)).to.deep.equal(published);
      expect(ids(second)[0]).to.equal(ahead + 1);
    } finally {
      for (const held of [forOne, forAll]) {
        held.release();
        held.remove();
      }
    }
  });
});

/** Its own look takes longer than those that messages cause meanwhile. */
describe('a reader whose first look is overtaken', () => {
  const test = givenReadable();

  it('misses nothing that came since', async () => {
    const reads = test.board.context.reads as { query: Query };
    const { query } = reads;
    const looked: unknown[] = [];
    const keep = new Set<unknown>();
    const kept = new Map<unknown, () => void>();
    reads.query = async (text, values = []) => {
      const rows = await query(text, values);
      const [since] = values;
      if (!text.includes('log_state head')) return rows;
      looked.push(since);
      if (keep.delete(since)) {
        await new Promise<void>((go) => kept.set(since, go));
      }
      return rows;
    };
    const wait = (since: number) =>
      get(test, `/api/updates?since=${since}&wait=25`).then((answer) => answer);
    try {
      const root = await topic(test);
      const first = wait(root);
      await until('the first has looked', () => looked.includes(root));
      keep.add(root);
      const overtaken = wait(root);
      await until('its look', () => kept.has(root));
      const [one = 0] = await replies(test, root, 1);
      expect(ids(await first)).to.deep.equal([one]);
      const third = wait(one);
      await until('the third has looked', () => looked.includes(one));
      await nextTurn();
      keep.add(one);
      const [two = 0] = await replies(test, root, 1);
      await until('a look for all', () => kept.has(one));
      kept.get(root)?.();
      await nextTurn();
      kept.get(one)?.();
      expect(ids(await third)).to.deep.equal([two]);
      expect(ids(await overtaken)).to.deep.equal([one, two]);
    } finally {
      reads.query = query;
    }
  });
});
