export class Listeners<T = void> {
  private readonly all = new Set<(it: T) => void>();

  /** Returns the function that removes it. */
  readonly add = (listener: (it: T) => void): (() => void) => {
    this.all.add(listener);
    return () => this.all.delete(listener);
  };

  tell(it: T): void {
    for (const listener of this.all) listener(it);
  }
}
