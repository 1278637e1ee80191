import type { PullParts, Round } from './hooks.js';
import { keepingOf } from './store/peer-rows.js';

/** What pages leave to do: contents that did not come, texts to index. */
export class DeferredWork {
  /** Texts of higher ids may not be findable yet; null: all are. */
  private late: number | null = 0;
  private indexing: Promise<void> | null = null;

  constructor(
    private readonly parts: PullParts,
    private readonly originId: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Texts above this id came in a page that was not indexed at once. */
  noteLate(lastMessageId: number): void {
    this.late = Math.min(this.late ?? lastMessageId, lastMessageId);
  }

  /** At the log's end, where there is time for it. */
  async run({ peer, source }: Round): Promise<void> {
    const { store, events } = this.parts;
    const { keeps, asked } = keepingOf(peer);
    if (keeps) this.index();
    if (asked === 'none') return;
    const log = { originId: this.originId, origin: peer.origin, source, keeps };
    if (await store.fetchMissing(log, this.signal)) events.emit('mirror');
  }

  async end(): Promise<void> {
    await this.indexing;
  }

  /** Beside the loop: texts are readable before they are findable. */
  private index(): void {
    const from = this.late;
    if (from === null || this.indexing !== null) return;
    this.late = null;
    const { store, log } = this.parts;
    this.indexing = store
      .index(this.originId, from, this.signal)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'mirrored texts were not indexed');
        this.noteLate(from);
      })
      .finally(() => {
        this.indexing = null;
      });
  }
}
