import { expect } from 'chai';
import { messagesFile } from '../../../client/verify/bundle/layout.js';
import { verifyBundle } from '../../../client/verify/bundle/verify-bundle.js';
import { ready } from '../../../protocol/signing.js';
import { workerOf } from '../../support/worker-of.js';
import { filesOf, withBundle, withFile } from '../support/bundle.js';
import { logOf, signedEntries } from '../support/signed-log.js';

const SOURCE = '../../../client/verify/bundle/worker.ts';
const worker = new URL(SOURCE, import.meta.url);
/** More tiles than are checked without threads, and a partial one. */
const MESSAGES = 5 * 256 + 100;

describe('the check of a bundle on several threads', () => {
  it('finds the same as on one, in order, and tells how far it is', async () => {
    await ready;
    await withBundle(logOf(signedEntries(MESSAGES)), async (folder) => {
      const seen: number[] = [];
      const onProgress = (done: number) => seen.push(done);
      const many = await verifyBundle(folder, {
        threads: 3,
        worker,
        onProgress,
      });
      const one = await verifyBundle(folder, { threads: 1 });
      expect(many).to.deep.equal(one);
      expect(many.faults.count).to.equal(0);
      expect(many.bundle?.messages).to.equal(MESSAGES);
      expect(seen).to.deep.equal([256, 512, 768, 1024, 1280, MESSAGES + 21]);
    });
  });

  it('finds faults wherever they are', async () => {
    await ready;
    await withBundle(logOf(signedEntries(MESSAGES)), async (folder) => {
      for (const name of [messagesFile(4), 'tile/1/000.p/5', 'tile/0/002']) {
        const bytes = (await filesOf(folder)).get(name);
        const edited = Buffer.from(bytes ?? []);
        edited[30] = (edited[30] ?? 0) ^ 1;
        const [many, one] = await withFile(folder, name, edited, async () => [
          await verifyBundle(folder, { threads: 2, worker }),
          await verifyBundle(folder, { threads: 1 }),
        ]);
        expect(many?.faults.count, name).to.equal(1);
        expect(many).to.deep.equal(one);
      }
    });
  });

  it('passes on what a thread throws', async () => {
    await ready;
    const thrower = workerOf('throw new Error("no thread")');
    await withBundle(logOf(signedEntries(MESSAGES)), async (folder) => {
      const outcome = await verifyBundle(folder, {
        threads: 2,
        worker: thrower,
      }).catch((error: unknown) => error);
      expect(outcome).to.be.an('error');
      expect(String(outcome)).to.include('no thread');
    });
  });
});
