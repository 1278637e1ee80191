import { MoreThan } from 'typeorm';
import { toBase64 } from '../../../protocol/bytes.js';
import { parseEvidence, verifyEvidence } from '../../../protocol/evidence.js';
import { LogState } from '../../../server/db/entities/log.js';
import { Evidence } from '../../../server/db/entities/mirror.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { recordFaults } from '../../faults/report.js';
import { checkLedger } from '../../support/check-ledger.js';
import { FULL } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { type FakeBoard, nodeAndFakes } from './fake-boards.js';

const KINDS = ['same size', 'rewritten', 'told', 'rollback'];
const BOARDS = FULL ? 200 : 40;
const TEN_MINUTES_MS = 600_000;

type State = { status: string; status_reason: string | null; size: number };

describe(`${BOARDS} boards that show two histories (F1)`, () => {
  const { node, fakes } = given(nodeAndFakes(BOARDS + 1));
  let teller: FakeBoard;
  let liars: FakeBoard[];

  before(async () => {
    const [first, ...others] = fakes.boards;
    if (first === undefined) throw new Error('no board');
    teller = first;
    liars = others;
    for (const board of fakes.boards) {
      board.log.grow(board === teller ? 3 : 4);
      await node.board.peerAdmin.add(board.who.url, { confirm: board.logVkey });
    }
    node.board.background.peers.mesh.start();
    await everyMirror(5);
    for (const board of liars) board.turn(board.log.fork(5).grow(6));
    await until('all mirrored', async () => {
      const sizes = await states();
      return liars.every(
        (board) => sizes.get(board.who.origin)?.size === board.log.size,
      );
    });
  });

  function kindOf(board: FakeBoard): string {
    return KINDS[liars.indexOf(board) % KINDS.length] ?? '';
  }

  function of(kind: string): FakeBoard[] {
    return liars.filter((board) => kindOf(board) === kind);
  }

  async function states(): Promise<Map<string, State>> {
    const rows = await node.board.context.reads.query<
      State & { origin: string }
    >(
      `SELECT p.origin, p.status, p.status_reason, s.size FROM peer p
       JOIN log_state s USING (origin_id)`,
    );
    return new Map(rows.map((row) => [row.origin, row]));
  }

  async function everyMirror(size: number): Promise<void> {
    await until(`mirrors of ${size}`, async () => {
      const all = await states();
      return liars.every(({ who }) => all.get(who.origin)?.size === size);
    });
  }

  async function leavesOf({ who }: FakeBoard): Promise<string[]> {
    const rows = await node.board.context.reads.query<{ leaf: Buffer }>(
      `SELECT e.leaf FROM log_entry e JOIN log_state s USING (origin_id)
       WHERE s.origin = $1 ORDER BY e.idx`,
      [who.origin],
    );
    return rows.map(({ leaf }) => leaf.toString('utf8'));
  }

  it('finds every one, keeps the evidence and stores nothing of the fork', async () => {
    const honest = new Map(
      liars.map((board) => [board, [...board.log.leaves]]),
    );
    for (const board of of('same size')) {
      board.turn(board.log.fork(6).grow(board.log.size - 6));
    }
    for (const board of of('rewritten')) board.turn(board.log.fork(3).grow(17));
    for (const board of of('rollback')) board.turn(board.log.fork(4));
    for (const board of of('told')) {
      const other = board.log.fork(3).grow(6);
      teller.gossip.push({ origin: board.who.origin, head: other.head() });
    }
    await until('quarantine', async () => {
      // A round has its time: what is left is the next one's.
      await node.board.background.peers.witness.round();
      const all = await states();
      return liars
        .filter((board) => kindOf(board) !== 'rollback')
        .every(({ who }) => all.get(who.origin)?.status === 'quarantined');
    });
    await until('rollbacks seen', async () => {
      const [row] = await node.board.context.reads.query<{ n: number }>(
        'SELECT count(*) AS n FROM peer WHERE rolled_back_since IS NOT NULL',
      );
      return Number(row?.n) === of('rollback').length;
    });
    for (const { who } of of('rollback')) {
      expect((await states()).get(who.origin)?.status).to.equal('active');
    }
    node.clock.advance(TEN_MINUTES_MS);
    await node.board.background.peers.witness.round();
    const all = await states();
    for (const board of liars) {
      const wanted =
        kindOf(board) === 'rollback' ? 'rolled_back' : 'equivocation';
      const state = all.get(board.who.origin);
      expect(state?.status, kindOf(board)).to.equal('quarantined');
      expect(state?.status_reason, kindOf(board)).to.equal(wanted);
      expect(await leavesOf(board), kindOf(board)).to.deep.equal(
        honest.get(board),
      );
    }
    expect(all.get(teller.who.origin)?.status).to.equal('active');
    await recordFaults({ test: 'F1', faults: BOARDS });
  });

  it('serves evidence that stands by itself, one piece an origin', async () => {
    const { body } = await node.as().get('/api/mesh/evidence');
    const guilty = liars.filter((board) => kindOf(board) !== 'rollback');
    expect(body.count).to.equal(guilty.length);
    const origins = body.data.map(({ origin }: { origin: string }) => origin);
    expect(origins).to.have.members(guilty.map(({ who }) => who.origin));
    for (const { sha256 } of body.data) {
      const { text } = await node.as().get(`/api/mesh/evidence/${sha256}`);
      const evidence = parseEvidence(Buffer.from(text));
      expect(evidence.ok && verifyEvidence(evidence.value)).to.equal(true);
    }
    const { body: mesh } = await node.as().get('/api/mesh');
    expect(mesh.evidence_count).to.equal(guilty.length);
  });

  it('names each piece in its own log', async () => {
    const { body } = await node.as().get('/api/mesh/evidence');
    const leaves = await node.board.context.reads.query<{ leaf: Buffer }>(
      "SELECT leaf FROM log_entry WHERE origin_id = 0 AND type = 'evidence'",
    );
    const named = leaves.map(
      ({ leaf }) => /\nevidence (.*)\n$/.exec(leaf.toString('utf8'))?.[1],
    );
    const hashes = body.data.map(({ sha256 }: { sha256: string }) =>
      toBase64(Buffer.from(sha256, 'hex')),
    );
    expect(named).to.have.members(hashes);
    await checkLedger(node);
  });

  it('never takes up again with a log that equivocated', async () => {
    const { peerAdmin } = node.board;
    const [liar] = of('same size');
    const [shrunk] = of('rollback');
    if (liar === undefined || shrunk === undefined) throw new Error('nobody');
    try {
      await peerAdmin.resume(liar.who.url);
      expect.fail('an equivocation is final');
    } catch (error) {
      expect((error as { code?: string }).code).to.equal('decision_conflict');
    }
    expect((await peerAdmin.resume(shrunk.who.url)).status).to.equal('active');
  });
});

describe('a history that ends at a power of two', () => {
  const ENDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
  const { node, fakes } = given(nodeAndFakes(2 * ENDS.length));

  before(async () => {
    for (const [at, board] of fakes.boards.entries()) {
      board.log.grow((ENDS[at % ENDS.length] ?? 0) - 1);
      // The second half gives no proofs but with the pages of its feed.
      if (at >= ENDS.length) board.refusesProofs = 404;
      await node.board.peerAdmin.add(board.who.url, { confirm: board.logVkey });
    }
    node.board.background.peers.mesh.start();
  });
  const peers = () => rows(node).find(Peer, { order: { originId: 'ASC' } });

  it('is proven by evidence when another one takes its place', async () => {
    await until('every mirror', async () => {
      const states = await rows(node).find(LogState, {
        where: { originId: MoreThan(0) },
        order: { originId: 'ASC' },
      });
      return fakes.boards.every(({ log }, at) => states[at]?.size === log.size);
    });
    for (const board of fakes.boards) {
      board.turn(board.log.fork(board.log.size - 1).grow(3));
    }
    await until('quarantine', async () =>
      (await peers()).every(({ status }) => status === 'quarantined'),
    );
    const reasons = (await peers()).map(({ statusReason }) => statusReason);
    expect(new Set(reasons)).to.deep.equal(new Set(['equivocation']));
    for (const { bytes } of await rows(node).find(Evidence)) {
      const evidence = parseEvidence(bytes);
      expect(evidence.ok && verifyEvidence(evidence.value)).to.equal(true);
    }
  });
});
