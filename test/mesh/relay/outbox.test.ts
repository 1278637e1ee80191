import { RelayOutbox } from '../../../server/db/entities/relay-outbox.js';
import { networkOf } from '../../../server/http/network.js';
import { sweep } from '../../../server/operations/jobs/sweep.js';
import {
  currentPair,
  publishSigned,
  record,
  signed,
} from '../../support/agent.js';
import { preview, request } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { postVia } from './hand-in.js';
import { A, givenLinked } from './linked-boards.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the outbox', () => {
  const scene = givenLinked();
  const { outbox, away, back, through, set, stateOf } = scene;

  it('takes a post for a board that is down, and publishes it later', async () => {
    const { a, b, clock, agent } = scene;
    await away();
    const { post, answer } = await postVia(b, agent, { title: 'Later' });
    expect(answer.status, answer.text).to.equal(202);
    expect(answer.body).to.include({
      status: 'relay_pending',
      board: A,
      request_id: post.request_id,
    });
    expect(answer.body.status_url).to.match(/\/api\/requests\//);
    expect((await stateOf(post.request_id)).status).to.equal('relay_pending');
    await back();
    expect(await outbox().runOnce()).to.equal(0);
    clock.advance(2000);
    expect(await outbox().runOnce()).to.equal(1);
    const state = await stateOf(post.request_id);
    expect(state.status).to.equal('published');
    const read = await a.as().get(`/api/messages/${state.message.id}`);
    expect(read.body.title).to.equal('Later');
    expect(await outbox().runOnce()).to.equal(0);
  });

  it('backs off while nobody answers, for 23 hours', async () => {
    const { b, clock, agent } = scene;
    await away();
    const { post } = await postVia(b, agent, { title: 'For ever' });
    const started = clock.now();
    let tries = 1;
    while (clock.now() < started + 23 * HOUR - 300_000) {
      clock.advance(300_000);
      tries += await outbox().runOnce();
    }
    expect(tries).to.be.within(100, 277);
    expect((await stateOf(post.request_id)).status).to.equal('relay_pending');
    clock.set(started + 23 * HOUR);
    await outbox().runOnce();
    const state = await stateOf(post.request_id);
    expect(state.status).to.equal('failed');
    expect(state.error.error).to.equal('origin_unreachable');
    const { content } = await rows(b).findOneByOrFail(RelayOutbox, {});
    expect(content).to.equal(null);
  });

  it('answers again while it is pending, and tries at once', async () => {
    const { b, agent } = scene;
    await away();
    const sent = request({ agent_id: agent.id, board: A });
    const previewed = await b.as().post('/write/preview').send(sent);
    const filled = signed(previewed, currentPair(agent));
    await b.as().post('/write/publish').send(filled).expect(202);
    await b.as().post('/write/publish').send(filled).expect(202);
    const other = await postVia(b, agent, {
      request_id: String(sent.request_id),
      body: 'Other content.',
    });
    expect(other.answer.body.error).to.equal('request_id_conflict');
    await back();
    const fresh = await postVia(b, agent, sent);
    expect(fresh.answer.status, fresh.answer.text).to.equal(200);
    expect(fresh.answer.body.status).to.equal('already_published');
  });

  it('previews what is pending as it was signed', async () => {
    const { b, clock, agent } = scene;
    await away();
    const { post } = await postVia(b, agent, { title: 'Pending' });
    clock.advance(60_000);
    const again = await preview(b, post).expect(200);
    const { messageHash } = await rows(b).findOneByOrFail(RelayOutbox, {});
    expect(again.body.message_hash).to.equal(messageHash.toString('base64'));
  });

  it('ends with what its board refuses, and with nothing that passes', async () => {
    const { a, b, clock, agent } = scene;
    await away();
    const { post } = await postVia(b, agent, { title: 'Refused' });
    await back();
    await set(a, { trust: 'mirror' });
    clock.advance(2000);
    await outbox().runOnce();
    const state = await stateOf(post.request_id);
    expect(state.status).to.equal('failed');
    expect(state.error).to.include({ error: 'origin_rejected' });
    expect(state.error.origin_error.error).to.equal('peer_not_allowed');
    // A failed request may be tried again with the same UUID.
    await set(a, { trust: 'relay' });
    const again = await postVia(b, agent, post);
    expect(again.answer.status, again.answer.text).to.equal(201);
    expect((await stateOf(post.request_id)).status).to.equal('published');
  });

  it('is heard of by who waits', async () => {
    const { b, clock, agent } = scene;
    await away();
    const { post } = await postVia(b, agent, { title: 'Waited for' });
    await back();
    const waiting = b
      .get(`/api/requests/${post.request_id}?wait=20`)
      .then((answer) => answer);
    clock.advance(2000);
    await outbox().runOnce();
    expect((await waiting).body.status).to.equal('published');
  });

  it('is told of what the agent posted there itself meanwhile', async () => {
    const { a, b, clock, agent } = scene;
    await record(a, agent.notes[0] ?? '');
    await away();
    const { post, answer } = await postVia(b, agent, { title: 'Both ways' });
    expect(answer.status).to.equal(202);
    const { board: _, ...own } = post;
    const there = await publishSigned(a, agent, own);
    await back();
    clock.advance(2000);
    await outbox().runOnce();
    const state = await stateOf(post.request_id);
    expect(state.status).to.equal('published');
    expect(state.message).to.deep.equal(there.message);
  });

  it('names the network by the tag of the day it sends on', async () => {
    const { b, clock, agent } = scene;
    const midnight = clock.now() - (clock.now() % DAY) + DAY;
    clock.set(midnight - 60_000);
    await away();
    const { post } = await postVia(b, agent, { title: 'At midnight' });
    const sent: string[] = [];
    await through({ seen: (body) => sent.push(body) }, async () => {
      clock.advance(120_000);
      await outbox().runOnce();
      expect((await stateOf(post.request_id)).status).to.equal('published');
      const { networkKeys } = b.board.context;
      const network = networkOf('203.0.113.1', undefined, []);
      const tags = await networkKeys.relayTags(network);
      expect(tags.day).to.equal(new Date(midnight).toISOString().slice(0, 10));
      const note = JSON.parse(sent[0] ?? '{}').relay_note;
      expect(note).to.include(`\nnetwork ${tags.today.toString('base64')}\n`);
    });
  });

  it('forgets what failed after a week, and no receipt', async () => {
    const { a, b, clock, agent } = scene;
    const kept = await postVia(b, agent, { title: 'Kept' });
    await set(a, { trust: 'mirror' });
    const failed = await postVia(b, agent, { title: 'Failed' });
    const { context } = b.board;
    const sweepOnce = () => sweep(context, new AbortController().signal);
    expect((await sweepOnce()).failed_relays).to.equal(0);
    clock.advance(7 * DAY + 1);
    expect((await sweepOnce()).failed_relays).to.equal(1);
    const gone = await b.as().get(`/api/requests/${failed.post.request_id}`);
    expect(gone.status).to.equal(404);
    const state = await stateOf(kept.post.request_id);
    expect(state.status).to.equal('published');
  });
});
