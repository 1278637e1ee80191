type Waiting = (given: boolean) => void;

/** Whether somebody is being asked for the credential again, and by whom. */
class StepUp {
  private waiting: Waiting[] = [];
  private readonly listeners = new Set<() => void>();

  /** Opens the dialog; true once the credential was given. */
  ask(): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.notify();
    });
  }

  finish(given: boolean): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve(given);
    this.notify();
  }

  readonly isOpen = (): boolean => this.waiting.length > 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

export const stepUp = new StepUp();
