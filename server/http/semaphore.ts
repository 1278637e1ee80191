import { BoardError } from '../errors.js';

const PLACE_WAIT_MS = 5000;

type Enter = (free: (() => void) | null) => void;

/** At most so many at once; the others wait in order. */
export class Semaphore {
  private readonly waiting: Enter[] = [];

  constructor(private open: number) {}

  /** A function that gives the place back, or null after `ms` without one. */
  enter(ms: number): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        resolve(null);
      }, ms);
      const enter: Enter = (free) => {
        clearTimeout(timer);
        resolve(free);
      };
      this.waiting.push(enter);
      this.next();
    });
  }

  private next(): void {
    if (this.open === 0) return;
    const enter = this.waiting.shift();
    if (enter === undefined) return;
    this.open -= 1;
    let given = true;
    enter(() => {
      if (given) this.open += 1;
      given = false;
      this.next();
    });
  }

  /** Work in a place. @throws BoardError `unavailable` where none was free */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(PLACE_WAIT_MS);
    if (leave === null) {
      throw new BoardError(
        'unavailable',
        'Too many reads of this kind run at once; try again in a few seconds.',
        { retry_after_seconds: 5 },
      );
    }
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
