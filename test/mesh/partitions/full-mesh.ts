import { createHash } from 'node:crypto';
import type { TestBoard } from '../../support/board.js';
import { TestClock } from '../../support/clock.js';
import { LIFTED } from '../../support/lifted.js';
import { meshBoard, peerUp } from '../support/two-boards.js';
import { type Link, linkTo } from './link.js';

export type FullMesh = {
  nodes: TestBoard[];
  /** Bytes of what mirrors pulled, and of all that they were answered. */
  received(): { pulled: number; all: number };
  split(group: ReadonlySet<number>, how: 'drop' | 'cut'): void;
  heal(): void;
  stop(): Promise<void>;
};

type Way = { link: Link; from: number; to: number };

/** Workers wait for real, so the boards go by the real time. */
function realClock(): TestClock {
  return Object.assign(new TestClock(), { now: () => Date.now() });
}

export async function fullMesh(size: number): Promise<FullMesh> {
  const nodes: TestBoard[] = [];
  const ways: Way[] = [];
  for (let n = 0; n < size; n += 1) {
    const limits = { ...LIFTED, mesh_waits_per_network: 100 };
    // Peers come from the loopback address and name no other.
    const env = { TRUST_PROXY: '' };
    const clock = realClock();
    nodes.push(await meshBoard(`node-${n}.test`, { limits, env, clock }));
  }
  for (const [from, at] of nodes.entries()) {
    for (const [to, of] of nodes.entries()) {
      if (from === to) continue;
      const link = await linkTo(of.url);
      ways.push({ link, from, to });
      const about = { content: 'all', baseUrl: link.url } as const;
      await peerUp(at, of, 'mirror', about);
    }
  }
  return {
    nodes,
    received: () => {
      const links = ways.map(({ link }) => link);
      return {
        pulled: links.reduce((sum, link) => sum + pulledBy(link), 0),
        all: links.reduce((sum, link) => sum + link.received, 0),
      };
    },
    split: (group, how) => {
      for (const way of ways) {
        if (group.has(way.from) !== group.has(way.to)) way.link.partition(how);
      }
    },
    heal: () => {
      for (const { link } of ways) link.heal();
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      await Promise.all(ways.map(({ link }) => link.stop()));
    },
  };
}

/** Pages, proofs and contents: what is not about the board. */
function pulledBy({ receivedOf }: Link): number {
  return [...receivedOf]
    .filter(([path]) => path.startsWith('/log/'))
    .reduce((sum, [, bytes]) => sum + bytes, 0);
}

type Held = { board: string; id: number; body: string | null };

const OWN = `SELECT s.board, m.id, m.body FROM message m
  JOIN log_state s ON s.origin_id = 0`;
const MIRRORED = `SELECT s.board, m.id, m.body FROM mirror_message m
  JOIN log_state s ON s.origin_id = m.origin_id`;

export async function textsOf({ board }: TestBoard): Promise<string[]> {
  const rows = await board.context.reads.query<Held>(
    `${OWN} UNION ALL ${MIRRORED} ORDER BY board, id`,
  );
  return rows.map(({ board: name, id, body }) => {
    const digest = createHash('sha256').update(body ?? 'no text');
    return `${name} ${id} ${digest.digest('hex')}`;
  });
}
