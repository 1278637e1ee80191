/** Tabs of one browser, and dashboards of one office. */
const PER_SESSION = 16;
const PER_NETWORK = 64;

/** How many dashboards one session and one network hold open on a process. */
export class SocketPlaces {
  private readonly taken = new Map<string, number>();

  /** Takes a place in both, or none; answers how to leave it. */
  enter(sessionId: string, network: Uint8Array): (() => void) | null {
    const session = `session ${sessionId}`;
    const from = `network ${Buffer.from(network).toString('hex')}`;
    if (this.count(session) >= PER_SESSION) return null;
    if (this.count(from) >= PER_NETWORK) return null;
    for (const name of [session, from]) this.add(name, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const name of [session, from]) this.add(name, -1);
    };
  }

  private count(name: string): number {
    return this.taken.get(name) ?? 0;
  }

  private add(name: string, by: number): void {
    const count = this.count(name) + by;
    if (count === 0) this.taken.delete(name);
    else this.taken.set(name, count);
  }
}
