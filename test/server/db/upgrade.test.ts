import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../server/db/data-source.js';
import {
  NotificationChannel,
  NotificationDelivery,
} from '../../../server/db/entities/notification.js';
import { migrate } from '../../../server/db/migrate.js';
import { ClaimedNames1795820000000 } from '../../../server/db/migrations/1795820000000-claimed-names.js';
import { NoQuietHours1795850000000 } from '../../../server/db/migrations/1795850000000-no-quiet-hours.js';
import { InboxesAndReports1795867000000 } from '../../../server/db/migrations/1795867000000-inboxes-and-reports.js';
import { migrations } from '../../../server/db/migrations/index.js';
import { nameKey } from '../../../server/db/name-key.js';
import type { NotificationKind } from '../../../server/db/states.js';
import { admin, createDatabase } from '../../support/cluster.js';
import { onNewDatabase } from '../../support/database.js';

/** What release 0.2.0 made. Never changed: every later migration follows it. */
const RELEASED = [
  'Ledger1763900100000',
  'Posting1763900200000',
  'VotesAndPolls1763900300000',
  'Moderation1763900400000',
  'Agents1763900500000',
  'Operations1763900600000',
  'Mesh1763900700000',
  'Operators1763900800000',
  'NotedInCode1763901000000',
];

const fail = (error: Error) => {
  throw error;
};

type Rows = Record<string, Record<string, unknown>[]>;

/** As JSON; of a table in `before` only the columns that it had then. */
async function contentsOf(source: DataSource, before?: Rows): Promise<Rows> {
  const tables = await source.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> 'migrations' ORDER BY 1`,
  );
  const contents: Rows = {};
  for (const { name } of tables) {
    const rows = await source.query<{ row: Record<string, unknown> }[]>(
      `SELECT to_jsonb(t) AS row FROM "${name}" t`,
    );
    const columns = Object.keys(before?.[name]?.[0] ?? rows[0]?.row ?? {});
    contents[name] = rows
      .map(({ row }) => Object.fromEntries(columns.map((c) => [c, row[c]])))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return contents;
}

const BEGUN_SINCE = [
  ...['notifications', 'watched_messages', 'watched_ratings'],
  ...['inbox_fill', 'mesh_inbox_fill'],
];

const FILL = new URL('./release-0.2.0.sql', import.meta.url);

describe('the list of migrations', () => {
  it('has each class of its folder once, in the order of time', async () => {
    const folder = new URL('../../../server/db/migrations/', import.meta.url);
    const texts = (await readdir(folder)).map((file) =>
      readFileSync(new URL(file, folder), 'utf8'),
    );
    const written = texts.flatMap((text) =>
      [...text.matchAll(/^(?:export )?class (\w+?(\d{13}))\s/gm)].map(
        ([, name = '', time]) => ({ name, time: Number(time) }),
      ),
    );
    written.sort((a, b) => a.time - b.time);
    const listed = migrations.map(({ name }) => name);
    expect(listed).to.deep.equal(written.map(({ name }) => name));
    expect(listed.slice(0, RELEASED.length)).to.deep.equal(RELEASED);
    expect(new Set(written.map(({ time }) => time)).size).to.equal(
      written.length,
    );
  });
});

describe('a filled database of release 0.2.0', () => {
  it('is brought to the schema of today with all its rows', async () => {
    const { url, drop } = await createDatabase();
    const name = new URL(url).pathname.slice(1);
    await admin(`DROP DATABASE ${name}`);
    await admin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    expect(await migrate({ url }, fail, RELEASED)).to.deep.equal(RELEASED);
    const options = { max: 1, onPoolError: fail, patient: true };
    const source = await createDataSource({ url }, options).initialize();
    try {
      await source.query(await readFile(FILL, 'utf8'));
      const before = await contentsOf(source);
      for (const [table, rows] of Object.entries(before)) {
        expect(rows, `rows of ${table}`).not.to.have.length(0);
      }
      await migrate({ url }, fail);
      // As `npm run migration:check` asks.
      const drift = await source.driver.createSchemaBuilder().log();
      expect(drift.upQueries.map(({ query }) => query)).to.deep.equal([]);
      const after = await contentsOf(source, before);
      // A migration that means to add or change rows says here which.
      const began = ({ name }: Record<string, unknown>) =>
        BEGUN_SINCE.includes(String(name));
      expect(after.stream?.filter(began)).to.have.length(BEGUN_SINCE.length);
      const stream = after.stream?.filter((row) => !began(row));
      expect({ ...after, stream }).to.deep.include(before);
    } finally {
      await source.destroy();
      await drop();
    }
  });

  it('has in the schema of today all that its statements use', async () => {
    // A process of it may still serve when the newer one has migrated.
    await onNewDatabase(async (source) => {
      await source.query(await readFile(FILL, 'utf8'));
      const { message, decision } = await contentsOf(source);
      expect([message?.length, decision?.length]).to.deep.equal([2, 2]);
    });
  });
});

const DAY_MS = 86_400_000;

const MESSAGES: readonly (readonly [string, string | null, number])[] = [
  ['Too Old', 'a1old', 1],
  ['Ada  Bot', 'a1ada', 20],
  ['guest', null, 30],
  ['anonymous-agent', 'a1ada', 31],
  ['ADA BOT', 'a1eve', 32],
];

describe('the migration to claimed names', () => {
  it('fills the names of keys of the last 30 days', async () => {
    await onNewDatabase(async (source) => {
      const runner = source.createQueryRunner();
      const migration = new ClaimedNames1795820000000();
      await migration.down(runner);
      for (const [at, [author, agent, day]] of MESSAGES.entries()) {
        const id = at + 1;
        await runner.query(
          `INSERT INTO message (id, root_id, room, author, agent_id, key_seq,
             title, body, salt, created_at, request_id, message_hash, log_index,
             vote_secret, last_activity_id)
           VALUES ($1, $1, 'lobby', $2, $3, $4, 'A title', 'A body.', '\\x61',
             $5, gen_random_uuid(), $6, $1, $6, $1)`,
          [id, author, agent, agent && 0, day * DAY_MS, Buffer.from([id])],
        );
      }
      await migration.up(runner);
      const rows: { name_key: Buffer | null }[] = await runner.query(
        'SELECT name_key FROM message ORDER BY id',
      );
      const ada = nameKey('ada bot');
      expect(rows.map((row) => row.name_key)).to.deep.equal([
        ...[null, ada, null, null, ada],
      ]);
    });
  });
});

describe('the migration that ends quiet hours and digests', () => {
  it('keeps each channel and makes due what waited for them', async () => {
    await onNewDatabase(async (source) => {
      const runner = source.createQueryRunner();
      const migration = new NoQuietHours1795850000000();
      await migration.down(runner);
      const id = randomUUID();
      await runner.query(
        `INSERT INTO notification_channel (id, way, kinds, address, quiet_from,
           quiet_to, time_zone, digest_minutes, changed_at, changed_by)
         VALUES ($1, 'email', '{report}', 'op@board.example', 1320, 420,
           'Asia/Kathmandu', 1440, 5, 'ada')`,
        [id],
      );
      for (const [attempts, state] of [
        [0, 'waiting'],
        [2, 'waiting'],
        [0, 'dead'],
      ] as const) {
        await runner.manager.insert(NotificationDelivery, {
          ...{ id: randomUUID(), channelId: id, items: [], total: 1 },
          ...{ test: false, state, attempts, error: null, sentAt: null },
          ...{ createdAt: 10, dueAt: 90_000 },
        });
      }
      await migration.up(runner);
      const channel = await runner.manager.findOneBy(NotificationChannel, {
        id,
      });
      expect(channel).to.include({ way: 'email', address: 'op@board.example' });
      const due = await runner.manager.find(NotificationDelivery, {
        order: { state: 'ASC', attempts: 'DESC' },
      });
      expect(due.map(({ dueAt }) => dueAt)).to.deep.equal([90_000, 90_000, 10]);
    });
  });
});

describe('the migration to inboxes and answered reports', () => {
  it('takes old claims out of channels and deliveries', async () => {
    await onNewDatabase(async (source) => {
      const runner = source.createQueryRunner();
      const { manager } = runner;
      const migration = new InboxesAndReports1795867000000();
      await migration.down(runner);
      const id = randomUUID();
      const kinds = ['report', 'claim_old'] as NotificationKind[];
      const items = kinds.map((kind) => ({ kind, page: '/queue', at: 1 }));
      await manager.insert(NotificationChannel, {
        ...{ id, operatorId: null, way: 'email', kinds, url: null },
        ...{ secret: null, address: 'op@board.example', changedAt: 5 },
        changedBy: 'ada',
      });
      for (const some of [items, items.slice(1)]) {
        await manager.insert(NotificationDelivery, {
          ...{ id: randomUUID(), channelId: id, items: some, test: false },
          ...{ total: some.length, state: 'waiting', attempts: 0, error: null },
          ...{ createdAt: 10, dueAt: 10, sentAt: null },
        });
      }
      await migration.up(runner);
      const [channel] = await manager.find(NotificationChannel);
      expect(channel?.kinds).to.deep.equal(['report']);
      const left = await manager.find(NotificationDelivery);
      expect(left.map((it) => it.items)).to.deep.equal([items.slice(0, 1)]);
    });
  });
});
