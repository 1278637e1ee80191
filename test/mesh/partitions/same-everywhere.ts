import { expect } from 'chai';
import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { tilePath } from '../../../protocol/tile.js';
import { until } from '../../support/until.js';
import type { MeshNode } from './mesh-node.js';

const WIDTH = 256;

export type Following = { at: MeshNode; of: MeshNode };

export async function logSize({ url }: MeshNode): Promise<number> {
  const note = await (await fetch(`${url}/log/checkpoint`)).text();
  return Number(note.split('\n')[1]);
}

export async function converged(ways: readonly Following[]): Promise<void> {
  await until('everybody level', async () => {
    const behind = await Promise.all(ways.map(lag));
    return behind.every((entries) => entries === 0);
  });
}

async function lag({ at, of }: Following): Promise<number> {
  const size = await logSize(of);
  const [row] = await at.db.query<{ size: number }>(
    'SELECT size FROM log_state WHERE origin = $1',
    [`${of.name}/log`],
  );
  return Math.max(0, size - Number(row?.size ?? 0));
}

export async function tilesOf(
  prefix: string,
  size: number,
  levels: readonly ('entries' | number)[] = ['entries', 0, 1, 2],
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const level of levels) {
    let left = size;
    if (typeof level === 'number') left = Math.floor(size / WIDTH ** level);
    for (let n = 0; left > 0; n += 1, left -= WIDTH) {
      const path = tilePath(level, n, Math.min(left, WIDTH));
      const answer = await fetch(`${prefix}/tile/${path}`);
      expect(answer.status, path).to.equal(200);
      parts.push(Buffer.from(await answer.arrayBuffer()));
    }
  }
  return Buffer.concat(parts);
}

export async function sameTiles({ at, of }: Following): Promise<void> {
  const size = await logSize(of);
  const own = await tilesOf(`${of.url}/log`, size);
  const kept = await tilesOf(at.url + mirrorPrefix(`${of.name}/log`), size);
  expect(kept.equals(own), `${of.name} at ${at.name}`).to.equal(true);
  const [row] = await at.db.query<Record<string, number>>(
    `SELECT s.size, count(e.idx) AS entries, count(DISTINCT e.idx) AS places,
       count(*) FILTER (WHERE e.status <> 'ok') AS wrong
     FROM log_state s JOIN log_entry e ON e.origin_id = s.origin_id
     WHERE s.origin = $1 GROUP BY s.size`,
    [`${of.name}/log`],
  );
  expect(row).to.include({ entries: row?.size, places: row?.size, wrong: 0 });
}

/** What a follower of the merged stream is given: `board id`, in its order. */
export async function streamOf(url: string): Promise<string[]> {
  const given: string[] = [];
  let next: string | null = `${url}/api/mesh/updates?since=0&limit=100`;
  while (next !== null) {
    const page = (await (await fetch(next)).json()) as {
      data: { id: number; origin: { board: string } }[];
      next: string | null;
    };
    given.push(...page.data.map(({ id, origin }) => `${origin.board} ${id}`));
    next = page.next;
  }
  expect(new Set(given).size).to.equal(given.length);
  return given;
}

/** Bytes of a log's entries from one on with their texts, as JSON. */
export async function copyBytes(url: string, from = 0): Promise<number> {
  let bytes = 0;
  for (let at = from; ; ) {
    const path = `/log/feed?from=${at}&limit=256&content=all`;
    const page = await (await fetch(`${url}${path}`)).json();
    const { entries } = page as { entries: unknown[] };
    if (entries.length === 0) return bytes;
    for (const entry of entries) {
      bytes += Buffer.byteLength(JSON.stringify(entry));
    }
    at += entries.length;
  }
}
