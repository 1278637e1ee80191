import { logPath } from '../../protocol/board-name.js';
import { fromUtf8, utf8 } from '../../protocol/bytes.js';
import { type Content, contentFromJson } from '../../protocol/content.js';
import { parseEntryHead } from '../../protocol/entry.js';
import { feedPageFromJson } from '../../protocol/feed-page.js';
import { FEED_ENTRIES, TILE_WIDTH } from '../../protocol/limits.js';
import { decodeEntryBundle, tilePath } from '../../protocol/tile.js';
import { persistently, type Waiting } from '../back-off.js';
import { BoardRefusal, ClientRefusal } from '../failures.js';
import type { Transport } from '../transport.js';
import type { BundleSource, SourceEntry } from './bundle-source.js';

const AT_ONCE = 8;
const TRIES = 8;

function broken(what: string): ClientRefusal {
  return new ClientRefusal('not_a_board', `The log is not whole: ${what}.`);
}

/** By the feed, else by tiles and `content` (spec/mesh.md §B4). */
export function boardSource(
  transport: Transport,
  waiting: Waiting,
): BundleSource {
  let hasFeed = true;
  let prefix: Promise<string> | null = null;
  const patiently = <T>(read: () => Promise<T>) =>
    persistently(read, waiting, TRIES);

  /** `/log`, or `/log<n>` of a later generation (spec/mesh.md §B1). */
  function log(): Promise<string> {
    prefix ??= patiently(() =>
      transport.get<{ log?: { origin?: unknown } }>('/api/mesh'),
    )
      .then(({ log: own }) =>
        typeof own?.origin === 'string' ? logPath(own.origin) : '/log',
      )
      .catch((error: unknown) => {
        if (error instanceof BoardRefusal) return '/log';
        throw error;
      });
    return prefix;
  }

  async function byFeed(from: number, until: number): Promise<SourceEntry[]> {
    const limit = Math.min(FEED_ENTRIES, until - from);
    const query = { from, limit, content: 'all' };
    const path = `${await log()}/feed`;
    const json = await patiently(() => transport.get(path, query));
    const page = feedPageFromJson(json);
    if (!page.ok || page.value.from !== from || page.value.to <= from) {
      throw broken('a page of its feed is not well formed');
    }
    return page.value.entries.map(({ leaf, content = null }) => {
      return { leaf: utf8(leaf), content: content === 'bad' ? null : content };
    });
  }

  async function contentAt(index: number): Promise<Content | null> {
    const path = `${await log()}/content`;
    try {
      const answer = await patiently(() =>
        transport.get<{ content: unknown }>(path, { index }),
      );
      const content = contentFromJson(answer.content);
      if (content.ok) return content.value;
    } catch (error) {
      const gone = error instanceof BoardRefusal && error.status === 410;
      if (gone) return null;
      throw error;
    }
    throw broken(`the text of entry ${index} is not well formed`);
  }

  async function byTile(from: number, until: number): Promise<SourceEntry[]> {
    const n = Math.floor(from / TILE_WIDTH);
    const width = Math.min(TILE_WIDTH, until - n * TILE_WIDTH);
    const path = `${await log()}/tile/${tilePath('entries', n, width)}`;
    const bundle = decodeEntryBundle(
      await patiently(() => transport.bytes(path)),
    );
    if (!bundle.ok || bundle.value.length !== width) {
      throw broken('a tile of entries is not whole');
    }
    const found: SourceEntry[] = bundle.value
      .slice(from - n * TILE_WIDTH)
      .map((leaf) => ({ leaf, content: null }));
    const left = found.entries();
    const worker = async () => {
      for (const [at, entry] of left) {
        const head = parseEntryHead(fromUtf8(entry.leaf) ?? '');
        if (head?.type === 'post') entry.content = await contentAt(from + at);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return found;
  }

  return {
    checkpoint: async () => {
      const path = `${await log()}/checkpoint`;
      return await patiently(() => transport.text(path));
    },
    entries: async (from, until) => {
      if (!hasFeed) return await byTile(from, until);
      try {
        return await byFeed(from, until);
      } catch (error) {
        const none =
          error instanceof BoardRefusal && error.code === 'not_found';
        if (!none) throw error;
        hasFeed = false;
        return await byTile(from, until);
      }
    },
  };
}
