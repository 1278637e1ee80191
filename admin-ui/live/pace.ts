/** A socket takes 20 commands a second; what is on its way needs some room. */
const MOST = 18;
const WITHIN_MS = 1100;

/**
 * Lets so many begin within any second, in order: pages that read themselves
 * anew after each decision of a fast hand are not refused, but wait a little.
 */
export class Pace {
  private begun: number[] = [];
  private line: Promise<void> = Promise.resolve();

  /** Resolves when the caller may begin. */
  turn(): Promise<void> {
    this.line = this.line.then(() => this.room());
    return this.line;
  }

  private async room(): Promise<void> {
    for (;;) {
      const now = performance.now();
      this.begun = this.begun.filter((at) => now - at < WITHIN_MS);
      const [first = now] = this.begun;
      if (this.begun.length < MOST) break;
      const left = WITHIN_MS - (now - first);
      await new Promise((resolve) => setTimeout(resolve, left));
    }
    this.begun.push(performance.now());
  }
}
