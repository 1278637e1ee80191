import http from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { holdQuery, type Query } from '../../support/held-query.js';
import { until } from '../../support/until.js';
import {
  get,
  givenReadable,
  ids,
  replies,
  reply,
  setVisibility,
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

  const held = (count: number) =>
    until(
      `${count} waiting`,
      async () => (await test.waits('messages')) === count,
    );

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
    const { body } = await wait(1).expect(200);
    expect(body).to.deep.include({ data: [], count: 0, cursor: newest });
    expect(await test.waits('messages')).to.equal(0);
  });

  it('answers with the unchanged cursor when the board stops', async () => {
    const waiting = [25, 25].map((seconds) =>
      wait(seconds)
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
    const { body, headers } = await wait(25).expect(429);
    expect(body).to.include({
      error: 'rate_limited',
      scope: 'waits_per_network',
    });
    expect(headers['retry-after']).to.equal(String(body.retry_after_seconds));
    const other = test
      .get(`/api/updates?since=${newest}&wait=25`, '203.0.113.2')
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
        .get(`/api/updates?since=${since}&wait=25&room=findings`, network)
        .then((answer) => answer);
    const waiting = networks.flatMap((network) => [
      ask(network, newest),
      ask(network, older),
    ]);
    await places(40);
    const answered = Promise.all(waiting);
    const { events } = test.board.context;
    const before = events.count('messages');
    let id = 0;
    const texts = await statementsOf(test, async () => {
      id = await topic(test, { room: 'findings' });
      await answered;
    });
    // The look by a timer may wake them too.
    const wakes = events.count('messages') - before;
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

describe('readers with filters of their own', () => {
  const test = givenReadable();

  it('share one look, and each gets what a read would give it', async () => {
    const root = await topic(test);
    const findings = await topic(test, { room: 'findings' });
    const hidden = await topic(test);
    await setVisibility(test, hidden, 'hidden_by_ratings');
    const filters = [
      ...['', '&room=findings', `&reply_to=${findings}`, '&limit=1'],
      ...['&visibility=hidden', '&visibility=all', '&preview=9&full=1'],
      // It seems to name another message.
      `&reply_to=${root}&preview=${`#${hidden}`.length}`,
    ];
    const ask = (since: number, more: string) =>
      get(test, `/api/updates?since=${since}${more}`).then(({ body }) => body);
    const ahead = ask(hidden + 2, '&visibility=all&wait=25');
    const waiting = filters.map((filter) => ask(hidden, `${filter}&wait=25`));
    await until(
      'all held',
      async () => (await test.waits('messages')) === filters.length + 1,
    );
    const looks = await statementsOf(test, async () => {
      const reads = test.board.context.reads as { query: Query };
      const forAll = holdQuery(reads, isLook);
      try {
        await reply(test, root, `#${hidden}0 is none.`);
        await reply(test, findings);
        await reply(test, hidden);
        expect(forAll.held()).to.equal(1);
        forAll.release();
        await Promise.all([...waiting, ahead]);
      } finally {
        forAll.release();
        forAll.remove();
      }
    });
    // One for all, and one for the cut.
    expect(looks.filter(isLook)).to.have.lengthOf(2);
    expect(ids({ body: await ahead })).to.deep.equal([hidden + 3]);
    for (const [nth, filter] of filters.entries()) {
      const { next, ...read } = await ask(hidden, filter);
      const answer = await waiting[nth];
      expect(answer, filter).to.deep.include(read);
      expect(answer.next === null, filter).to.equal(next === null);
    }
    expect((await waiting.at(-1)).data[0].references).to.have.lengthOf(1);
  });
});

const isLook = (text: string) => text.includes('log_state head');

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
