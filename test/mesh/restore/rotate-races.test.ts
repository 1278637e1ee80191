import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { rotateKey, rotateLogKey } from '../../../mesh/cli/rotate-keys.js';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import {
  appendLeaf,
  emptyFrontier,
  frontierRoot,
  leafHash,
} from '../../../protocol/tree.js';
import { formatVkey, parseVkey } from '../../../protocol/vkey.js';
import type { Config } from '../../../server/config.js';
import {
  LogCheckpoint,
  LogEntry,
  LogState,
} from '../../../server/db/entities/log.js';
import { boardKeys } from '../../../server/ledger/board-keys.js';
import {
  endRotation,
  keepKey,
  keysFolder,
  newKeyLine,
} from '../../../server/ledger/rotated-keys.js';
import { openedKeys } from '../../../server/operations/backup/backup-keys.js';
import type { Manifest } from '../../../server/operations/backup/manifest.js';
import { recordFaults } from '../../faults/report.js';
import { command } from '../../server/cli/command.js';
import { withClient } from '../../server/operations/backup/site.js';
import { checkLedger } from '../../support/check-ledger.js';
import { TestClock } from '../../support/clock.js';
import { FULL } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { filled, preview, publish, type Receipt } from '../../support/post.js';
import { until } from '../../support/until.js';
import { logVkeyOf } from '../peers/node-on-port.js';
import { mirroredBoard } from '../support/mirrored-board.js';

const WRITERS = 3;
const ROUNDS = FULL ? 20 : 2;

/** Keys change while everything else goes on (spec/board.md §16.29). */
describe('keys that are rotated in the midst of things', () => {
  const clock = () => new TestClock(Date.now());
  const scene = given(mirroredBoard({ keepsDisk: true, clock }));
  const { a, b, start, settings } = scene;
  let seed: string;
  let folder: string;
  let name: string;
  let config: Config;

  before(async () => {
    ({ name } = scene);
    ({ config } = a.board.context);
    seed = scene.env.BOARD_SEED ?? '';
    folder = (await scene.newDisk()).dataDir;
    await publish(a, { body: 'Under the first keys.' });
  });

  const refusalOf = async (work: Promise<unknown>) =>
    await work.then(
      () => 'done',
      (error: Error) => error.message,
    );

  it('keep to the end of a start that began before them', async () => {
    await a.stop();
    const asked = async () => void (await start());
    const refused = await refusalOf(rotateLogKey(config, [], asked));
    expect(refused).to.include('A node runs on this database');
    await endRotation(config.dataDir);
    expect(a.board.context.board.origin).to.equal(`${name}/log`);
    const { log } = await publish(a, { body: 'Under the key that stayed.' });
    expect(log.origin).to.equal(`${name}/log`);
  });

  it('are in a backup whose rows are read after them', async () => {
    const to = path.join(folder, 'held');
    const { dataDir } = config;
    const line = newKeyLine(seed);
    await a.stop(); // it would wait for the same lock
    await withClient(a.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE peer');
      const made = command(['backup', to], settings());
      await until('a backup that waits', async () => {
        const { rows } = await client.query(
          `SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
           WHERE c.relname = 'peer' AND NOT l.granted`,
        );
        return rows.length > 0;
      });
      await keepKey(dataDir, { name: 'log9', line }, { replace: true });
      await client.query('COMMIT');
      const { code, stderr } = await made;
      expect(code, stderr).to.equal(0);
    });
    const manifest = await manifestIn(to);
    expect(openedKeys(manifest, seed)).to.deep.include({ name: 'log9', line });
    await rm(path.join(keysFolder(dataDir), 'log9'));
    await start();
  });

  it('sign nothing after their end, and lose nothing', async () => {
    const receipts: Receipt[] = [];
    const statuses = new Map<number, number>();
    let isOver = false;
    /** Publishes at speed; what was not answered is sent again as it was. */
    const writer = async (n: number) => {
      const from = `198.51.100.${n}`;
      const sent = async (send: () => Promise<{ status: number }>) => {
        const answer = await send().catch(() => ({ status: 0 }));
        const { status } = answer;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        return answer as Awaited<ReturnType<typeof preview>>;
      };
      for (let nth = 0; !isOver; nth += 1) {
        const post = { body: `${nth} of writer ${n}` };
        const asked = await sent(() => preview(a, post, from));
        if (asked.status !== 200) continue;
        const request = filled(asked);
        await until('a receipt', async () => {
          const answer = await sent(() =>
            a.as(from).post('/write/publish').send(request),
          );
          if (![200, 201].includes(answer.status)) return false;
          receipts.push(answer.body);
          return true;
        });
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, n) => writer(n + 1));
    const backups: Manifest[] = [];
    let rotated = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const enough = receipts.length + 5 * WRITERS;
      await until('some receipts', () => receipts.length > enough);
      for (const beside of [
        await refusalOf(rotateLogKey(config)),
        await refusalOf(rotateKey(config, 'mirror')),
      ]) {
        expect(beside).to.include('A node runs on this');
      }
      await a.stop();
      const to = path.join(folder, `${round}`);
      const done = await Promise.all([
        refusalOf(rotateLogKey(config)),
        refusalOf(rotateKey(config, 'mirror')),
        refusalOf(rotateLogKey(config)),
        refusalOf(rotateKey(config, 'node')),
        command(['backup', to], settings()),
        // Each second time the node starts in the middle of it.
        round % 2 === 0 ? null : start(),
      ]);
      // Two at once: one of them may find that the other one has done it.
      rotated += done.slice(0, 4).filter((one) => one === 'done').length;
      expect(done[4].code, done[4].stderr).to.equal(0);
      backups.push(await manifestIn(to));
      await endRotation(config.dataDir);
      if (round % 2 === 0) await start();
    }
    isOver = true;
    await Promise.all(writers);
    expect(rotated).to.be.at.least(1);
    expect([...statuses.keys()]).to.include.members([200, 201]);
    for (const status of statuses.keys()) {
      expect(status).to.be.oneOf([0, 200, 201, 503]);
    }
    await everyCheckpoint(receipts);
    for (const manifest of backups) {
      const rotatedThen = openedKeys(manifest, seed);
      const seeds = { ...config, boardSeed: seed, rotated: rotatedThen };
      const { log } = boardKeys(seeds, manifest.board, manifest.log.origin);
      expect(formatVkey(log.vkey)).to.equal(manifest.log.vkey);
    }
    await recordFaults({
      test: 'B15 keys',
      faults: rotated,
      acked: receipts.length,
    });
  });

  /** Checkpoints have their generation's key and root; receipts are these. */
  async function everyCheckpoint(receipts: readonly Receipt[]): Promise<void> {
    const known = new Map<string, string>();
    const { manager } = a.board.context.reads;
    const logs = await manager.find(LogState, { where: { board: name } });
    for (const { originId, origin, logVkey } of logs) {
      const vkey = parseVkey(logVkey);
      if (!vkey.ok) throw new Error(logVkey);
      const where = { originId };
      const entries = await manager.find(LogEntry, {
        where,
        order: { idx: 'ASC' },
      });
      const notes = await manager.find(LogCheckpoint, {
        where,
        order: { size: 'ASC' },
      });
      let frontier = emptyFrontier();
      for (const { size, note } of notes) {
        const opened = openCheckpoint(note, vkey.value);
        if (!opened.ok) throw new Error(`${origin} at ${size}`);
        while (frontier.size < size) {
          const entry = entries[frontier.size];
          if (entry === undefined) throw new Error(`${origin} ends early`);
          frontier = appendLeaf(frontier, leafHash(entry.leaf)).frontier;
        }
        const root = Buffer.from(frontierRoot(frontier));
        expect(root.equals(opened.value.root), `${origin} ${size}`).to.equal(
          true,
        );
        known.set(note, origin);
      }
      expect(frontier.size, origin).to.equal(entries.length);
    }
    for (const { log } of receipts) {
      expect(known.get(log.checkpoint), 'a receipt').to.equal(log.origin);
    }
    const ids = receipts.map(({ message }) => message.id);
    expect(new Set(ids).size).to.equal(ids.length);
  }

  it('are followed by a peer, which has pulled all the while', async () => {
    const { origin } = a.board.context.board;
    await until(`${origin} to be confirmed`, async () => {
      const { peers } = b.board.background;
      await peers.witness.round();
      const peer = await peers.admin.read(name);
      if (peer.origin === origin) return true;
      if (peer.pending_identity !== null) {
        await peers.admin.confirm(name, logVkeyOf(a));
      }
      return false;
    });
    await publish(a, { body: 'Under the newest keys.' });
    await scene.mirroredAgain();
    const { evidence, status } = await b.board.peerAdmin.read(name);
    expect({ evidence, status }).to.deep.equal({
      evidence: [],
      status: 'active',
    });
    await checkLedger(a);
  });

  async function manifestIn(backup: string): Promise<Manifest> {
    return JSON.parse(
      await readFile(path.join(backup, 'manifest.json'), 'utf8'),
    );
  }
});
