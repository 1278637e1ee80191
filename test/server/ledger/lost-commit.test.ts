import { Message } from '../../../server/db/entities/message.js';
import { Ballot } from '../../../server/db/entities/poll.js';
import { Vote } from '../../../server/db/entities/vote.js';
import { cuttingProxy } from '../../faults/cutting-proxy.js';
import { recordFaults } from '../../faults/report.js';
import { startBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { createDatabase } from '../../support/cluster.js';
import { FULL } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { freshNetwork, randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import {
  atOnce,
  draft,
  post,
  type Reply,
  tally,
  template,
} from '../../support/wire.js';
import { openPoll, UNLIMITED } from '../polls/polling.js';

const AT_ONCE = 5;
const GROUPS = FULL ? 30 : 2;
/** The score that hides, a parameter of the statement that counts a vote. */
const COUNTS = { at: Buffer.from('\0\0\0\x02-3') };

async function cutBoard() {
  const database = await createDatabase();
  const proxy = await cuttingProxy(database.url);
  const test = await startBoard({ limits: UNLIMITED, databaseUrl: proxy.url });
  const stop = async () => {
    proxy.hear();
    await checkLedger(test);
    await test.stop();
    await proxy.close();
    await database.drop();
  };
  return { test, proxy, stop };
}

describe('a write whose answer from the database is lost', () => {
  const { test, proxy } = given(cutBoard);
  let topic: number;
  let poll: number;

  before(async () => {
    topic = (await publish(test)).message.id;
    poll = (await openPoll(test)).id;
  });

  const KINDS = [
    {
      kind: 'a message',
      form: () => ['/write/preview', draft(topic)] as const,
      path: () => '/write/publish',
      stored: Message,
      rounds: FULL ? 150 : 10,
      options: {},
    },
    {
      kind: 'a rating',
      form: () =>
        [`/api/messages/${topic}/votes/preview`, { vote: 1 }] as const,
      path: () => `/api/messages/${topic}/votes`,
      stored: Vote,
      rounds: FULL ? 30 : 3,
      options: COUNTS,
    },
    {
      kind: 'a ballot',
      form: () =>
        [
          `/api/polls/${poll}/votes/preview`,
          { option: 'a', request_id: randomUUID() },
        ] as const,
      path: () => `/api/polls/${poll}/votes`,
      stored: Ballot,
      rounds: FULL ? 30 : 3,
      options: {},
    },
  ];
  type Kind = (typeof KINDS)[number];

  const count = ({ stored }: Kind) => rows(test).count<object>(stored);

  async function prepared({ form, path }: Kind): Promise<() => Promise<Reply>> {
    const from = freshNetwork();
    const [preview, body] = form();
    const ticket = template(await post(test.url, preview, body, from));
    return () => post(test.url, path(), ticket, from);
  }

  const idOf = ({ body }: Reply) => (body.message as { id: number }).id;

  for (const one of KINDS) {
    const { kind, rounds, options } = one;
    for (const [cut, what] of [
      ['answer', 'found by the look-up'],
      ['late', 'waited for by the look-up'],
      ['request', 'repeated when it never came to be'],
    ] as const) {
      it(`is ${what}: ${kind} once, and told as the first`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const send = await prepared(one);
          const before = await count(one);
          const cuts = proxy.cuts();
          proxy.cutNext(cut, options);
          const first = await send();
          expect(proxy.cuts()).to.equal(cuts + 1);
          expect(first.status, JSON.stringify(first.body)).to.equal(201);
          if (one.stored === Message) expect(idOf(first)).to.equal(before + 1);
          if (one.stored === Vote)
            expect(first.body.score).to.equal(before + 1);
          const again = await send();
          expect(again.status).to.equal(200);
          expect(again.body).to.deep.equal({
            ...first.body,
            status: again.body.status,
          });
          expect(again.body.status).to.match(/^already_(published|voted)$/);
          expect(await count(one)).to.equal(before + 1);
        }
        const acked = one.stored === Message ? rounds : 0;
        await recordFaults({ test: `A3 ${kind}`, faults: rounds, acked });
      });
    }

    for (const cut of ['answer', 'request'] as const) {
      it(`of ${kind} is a 503 while nothing can be learnt, and a retry settles it (${cut})`, async () => {
        for (let round = 0; round < rounds / 3; round += 1) {
          const send = await prepared(one);
          const before = await count(one);
          proxy.cutNext(cut, { ...options, deaf: true });
          const lost = await send();
          expect([lost.status, lost.body.error]).to.deep.equal([
            ...[503, 'unavailable'],
          ]);
          expect(lost.retryAfter).to.match(/^[1-9]/);
          expect(lost.retryAfter).to.equal(
            String(lost.body.retry_after_seconds),
          );
          proxy.hear();
          expect((await send()).status).to.be.oneOf([200, 201]);
          expect(await count(one)).to.equal(before + 1);
        }
        const faults = Math.ceil(rounds / 3);
        await recordFaults({
          test: `A3 deaf, ${kind}`,
          faults,
          unknown: faults,
        });
      });
    }
  }

  for (const cut of ['answer', 'late', 'request'] as const) {
    it(`is settled for a group of messages, too (${cut})`, async () => {
      const [message] = KINDS as [Kind];
      for (let group = 0; group < GROUPS; group += 1) {
        const sends = await atOnce(AT_ONCE, () => prepared(message));
        const before = await count(message);
        proxy.cutNext(cut);
        const replies = await Promise.all(sends.map((send) => send()));
        expect(tally(replies)).to.deep.equal({ 201: AT_ONCE });
        const ids = replies.map(idOf).sort((a, b) => a - b);
        const due = Array.from({ length: AT_ONCE }, (_, n) => before + 1 + n);
        expect(ids).to.deep.equal(due);
      }
      const acked = GROUPS * AT_ONCE;
      await recordFaults({ test: 'A3 groups', faults: GROUPS, acked });
    });
  }
});
