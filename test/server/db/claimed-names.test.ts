import { expect } from 'chai';
import { createDataSource } from '../../../server/db/data-source.js';
import { ClaimedNames1795820000000 } from '../../../server/db/migrations/1795820000000-claimed-names.js';
import { nameKey } from '../../../server/db/name-key.js';
import { createDatabase } from '../../support/cluster.js';

const DAY_MS = 86_400_000;

const fail = (error: Error) => {
  throw error;
};

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
    const { url, drop } = await createDatabase();
    const options = { max: 1, onPoolError: fail, patient: true };
    const source = await createDataSource({ url }, options).initialize();
    try {
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
    } finally {
      await source.destroy();
      await drop();
    }
  });
});
