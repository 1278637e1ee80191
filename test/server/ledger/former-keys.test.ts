import { logOrigin } from '../../../protocol/board-name.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { boardKeys, cryptoReady } from '../../../server/ledger/board-keys.js';
import { lookupIn, ownLogOf } from '../../../server/ledger/own-log.sql.js';
import { formerLogKeys } from '../../../server/ledger/record-identity.js';
import { newDatabase } from '../../support/database.js';
import { given, givenEach } from '../../support/hooks.js';
import { bareLog } from './bare-log.js';

const BOARD = 'board.test';
const SEEDS = {
  ...{ boardSeed: '5a'.repeat(32), logKey: null },
  ...{ mirrorKey: null, nodeKey: null, dataDir: '/nonexistent' },
};
const OTHER = '5b'.repeat(32);

/** spec/mesh.md §B1: they vouch for a new log to those who pinned an old one. */
describe('the log keys of former generations', () => {
  const log = givenEach(bareLog);
  before(cryptoReady);

  const logKey = (generation: number, override: string | null = null) => {
    const origin = logOrigin(BOARD, generation);
    const keys = boardKeys({ ...SEEDS, logKey: override }, BOARD, origin);
    return formatVkey(keys.log.vkey);
  };

  async function former(
    generation = 3,
    setting: string | null = null,
    kept: string | null = null,
  ): Promise<string[]> {
    const origin = logOrigin(BOARD, generation);
    const seeds = { ...SEEDS, logKey: setting };
    const own = {
      ...{ board: BOARD, origin },
      keys: boardKeys(seeds, BOARD, origin),
    };
    const signers = await formerLogKeys(log.db, seeds, own, kept);
    return signers.map(({ vkey }) => formatVkey(vkey));
  }

  const closed = (generation: number, vkey: string) =>
    log.db.query(
      `INSERT INTO log_state (origin_id, board, origin, generation, log_vkey,
         identity, size, frontier, last_message_id, last_at, checkpoint,
         closed_at)
       VALUES ($1, $2, $3, $1, $4, '', 1, ''::bytea, 1, 1, 'c', 7)`,
      [generation, BOARD, logOrigin(BOARD, generation), vkey],
    );

  it('are none in the first', async () => {
    expect(await former(1)).to.deep.equal([]);
  });

  it('are signed for unseen where their rows are lost', async () => {
    expect(await former()).to.deep.equal([logKey(1), logKey(2)]);
  });

  it('are those that the settings still lead to', async () => {
    await closed(1, logKey(1));
    await closed(2, logKey(2, OTHER));
    expect(await former()).to.deep.equal([logKey(1)]);
    const both = [logKey(1), logKey(2, OTHER)];
    expect(await former(3, OTHER), 'BOARD_LOG_KEY').to.deep.equal(both);
    expect(await former(3, null, OTHER), 'a kept one').to.deep.equal(both);
  });

  it('are the newest that a note of 32 lines has room for', async () => {
    const newest = Array.from({ length: 30 }, (_, n) => logKey(n + 10));
    expect(await former(40)).to.deep.equal(newest);
  });

  it('are never made of a seed that cannot be read', () => {
    for (const odd of ['', 'x'.repeat(64), `${OTHER}0`]) {
      const keys = (changed: object) => () =>
        boardKeys({ ...SEEDS, ...changed }, BOARD, logOrigin(BOARD, 1));
      expect(keys({ boardSeed: odd })).to.throw();
      expect(keys({ logKey: odd })).to.throw();
    }
  });
});

const LOGS = 500;

describe('the log that gave a message its ID', () => {
  const { db } = given(newDatabase(1));

  before(async () => {
    // The own log ends at 100, a closed one before it at 50.
    await db.query(
      `INSERT INTO log_state (origin_id, board, origin, log_vkey, identity,
         size, frontier, last_message_id, last_at, checkpoint, closed_at)
       SELECT n, n::text, n::text, 'k', repeat('i', 900), 1, ''::bytea, 1000, 1, 'c',
         NULL::bigint
       FROM generate_series(2, ${LOGS}) n
       UNION ALL VALUES
         (0, 'own', 'own', 'k', 'i', 1, ''::bytea, 100, 1, 'c', NULL),
         (1, 'old', 'old', 'k', 'i', 1, ''::bytea, 50, 1, 'c', 7)`,
    );
    await db.query('ANALYZE log_state');
  });

  const originOf = async (id: number) => {
    const [row] = await db.query<{ origin: number | null }>(
      `SELECT ${ownLogOf(String(id))} AS origin`,
    );
    return row?.origin;
  };

  it('is the oldest of its own that reaches the ID', async () => {
    expect(await originOf(50)).to.equal(1);
    expect(await originOf(51)).to.equal(0);
    expect(await originOf(101)).to.equal(null);
  });

  it('is found without reading the state of every mirrored log', async () => {
    const rows = await db.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT ${ownLogOf('50')}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).to.include('log_state_closed').and.not.include('Seq Scan');
  });
});

describe('the stored tree of a log', () => {
  it('is damaged where a node lacks: an error, never another hash', () => {
    const lookup = lookupIn(new Map());
    expect(() => lookup({ level: 1, index: 0 })).to.throw(RangeError);
  });
});
