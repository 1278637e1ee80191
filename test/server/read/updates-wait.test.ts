import http from 'node:http';
import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { until } from '../../support/until.js';
import {
  get,
  ids,
  reply,
  startReadable,
  statementsOf,
  topic,
} from './fixture.js';

describe('waiting for updates', () => {
  let test: TestBoard;
  let root: number;
  let newest: number;

  beforeEach(async () => {
    test = await startReadable({ limits: { waits_per_network: 3 } });
    root = await topic(test);
    newest = root;
  });

  afterEach(() => test.stop());

  const wait = (seconds: number, more = '') =>
    get(test, `/api/updates?since=${newest}&wait=${seconds}${more}`);

  /** Resolves once so many requests are waiting for messages. */
  async function held(count: number): Promise<void> {
    const { events } = test.board.context;
    while (events.waiters('messages') !== count) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Resolves once so many hold a place to wait. */
  const places = (count: number) =>
    until(
      `${count} places`,
      () => test.board.context.readLimiter.taken('board') === count,
    );

  it('answers with a message that comes meanwhile', async () => {
    const waiting = wait(25).then((answer) => answer);
    await held(1);
    const id = await reply(test, root);
    const { status, body } = await waiting;
    expect(status).to.equal(200);
    expect(ids({ body })).to.deep.equal([id]);
    expect(body.cursor).to.equal(id);
    expect(test.board.context.events.waiters('messages')).to.equal(0);
  });

  it('misses nothing that commits while it looks', async () => {
    const reads = test.board.context.reads as { query: unknown };
    type Query = (text: string) => Promise<unknown[]>;
    const { query } = reads as { query: Query };
    let during: number | null = null;
    reads.query = async (...call: [string]) => {
      // The look by a timer would find it too, only later.
      if (call[0].includes("name <> 'admin_events'")) return [];
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
    newest = 0;
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
    expect(test.board.context.events.waiters('messages')).to.equal(0);
  });

  it('answers with the unchanged cursor when the board stops', async () => {
    const waiting = wait(25).then((answer) => answer);
    await held(1);
    const stopped = test.board.stop();
    const { status, body } = await waiting;
    expect(status).to.equal(200);
    expect(body).to.deep.include({ data: [], cursor: newest });
    await stopped;
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

  it('asks the database once for all who wait for the same', async () => {
    const waiting = [wait(25), wait(25), wait(25)].map((one) =>
      one.then((answer) => answer),
    );
    await places(3);
    const texts = await statementsOf(test, async () => {
      await reply(test, root);
      await Promise.all(waiting);
    });
    const pages = texts.filter((text) => text.includes('log_state head'));
    // One, or two where the look by a timer woke them all just before.
    expect(pages.length).to.be.within(1, waiting.length - 1);
  });
});
