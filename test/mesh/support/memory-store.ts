import { optionsOf, PEER_LIMITS } from '../../../mesh/mesh-ports.js';
import type { PullClient, PullSource } from '../../../mesh/pull/hooks.js';
import { CursorMoved, headNote } from '../../../mesh/pull/store/apply-page.js';
import type { PullPeer } from '../../../mesh/pull/store/peer-rows.js';
import type { PullStore } from '../../../mesh/pull/store/pull-store.js';
import { textRules } from '../../../mesh/pull/verify/text-rules.js';
import { PullPeerWorker } from '../../../mesh/pull/worker.js';
import type { Content } from '../../../protocol/content.js';
import type { FeedEntry } from '../../../protocol/feed-page.js';
import { parseVkey, type Vkey } from '../../../protocol/vkey.js';
import type { Clock } from '../../../server/clock.js';
import { Events } from '../../../server/db/events.js';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';
import { silentLogger } from '../../../server/logger.js';
import type { MemoryLog } from './memory-log.js';

const ORIGIN_ID = 1;
/** The board's own limits apply. */
const NO_LIMITS = Object.fromEntries(
  PEER_LIMITS.map(({ column }) => [column, null]),
) as Record<(typeof PEER_LIMITS)[number]['column'], null>;

function vkeyOf(text: string): Vkey {
  const parsed = parseVkey(text);
  if (!parsed.ok) throw new Error('no verifier key');
  return parsed.value;
}

type Origin = { name: string; url: string; logVkey: string };

export class MemoryStore implements PullStore {
  private readonly row: PullPeer;
  private readonly vkey: Vkey;

  constructor(
    private readonly mirror: MemoryLog,
    private readonly about: Origin,
    private readonly sources: readonly PullSource[],
    private readonly now: () => number,
  ) {
    this.vkey = vkeyOf(about.logVkey);
    this.row = {
      originId: ORIGIN_ID,
      name: about.name,
      origin: mirror.origin,
      baseUrl: about.url,
      status: 'active',
      ...optionsOf({ content: 'all' }),
      kept: 'all',
      probationUntil: null,
      ...NO_LIMITS,
      confirmedAt: 0,
      lastSuccessAt: null,
      level: null,
      rolledBackSince: null,
      failures: 0,
      retryAt: null,
      lastErrorCode: null,
    };
  }

  /** What a hint does: the next try is now (spec/mesh.md §B7). */
  endBackOff(): void {
    this.row.failures = 0;
    this.row.retryAt = null;
  }

  async peer() {
    return { ...this.row };
  }

  async log() {
    const { frontier, lastMessageId, lastAt } = this.mirror;
    return {
      originId: ORIGIN_ID,
      board: this.about.name,
      origin: this.mirror.origin,
      logVkey: this.vkey,
      frontier,
      lastMessageId,
      lastAt,
    };
  }

  async mirrors() {
    return [...this.sources];
  }

  async usage() {
    return { entries: 0, contentBytes: 0, backfillBytes: 0 };
  }

  async chains(_: number, agents: readonly string[]) {
    return pick(this.mirror.chains, agents);
  }

  async posts(_: number, ids: readonly number[]) {
    return pick(this.mirror.posts, ids);
  }

  async requests() {
    return new Set<string>();
  }

  async apply(page: Parameters<PullStore['apply']>[0]) {
    const { mirror } = this;
    const { log, verified, judged } = page;
    if (log.frontier.size !== mirror.frontier.size) throw new CursorMoved();
    const contents = new Map<number, Content | null>(
      judged.posts.map(({ index, content }) => [index, content]),
    );
    const entries = judged.entries.map(({ index, leaf }): FeedEntry => {
      const content = contents.get(index);
      return content === undefined ? { leaf } : { leaf, content };
    });
    for (const post of judged.posts) mirror.posts.set(post.id, post);
    for (const [id, post] of judged.changed) mirror.posts.set(id, post);
    for (const [agent, chain] of judged.chains) mirror.chains.set(agent, chain);
    mirror.lastMessageId = judged.lastMessageId;
    mirror.lastAt = judged.lastAt;
    const { frontier, nodes, checkpoint } = verified;
    const isWhole = frontier.size === checkpoint.size;
    const note = isWhole ? headNote(verified, log.logVkey) : '';
    const head = isWhole ? { size: frontier.size, note } : null;
    mirror.extend(entries, nodes, frontier, head);
    await this.note(page);
    const { lastMessageId, lastAt } = judged;
    return { ...log, frontier, lastMessageId, lastAt };
  }

  async note({ fromOrigin }: { fromOrigin: boolean }) {
    if (!fromOrigin) return;
    this.row.lastSuccessAt = this.now();
    this.endBackOff();
  }

  async failed(_: number, failure: { code: string; retryAt: number }) {
    this.row.failures += 1;
    this.row.lastErrorCode = failure.code;
    this.row.retryAt = failure.retryAt;
  }

  async contentDue() {
    return null;
  }

  async fetchMissing() {
    return false;
  }

  // What a simulation of whole and honest logs has no use for.
  async keepTexts() {}
  async adopt() {}
  async adoptWaiting() {
    return 0;
  }
  async quarantine() {}
  async degrade() {}
  async index() {}
}

/** A pull loop over memory, and what a hint of the origin does to it. */
export function memoryWorker(
  store: MemoryStore,
  parts: { client: PullClient; clock: Clock; random: () => number },
  signal: AbortSignal,
): { ended: Promise<void>; hint(): void } {
  const events = new Events();
  const worker = new PullPeerWorker(
    {
      ...parts,
      store,
      events,
      limits: LIMIT_DEFAULTS,
      textRules: textRules(LIMIT_DEFAULTS),
      judgeAhead: async () => null,
      log: silentLogger,
      hooks: {
        afterPage: async () => {},
        onFork: async () => 'feed_corrupt',
        onIdentity: async () => {},
      },
    },
    ORIGIN_ID,
    signal,
  );
  return {
    ended: worker.run(),
    hint: () => {
      store.endBackOff();
      events.emit('peers');
    },
  };
}

function pick<Key, Value>(from: ReadonlyMap<Key, Value>, keys: readonly Key[]) {
  const found = new Map<Key, Value>();
  for (const key of keys) {
    const value = from.get(key);
    if (value !== undefined) found.set(key, value);
  }
  return found;
}
