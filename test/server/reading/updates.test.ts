import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import {
  byTurns,
  type Waiter,
  Waiters,
} from '../../../server/reading/long-poll/waiters.js';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import {
  get,
  givenReadable,
  ids,
  reply,
  setVisibility,
  topic,
} from './fixture.js';

describe('GET /api/updates', () => {
  const test = givenReadable();
  let first: number;
  let findings: number;
  let hidden: number;
  let answers: number[];
  let hiddenReply: number;
  before(async () => {
    first = await topic(test, { body: 'The first body.' });
    findings = await topic(test, { room: 'findings' });
    hidden = await topic(test);
    answers = [await reply(test, first), await reply(test, findings)];
    hiddenReply = await reply(test, hidden);
    answers.push(await reply(test, answers[0] ?? 0));
    await setVisibility(test, hidden, 'hidden_by_ratings');
  });

  const updates = (query = '') => get(test, `/api/updates${query}`);

  it('gives messages ascending, hidden topics left out', async () => {
    const { body, headers } = await updates();
    expect(ids({ body })).to.deep.equal([first, findings, ...answers]);
    expect(body).to.have.all.keys([
      ...['data', 'count', 'cursor', 'has_more', 'next'],
      ...['community', 'content_trust'],
    ]);
    expect(body).to.include({ cursor: answers[2], has_more: false });
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers).not.to.have.property('etag');
  });

  it('has since exclusive', async () => {
    const answer = await updates(`?since=${findings}`);
    expect(ids(answer)).to.deep.equal(answers);
  });

  it('filters by room and by direct parent', async () => {
    const room = await updates('?room=findings');
    expect(ids(room)).to.deep.equal([findings, answers[1]]);
    const direct = await updates(`?reply_to=${first}`);
    expect(ids(direct)).to.deep.equal([answers[0]]);
    const both = await updates(`?reply_to=${first}&room=findings`);
    expect(ids(both)).to.deep.equal([]);
  });

  it('shows hidden topics and their replies on demand', async () => {
    const only = await updates('?visibility=hidden');
    expect(ids(only)).to.deep.equal([hidden, hiddenReply]);
    const all = await updates('?visibility=all');
    expect(all.body.count).to.equal(7);
    await setVisibility(test, hidden, 'hidden_by_decision');
    expect((await updates()).body.count).to.equal(5);
    await setVisibility(test, hidden, 'hidden_by_ratings');
  });

  it('pages with links that carry every option', async () => {
    const { body } = await updates(
      '?limit=1&room=lobby&visibility=all&preview=5&full=1&wait=1',
    );
    expect(body).to.include({ count: 1, cursor: first, has_more: true });
    expect(body.next).to.equal(
      `${BASE_URL}/api/updates?since=${first}&room=lobby&visibility=all&limit=1&preview=5&full=1&wait=1`,
    );
    expect(body.data[0]).to.include({ body: 'The f', truncated: true });
    expect(body.data[0]).to.include.keys('request_id', 'signature_note');
  });

  it('keeps the cursor sent when there is nothing', async () => {
    for (const since of [answers[2], 5000]) {
      const { status, body } = await updates(`?since=${since}`);
      expect(status).to.equal(200);
      expect(body).to.deep.include({ data: [], cursor: since, next: null });
    }
    expect((await updates('?reply_to=4999')).body.cursor).to.equal(0);
  });
});

/** 40 bytes. */
const SHORT_URL = 'https://a-board-of-forty-bytes.example.org'.slice(0, 40);

describe('small answers', () => {
  const test = givenBoard({ env: { BASE_URL: SHORT_URL } });
  before(async () => {
    await publish(test);
  });

  it('have three texts of community in 115 bytes', async () => {
    expect(Buffer.byteLength(SHORT_URL)).to.equal(40);
    const { community } = (await test.as().get('/api/threads')).body;
    expect(community).to.have.all.keys(
      'purpose',
      'recommendation',
      'rules_url',
    );
    const texts = Object.values(community).join('');
    expect(Buffer.byteLength(texts)).to.be.at.most(115);
  });

  for (const [name, query] of [
    ['an empty update', 'since=1'],
    ['an empty long poll', 'since=1&wait=1'],
    ['an empty update above every ID', 'since=999999999999999'],
  ]) {
    it(`make ${name} at most 300 bytes`, async () => {
      const answer = await test.as().get(`/api/updates?${query}`);
      expect(answer.body.data).to.deep.equal([]);
      expect(Buffer.byteLength(answer.text), answer.text).to.be.at.most(300);
    });
  }
});

const SOON_MS = 20;

describe('those who wait for the same', () => {
  const waiter = (soon: number): Waiter => ({
    res: new ServerResponse(new IncomingMessage(new Socket())),
    network: Buffer.alloc(4),
    since: 0,
    until: performance.now() + soon,
    held: false,
    responder: { answer: () => {}, finish: () => {}, fail: () => {} },
  });
  const parts = {
    readLimiter: { enterWait: () => {}, leaveWait: () => {} } as never,
    stopping: new AbortController().signal,
  };

  it('are due or timed, wherever their time ends between two looks', async () => {
    const one = waiter(SOON_MS);
    const before = one.until - 0.001;
    let looks = 0;
    const waiters: Waiters = new Waiters(
      parts,
      () => {
        looks += 1;
        // The clock was read just before its time, which is over by now.
        if (looks < 3) waiters.setTimer(before);
      },
      () => {},
    );
    waiters.add(one);
    waiters.hold(one);
    await until('a third look', () => looks === 3);
    expect(waiters.allDue(before)).to.deep.equal([]);
    expect(waiters.allDue(one.until)).to.deep.equal([one]);
  });

  it('leave no timer when the last of them goes', () => {
    const one = waiter(SOON_MS);
    let empty = 0;
    const waiters = new Waiters(
      parts,
      () => {},
      () => {
        empty += 1;
      },
    );
    waiters.add(one);
    one.res.emit('close');
    expect(waiters.size).to.equal(0);
    expect(empty).to.equal(1);
  });
});

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('long work by turns', () => {
  it('is done in order, and lets other work come in between', async () => {
    const items = Array.from({ length: 12 }, (_, n) => n);
    const done: (number | string)[] = [];
    await new Promise<void>((resolve) => {
      byTurns(items, (item) => {
        if (item === 0) setImmediate(() => done.push('other'));
        busy(3);
        done.push(item);
        if (item === 11) resolve();
      });
    });
    expect(done.filter((one) => one !== 'other')).to.deep.equal(items);
    expect(done.indexOf('other')).to.be.within(1, 3);
  });
});
