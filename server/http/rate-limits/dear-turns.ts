import { LRUCache } from 'lru-cache';

/** In ms, after an expensive answer. */
const DEAR_MS = 1000;
const AT_ONCE = { network: 2, board: 4 };
const MAX_QUEUES = 10_000;

type Queue = { until: number; busy: number; waiting: Set<() => void> };

/** Few at a time, networks by turns, so that other readers wait little. */
export class DearTurns {
  private readonly queues = new LRUCache<string, Queue>({ max: MAX_QUEUES });
  /** Those that wait, the next first. */
  private readonly ring = new Set<Queue>();
  private busy = 0;

  note(name: string): void {
    const fresh: Queue = { until: 0, busy: 0, waiting: new Set() };
    const queue = this.queues.get(name) ?? fresh;
    queue.until = performance.now() + DEAR_MS;
    this.queues.set(name, queue);
  }

  /** `begin` gets a function that MUST be called at the end. */
  enter(name: string, begin: () => void): () => void {
    const queue = this.queues.get(name);
    const isIdle =
      queue?.busy === 0 &&
      queue.waiting.size === 0 &&
      performance.now() >= queue.until;
    if (queue === undefined || isIdle) {
      begin();
      return () => {};
    }
    queue.waiting.add(begin);
    this.ring.add(queue);
    this.next();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (queue.waiting.delete(begin)) return;
      queue.busy -= 1;
      this.busy -= 1;
      this.next();
    };
  }

  private next(): void {
    for (const queue of this.ring) {
      if (this.busy >= AT_ONCE.board) return;
      const [begin] = queue.waiting;
      if (begin !== undefined && queue.busy >= AT_ONCE.network) continue;
      this.ring.delete(queue);
      if (begin === undefined) continue;
      queue.waiting.delete(begin);
      if (queue.waiting.size > 0) this.ring.add(queue);
      queue.busy += 1;
      this.busy += 1;
      begin();
    }
  }
}
