import { setImmediate as nextTurn } from 'node:timers/promises';

type Waiting<In, Out> = {
  item: In;
  since: number;
  done: (out: Out) => void;
  failed: (error: unknown) => void;
};

/** Enough to share a statement, few enough to keep it short. */
const GROUP = 32;
/** Whoever waited so long for a statement that failed waits for no other. */
const PATIENCE_MS = 500;

/**
 * Asks for many in one statement. What arrives in one turn of the loop or while
 * a statement runs shares the next, and with it a way to the database and back,
 * its locks and its commit; alone, nothing waits. A statement that fails fails
 * for its whole group, and for those who have waited long for it.
 */
export class Grouped<In, Out> {
  private readonly waiting: Waiting<In, Out>[] = [];
  private running = false;

  /**
   * @param ask answers every item of a group, in their order.
   * @param order of a group, for statements that lock rows: two processes
   *   that lock in the same order never wait for each other in a circle.
   */
  constructor(
    private readonly ask: (group: readonly In[]) => Promise<readonly Out[]>,
    private readonly order?: (a: In, b: In) => number,
  ) {}

  add(item: In): Promise<Out> {
    return new Promise((done, failed) => {
      this.waiting.push({ item, since: performance.now(), done, failed });
      if (this.running) return;
      this.running = true;
      void this.run();
    });
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      await nextTurn();
      const group = this.waiting.splice(0, GROUP);
      const { order } = this;
      if (order) group.sort((a, b) => order(a.item, b.item));
      await this.answer(group);
    }
    this.running = false;
  }

  private async answer(group: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const answers = await this.ask(group.map(({ item }) => item));
      if (answers.length !== group.length) {
        throw new Error('a group was not answered whole');
      }
      group.forEach(({ done }, at) => {
        done(answers[at] as Out);
      });
    } catch (error) {
      for (const { failed } of group) failed(error);
      this.failOld(error);
    }
  }

  /** A database that is away or locked would make them wait twice as long. */
  private failOld(error: unknown): void {
    const old = performance.now() - PATIENCE_MS;
    while ((this.waiting[0]?.since ?? Number.POSITIVE_INFINITY) < old) {
      this.waiting.shift()?.failed(error);
    }
  }
}
