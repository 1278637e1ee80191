import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { sleep } from '../../client/back-off.js';
import { inWords } from '../../client/cli/asking.js';
import { Progress } from '../../client/cli/progress.js';
import { boardSource } from '../../client/export/board-source.js';
import type { BundleSource } from '../../client/export/bundle-source.js';
import { writeBundle } from '../../client/export/write-bundle.js';
import { transport } from '../../client/transport.js';
import { bundleLine } from '../../client/verify/bundle/bundle-line.js';
import {
  type BundleVerdict,
  verifyBundle,
} from '../../client/verify/bundle/verify-bundle.js';
import { boardAddress } from './board-client.js';
import { withOwnLog } from './database-source.js';
import { CommandFailure } from './failure.js';
import { print } from './output.js';

async function isEmpty(folder: string): Promise<boolean> {
  return await readdir(folder).then(
    (names) => names.length === 0,
    () => true,
  );
}

async function write(
  draft: string,
  source: BundleSource,
  json: boolean,
): Promise<void> {
  const progress = new Progress('exporting', json);
  await writeBundle(draft, source, (done, size) =>
    progress.at(done, size, ' entries'),
  );
  progress.end();
}

async function check(draft: string, json: boolean): Promise<BundleVerdict> {
  const progress = new Progress('verifying', json);
  const verdict = await verifyBundle(draft, {
    onProgress: (done, size) => progress.at(done, size, ' entries'),
  });
  progress.end();
  return verdict;
}

/**
 * `reserve-board export --bundle`: the whole log with its texts, from the
 * node's own database or another board. The folder appears whole and verified,
 * or not at all.
 */
export const exportBundle = inWords(
  async (target: string, board: string | undefined, json: boolean) => {
    const folder = path.resolve(target);
    if (!(await isEmpty(folder))) {
      throw new CommandFailure(`${folder} is not empty; name a new folder.`);
    }
    const draft = `${folder}.${process.pid}.part`;
    await mkdir(draft, { mode: 0o700 });
    try {
      if (board === undefined) {
        await withOwnLog((source) => write(draft, source, json));
      } else {
        await write(draft, sourceOf(boardAddress(board)), json);
      }
      const verdict = await check(draft, json);
      const { bundle, faults } = verdict;
      if (bundle === null || faults.count > 0) {
        throw new CommandFailure(`Nothing is kept. ${bundleLine(verdict)}`);
      }
      await rename(draft, folder);
      const line = bundleLine(verdict);
      print(json, { ok: true, folder, ...bundle }, `${folder}\n${line}`);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  },
);

function sourceOf(board: string): BundleSource {
  const asked = transport(board, fetch, 'reserve-board export');
  return boardSource(asked, { sleep, random: Math.random });
}
