/** Who is told of something, in the order they came. */
export class Listeners<T = void> {
  private readonly all = new Set<(it: T) => void>();

  /** Adds a listener; the function it returns takes it away. */
  readonly add = (listener: (it: T) => void): (() => void) => {
    this.all.add(listener);
    return () => this.all.delete(listener);
  };

  tell(it: T): void {
    for (const listener of this.all) listener(it);
  }
}
