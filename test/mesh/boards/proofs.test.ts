import { createHash } from 'node:crypto';
import { readPins, verifyProofText } from '../../../client/verify/verify.js';
import { cosignPage } from '../../../mesh/witness/cosigner.js';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { publish } from '../../support/post.js';
import { A, givenMirror } from './support/linked.js';
import { pull } from './support/pull.js';

const BOARD = `/api/mesh/boards/${A}`;

describe('proofs of mirrored messages', () => {
  const scene = givenMirror({}, async ({ a }) => {
    const agent = await register(a);
    await publishSigned(a, agent, { title: 'Signed', body: 'Prove this.' });
    await publish(a, { body: 'A guest.', reply_to: 1 });
    await publishSigned(a, agent, { body: 'Goes away.', reply_to: 1 });
  });

  const proofOf = async (id: number, status = 200) => {
    const answer = await scene.b.as().get(`${BOARD}/messages/${id}/proof`);
    expect(answer.status, answer.text).to.equal(status);
    return answer;
  };
  const verified = async (text: string, ...vkeys: string[]) => {
    const pins = readPins(vkeys);
    if (!pins.ok) throw new Error('no pins');
    return await verifyProofText(Buffer.from(text), pins.value);
  };

  it("verifies offline against the origin's key alone", async () => {
    const { a, b } = scene;
    const { text, headers } = await proofOf(1);
    const proven = await verified(text, a.logVkey);
    expect(proven.ok && proven.value).to.include({
      board: A,
      messageId: 1,
      pinned: true,
      removed: false,
      contentVerified: true,
    });
    expect(JSON.parse(text).content.body).to.equal('Prove this.');
    const digest = createHash('sha256').update(text).digest('hex');
    expect(headers.etag).to.equal(`"${digest}"`);
    const ours = await verified(text, b.logVkey);
    expect(ours.ok).to.equal(false);
  });

  it('says the same as the proof of the origin', async () => {
    const own = (await scene.a.as().get('/api/messages/1/proof')).body;
    const { body } = await proofOf(1);
    expect(body).to.deep.equal(own);
  });

  it('names our cosignature once it is made', async () => {
    const { a, b, originId } = scene;
    const { context } = b.board;
    const [newest] = await context.reads.query<{ note: string }>(
      `SELECT note FROM log_checkpoint WHERE origin_id = $1
       ORDER BY size DESC LIMIT 1`,
      [originId],
    );
    const note = newest?.note ?? '';
    const opened = openCheckpoint(note, a.board.context.keys.log.vkey);
    if (!opened.ok) throw new Error(opened.reason);
    const { size, root } = opened.value;
    const { writes, keys, clock } = context;
    const log = { originId, origin: `${A}/log`, logVkey: a.logVkey };
    const head = { ...log, size, root, checkpoint: note };
    await cosignPage(writes, head, keys.mirror, clock.now());
    const { text, body } = await proofOf(1);
    const vkey = formatVkey(context.keys.mirror.vkey);
    expect(body.cosigners).to.deep.equal([
      { name: 'board-b.example/mirror', vkey, board: 'board-b.example' },
    ]);
    const proven = await verified(text, a.logVkey, vkey);
    expect(proven.ok && proven.value.cosigners).to.deep.equal([
      'board-b.example/mirror',
    ]);
    const lines = await b.get(`${BOARD}/messages/1/proof?format=tlog-proof`);
    expect(lines.text).to.include('— board-b.example/mirror ');
    expect(lines.headers['content-type']).to.include('text/plain');
  });

  it('has none of a guest', async () => {
    const { error, detail } = (await proofOf(2, 404)).body;
    expect(error).to.equal('not_signed');
    const [address = ''] = /\/mirror\/\S+(?=;)/.exec(detail) ?? [];
    const { entries } = (await scene.b.get(address).expect(200)).body;
    const { leaf } = entries[0];
    expect(leaf).to.include('\nid 2\n');
  });

  const after = async (decided: Promise<unknown>) => {
    await decided;
    await pull(scene.b, scene.a);
    const { text, body } = await proofOf(3);
    const proven = await verified(text, scene.a.logVkey);
    return { body, removed: proven.ok && proven.value.removed };
  };

  it('stays valid after the removal, without the text', async () => {
    const { body, removed } = await after(decideTo.remove(scene.a, 3));
    expect(body).to.include({ state: 'removed', content: null });
    expect(removed).to.equal(true);
  });

  it('goes back to the text with the reinstatement', async () => {
    const { removed } = await after(decideTo.reinstate(scene.a, 3));
    expect(removed).to.equal(false);
  });

  it('names the newest of several removals', async () => {
    const removal = decideTo.remove(scene.a, 3, { reason: 'privacy' });
    const { body, removed } = await after(removal);
    expect(body.removal.leaf).to.include('reason privacy');
    expect(removed).to.equal(true);
  });
});
