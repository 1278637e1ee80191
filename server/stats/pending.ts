const BATCH = 1000;

type SessionMark = { day: string; network: Uint8Array; flags: number };
export type OperationCount = { day: string; operation: string; total: number };
export type ErrorCount = OperationCount & { code: string };

/** At most a thousand sessions, and the counts with the first of them. */
export type Batch = {
  sessions: SessionMark[];
  operations: OperationCount[];
  errors: ErrorCount[];
  /** Names of the sessions among the pending ones. */
  names: string[];
};

/** What is counted and not yet written. */
export class Pending {
  private readonly sessions = new Map<string, SessionMark>();
  private readonly operations = new Map<string, OperationCount>();
  private readonly errors = new Map<string, ErrorCount>();
  /** Hashes of published tickets by day. */
  readonly tickets = new Map<string, Buffer[]>();

  get size(): number {
    const { sessions, operations, errors, tickets } = this;
    return sessions.size + operations.size + errors.size + tickets.size;
  }

  session(day: string, name: string, network: Uint8Array, flags: number): void {
    const key = `${day} ${name}`;
    const known = this.sessions.get(key)?.flags ?? 0;
    this.sessions.set(key, { day, network, flags: known | flags });
  }

  ticket(day: string, hash: Buffer): void {
    const hashes = this.tickets.get(day);
    if (hashes === undefined) this.tickets.set(day, [hash]);
    else hashes.push(hash);
  }

  operation(day: string, operation: string, times = 1): void {
    const key = `${day} ${operation}`;
    const total = (this.operations.get(key)?.total ?? 0) + times;
    this.operations.set(key, { day, operation, total });
  }

  error(day: string, operation: string, code: string, times = 1): void {
    const key = `${day} ${operation} ${code}`;
    const total = (this.errors.get(key)?.total ?? 0) + times;
    this.errors.set(key, { day, operation, code, total });
  }

  *batches(): Generator<Batch> {
    let first = true;
    for (const names of chunks([...this.sessions.keys()])) {
      yield {
        names,
        sessions: names.flatMap((name) => this.sessions.get(name) ?? []),
        operations: first ? [...this.operations.values()] : [],
        errors: first ? [...this.errors.values()] : [],
      };
      first = false;
    }
  }

  /** Forgets what was written. */
  done({ names }: Batch): void {
    for (const name of names) this.sessions.delete(name);
    this.operations.clear();
    this.errors.clear();
  }

  takeBack(older: Pending): void {
    for (const [key, mark] of older.sessions) {
      const [, name = ''] = key.split(' ');
      this.session(mark.day, name, mark.network, mark.flags);
    }
    for (const [day, hashes] of older.tickets) {
      for (const hash of hashes) this.ticket(day, hash);
    }
    for (const it of older.operations.values()) {
      this.operation(it.day, it.operation, it.total);
    }
    for (const it of older.errors.values()) {
      this.error(it.day, it.operation, it.code, it.total);
    }
  }
}

/** One empty chunk when there is nothing: counts alone are a batch too. */
function chunks(names: string[]): string[][] {
  const parts: string[][] = [names.slice(0, BATCH)];
  for (let at = BATCH; at < names.length; at += BATCH) {
    parts.push(names.slice(at, at + BATCH));
  }
  return parts;
}
