import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createDataSource } from '../../../server/db/data-source.js';
import {
  NotificationChannel,
  NotificationDelivery,
} from '../../../server/db/entities/notification.js';
import { NoQuietHours1795850000000 } from '../../../server/db/migrations/1795850000000-no-quiet-hours.js';
import { createDatabase } from '../../support/cluster.js';

const fail = (error: Error) => {
  throw error;
};

describe('the migration that ends quiet hours and digests', () => {
  it('keeps each channel and makes due what waited for them', async () => {
    const { url, drop } = await createDatabase();
    const options = { max: 1, onPoolError: fail, patient: true };
    const source = await createDataSource({ url }, options).initialize();
    try {
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
    } finally {
      await source.destroy();
      await drop();
    }
  });
});
