import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  NotificationChannel,
  NotificationDelivery,
} from '../../../server/db/entities/notification.js';
import { ClaimedNames1795820000000 } from '../../../server/db/migrations/1795820000000-claimed-names.js';
import { NoQuietHours1795850000000 } from '../../../server/db/migrations/1795850000000-no-quiet-hours.js';
import { nameKey } from '../../../server/db/name-key.js';
import { onNewDatabase } from '../../support/database.js';

const DAY_MS = 86_400_000;

/** Name, key and time of messages, oldest first. */
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
