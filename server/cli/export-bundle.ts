import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { sleep } from '../../client/back-off.js';
import { inWords } from '../../client/cli/asking.js';
import { proxiedFetch } from '../../client/cli/proxied-fetch.js';
import { boardSource } from '../../client/export/board-source.js';
import type { BundleSource } from '../../client/export/bundle-source.js';
import { writeBundle } from '../../client/export/write-bundle.js';
import { transport } from '../../client/transport.js';
import { bundleLine } from '../../client/verify/bundle/bundle-line.js';
import { verifyBundle } from '../../client/verify/bundle/verify-bundle.js';
import { parseConfig } from '../config.js';
import { LogState } from '../db/entities/log.js';
import type { Sql } from '../db/sql.js';
import { storedContent } from '../db/stored-content.js';
import { OWN_LOG } from '../ledger/own-log.sql.js';
import { boardAddress } from './board-client.js';
import { CommandFailure } from './failure.js';
import { exportedEntries } from './node.sql.js';
import { print, shown } from './output.js';
import { requireMigrated, withOwnDatabase } from './tool-database.js';

function sourceIn(sql: Sql): BundleSource {
  return {
    checkpoint: async () => {
      const own = { originId: OWN_LOG };
      const head = await sql.manager.findOneBy(LogState, own);
      if (head === null) throw new CommandFailure('There is no log yet.');
      return head.checkpoint;
    },
    entries: async (from, until) => {
      const rows = await exportedEntries(sql, from, until);
      if (rows.length > 0) {
        return rows.map(({ leaf, ...row }) => ({
          leaf,
          content: storedContent(row),
        }));
      }
      throw new CommandFailure(
        `The log lacks entry ${from}; run "reserve-board doctor".`,
      );
    },
  };
}

async function withOwnLog<T>(
  work: (source: BundleSource) => Promise<T>,
): Promise<T> {
  const config = parseConfig(process.env);
  return await withOwnDatabase(config, async (db) => {
    await requireMigrated(db);
    return await db.snapshot((tx) => work(sourceIn(tx)));
  });
}

/** The folder appears whole and verified, or not at all. */
export const exportBundle = inWords(
  async (target: string, board: string | undefined, json: boolean) => {
    const folder = path.resolve(target);
    const names = await readdir(folder).catch(() => []);
    if (names.length > 0) {
      throw new CommandFailure(`${folder} is not empty; name a new folder.`);
    }
    const draft = `${folder}.${process.pid}.part`;
    await mkdir(draft, { mode: 0o700 });
    try {
      const write = (source: BundleSource) =>
        shown('exporting', ' entries', json, (onProgress) =>
          writeBundle(draft, source, onProgress),
        );
      if (board === undefined) await withOwnLog(write);
      else {
        const address = boardAddress(board);
        const asked = transport(address, proxiedFetch, 'reserve-board export');
        await write(boardSource(asked, { sleep, random: Math.random }));
      }
      const verdict = await shown('verifying', ' entries', json, (onProgress) =>
        verifyBundle(draft, { onProgress }),
      );
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
