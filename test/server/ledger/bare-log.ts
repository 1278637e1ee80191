import { type Config, parseConfig } from '../../../server/config.js';
import { LogState } from '../../../server/db/entities/log.js';
import type { Database } from '../../../server/db/sql.js';
import { type OpenedBoard, openBoard } from '../../../server/ledger/genesis.js';
import { TestClock } from '../../support/clock.js';
import { createDatabase } from '../../support/cluster.js';
import { connected } from '../../support/database.js';
import { newFolder } from '../../support/run-folder.js';

export type Environment = Readonly<Record<string, string>>;

/** Who is asked before something is signed; both agree by default. */
type Asked = {
  mayAppend?: () => Promise<boolean>;
  mayBegin?: () => Promise<boolean>;
};

/** A log without a node: an empty database, a data folder, and a clock. */
export type BareLog = {
  db: Database;
  dataDir: string;
  clock: TestClock;
  config(env?: Environment): Config;
  open(
    env?: Environment,
    options?: Asked & { begin?: boolean },
  ): Promise<OpenedBoard>;
  /** The row of the own log; null before the first start. */
  row(): Promise<LogState | null>;
  stop(): Promise<void>;
};

export async function bareLog(): Promise<BareLog> {
  const dataDir = await newFolder();
  const database = await createDatabase();
  const { db, end } = await connected(database.url, { max: 3 });
  const clock = new TestClock();
  const config = (env: Environment = {}) =>
    parseConfig({
      BASE_URL: 'http://board.test',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ...env,
    });
  const yes = async () => true;
  return {
    db,
    dataDir,
    clock,
    config,
    open: async (env, { mayAppend = yes, mayBegin = yes, begin } = {}) =>
      await openBoard(db, config(env), clock, { mayAppend, mayBegin }, begin),
    row: () => db.manager.findOneBy(LogState, { originId: 0 }),
    stop: async () => {
      await end();
      await database.drop();
    },
  };
}
