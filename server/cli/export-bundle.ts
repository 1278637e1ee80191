import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { sleep } from '../../client/back-off.js';
import { inWords } from '../../client/cli/asking.js';
import { Progress } from '../../client/cli/progress.js';
import { boardSource } from '../../client/export/board-source.js';
import type {
  BundleSource,
  SourceEntry,
} from '../../client/export/bundle-source.js';
import { writeBundle } from '../../client/export/write-bundle.js';
import { transport } from '../../client/transport.js';
import { bundleLine } from '../../client/verify/bundle/bundle-line.js';
import {
  type BundleVerdict,
  verifyBundle,
} from '../../client/verify/bundle/verify-bundle.js';
import { parseConfig } from '../config.js';
import { LogState } from '../db/entities/log.js';
import type { Sql } from '../db/sql.js';
import { OWN_LOG } from '../ledger/own-log.sql.js';
import { boardAddress } from './board-client.js';
import { CommandFailure } from './failure.js';
import { type ExportedEntry, exportedEntries } from './node.sql.js';
import { print } from './output.js';
import { requireMigrated, withOwnDatabase } from './tool-database.js';

function entryOf({
  leaf,
  salt,
  author,
  title,
  body,
  poll,
}: ExportedEntry): SourceEntry {
  if (salt === null || author === null || body === null) {
    return { leaf, content: null };
  }
  const content = {
    salt,
    name: author,
    ...(title === null ? {} : { title }),
    body,
    ...(poll === null ? {} : { poll }),
  };
  return { leaf, content };
}

function sourceIn(sql: Sql): BundleSource {
  return {
    checkpoint: async () => {
      const head = await sql.manager
        .getRepository(LogState)
        .findOneBy({ originId: OWN_LOG });
      if (head === null) throw new CommandFailure('There is no log yet.');
      return head.checkpoint;
    },
    entries: async (from, until) => {
      const rows = await exportedEntries(sql, from, until);
      if (rows.length > 0) return rows.map(entryOf);
      throw new CommandFailure(
        `The log lacks entry ${from}; run "reserve-board doctor".`,
      );
    },
  };
}

/** The node's own log, as one snapshot: nothing changes while it is read. */
async function withOwnLog<T>(
  work: (source: BundleSource) => Promise<T>,
): Promise<T> {
  const config = parseConfig(process.env);
  return await withOwnDatabase(config, async (db) => {
    await requireMigrated(db);
    return await db.snapshot((tx) => work(sourceIn(tx)));
  });
}

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
