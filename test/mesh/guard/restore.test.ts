import { createHash } from 'node:crypto';
import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import type { RestoreReport } from '../../../mesh/restore/restore-log.js';
import { verifyProof } from '../../../protocol/proof.js';
import { taken } from '../../protocol/support/vectors.js';
import { publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { decideTo } from '../../support/decide.js';
import { given } from '../../support/hooks.js';
import { filled, preview, publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { lengthen, mirroredBoard, refusal } from '../support/mirrored-board.js';

describe('a board that lost everything (F11)', () => {
  // Its clock stays where it is while hundreds of entries are cosigned.
  const limits = { mesh_cosigns_per_network_minute: 1_000_000 };
  const scene = given(mirroredBoard({ anchors: false, limits }));
  const { a, b, mirrored } = scene;
  let c: TestBoard;
  let report: RestoreReport;
  let proofs: Map<number, object>;
  let tiles: Buffer;
  let size: number;
  let retry: Record<string, unknown>;
  let receipt: { message: { id: number } };
  const ids = { topic: 0, signed: 0, removed: 0, back: 0, hidden: 0, guest: 0 };

  before(async () => {
    c = await scene.joined();
    await b.board.peerAdmin.trust(a.url, { content: 'signed' });
    await furnish();
    size = await mirrored();
    await mirrored(c);
    await until('cosigned', async () => {
      const { body } = await a.as().get('/api/mesh');
      return body.peers.every(
        (peer: { acked_size: number }) => peer.acked_size === size,
      );
    });
    tiles = await bundle(a.url);
    proofs = new Map();
    for (const id of [ids.signed, ids.removed, ids.back]) {
      const { body } = await a.as().get(`/api/messages/${id}/proof`);
      proofs.set(id, body);
    }
    await a.stop(); // with its database and its data directory
  });

  async function furnish(): Promise<void> {
    const agent = await register(a);
    const poll = { question: 'Which?', options: ['a', 'b'] };
    const topic = await publish(a, {
      title: 'A topic',
      body: 'See https://x.example',
      poll,
    });
    ids.topic = topic.message.id;
    const reply_to = ids.topic;
    const kept = await preview(a, {
      reply_to,
      body: 'By a guest, mirrored by C.',
    });
    retry = filled(kept);
    receipt = (await a.as().post('/write/publish').send(retry)).body;
    ids.guest = receipt.message.id;
    const one = await publishSigned(a, agent, {
      reply_to,
      body: 'Signed.',
      vote: 1,
    });
    ids.signed = one.message.id;
    const two = await publishSigned(a, agent, { reply_to, body: 'Removed.' });
    ids.removed = two.message.id;
    const three = await publishSigned(a, agent, {
      reply_to,
      body: 'Comes back.',
    });
    ids.back = three.message.id;
    await decideTo.remove(a, ids.removed);
    await decideTo.remove(a, ids.back);
    await decideTo.reinstate(a, ids.back);
    const hidden = await publish(a, { title: 'Hidden', body: 'By decision.' });
    ids.hidden = hidden.message.id;
    await decideTo.hide(a, ids.hidden);
    await lengthen(a);
  }

  async function bundle(url: string, prefix = '/log'): Promise<Buffer> {
    const answer = await fetch(`${url}${prefix}/tile/entries/000`);
    return Buffer.from(await answer.arrayBuffer());
  }

  it('is read and verified from its mirrors while it is away', async () => {
    const { origin } = a.board.context.board;
    const hash = createHash('sha256').update(origin).digest('hex');
    for (const mirror of [b, c]) {
      const prefix = `/mirror/${hash}`;
      expect(await bundle(mirror.url, prefix)).to.deep.equal(tiles);
      const { text } = await mirror.as().get(`${prefix}/checkpoint`);
      expect(text.split('\n')[1]).to.equal(String(size));
      expect(text).to.include(`${mirror.board.context.board.name}/mirror `);
      const name = encodeURIComponent(a.board.context.board.name);
      const { body } = await mirror.get(
        `/api/mesh/boards/${name}/messages/${ids.signed}/proof`,
      );
      const proven = taken(verifyProof(body, a.board.context.keys.log.vkey));
      expect(proven.contentVerified).to.equal(true);
    }
  });

  it('gets everything back that a mirror kept', async () => {
    const config = await scene.newDisk();
    const from = [b.url, c.url];
    const killed = restoreOwn(config, from, () => {
      throw new Error('killed after a page');
    });
    expect(await refusal(killed)).to.equal('killed after a page');
    await scene.start(config);
    const refused = await preview(a, {});
    expect([refused.status, refused.body.error]).to.deep.equal([
      503,
      'log_guard',
    ]);
    await a.stop();
    report = await restoreOwn(config, from);
    expect(report.pulled).to.equal(size - 256);
    expect(report.size).to.equal(size);
    expect(report.lost).to.deep.equal([]);
    await scene.start(config);
    expect(await bundle(a.url)).to.deep.equal(tiles);
    await checkLedger(a);
  });

  it('answers as before', async () => {
    const { body } = await a.as().get(`/api/thread/${ids.topic}?full=1`);
    expect(body.data.map(({ id }: { id: number }) => id)).to.deep.equal([
      ids.topic,
      ids.guest,
      ids.signed,
      ids.removed,
      ids.back,
    ]);
    const [topic, guest, signed, removed, back] = body.data;
    expect(guest.body).to.equal('By a guest, mirrored by C.');
    expect(signed.body).to.equal('Signed.');
    expect(removed.removed).to.equal(true);
    expect(back.body).to.equal('Comes back.');
    expect(topic.score).to.equal(1);
    const { body: polls } = await a.as().get('/api/polls');
    expect(polls.data[0].question).to.equal('Which?');
    expect(polls.data[0].root_id).to.equal(topic.id);
    const { body: hidden } = await a.as().get(`/api/moderation/${ids.hidden}`);
    expect(hidden.state).to.equal('hidden_by_decision');
    const { body: search } = await a.as().get('/api/search?q=Comes%20back');
    expect(search.data[0].id).to.equal(ids.back);
    for (const [id, before] of proofs) {
      const { body: after } = await a.as().get(`/api/messages/${id}/proof`);
      const same = ({
        leaf,
        index,
        keys,
        content,
        state,
      }: Record<string, unknown>) => ({ leaf, index, keys, content, state });
      expect(same(after)).to.deep.equal(
        same(before as Record<string, unknown>),
      );
      taken(verifyProof(after, a.board.context.keys.log.vkey));
    }
  });

  it('knows the requests it accepted, and no other content for them', async () => {
    const request = String(receipt.message.id);
    expect(request).to.equal(String(ids.guest));
    const { body } = await a.as().get(`/api/messages/${ids.guest}?full=1`);
    const same = {
      body: body.body,
      reply_to: ids.topic,
      request_id: body.request_id,
    };
    const repeated = await preview(a, same);
    const answer = await a.as().post('/write/publish').send(filled(repeated));
    expect([answer.status, answer.body.status]).to.deep.equal([
      200,
      'already_published',
    ]);
    expect(answer.body.message.id).to.equal(ids.guest);
    const other = await preview(a, { ...same, body: 'Another text.' });
    const refused = await a.as().post('/write/publish').send(filled(other));
    expect(refused.body.error).to.equal('request_id_conflict');
  });

  it('goes on with the next id, and its mirrors with it', async () => {
    const next = await publish(a, { reply_to: ids.topic, body: 'After.' });
    expect(next.message.id).to.equal(ids.hidden + 1);
    expect(next.log.index).to.equal(size);
    for (const mirror of [b, c]) {
      expect(await scene.mirroredAgain(mirror)).to.equal(size + 1);
      const { body } = await mirror.as().get('/api/mesh');
      expect(body.evidence_count).to.equal(0);
    }
  });
});
