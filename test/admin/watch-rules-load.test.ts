import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LogState } from '../../server/db/entities/log.js';
import { Report } from '../../server/db/entities/report.js';
import { FULL, within } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { rows } from '../support/rows.js';
import { done, operator } from './operators.js';

const MESSAGES = FULL ? 10_000 : 400;
const RULES = 50;
const TERMS = 20;

describe('Fifty watch rules', () => {
  const test = givenBoard({ ledger: false });

  it('look at many messages in time, and give others their turns', async () => {
    const admin = await operator(test, 'admin', 'Ada');
    for (let n = 0; n < RULES; n += 1) {
      const lines = (of: (m: number) => string) =>
        Array.from({ length: TERMS }, (_, m) => of(m));
      const rule = [
        { kind: 'words', terms: lines((m) => `rare word ${n} ${m}`) },
        { kind: 'words', terms: lines((m) => 'a'.repeat(40 + m)) },
        { kind: 'hosts', hosts: lines((m) => `h${m}.r${n}.example`) },
        { kind: 'names', names: lines((m) => `Name ${n} ${m}`) },
        { kind: 'rate', messages: 900 + n, minutes: 60 },
      ][n % 5];
      const input = { name: `Rule ${n}`, rule: rule as never };
      await done(admin.ask('watch.save', input));
    }
    const { writes } = test.board.context;
    const { lastMessageId } = await rows(test).findOneByOrFail(LogState, {
      originId: 0,
    });
    await writes.query(
      `INSERT INTO message (id, root_id, room, author, title, body, salt, refs,
         created_at, request_id, message_hash, log_index, vote_secret,
         last_activity_id)
       SELECT $1::bigint + n, $1::bigint + n, 'lobby', 'Name ' || n % 500, 'A title',
         CASE WHEN n % 100 = 0 THEN repeat('a', 12000)
           ELSE repeat('Some words of a message, https://h.example/x ', 20) END
           || CASE WHEN n % 200 = 1 THEN ' rare word 0 0' ELSE '' END,
         '\\x00', '{}', $2::bigint + n, gen_random_uuid(), sha256(n::text::bytea), n,
         '\\x00', $1::bigint + n
       FROM generate_series(1, $3) AS n`,
      [lastMessageId, test.clock.now(), MESSAGES],
    );
    test.clock.advance(60_000);
    const lag = monitorEventLoopDelay({ resolution: 5 });
    lag.enable();
    const began = performance.now();
    const { notificationJobs } = test.board.background;
    expect(await notificationJobs.runOnce('watch_rules')).to.equal('ran');
    const took = performance.now() - began;
    lag.disable();
    const wanted = Math.ceil(MESSAGES / 200);
    const filed = await rows(test).countBy(Report, { kind: 'watch' });
    expect(filed).to.be.at.least(wanted);
    expect(took).to.be.below(within(12_000));
    expect(lag.max / 1e6).to.be.below(within(200));
    if (FULL) console.log(`${took} ms, a turn of ${lag.max / 1e6} ms at most`);
  });
});
