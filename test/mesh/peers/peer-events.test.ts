import { adoptIdentity } from '../../../mesh/peers/adopt-identity.js';
import { peerAdmin } from '../../../mesh/peers/peer-admin.js';
import {
  lockPeer,
  type PeerAdminParts,
} from '../../../mesh/peers/peers.sql.js';
import type { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { notePage } from '../../../mesh/pull/store/peer.sql.js';
import {
  DECIDED,
  degrade,
  noteFailure,
  quarantineRolledBack,
} from '../../../mesh/pull/store/peer-rows.js';
import { keepEvidence } from '../../../mesh/witness/keep-evidence.js';
import type { WitnessParts } from '../../../mesh/witness/known-logs.js';
import {
  markDegraded,
  markUnresolved,
  quarantineUnresolved,
} from '../../../mesh/witness/unresolved-heads.js';
import { utf8 } from '../../../protocol/bytes.js';
import { signCheckpoint } from '../../../protocol/checkpoint.js';
import { formatEvidence } from '../../../protocol/evidence.js';
import { openIdentity } from '../../../protocol/identity.js';
import { ready } from '../../../protocol/signing.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { Peer } from '../../../server/db/entities/peer.js';
import type { NotedEvents } from '../../../server/db/live-events.js';
import {
  isPullable,
  PULLABLE,
  pullableSql,
} from '../../../server/db/pullable.js';
import type { Tx } from '../../../server/db/sql.js';
import { PEER_STATUS } from '../../../server/db/states.js';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';
import { silentLogger } from '../../../server/logger.js';
import { TestClock } from '../../support/clock.js';
import { newDatabase } from '../../support/database.js';
import { given } from '../../support/hooks.js';
import { ScriptedLog } from '../support/scripted-log.js';

type PeerEvent = NotedEvents['peer'];

const ADDRESS = 'https://board-a.example';
const NAME = 'board-a.example';
const MINUTE_MS = 60_000;

describe('what is noted of a peer', () => {
  const clock = new TestClock();
  let log: ScriptedLog;
  let logVkey: string;
  const { db } = given(newDatabase(2));
  let admin: ReturnType<typeof peerAdmin>;
  let witness: WitnessParts;
  let originId = 0;

  before(async () => {
    await ready();
    log = new ScriptedLog(NAME, clock.now());
    logVkey = formatVkey(log.keys.log.vkey);
    const own = new ScriptedLog('board-b.example', clock.now());
    const body = Buffer.from(
      JSON.stringify({ identity: log.identity(ADDRESS) }),
    );
    const client = {
      get: async () => ({ ok: true, value: { status: 200, body } }),
    } as unknown as PeerClient;
    const parts: PeerAdminParts = {
      ...{ db, clock, client, limits: LIMIT_DEFAULTS, keys: own.keys },
      board: { name: own.board, origin: own.origin },
    };
    admin = peerAdmin(parts);
    // A guard that is closed leaves evidence to a later round.
    const guard = { closed: 'older' };
    witness = {
      ...{ writes: db, clock, guard, log: silentLogger, keys: own.keys },
    } as unknown as WitnessParts;
  });

  const inTx = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(work);

  async function noted(): Promise<PeerEvent[]> {
    const rows = await db.query<{ payload: PeerEvent }>(
      "DELETE FROM admin_pending WHERE kind = 'peer' RETURNING payload",
    );
    return rows.map(({ payload }) => payload);
  }

  /** The state that the only event of this work says; null without event. */
  async function eventOf(work: Promise<unknown>): Promise<string | null> {
    await work;
    const [event, ...more] = await noted();
    expect(more).to.deep.equal([]);
    if (event === undefined) return null;
    expect(event.name).to.equal(NAME);
    return [event.status, event.error].filter(Boolean).join(' ');
  }

  const failed = (code: string) =>
    inTx((tx) => {
      const now = clock.now();
      return noteFailure(tx, originId, { code, now, retryAt: now });
    });
  const page = (more: object = {}) =>
    notePage(db, {
      ...{ originId, fromOrigin: true, from: 0, invalid: 0, skewed: false },
      ...{ head: { size: 0, note: '' }, applyMs: [], now: clock.now() },
      ...more,
    });

  it('is that it is there, and each change by an operator', async () => {
    expect(await eventOf(admin.add(ADDRESS))).to.equal('pending');
    expect(await eventOf(admin.confirm(NAME, logVkey))).to.equal('active');
    [{ originId = 0 } = {}] = await db.query<{ originId: number }>(
      'SELECT origin_id AS "originId" FROM peer',
    );
    const trust = (change: object) => eventOf(admin.trust(NAME, change));
    expect(await trust({ trust: 'relay' })).to.equal('active');
    expect(await trust({ trust: 'relay', content: 'all' })).to.equal('active');
    expect(await trust({ trust: 'relay', content: 'all' })).to.equal(null);
    expect(await trust({ decisions: 'follow' })).to.equal('active');
    const limits = admin.limits(NAME, { entries_day: 5 });
    expect(await eventOf(limits)).to.equal(null);
    expect(await eventOf(admin.pause(NAME))).to.equal('paused');
    expect(await eventOf(admin.resume(NAME))).to.equal('active');
    expect(await eventOf(admin.resume(NAME))).to.equal(null);
  });

  it('is an error that comes, changes or ends, not one that lasts', async () => {
    expect(await eventOf(failed('timeout'))).to.equal('active timeout');
    expect(await eventOf(failed('timeout'))).to.equal(null);
    expect(await eventOf(failed('quota'))).to.equal('active quota');
    expect(await eventOf(page({ fromOrigin: false }))).to.equal(null);
    expect(await eventOf(page())).to.equal('active');
    expect(await eventOf(page())).to.equal(null);
  });

  it('is that it is degraded, for whatever reason', async () => {
    const now = clock.now();
    const withheld = inTx((tx) => degrade(tx, originId, 'quota', now));
    expect(await eventOf(withheld)).to.equal('active');
    expect(await eventOf(page({ skewed: true, now: now + 1 }))).to.equal(
      'active',
    );
    clock.advance(MINUTE_MS);
    const { origin } = log;
    const fork = markDegraded(witness, { originId, origin }, 'feed_corrupt');
    expect(await eventOf(fork)).to.equal('active');
    expect(await eventOf(admin.resume(NAME))).to.equal('active');
  });

  it('is its quarantine, in the pull or in gossip', async () => {
    const lost = () => inTx((tx) => quarantineRolledBack(tx, originId, 1));
    expect(await eventOf(lost())).to.equal('quarantined');
    expect(await eventOf(lost())).to.equal(null);
    expect(await eventOf(admin.resume(NAME))).to.equal('active');
    expect(await eventOf(markUnresolved(witness, originId))).to.equal(null);
    expect(await eventOf(quarantineUnresolved(witness))).to.equal(null);
    clock.advance(11 * MINUTE_MS);
    expect(await eventOf(quarantineUnresolved(witness))).to.equal(
      'quarantined',
    );
    expect((await admin.read(NAME)).status_reason).to.equal('unresolved_view');
    expect(await eventOf(admin.resume(NAME))).to.equal('active');
    await failed('rolled_back');
    await noted();
    clock.advance(11 * MINUTE_MS);
    const found = eventOf(quarantineUnresolved(witness));
    expect(await found).to.equal('quarantined rolled_back');
    expect((await admin.read(NAME)).status_reason).to.equal('rolled_back');
    await admin.resume(NAME);
    await page();
    await noted();
  });

  it('is nothing that is rolled back', async () => {
    const failing = inTx(async (tx) => {
      await quarantineRolledBack(tx, originId, 1);
      throw new Error('not today');
    });
    expect(await eventOf(failing.catch(() => {}))).to.equal(null);
    expect((await admin.read(NAME)).status).to.equal('active');
  });

  it('is what evidence, a new generation and a block make of it', async () => {
    const head = (root: number) =>
      signCheckpoint(
        { origin: log.origin, size: 1, root: Buffer.alloc(32, root) },
        log.keys.log,
      );
    const evidence = formatEvidence({
      origin: log.origin,
      logVkey,
      first: head(1),
      second: head(2),
    });
    const kept = keepEvidence(witness, utf8(evidence));
    expect(await eventOf(kept)).to.equal('quarantined');
    expect(await kept).to.equal('new');
    const note = log.identity(ADDRESS, 1);
    const opened = openIdentity(note);
    if (!opened.ok) throw new Error('no identity');
    const later = { ...opened.value, origin: `${NAME}/log2` };
    const adopted = inTx(async (tx) => {
      const peer = await lockPeer(tx, { originId });
      if (peer === null) throw new Error('no peer');
      return await adoptIdentity(tx, peer, later, note, clock.now());
    });
    expect(await eventOf(adopted)).to.equal('active');
    expect(await eventOf(admin.block(NAME, 'spam'))).to.equal('blocked');
    expect(await eventOf(admin.block(NAME, 'spam'))).to.equal(null);
  });

  it('is pulled in the same states by statements, by entity and by code', async () => {
    const { manager } = db;
    for (const status of PEER_STATUS) {
      await manager.update(Peer, { name: NAME }, { status });
      const peer = await manager.findOneOrFail(Peer, { where: {} });
      const rows = await db.query(
        `SELECT 1 FROM peer p WHERE ${pullableSql('p')}`,
      );
      expect(isPullable(peer), status).to.equal(status === 'active');
      expect(rows.length === 1, status).to.equal(isPullable(peer));
      const found = await manager.existsBy(Peer, PULLABLE);
      expect(found, status).to.equal(isPullable(peer));
    }
  });

  it('wakes its worker at once where an operator or the peer changes it', async () => {
    const rows = await db.query<{ column: string }>(
      `SELECT a.attname AS column FROM pg_trigger t
       JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum = ANY (t.tgattr)
       WHERE t.tgname = 'peer_changed'`,
    );
    const columnOf = new Map(
      db.manager.connection
        .getMetadata(Peer)
        .columns.map((it) => [it.propertyName, it.databaseName]),
    );
    const read = Object.keys(DECIDED).map((name) => columnOf.get(name));
    // The identity is read by those who confirm it.
    const columns = rows.map(({ column }) => column);
    expect(columns).to.have.members([...read, 'identity']);
  });
});
