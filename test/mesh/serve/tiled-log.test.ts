import { sha256, toHex, utf8 } from '../../../protocol/bytes.js';
import {
  openCheckpoint,
  verifyCosignature,
} from '../../../protocol/checkpoint.js';
import {
  feedPageFromJson,
  verifyFeedPage,
} from '../../../protocol/feed-page.js';
import { tilePath } from '../../../protocol/tile.js';
import { emptyFrontier, frontierRoot } from '../../../protocol/tree.js';
import type { Vkey } from '../../../protocol/vkey.js';
import { taken } from '../../protocol/support/vectors.js';
import { newAgent } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import {
  checkConsistency,
  hashOfLeaf,
  rootOf,
  treeOf,
} from '../../support/check-ledger.js';
import { given } from '../../support/hooks.js';
import { type Reader, readerOf, readLeaves } from '../../support/log-reader.js';
import { until } from '../../support/until.js';
import { HostilePeer, peerWith } from '../support/hostile-peer.js';
import { noise, ScriptedLog } from '../support/scripted-log.js';
import { meshBoard, peerUp, sizeOf } from '../support/two-boards.js';

/** What an auditor knows: an address and the keys it pinned. */
type Audited = {
  baseUrl: string;
  origin: string;
  logVkey: Vkey;
  cosigner: Vkey;
};

type AuditReport = Awaited<ReturnType<typeof auditMirror>>;

const WIDTH = 256;

/**
 * Audits a mirrored log by `/mirror/<sha256(origin)>` alone, with nothing but
 * the protocol's functions, as a stranger would a C2SP tiled log: head and
 * cosignature, every entry bundle, every hash tile of every level, full and
 * partial, consistency from every size asked for, and the feed from entry 0.
 */
async function auditMirror(audited: Audited) {
  const { baseUrl, origin, logVkey, cosigner } = audited;
  const reader = readerOf(baseUrl, `/mirror/${toHex(sha256(utf8(origin)))}`);
  const note = await reader.text(`${reader.log}/checkpoint`);
  const head = taken(openCheckpoint(note, logVkey));
  expect(head.origin).to.equal(origin);
  const [, line] = head.note.signatures;
  if (line === undefined) throw new Error('no cosignature');
  taken(verifyCosignature(head.note.text, line, cosigner));
  const { size, root } = head;
  const leaves = await readLeaves(reader, size);
  const levels = treeOf(leaves.map(hashOfLeaf));
  if (!rootOf(levels, 0, size).equals(root)) throw new Error('root');
  const tiles = await checkTiles(reader, levels);
  const sizes = [1, 2, 3, 255, 256, 257, 300, 511, 512, size - 1, size];
  const proofs = await checkConsistency(reader, levels, size, sizes);
  await checkFeed(reader, logVkey, size, root);
  return { size, root: toHex(root), leaves, tiles, proofs };
}

/** Every tile of every level, and of the last ones every partial width. */
async function checkTiles(reader: Reader, levels: Buffer[][]): Promise<number> {
  let checked = 0;
  for (let level = 0; (levels[level * 8]?.length ?? 0) > 0; level += 1) {
    const hashes = levels[level * 8] ?? [];
    for (let n = 0; n * WIDTH < hashes.length; n += 1) {
      const whole = hashes.slice(n * WIDTH, (n + 1) * WIDTH);
      const widths = new Set([1, whole.length >> 1, whole.length]);
      for (const width of widths) {
        if (width < 1) continue;
        const path = `${reader.log}/tile/${tilePath(level, n, width)}`;
        const expected = Buffer.concat(whole.slice(0, width));
        expect(await reader.bytes(path), path).to.eql(expected);
        checked += 1;
      }
    }
  }
  return checked;
}

async function checkFeed(
  reader: Reader,
  logVkey: Vkey,
  size: number,
  root: Uint8Array,
): Promise<void> {
  let frontier = emptyFrontier();
  while (frontier.size < size) {
    const path = `feed?from=${frontier.size}&limit=100&content=all`;
    const json: unknown = JSON.parse(
      await reader.text(`${reader.log}/${path}`),
    );
    const page = taken(feedPageFromJson(json));
    frontier = taken(verifyFeedPage(page, frontier, logVkey)).frontier;
  }
  expect(Buffer.from(frontierRoot(frontier))).to.eql(Buffer.from(root));
}

const ENTRIES = 600;

describe('a dead board, audited at its mirrors alone', () => {
  const { b, c, log, peer } = given(async () => {
    const b = await meshBoard('board-b.example', { lifted: true });
    const c = await meshBoard('board-c.example', { lifted: true });
    const log = new ScriptedLog('board-a.example', b.clock.now() - 1000);
    const peer = await HostilePeer.start(log);
    const stop = async () => {
      for (const one of [c, b, peer]) await one.stop();
    };
    return { b, c, log, peer, stop };
  });
  let atB: AuditReport;

  before(async () => {
    const at = b.clock.now() - 1000;
    log.entry({ type: 'board', at, embedded: log.identity(peer.url) });
    const agent = newAgent();
    log.key(agent);
    for (let n = 0; n < 40; n += 1) log.post({ agent });
    while (log.size < ENTRIES) {
      const evidence = noise(`entry ${log.size}`);
      const kind = 'equivocation';
      log.entry({
        type: 'evidence',
        at,
        origin: 'x.example/log',
        kind,
        evidence,
      });
    }
  });

  async function holds(test: TestBoard, originId: number): Promise<void> {
    await until(
      'the whole log',
      async () => (await sizeOf(test, originId)) === log.size,
    );
    await until('its cosigned head', async () => {
      const { body } = await test.as().get('/api/mesh');
      const of = body.peers.find(
        ({ origin }: { origin: string }) => origin === log.origin,
      );
      return of?.last_checkpoint?.includes(
        `— ${test.board.context.board.name}/mirror `,
      );
    });
  }

  const audited = (test: TestBoard) => ({
    baseUrl: test.url,
    origin: log.origin,
    logVkey: log.keys.log.vkey,
    cosigner: test.board.context.keys.mirror.vkey,
  });

  it('is a whole tiled log at the mirror that pulled it', async () => {
    await holds(b, await peerWith(b, peer));
    peer.mode = ({ res }) => {
      res.destroy();
      return true;
    };
    peer.wake();
    atB = await auditMirror(audited(b));
    expect(atB.size).to.equal(ENTRIES);
    expect(atB.leaves).to.eql(log.leaves);
    expect(atB.root).to.equal(Buffer.from(log.root()).toString('hex'));
    // Two full tiles and a partial one of hashes, one of the level above.
    expect(atB.tiles).to.be.at.least(10);
    expect(atB.proofs).to.equal(11);
  });

  it('is the same at a third board, which knew it from that mirror only', async () => {
    await peerUp(c, b);
    const originId = await peerWith(c, peer);
    await c.board.background.peers.witness.round();
    c.clock.advance(61_000);
    await c.board.context.writes.query(
      'UPDATE peer SET retry_at = NULL WHERE origin_id = $1',
      [originId],
    );
    await c.board.context.writes.query(`SELECT pg_notify('board_peers', '')`);
    await holds(c, originId);
    const atC = await auditMirror(audited(c));
    expect(atC).to.deep.equal(atB);
  });

  it('shows a lie of a mirror to whoever audits it', async () => {
    const leaf = utf8(`${log.leaves[5] ?? ''}x`);
    await c.board.context.writes.query(
      'UPDATE log_entry SET leaf = $1 WHERE origin_id > 0 AND idx = 5 AND leaf = $2',
      [Buffer.from(leaf), Buffer.from(utf8(log.leaves[5] ?? ''))],
    );
    const found = await auditMirror(audited(c)).catch((error) => error.message);
    expect(found).to.equal('root');
  });
});
