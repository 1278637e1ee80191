import { expect } from 'chai';
import {
  type Agent,
  advance,
  newAgent,
  nextEvent,
  record,
  signEvent,
} from '../../support/agent.js';
import { publish } from '../../support/post.js';
import { codeOf, type HandIn, handIn } from './hand-in.js';
import { type Linked, linkedBoards } from './linked-boards.js';

describe('POST /api/mesh/relay, keys', () => {
  let boards: Linked;
  let agent: Agent;

  before(async () => {
    boards = await linkedBoards();
    agent = newAgent();
  });

  after(() => boards.stop());

  const code = (it: HandIn, by = agent) => codeOf(boards, by, it);

  it('needs no keys that are known', async () => {
    expect(await code({})).to.equal('201 published');
    expect(await code({ keys: [] })).to.equal('201 published');
    expect(await code({ keys: [] }, newAgent())).to.equal('403 key_unknown');
    const other = newAgent();
    expect(await code({ keys: other.notes }, newAgent())).to.equal(
      '403 key_unknown',
    );
  });

  it('merges key events with what it knows, which wins', async () => {
    const one = newAgent();
    expect(await code({}, one)).to.equal('201 published');
    await record(boards.a, advance(one, 'rotate'));
    // B has not heard of the rotation: it sends the old key's post.
    const stale = { ...one, events: one.events.slice(0, 1) };
    expect(await code({ keys: one.notes.slice(0, 1) }, stale)).to.equal(
      '403 key_superseded',
    );
    expect(await code({}, one)).to.equal('201 published');
    const gone = newAgent();
    await record(boards.a, gone.notes[0] ?? '');
    const alive = { ...gone, events: [...gone.events] };
    await record(boards.a, advance(gone, 'revoke'));
    expect(await code({ keys: alive.notes.slice(0, 1) }, alive)).to.equal(
      '403 key_revoked',
    );
  });

  it('records a conflict that comes along, and refuses its post', async () => {
    const two = newAgent();
    const rotation = nextEvent(two, 'rotate');
    const rival = nextEvent(two, 'revoke');
    await record(boards.a, two.notes[0] ?? '');
    await record(boards.a, signEvent(two, rotation));
    const rivals = [two.notes[0] ?? '', signEvent(two, rival)];
    expect(await code({ keys: rivals }, two)).to.equal('403 key_conflicted');
    const known = await boards.a.as().get(`/api/keys/${two.id}`);
    expect(known.body.status).to.equal('conflicted');
    expect(known.body.events).to.have.length(3);
  });

  it('leaves keys registered whose post was refused', async () => {
    const late = newAgent();
    const root = await publish(boards.a, { body: 'Black lives matter.' });
    const content = { body: 'black LIVES matter' };
    const answer = await handIn(boards, late, { content });
    expect(answer.status, answer.text).to.equal(409);
    expect(answer.body).to.include({ error: 'funnel_thread_changed' });
    expect(answer.body.routing).to.include({
      target_id: root.message.id,
      parent_hash: root.message_hash,
    });
    const known = await boards.a.as().get(`/api/keys/${late.id}`);
    expect(known.status).to.equal(200);
  });
});
