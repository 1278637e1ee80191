import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import { endSessions } from '../../server/dashboard/session-store.js';
import { Operator } from '../../server/db/entities/operator.js';
import { lockHead } from '../../server/ledger/head.sql.js';
import { lockWaits } from '../support/database.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import { Browser, setUp } from './access-browser.js';
import { device, inviteCode } from './access-link.js';
import { begun, copies, readAll } from './bulks.js';
import {
  done,
  givenOperators,
  operator,
  type SignedInOperator,
  stateOf,
} from './operators.js';

type Root = Awaited<ReturnType<typeof device>>;
type Ending = (root: Root, by: SignedInOperator) => Promise<unknown>;

const ENDINGS: Record<string, Ending> = {
  'is disabled': (root, { id }) => root.post(`/operators/${id}/disable`),
  'becomes a viewer': (root, { id }) =>
    root.post(`/operators/${id}/role`, { role: 'viewer' }),
  'is signed out by an admin': (root, { id }) =>
    root.post(`/operators/${id}/sign-out`),
  'loses this one session': (root, { id, sessionId }) =>
    root.post(`/operators/${id}/sessions/${sessionId}/revoke`),
  'gives the account to another by a link': async ({ test }, { id }) => {
    const { name } = await rows(test).findOneByOrFail(Operator, { id });
    const code = await inviteCode(test, name, 'viewer');
    return await setUp(new Browser(test), code);
  },
};

describe('A bulk of an operator who may decide no more', () => {
  const { test, viewer } = givenOperators();
  let root: Root;

  before(async () => {
    root = await device(test, 'admin');
  });

  /** Takes the right while a run that was allowed waits for the head lock. */
  async function runUntil(
    by: SignedInOperator,
    bulk: string,
    end: () => Promise<unknown>,
  ): Promise<CommandAnswers['bulk.run']> {
    const { writes, reads } = test.board.context;
    const running = await writes.transaction(async (tx) => {
      await lockHead(tx);
      const asked = done<CommandAnswers['bulk.run']>(
        by.ask('bulk.run', { bulk }),
      );
      await until('the run to wait for the head', async () => {
        return (await lockWaits(reads, '%FROM log_state%')) > 0;
      });
      await end();
      return { asked };
    });
    return await running.asked;
  }

  for (const [name, end] of Object.entries(ENDINGS)) {
    it(`decides nothing after its operator ${name}`, async () => {
      const by = await operator(test, 'moderator');
      const ids = await copies(test, 3);
      const bulk = await begun(by, ids);
      const ran = await runUntil(by, bulk, () => end(root, by));
      expect(ran).to.include({ done: 0, refused: 0, waiting: 3 });
      for (const id of ids) expect(await stateOf(test, id)).to.equal('visible');
      const next = await by.ask('bulk.run', { bulk });
      expect(next.status).to.be.oneOf([401, 403]);
      expect(await readAll(viewer, bulk)).to.include({ waiting: 3 });
    });
  }

  it('erases nothing after its admin became a moderator', async () => {
    const by = await operator(test, 'admin');
    const ids = await copies(test, 2);
    const erasing = { action: 'erase', reason: 'legal' };
    const bulk = await begun(by, ids, erasing);
    const lower = { role: 'moderator' };
    const ran = await runUntil(by, bulk, () =>
      root.post(`/operators/${by.id}/role`, lower),
    );
    expect(ran).to.include({ done: 0, refused: 0, waiting: 2 });
    expect((await by.ask('bulk.run', { bulk })).status).to.equal(403);
    for (const id of ids) expect(await stateOf(test, id)).to.equal('visible');
  });

  it('goes on where only another session of its operator ended', async () => {
    const by = await operator(test, 'moderator');
    const ids = await copies(test, 2);
    const bulk = await begun(by, ids);
    const { writes, clock } = test.board.context;
    const ran = await runUntil(by, bulk, () =>
      writes.transaction((tx) =>
        endSessions(tx, by.id, clock.now(), { but: by.sessionId }),
      ),
    );
    expect(ran).to.include({ done: 2, waiting: 0 });
  });
});
