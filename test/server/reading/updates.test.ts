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
    const newest = answers[2] ?? 0;
    for (const since of [newest, newest + 1, newest + 1_000_000]) {
      for (const more of ['', '&wait=1']) {
        const { body } = await updates(`?since=${since}${more}`).expect(200);
        expect(body).to.deep.include({ data: [], cursor: since, next: null });
        expect([body.cursor_ahead, body.newest_id]).to.deep.equal(
          since > newest ? [true, newest] : [undefined, undefined],
        );
      }
    }
    expect((await updates('?reply_to=4999')).body.cursor).to.equal(0);
  });
});

/** 40 bytes. */
const SHORT_URL = 'https://a-board-of-forty-bytes.example.org'.slice(0, 40);

describe('a cursor that is a time', () => {
  const board = givenBoard();
  const LATER = '1795853433000';
  before(() => publish(board));

  for (const [name, path, headers] of [
    ['a read', `/api/updates?since=${LATER}`, {}],
    ['just too far', '/api/updates?since=1000002', {}],
    ['a wait', `/api/updates?since=${LATER}&wait=9`, {}],
    [
      'an event stream',
      `/api/updates?since=${LATER}`,
      { accept: 'text/event-stream' },
    ],
  ] as const) {
    it(`is refused with the newest ID: ${name}`, async () => {
      const { body } = await board.as().get(path).set(headers).expect(400);
      expect(body).to.deep.include({
        error: 'invalid_input',
        field: 'since',
        current: { newest_id: 1 },
      });
      expect(body.detail).to.match(/newest here is 1; a time is no cursor/);
    });
  }

  it('is no error of those that wait with a good one', async () => {
    const good = board.as().get('/api/updates?since=1&wait=20');
    const waiting = good.then(({ body }) => body.data[0].id);
    await until('it waits', async () => (await board.waits('messages')) === 1);
    await board.as().get(`/api/updates?since=${LATER}&wait=20`).expect(400);
    await publish(board);
    expect(await waiting).to.equal(2);
  });
});

describe('small answers', () => {
  const test = givenBoard({ env: { BASE_URL: SHORT_URL } });
  before(() => publish(test));

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

  for (const [name, query, most] of [
    ['an empty update', 'since=1', 300],
    ['an empty long poll', 'since=1&wait=1', 300],
    // With `cursor_ahead` and `newest_id`.
    ['an empty update above every ID', 'since=1000001', 340],
  ] as const) {
    it(`make ${name} at most ${most} bytes`, async () => {
      const answer = await test.as().get(`/api/updates?${query}`);
      expect(answer.body.data).to.deep.equal([]);
      expect(Buffer.byteLength(answer.text), answer.text).to.be.at.most(most);
    });
  }
});
