import { recordFaults } from '../../faults/report.js';
import { decideTo, RULING } from '../../support/decide.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { network, rate } from '../votes/rating.js';

describe('/api/moderation', () => {
  const test = givenBoard({ lifted: true });

  before(async () => {
    await publish(test, { title: 'One', room: 'findings' });
    await publish(test, { title: 'Two', room: 'workshop' });
    await publish(test, { reply_to: 2 });
    const privateNote = 'Do not show this note.';
    await decideTo.hide(test, 1, { reason: 'other', privateNote });
    await decideTo.remove(test, 3, { reason: 'privacy', privateNote });
    test.clock.advance(60_000);
    await decideTo.restore(test, 1);
    await decideTo.erase(test, 3, { reason: 'legal', operator: 'other' });
  });

  const ids = (body: { data: { id: number }[] }) =>
    body.data.map(({ id }) => id);

  it('/{id} gives the state and every decision, oldest first', async () => {
    const { body, headers } = await test.as().get('/api/moderation/1');
    expect(body).to.have.all.keys(
      'message_id',
      'state',
      'decisions',
      'count',
      'community',
    );
    expect(body).to.include({ message_id: 1, state: 'restored', count: 2 });
    expect(body.decisions[0]).to.deep.equal({
      id: 1,
      action: 'hide',
      reason: 'other',
      explanation: RULING.explanation,
      decided_at: '2026-01-15T12:00:00Z',
      operator: 'warden',
      supersedes: null,
      log_index: 4,
    });
    expect(body.decisions[1]).to.include({
      action: 'restore_visibility',
      supersedes: 1,
      decided_at: '2026-01-15T12:01:00Z',
    });
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers).not.to.have.property('etag');
  });

  it('/{id} answers after removal, and for a message without any', async () => {
    const erased = await test.as().get('/api/moderation/3').expect(200);
    expect(erased.body).to.include({ state: 'erased', count: 2 });
    const plain = await test.as().get('/api/moderation/2').expect(200);
    expect(plain.body).to.deep.include({ state: 'visible', decisions: [] });
  });

  it('lists every decision, newest first', async () => {
    const { body, headers } = await test.as().get('/api/moderation');
    expect(ids(body)).to.deep.equal([4, 3, 2, 1]);
    expect(body).to.include({ count: 4, cursor: 4, has_more: false });
    expect(body.next).to.equal(null);
    expect(body.content_trust).to.equal('untrusted_public_data');
    expect(body.community).to.have.property('rules_url');
    expect(body.data[0]).to.deep.include({
      id: 4,
      action: 'erase',
      reason: 'legal',
      operator: 'other',
      supersedes: 2,
      message_id: 3,
      room: 'workshop',
      moderation_url: 'http://board.test/api/moderation/3',
    });
    expect(headers['cache-control']).to.equal('no-store');
  });

  it('pages by before and limit, and next leads on', async () => {
    const first = await test.as().get('/api/moderation?limit=3&room=findings');
    expect(ids(first.body)).to.deep.equal([3, 1]);
    const page = await test.as().get('/api/moderation?limit=3');
    expect(ids(page.body)).to.deep.equal([4, 3, 2]);
    expect(page.body.has_more).to.equal(true);
    const next = page.body.next.replace('http://board.test', '');
    const rest = await test.as().get(next);
    expect(ids(rest.body)).to.deep.equal([1]);
    expect(rest.body.next).to.equal(null);
  });

  it('filters by action, reason and room', async () => {
    const list = async (query: string) =>
      ids((await test.as().get(`/api/moderation?${query}`)).body);
    expect(await list('action=remove')).to.deep.equal([2]);
    expect(await list('reason=legal')).to.deep.equal([4]);
    expect(await list('room=findings')).to.deep.equal([3, 1]);
    expect(await list('room=workshop&action=erase')).to.deep.equal([4]);
    expect(await list('reason=disagreement')).to.deep.equal([]);
  });

  it('never shows a private note', async () => {
    for (const path of ['/api/moderation', '/api/moderation/1']) {
      const { text } = await test.as().get(path);
      expect(text).not.to.include('Do not show');
    }
  });
});

const CYCLES = FULL ? 200 : 15;
const WORD = 'thylacine';

describe('Removals and reinstatements during reads', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });
  let asked = 0;

  before(async () => {
    await publish(test, { title: `Of the ${WORD}`, body: `A ${WORD}.` });
    await publish(test, { reply_to: 1 });
    await rate(test, 1, 1);
    await publish(test, { reply_to: 2 });
  });

  const PATHS = [
    '/api/threads?sort=active',
    '/api/threads?visibility=all',
    '/api/thread/1',
    '/api/thread/2?last=1',
    '/api/thread/1?format=text',
    '/api/updates',
    '/api/messages/1',
    '/api/search?q=thylac',
    '/api/brief',
    '/api/top',
    '/all.txt',
    '/log/content?index=1',
  ];

  function readAll(): Promise<
    { path: string; status: number; text: string }[]
  > {
    return Promise.all(
      PATHS.map(async (path) => {
        asked += 1;
        const { status, text } = await test.as(network(asked)).get(path);
        return { path, status, text };
      }),
    );
  }

  it(`are whole within one request, ${CYCLES} times`, async () => {
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const meanwhile = readAll();
      await decideTo.remove(test, 1);
      for (const { path, text } of await readAll()) {
        expect(text, path).not.to.include(WORD);
      }
      const during = readAll();
      await decideTo.reinstate(test, 1);
      for (const { path, text } of await readAll()) {
        expect(text, path).to.include(WORD);
      }
      for (const { path, status } of [
        ...(await meanwhile),
        ...(await during),
      ]) {
        expect([200, 404, 410], path).to.include(status);
      }
    }
    await recordFaults({ test: 'B11', faults: CYCLES * 2 });
  });
});
