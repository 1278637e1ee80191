import { rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Database } from '../../../../server/db/sql.js';
import {
  checkFiles,
  type Manifest,
  readManifest,
} from '../../../../server/operations/backup/manifest.js';
import { restoreBackup } from '../../../../server/operations/backup/restore-backup.js';
import { writeBackup } from '../../../../server/operations/backup/write-backup.js';
import { SEED, startBoard, type TestBoard } from '../../../support/board.js';
import { checkLedger } from '../../../support/check-ledger.js';
import { admin, createDatabase } from '../../../support/cluster.js';
import { connected } from '../../../support/database.js';
import { decideTo } from '../../../support/decide.js';
import { given } from '../../../support/hooks.js';
import { publish } from '../../../support/post.js';
import { newFolder } from '../../../support/run-folder.js';
import type { Environment } from '../../cli/command.js';

export const NOW = 1_790_000_000_000;

/** What commands need to act as the operator of a test's board. */
export function settingsOf(test: TestBoard): Environment {
  const { dataDir } = test.board.context.config;
  return settings(test.databaseUrl, dataDir);
}

export function settings(databaseUrl: string, dataDir: string): Environment {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    BOARD_SEED: SEED,
    BASE_URL: 'http://board.test',
  };
}

export class EmptySite {
  private constructor(
    readonly url: string,
    readonly dataDir: string,
    private readonly drop: () => Promise<void>,
  ) {}

  static async make(): Promise<EmptySite> {
    const { url, drop } = await createDatabase();
    const name = new URL(url).pathname.slice(1);
    await admin(`DROP DATABASE ${name}`);
    await admin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    const dataDir = await newFolder();
    return new EmptySite(url, dataDir, drop);
  }

  get env(): Environment {
    return settings(this.url, this.dataDir);
  }

  /** As a restore does it: seal, files, database. */
  async restore(from: string): Promise<void> {
    const manifest = await readManifest(from, SEED);
    await checkFiles(from, manifest);
    await restoreBackup({ url: this.url }, from, manifest);
  }

  async expectEmpty(): Promise<void> {
    await withClient(this.url, async (client) => {
      const { rows } = await client.query<{ there: boolean }>(
        "SELECT to_regclass('message') IS NOT NULL AS there",
      );
      if (rows[0]?.there !== true) return;
      for (const table of ['message', 'log_entry', 'log_state', 'decision']) {
        const some = await client.query(`SELECT 1 FROM ${table} LIMIT 1`);
        expect(some.rows, table).to.deep.equal([]);
      }
      const off = await client.query(
        "SELECT 1 FROM pg_trigger WHERE tgenabled <> 'O'",
      );
      expect(off.rows).to.deep.equal([]);
    });
  }

  async stop(): Promise<void> {
    await this.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** A board of two messages, one of them hidden, its backup and an empty site. */
export function givenBackup() {
  return given(async () => {
    const test = await startBoard({ lifted: true });
    await publish(test, { title: 'One', body: 'First.' });
    await publish(test, { reply_to: 1, body: 'Second.' });
    await decideTo.hide(test, 1);
    const folder = await newFolder();
    const whole = path.join(folder, 'whole');
    await backUp(test.databaseUrl, whole);
    const site = await EmptySite.make();
    const stop = async () => {
      await checkLedger(test);
      await test.stop();
      await site.stop();
    };
    return { test, folder, whole, site, stop };
  });
}

/** One connection of its own, for locks and for a look from outside. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function withDatabase<T>(
  url: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { db, end } = await connected(url, { max: 2, patient: true });
  try {
    return await work(db);
  } finally {
    await end();
  }
}

export async function backUp(url: string, to: string): Promise<Manifest> {
  return await withDatabase(url, (db) =>
    writeBackup(db, to, { boardSeed: SEED, now: NOW }),
  );
}

/** What a backup must keep; what tells reporters' networks apart is out. */
export async function contentsOf(
  url: string,
  tables: readonly string[],
): Promise<Record<string, string[]>> {
  return await withClient(url, async (client) => {
    const all: Record<string, string[]> = {};
    for (const table of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT (to_jsonb(t) - 'reporter')::text AS row FROM "${table}" t ORDER BY 1`,
      );
      all[table] = rows.map(({ row }) => row);
    }
    return all;
  });
}
