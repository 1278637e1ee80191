import { QueryFailedError } from 'typeorm';
import { withOwnLog } from '../../../mesh/cli/with-local-board.js';
import { CommandFailure, failureLines } from '../../../server/cli/failure.js';
import { withOwnDatabase } from '../../../server/cli/tool-database.js';
import { parseConfig } from '../../../server/config.js';
import type { Database } from '../../../server/db/sql.js';
import { createDatabase } from '../../support/cluster.js';
import { given } from '../../support/hooks.js';

type Work = (db: Database) => Promise<unknown>;

const CUT = 'SELECT pg_terminate_backend(pg_backend_pid())';
const EPIPE = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
const USED = new Error('Client has encountered a connection error and is not');

describe('a command at its database', () => {
  const database = given(async () => {
    const { url, drop: stop } = await createDatabase();
    return { url, stop };
  });

  for (const work of [withOwnDatabase, withOwnLog]) {
    const failing = (how: Work): Promise<unknown> =>
      work(parseConfig({ DATABASE_URL: database.url }), how).catch((it) => it);

    it(`leaves a refusal its words, ${work.name}`, async () => {
      const refusal = new CommandFailure('It could not be asked: timeout.');
      expect(await failing(() => Promise.reject(refusal))).to.equal(refusal);
    });

    it(`says of a lost connection to run it again, ${work.name}`, async () => {
      for (const error of [
        EPIPE, // Failed outside of such work, too.
        new QueryFailedError('', [], USED),
        await failing(() => Promise.reject(EPIPE)),
        await failing((db) => db.query(CUT)),
        await failing(({ manager }) => manager.query(CUT)),
      ]) {
        expect(failureLines(error).join('\n')).to.match(
          /^The database cannot be reached: its server ended .*; run this again, .*"reserve-board doctor"/,
        );
      }
    });
  }
});
