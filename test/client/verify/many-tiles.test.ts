import { messagesFile } from '../../../client/verify/bundle/layout.js';
import { verifyBundle } from '../../../client/verify/bundle/verify-bundle.js';
import { ready } from '../../../protocol/signing.js';
import { filesOf, withBundle, withFile } from '../support/bundle.js';
import { logOf, signedEntries } from '../support/signed-log.js';

/** Full tiles, and a partial one. */
const MESSAGES = 5 * 256 + 100;

describe('the check of a bundle of several tiles', () => {
  it('finds no fault in order, and tells how far it is', async () => {
    await ready();
    await withBundle(logOf(signedEntries(MESSAGES)), async (folder) => {
      const seen: number[] = [];
      const onProgress = (done: number) => seen.push(done);
      const many = await verifyBundle(folder, { onProgress });
      expect(many.faults.count).to.equal(0);
      expect(many.bundle?.messages).to.equal(MESSAGES);
      expect(seen).to.deep.equal([256, 512, 768, 1024, 1280, MESSAGES + 21]);
    });
  });

  it('finds faults wherever they are', async () => {
    await ready();
    await withBundle(logOf(signedEntries(MESSAGES)), async (folder) => {
      for (const name of [messagesFile(4), 'tile/1/000.p/5', 'tile/0/002']) {
        const bytes = (await filesOf(folder)).get(name);
        const edited = Buffer.from(bytes ?? []);
        edited[30] = (edited[30] ?? 0) ^ 1;
        const found = await withFile(folder, name, edited, () =>
          verifyBundle(folder),
        );
        expect(found.faults.count, name).to.equal(1);
      }
    });
  });
});
