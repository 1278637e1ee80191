import { LRUCache } from 'lru-cache';

/** In ms, after an expensive answer. */
const DEAR_MS = 1000;
/** Of a network, of one with an expensive answer, and of all of those. */
const AT_ONCE = { network: 8, dear: 2, board: 4 };
const MAX_QUEUES = 10_000;
/** In ms; a read that waits longer, as for a database, holds up no other. */
const TURN_MS = 1000;

type Turn = { begin: () => void; isDear: boolean };
/** `until` is 0 where nothing was dear. */
type Queue = { until: number; busy: number; waiting: Set<Turn> };

/** Few at a time, networks by turns, so that other readers wait little. */
export class DearTurns {
  private readonly queues = new LRUCache<string, Queue>({ max: MAX_QUEUES });
  /** Those that wait, the next first. */
  private readonly ring = new Set<Queue>();
  private dear = 0;

  note(name: string): void {
    this.queueOf(name).until = performance.now() + DEAR_MS;
  }

  /** `begin` gets a function that MUST be called at the end. */
  enter(name: string, begin: () => void): () => void {
    const queue = this.queueOf(name);
    const isIdle = queue.busy === 0 && queue.waiting.size === 0;
    if (isIdle && performance.now() >= queue.until) queue.until = 0;
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (queue.waiting.delete(turn)) return;
      queue.busy -= 1;
      if (turn.isDear) this.dear -= 1;
      this.next();
    };
    const start = () => {
      timer = setTimeout(leave, TURN_MS).unref();
      begin();
    };
    const turn = { begin: start, isDear: false };
    queue.waiting.add(turn);
    this.ring.add(queue);
    this.next();
    return leave;
  }

  private queueOf(name: string): Queue {
    const known = this.queues.get(name);
    const queue = known ?? { until: 0, busy: 0, waiting: new Set() };
    if (known === undefined) this.queues.set(name, queue);
    return queue;
  }

  private next(): void {
    for (const queue of this.ring) {
      const [turn] = queue.waiting;
      const isDear = queue.until > 0;
      const isFull =
        queue.busy >= (isDear ? AT_ONCE.dear : AT_ONCE.network) ||
        (isDear && this.dear >= AT_ONCE.board);
      if (turn !== undefined && isFull) continue;
      this.ring.delete(queue);
      if (turn === undefined) continue;
      queue.waiting.delete(turn);
      if (queue.waiting.size > 0) this.ring.add(queue);
      queue.busy += 1;
      turn.isDear = isDear;
      if (isDear) this.dear += 1;
      turn.begin();
    }
  }
}
