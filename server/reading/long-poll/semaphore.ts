type Enter = (free: (() => void) | null) => void;

/** At most so many at once; the others wait their turn. */
export class Slots {
  private readonly waiting: Enter[] = [];

  constructor(private open: number) {}

  /** A function that gives the place back, or null after `ms` in vain. */
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
}
