import { Events } from '../../../server/db/events.js';
import { BoardError } from '../../../server/errors.js';
import type { BatchReads } from '../../../server/ledger/append.js';
import { boardKeys, cryptoReady } from '../../../server/ledger/board-keys.js';
import { Ledger } from '../../../server/ledger/ledger.js';
import { silentLogger } from '../../../server/logger.js';
import { givenEach } from '../../support/hooks.js';
import { bareLog } from './bare-log.js';

const ORIGIN = 'board.test/log';
const KEYS = { logKey: null, mirrorKey: null, nodeKey: null };

describe('the ledger', () => {
  const log = givenEach(bareLog);
  before(cryptoReady);

  async function opened(guard = { assertOpen: () => {} }): Promise<Ledger> {
    const { own } = await log.open();
    return ledgerOf(own.keys.log, guard);
  }

  function ledgerOf(
    logKey: ReturnType<typeof boardKeys>['log'],
    guard = { assertOpen: () => {} },
  ): Ledger {
    const { db, clock } = log;
    return new Ledger({
      ...{ db, logKey, clock, guards: [guard], log: silentLogger },
      ...{ events: new Events(), instance: '', timeoutFactor: 100 },
    });
  }

  const idle = async () => () => 'done';
  const codeOf = (answer: Promise<unknown>) =>
    answer.then(
      () => 'taken',
      (error: unknown) =>
        error instanceof BoardError ? error.code : String(error),
    );

  it('finishes what it has taken when it stops, and takes no more', async () => {
    const ledger = await opened();
    const taken = ledger.append(idle);
    const stopped = ledger.stop();
    const late = codeOf(ledger.append(idle));
    expect(await taken).to.equal('done');
    expect(await late).to.equal('unavailable');
    await stopped;
    expect(ledger.queued).to.equal(0);
  });

  it('lets 1,024 wait and refuses the one beyond at once', async () => {
    const ledger = await opened();
    const waiting = Array.from({ length: 1024 }, () => ledger.append(idle));
    expect(await codeOf(ledger.append(idle))).to.equal('unavailable');
    expect(new Set(await Promise.all(waiting))).to.deep.equal(
      new Set(['done']),
    );
    expect(await codeOf(ledger.append(idle))).to.equal('taken');
  });

  it('takes nothing while the guard closes the log', async () => {
    const ledger = await opened({
      assertOpen: () => {
        throw new BoardError('log_guard', 'It was rolled back.');
      },
    });
    expect(await codeOf(ledger.append(idle))).to.equal('log_guard');
  });

  it('signs nothing once another process has begun a new generation', async () => {
    const ledger = await opened();
    await log.db.query('UPDATE log_state SET origin = $1', [`${ORIGIN}2`]);
    const before = await log.row();
    let ran = false;
    const refused = ledger.append(async () => {
      ran = true;
      return () => {};
    });
    expect(await codeOf(refused)).to.equal('log_guard');
    expect(ran).to.equal(false);
    expect(await log.row()).to.deep.equal(before);
  });

  it('signs nothing where there is no log', async () => {
    const boardSeed = '5a'.repeat(32);
    const { log: key } = boardKeys({ ...KEYS, boardSeed }, 'x', ORIGIN);
    const refused = await codeOf(ledgerOf(key).append(idle));
    expect(refused).to.include('has no log yet');
    expect(await log.row()).to.equal(null);
  });

  it('reads together for jobs of one kind, and not for a mixed batch', async () => {
    const ledger = await opened();
    const batches: unknown[] = [];
    const kind =
      (): BatchReads<unknown, string>['read'] => (_tx, questions) => {
        batches.push(questions);
        return Promise.resolve(questions.map((one) => `fact of ${one}`));
      };
    const [first, second] = [kind(), kind()];
    const asking = (read: typeof first, question: string) =>
      ledger.append<string | undefined, string>(
        async (_context, fact) => () => fact,
        { read, question },
      );
    const alike = [asking(first, 'a'), asking(first, 'b')];
    expect(await Promise.all(alike)).to.eql(['fact of a', 'fact of b']);
    const mixed = [asking(first, 'c'), asking(second, 'd')];
    expect(await Promise.all(mixed)).to.eql([undefined, undefined]);
    expect(batches).to.deep.equal([['a', 'b']]);
  });
});
