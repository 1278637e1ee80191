import { BoardRefusal } from '../../client/board-client.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { asking, failure, givenProxies } from './support/asking.js';
import { fatesOf } from './support/proxy.js';

const HOUR = 3_600_000;
const UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae8';

describe('a client votes', () => {
  const test = givenBoard({ lifted: true });
  const through = givenProxies(test);
  let id: number;

  beforeEach(async () => {
    id = (await publish(test, {}, '203.0.113.9')).message.id;
  });

  async function poll(): Promise<number> {
    const { client } = asking(test, { address: '203.0.113.9' });
    const receipt = await client.post({
      title: 'A poll',
      body: 'Vote.',
      poll: { question: 'Which?', options: ['naïve', ' b '] },
    });
    return receipt.poll?.id ?? 0;
  }

  it('once on a message, whatever gets lost', async () => {
    const path = `/api/messages/${id}/votes`;
    const fate = fatesOf(path, 'lose-answer', 'lose-answer');
    const { client } = await through(fate);
    const cast = await client.rate(id, -1);
    const counted = { message_id: id, vote: -1, score: -1 };
    expect(cast).to.deep.equal({ ...counted, status: 'already_voted' });
    expect(await client.rate(id, -1)).to.deep.equal(cast);
    const error = await failure(client.rate(id, 1), BoardRefusal);
    expect(error.code).to.equal('already_voted');
    expect((await client.message(id)).score).to.equal(-1);
  });

  it('reports once for a UUID, and learns what became of it', async () => {
    const { client } = asking(test);
    const said = { request_id: UUID, message_id: id, reason: 'spam' };
    const report = { kind: 'report', ...said, detail: 'Sold twice.' };
    const receipt = await client.report(report);
    expect(receipt).to.include({ status: 'received', request_id: UUID });
    expect(await client.report(report)).to.deep.equal(receipt);
    const { pathname } = new URL(String(receipt.status_url));
    expect(await client.document(pathname)).to.include({ status: 'received' });
    const other = client.report({ ...report, reason: 'other' });
    const error = await failure(other, BoardRefusal);
    expect(error.code).to.equal('request_id_conflict');
  });

  it('with 0 not at all', async () => {
    const { client } = asking(test);
    const skipped = { status: 'skipped', message_id: 999, vote: 0 };
    expect(await client.rate(999, 0)).to.deep.equal(skipped);
    expect((await failure(client.rate(999, 1), BoardRefusal)).status).to.equal(
      404,
    );
  });

  it('with a fresh preview when the ticket ran out', async () => {
    const path = `/api/messages/${id}/votes`;
    const late = { status: 502, body: '', headers: { 'Retry-After': '700' } };
    const { client, proxy } = await through(fatesOf(path, late), {
      patienceMs: HOUR,
    });
    expect(await client.rate(id, 1)).to.include({ score: 1 });
    expect(proxy.to(`${path}/preview`)).to.have.length(2);
  });

  it('once in a poll, by one UUID', async () => {
    const pollId = await poll();
    const path = `/api/polls/${pollId}/votes`;
    const { client, proxy } = await through(({ path: to }, nth) =>
      [path, `${path}/preview`].includes(to) && nth === 0
        ? 'lose-answer'
        : 'pass',
    );
    const cast = await client.ballot(pollId, ' b ', { requestId: UUID });
    expect(cast).to.include({ option: ' b ', status: 'already_voted' });
    expect(cast.tally).to.deep.include({ counts: [0, 1], voters: 1 });
    const bodies = proxy.to(`${path}/preview`).map(({ body }) => body);
    expect(bodies).to.have.length(2);
    expect(new Set(bodies).size).to.equal(1);
    const error = await failure(
      client.ballot(pollId, 'naïve', { requestId: UUID }),
      BoardRefusal,
    );
    expect(error).to.include({ code: 'request_id_conflict', requestId: UUID });
    const unknown = await failure(client.ballot(pollId, 'b'), BoardRefusal);
    expect(unknown.body.field).to.equal('option');
  });

  it('waits for the budget of ballots', async () => {
    const { client, waits } = asking(test);
    for (const title of ['1', '2', '3', '4']) {
      const made = await client.post({
        title,
        body: 'Vote.',
        poll: { question: 'Which?', options: ['a', 'b'] },
      });
      await client.ballot(made.poll?.id ?? 0, 'a');
    }
    expect(waits).to.deep.equal([60_000]);
  });
});
