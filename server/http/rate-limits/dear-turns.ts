import { LRUCache } from 'lru-cache';

/** In ms, after an expensive answer. */
const DEAR_MS = 1000;
const AT_ONCE = 2;
const MAX_QUEUES = 10_000;

type Queue = { until: number; busy: number; waiting: (() => void)[] };

/** One at a time, so that other readers wait little. */
export class DearTurns {
  private readonly queues = new LRUCache<string, Queue>({ max: MAX_QUEUES });

  note(name: string): void {
    const queue = this.queues.get(name) ?? { until: 0, busy: 0, waiting: [] };
    queue.until = performance.now() + DEAR_MS;
    this.queues.set(name, queue);
  }

  /** `begin` gets a function that MUST be called at the end. */
  enter(name: string, begin: () => void): () => void {
    const queue = this.queues.get(name);
    const isIdle = queue?.busy === 0 && performance.now() >= queue.until;
    if (queue === undefined || isIdle) {
      begin();
      return () => {};
    }
    let isIn = false;
    const run = () => {
      isIn = true;
      queue.busy += 1;
      begin();
    };
    if (queue.busy < AT_ONCE) run();
    else queue.waiting.push(run);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (isIn) leave(queue);
      else queue.waiting.splice(queue.waiting.indexOf(run), 1);
    };
  }
}

function leave(queue: Queue): void {
  queue.busy -= 1;
  queue.waiting.shift()?.();
}
