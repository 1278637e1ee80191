import { readPins, verifyProofText } from '../../../../client/verify/verify.js';
import vectors from '../../../../docs/spec/mesh-vectors.json' with {
  type: 'json',
};
import { parseTlogProof, verifyProof } from '../../../../protocol/proof.js';
import { formatVkey } from '../../../../protocol/vkey.js';
import { edits, taken } from '../../../protocol/support/vectors.js';
import { decideTo } from '../../../support/decide.js';
import { FULL } from '../../../support/full.js';
import { given } from '../../../support/hooks.js';
import { publish } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import { provingBoard } from './pinned.js';

describe('the proof of a removed message', () => {
  const { test, pinned, proofOf, signedMessage } = given(provingBoard);

  it('proves a removal, without the text and everything of it', async () => {
    const poll = {
      question: 'Secret question?',
      options: ['Secret one', 'Secret two'],
    };
    const words = {
      title: 'Secret title',
      body: 'Secret body',
      name: 'Secret name',
    };
    for (const ending of ['remove', 'erase', 'remove, then erase'] as const) {
      const id = await signedMessage({
        ...words,
        poll,
        request_id: randomUUID(),
      });
      const published = await proofOf(id);
      const reason = 'privacy';
      if (ending !== 'erase') await decideTo.remove(test, id, { reason });
      if (ending !== 'remove') await decideTo.erase(test, id, { reason });
      const { body, text, headers } = await proofOf(id);
      expect(headers.etag).not.to.equal(published.headers.etag);
      expect(body.state).to.equal('removed');
      expect(body.content).to.equal(null);
      expect(body.leaf).to.equal(published.body.leaf);
      expect(body.index).to.equal(published.body.index);
      expect(text).not.to.match(/Secret /);
      expect(text).not.to.contain(published.body.content.salt);
      const keys = Object.keys(vectors.proof);
      keys.splice(-1, 0, 'removal');
      expect(Object.keys(body)).to.deep.equal(keys);
      expect(body.removal).to.have.all.keys('index', 'leaf', 'inclusion');
      expect(body.removal.leaf).to.contain('reason privacy');
      const it = taken(verifyProof(body, pinned));
      expect(it).to.include({ removed: true, contentVerified: false });
      // The proof made before stays a proof of what was signed and logged.
      expect(taken(verifyProof(published.body, pinned)).index).to.equal(
        it.index,
      );
      const tlog = await proofOf(id, '?format=tlog-proof').buffer(true);
      expect(taken(parseTlogProof(tlog.text)).index).to.equal(it.index);
    }
  });

  it('is refused with any byte of it changed, left out or put in', async () => {
    const id = await signedMessage({ body: 'Bytes \u{1f511} of a text' });
    await decideTo.remove(test, id);
    await publish(test);
    const pins = taken(readPins([formatVkey(pinned)]));
    const bytes = Buffer.from((await proofOf(id)).text);
    expect((await verifyProofText(bytes, pins)).ok).to.equal(true);
    for (const [at, edited] of edits(bytes)) {
      if (at % (FULL ? 1 : 9) !== 0) continue;
      const { ok } = await verifyProofText(edited, pins);
      expect(ok, `byte ${at}: ${edited}`).to.equal(false);
    }
  });

  it('follows each reinstatement and removal, by the newest entry', async () => {
    const id = await signedMessage({ body: 'Back again' });
    await decideTo.remove(test, id, { reason: 'spam' });
    await decideTo.reinstate(test, id);
    const { body } = await proofOf(id);
    expect(body.state).to.equal('published');
    expect(body).not.to.have.property('removal');
    expect(body.content.body).to.equal('Back again');
    expect(taken(verifyProof(body, pinned)).contentVerified).to.equal(true);
    await decideTo.remove(test, id, { reason: 'privacy' });
    const again = (await proofOf(id)).body;
    expect(again.removal.leaf).to.include('reason privacy');
    expect(taken(verifyProof(again, pinned)).removed).to.equal(true);
  });

  it('knows no proof of a guest, removed or not', async () => {
    const { id } = (await publish(test)).message;
    const expectNone = async () => {
      const answer = await proofOf(id).expect(404);
      expect(answer.body.error).to.equal('not_signed');
    };
    await expectNone();
    await decideTo.remove(test, id);
    await expectNone();
  });
});
