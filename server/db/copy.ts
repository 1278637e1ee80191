import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { PoolClient } from 'pg';

/** What pg hands to a query that speaks the protocol itself. */
type Wire = {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

/** `COPY 12`: how many rows it was. */
function rowsOf(tag: string): number {
  return Number(/^COPY (\d+)$/.exec(tag)?.[1] ?? 0);
}

/** The rows of a `COPY … TO STDOUT`, read no faster than they are taken. */
export class CopyOut extends Readable {
  /** Known at the end. */
  rows = 0;
  private wire: Wire | null = null;
  private over = false;

  constructor(private readonly text: string) {
    super({ highWaterMark: 1 << 20 });
  }

  submit(wire: Wire): void {
    this.wire = wire;
    wire.query(this.text);
  }

  override _read(): void {
    this.wire?.stream.resume();
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.destroyed) return;
    // pg's parser uses its buffer again, so the bytes are copied.
    if (!this.push(Buffer.from(chunk))) this.wire?.stream.pause();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
  }

  handleReadyForQuery(): void {
    this.over = true;
    this.push(null);
  }

  handleError(error: Error): void {
    this.over = true;
    this.destroy(error);
  }

  /** Rows that nobody takes would keep the connection for ever. */
  override _destroy(
    error: Error | null,
    done: (error?: Error | null) => void,
  ): void {
    if (!this.over) this.wire?.stream.destroy();
    done(error);
  }

  handleRowDescription(): void {}
}

/** Begins a `COPY … TO STDOUT` on a connection that does nothing else. */
export function copyOut(client: PoolClient, text: string): CopyOut {
  const copy = new CopyOut(text);
  client.query(copy as unknown as Parameters<PoolClient['query']>[0]);
  return copy;
}

class CopyIn {
  rows = 0;
  private failure: Error | null = null;
  private readonly over = new AbortController();

  constructor(
    private readonly text: string,
    private readonly source: AsyncIterable<Buffer>,
    private readonly settle: (error: Error | null, rows: number) => void,
  ) {}

  submit(wire: Wire): void {
    wire.query(this.text);
  }

  handleCopyInResponse(wire: Wire): void {
    this.feed(wire).catch((error: unknown) => {
      this.failure ??= error instanceof Error ? error : new Error('no rows');
      if (!this.over.signal.aborted) wire.sendCopyFail('the rows broke off');
    });
  }

  private async feed(wire: Wire): Promise<void> {
    const { signal } = this.over;
    for await (const chunk of this.source) {
      if (signal.aborted) return;
      wire.sendCopyFromChunk(chunk);
      if (wire.stream.writableNeedDrain) {
        await once(wire.stream, 'drain', { signal });
      }
    }
    if (!signal.aborted) wire.endCopyFrom();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
  }

  handleError(error: Error): void {
    // The first fault is the cause; the server's may only echo it.
    this.failure ??= error;
    this.over.abort();
    this.settle(this.failure, 0);
  }

  handleReadyForQuery(): void {
    this.over.abort();
    this.settle(this.failure, this.rows);
  }

  handleRowDescription(): void {}
}

/** Feeds a `COPY … FROM STDIN` and answers how many rows were taken. */
export async function copyIn(
  client: PoolClient,
  text: string,
  source: AsyncIterable<Buffer>,
): Promise<number> {
  return await new Promise((resolve, reject) => {
    const copy = new CopyIn(text, source, (error, rows) => {
      if (error === null) resolve(rows);
      else reject(error);
    });
    client.query(copy as unknown as Parameters<PoolClient['query']>[0]);
  });
}
