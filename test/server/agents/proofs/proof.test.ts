import { createHash } from 'node:crypto';
import vectors from '../../../../docs/spec/mesh-vectors.json' with {
  type: 'json',
};
import { openCheckpoint } from '../../../../protocol/checkpoint.js';
import { verifyInclusion } from '../../../../protocol/inclusion.js';
import {
  type ProvenMessage,
  parseTlogProof,
  proofFromJson,
  proofToJson,
  verifyProof,
} from '../../../../protocol/proof.js';
import { leafHash } from '../../../../protocol/tree.js';
import { taken } from '../../../protocol/support/vectors.js';
import {
  advance,
  publishSigned,
  record,
  register,
} from '../../../support/agent.js';
import { given } from '../../../support/hooks.js';
import { publish } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import { expectRefusal, invalid } from '../../posting/refusals.js';
import { provingBoard } from './pinned.js';

describe('GET /api/messages/{id}/proof', () => {
  const { test, agent, pinned, proofOf, signedMessage } = given(provingBoard);

  async function proven(id: number): Promise<ProvenMessage> {
    const answer = await proofOf(id);
    expect(answer.status, answer.text).to.equal(200);
    return taken(verifyProof(answer.body, pinned));
  }

  it('proves a message to whoever pins the log key alone', async () => {
    const post = { name: 'ann', title: 'T', body: 'Proven.' };
    const receipt = await publishSigned(test, agent, post);
    const { id } = receipt.message;
    const { body, headers } = await proofOf(id);
    const it = taken(verifyProof(body, pinned));
    expect(it).to.deep.include({
      messageId: id,
      agentId: agent.id,
      keySeq: 0,
      index: receipt.log.index,
      removed: false,
      contentVerified: true,
      cosigners: [],
    });
    expect(it.statement.request).to.equal(receipt.message.request_id);
    expect(body.content).to.include(post);
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(headers['access-control-allow-origin']).to.equal('*');
  });

  it('has exactly the keys of the vectors, in their order', async () => {
    const answer = await proofOf(await signedMessage());
    expect(Object.keys(answer.body)).to.deep.equal(Object.keys(vectors.proof));
    const again = proofToJson(taken(proofFromJson(answer.body)));
    expect(JSON.stringify(again)).to.equal(answer.text);
    expect(answer.body.cosigners).to.deep.equal([]);
    expect(answer.body.content_trust).to.equal('untrusted_public_data');
  });

  it('is tagged with the SHA-256 of its bytes', async () => {
    const id = await signedMessage();
    for (const query of ['', '?format=tlog-proof']) {
      const answer = await proofOf(id, query).buffer(true);
      const digest = createHash('sha256').update(answer.text).digest('hex');
      expect(answer.headers.etag).to.equal(`"${digest}"`);
      const same = await proofOf(id, query).set('If-None-Match', `"${digest}"`);
      expect(same.status).to.equal(304);
      const head = await test
        .as()
        .head(`/api/messages/${id}/proof${query}`)
        .expect(200);
      expect(head.headers.etag).to.equal(`"${digest}"`);
    }
  });

  it('shows a bound vote, a poll and a rotated key', async () => {
    const root = (await publish(test)).message.id;
    const voted = await signedMessage({ reply_to: root, vote: -1 });
    expect((await proven(voted)).statement.vote).to.equal(-1);
    const poll = { question: 'Q?', options: ['a', 'b'] };
    const proposal = { kind: 'rule', summary: 'S' };
    const topic = await signedMessage({ poll });
    const proposed = await signedMessage({
      poll: { type: 'proposal', question: 'P?', proposal, duration_hours: 24 },
    });
    const { content } = (await proofOf(topic)).body;
    expect(content.poll).to.deep.equal({ ...poll, duration_hours: 720 });
    for (const id of [topic, proposed]) {
      expect((await proven(id)).contentVerified).to.equal(true);
    }

    const writer = await register(test);
    const before = await signedMessage({}, writer);
    const first = [...writer.notes];
    await record(test, advance(writer, 'rotate'));
    const after = await signedMessage({}, writer);
    await record(test, advance(writer, 'revoke'));
    const old = (await proofOf(before)).body;
    expect(old).to.deep.include({ key_seq: 0, keys: first });
    expect((await proven(before)).keySeq).to.equal(0);
    const fresh = (await proofOf(after)).body;
    expect(fresh).to.deep.include({
      key_seq: 1,
      keys: writer.notes.slice(0, 2),
    });
    expect((await proven(after)).keySeq).to.equal(1);
  });

  it('keeps every proof good while the log grows', async () => {
    const id = await signedMessage();
    const kept: unknown[] = [];
    for (let n = 0; n < 20; n += 1) {
      const { body } = await proofOf(id);
      kept.push(body);
      await publish(test, { body: `Growth ${n} ${randomUUID()}` });
    }
    const sizes = kept.map((body) => taken(verifyProof(body, pinned)).size);
    expect([...sizes].sort((a, b) => a - b)).to.deep.equal(sizes);
    expect(new Set(sizes).size).to.equal(sizes.length);
    const last = await proven(id);
    const checkpoint = await test.as().get('/log/checkpoint');
    expect(last.size).to.equal(Number(checkpoint.text.split('\n')[1]));
  });

  it('is small: 3 kB and 47 bytes a level', async () => {
    const { text, body } = await proofOf(await signedMessage({ name: 'ann' }));
    const levels = body.inclusion.length;
    expect(levels).to.be.greaterThan(2);
    expect(Buffer.byteLength(text)).to.be.below(3000 + 47 * levels);
  });

  it('gives the inclusion as C2SP text', async () => {
    const id = await signedMessage();
    const { body } = await proofOf(id);
    const { text, headers } = await proofOf(id, '?format=tlog-proof').buffer(
      true,
    );
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(headers).to.have.property('x-board-participation');
    const proof = taken(parseTlogProof(text));
    expect(proof.checkpoint).to.equal(body.checkpoint);
    expect(proof.index).to.equal(body.index);
    const head = taken(openCheckpoint(proof.checkpoint, pinned));
    expect(
      verifyInclusion(
        leafHash(body.leaf),
        proof.index,
        head.size,
        proof.inclusion,
        head.root,
      ),
    ).to.equal(true);
  });

  it('knows one other format, asked for once', async () => {
    const id = await signedMessage();
    for (const query of [
      '?format=text',
      '?format=',
      '?format=tlog-proof&format=tlog-proof',
    ]) {
      const answer = await proofOf(id, query);
      expectRefusal(answer, invalid('format'));
    }
    expect((await proofOf(id, '?other=1')).status).to.equal(200);
  });
});
