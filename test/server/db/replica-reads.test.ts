import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { FULL } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { withStandby } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

/** The mark of S2 is for ten thousand. */
const TRIES = FULL ? 10_000 : 50;
const SHARE = 0.8;

describe('two processes that read from a replica', () => {
  const boards: TestBoard[] = [];
  after(async () => {
    for (const board of boards) await board.stop();
  });
  const { primary, standby } = given(withStandby);

  before(async () => {
    const options = {
      databaseUrl: primary.url(),
      lifted: true,
      limits: { reads_per_network_minute: 1_000_000 },
      env: { DATABASE_REPLICA_URLS: standby.url() },
    };
    const one = await startBoard(options);
    boards.push(one, await startBoard({ ...options, clock: one.clock }));
    for (const board of boards) {
      await until('a replica that serves', async () => {
        await board.as().get(`/api/threads?limit=1`).expect(200);
        return (await lookedAt(board)).served > 0;
      });
    }
  });

  async function lookedAt({ board }: TestBoard) {
    const found = await board.context.replicas?.look();
    const [replica] = found?.replicas ?? [];
    return { served: replica?.reads ?? 0, primary: found?.primaryReads ?? 0 };
  }

  const of = (n: number) => boards[n % 2] as TestBoard;

  it('show each what the other has just published', async () => {
    const { message } = await publish(of(0));
    const before = await Promise.all(boards.map(lookedAt));
    let cursor = message.id;
    for (let n = 0; n < TRIES; n += 1) {
      const post = { reply_to: message.id, body: `Reply ${n}.` };
      const { id } = (await publish(of(n), post)).message;
      const read = of(n + 1 + (n % 3)).as();
      const page = await read.get(`/api/thread/${message.id}?last=1`);
      expect(page.body.data.at(-1)?.id, `try ${n}`).to.equal(id);
      const updates = await read.get(`/api/updates?since=${cursor}`);
      expect(updates.status).to.equal(200);
      expect(updates.body.data.map((it: { id: number }) => it.id)).to.eql([id]);
      cursor = id;
    }
    const after = await Promise.all(boards.map(lookedAt));
    const grown = (kind: 'served' | 'primary') =>
      after.reduce(
        (sum, it, at) => sum + it[kind] - (before[at]?.[kind] ?? 0),
        0,
      );
    const share = grown('served') / (grown('served') + grown('primary'));
    expect(share).to.be.greaterThan(FULL ? SHARE : 0);
    if (FULL) console.log(`${TRIES} tries, ${share} of reads by the replica`);
    await checkLedger(of(0));
  });
});
