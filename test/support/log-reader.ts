import { decodeEntryBundle, tilePath } from '../../protocol/tile.js';

const WIDTH = 256;
const AT_ONCE = 16;

export type Reader = {
  /** Where its log is read: its own, or a mirror of another one. */
  log: string;
  get(path: string): Promise<Response>;
  text(path: string): Promise<string>;
  bytes(path: string): Promise<Buffer>;
};

/** As its public, each request from another network: no read limit. */
export function readerOf(url: string, log = '/log'): Reader {
  let asked = 0;
  const get = async (path: string) => {
    asked += 1;
    const network = `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;
    return await fetch(`${url}${path}`, {
      headers: { 'X-Forwarded-For': network },
    });
  };
  const whole = async (path: string) => {
    const answer = await get(path);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 200) return bytes;
    throw new Error(`GET ${path}: ${answer.status} ${bytes}`);
  };
  return {
    ...{ log, get },
    bytes: whole,
    text: async (path) => (await whole(path)).toString('utf8'),
  };
}

/** The tiles that cover `count` items: full ones, then the partial one. */
function tiles(count: number): { n: number; width: number }[] {
  const all = Array.from({ length: Math.floor(count / WIDTH) }, (_, n) => ({
    n,
    width: WIDTH,
  }));
  const rest = count % WIDTH;
  return rest === 0 ? all : [...all, { n: all.length, width: rest }];
}

export async function readLeaves(
  reader: Reader,
  size: number,
): Promise<string[]> {
  const leaves: string[] = [];
  for (const { n, width } of tiles(size)) {
    const path = `${reader.log}/tile/${tilePath('entries', n, width)}`;
    const bundle = decodeEntryBundle(await reader.bytes(path));
    if (!bundle.ok) throw new Error(`${path}: ${bundle.reason}`);
    leaves.push(...bundle.value.map((leaf) => Buffer.from(leaf).toString()));
  }
  return leaves;
}

export async function readHashLevel(
  reader: Reader,
  level: number,
  count: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { n, width } of tiles(count)) {
    const path = `${reader.log}/tile/${tilePath(level, n, width)}`;
    parts.push(await reader.bytes(path));
  }
  return Buffer.concat(parts);
}

/** Calls `work` for every item, a few at a time. */
export async function eachOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
