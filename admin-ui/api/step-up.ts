import { Listeners } from './listeners.js';

/** Who asks for the credential again. */
class StepUp {
  private waiting: ((given: boolean) => void)[] = [];
  readonly changes = new Listeners();

  /** True once it was given. */
  ask(): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.changes.tell();
    });
  }

  finish(given: boolean): void {
    for (const resolve of this.waiting.splice(0)) resolve(given);
    this.changes.tell();
  }

  readonly isOpen = (): boolean => this.waiting.length > 0;
}

export const stepUp = new StepUp();
