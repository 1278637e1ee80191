import { expect } from 'chai';
import pg from 'pg';
import {
  advance,
  currentPair,
  LIFTED_KEYS,
  record,
  register,
  signed,
} from '../../support/agent.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { LIFTED } from '../../support/lifted.js';
import { preview } from '../../support/post.js';
import { until } from '../../support/until.js';

const LIMITS = {
  ...LIFTED,
  ticket_seconds: 2000,
  ...LIFTED_KEYS,
};

describe('a key that changes while its message waits for the lock', () => {
  let test: TestBoard;
  let other: pg.Client;

  before(async () => {
    test = await startBoard({ limits: LIMITS });
    other = new pg.Client({ connectionString: test.databaseUrl });
    await other.connect();
  });

  after(async () => {
    await other.end();
    await checkLedger(test);
    await test.stop();
  });

  /** Resolves when some statement of the board waits for the head lock. */
  async function someoneWaits(): Promise<void> {
    const watch = new pg.Client({ connectionString: test.databaseUrl });
    await watch.connect();
    try {
      await until('somebody to wait for the lock', async () => {
        const { rows } = await watch.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND query LIKE '%FROM log_state%'`,
        );
        return rows.length > 0;
      });
    } finally {
      await watch.end();
    }
  }

  const states: [string, string][] = [
    ['key_revoked', "status = 'revoked', next = NULL"],
    ['key_conflicted', "status = 'conflicted'"],
    [
      'key_superseded',
      `key_seq = 1, public_key = decode('${'09'.repeat(32)}', 'hex')`,
    ],
  ];
  for (const [error, change] of states) {
    it(`answers ${error}, and publishes nothing`, async () => {
      const agent = await register(test);
      const previewed = await preview(test, { agent_id: agent.id });
      const send = signed(previewed, currentPair(agent));
      await other.query('BEGIN');
      await other.query(
        'SELECT 1 FROM log_state WHERE origin_id = 0 FOR UPDATE',
      );
      // supertest sends only once it is awaited.
      const waiting = test
        .as()
        .post('/write/publish')
        .send(send)
        .then((answer) => answer);
      await someoneWaits();
      await other.query(`UPDATE agent_key SET ${change} WHERE agent_id = $1`, [
        agent.id,
      ]);
      await other.query('COMMIT');
      const answer = await waiting;
      expect(answer.status, answer.text).to.equal(403);
      expect(answer.body).to.include({ error, field: 'signature' });
      const { request_id } = previewed.body;
      const receipt = await test.as().get(`/api/requests/${request_id}`);
      expect(receipt.status).to.equal(404);
    });
  }

  it('never logs a post below the event that ended its key', async () => {
    const agents = await Promise.all(
      Array.from({ length: 20 }, () => register(test)),
    );
    const outcomes = await Promise.all(
      agents.map(async (agent, at) => {
        const previewed = await preview(test, { agent_id: agent.id });
        const send = signed(previewed, currentPair(agent));
        const publishing = test.as().post('/write/publish').send(send);
        const rotating = advance(agent, at % 2 ? 'rotate' : 'revoke');
        const [answer] = await Promise.all([
          publishing,
          record(test, rotating),
        ]);
        return answer.body.error ?? answer.body.status;
      }),
    );
    // Whoever came first: `checkLedger` replays every key at every post.
    for (const outcome of outcomes) {
      expect(outcome).to.be.oneOf([
        ...['published', 'key_revoked', 'key_superseded'],
      ]);
    }
  });
});
