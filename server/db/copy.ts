import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable, type ReadableOptions } from 'node:stream';
import type { PoolClient } from 'pg';

/** What pg hands to a query that speaks the protocol itself. */
type Wire = {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

/** Whoever takes rows has a limit of his own. */
const LONGEST_MS = 24 * 3_600_000;

/** `COPY 12`: how many rows it was. */
function rowsOf(tag: string): number {
  return Number(/^COPY (\d+)$/.exec(tag)?.[1] ?? 0);
}

/** The rows of a `COPY … TO STDOUT`, read no faster than they are taken. */
export class CopyOut extends Readable {
  /** Known at the end. */
  rows = 0;
  /** Read and called by pg, whose limit is that of a short statement. */
  readonly query_timeout = LONGEST_MS;
  callback: () => void = () => {};
  private wire: Wire | null = null;
  private over = false;

  constructor(
    private readonly text: string,
    options: ReadableOptions = { highWaterMark: 1 << 20 },
  ) {
    super(options);
  }

  submit(wire: Wire): void {
    this.wire = wire;
    wire.query(this.text);
  }

  override _read(): void {
    this.wire?.stream.resume();
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // pg's parser uses its buffer again, so the bytes are copied.
    this.give(Buffer.from(chunk));
  }

  protected give(piece: Buffer): void {
    if (this.destroyed) return;
    if (!this.push(piece)) this.wire?.stream.pause();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
  }

  handleReadyForQuery(): void {
    this.over = true;
    this.callback();
    this.push(null);
  }

  handleError(error: Error): void {
    this.over = true;
    this.callback();
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

const begin = <Copy extends CopyOut>(client: PoolClient, copy: Copy): Copy => {
  client.query(copy as unknown as Parameters<PoolClient['query']>[0]);
  return copy;
};

/** Begins a `COPY … TO STDOUT` on a connection that does nothing else. */
export function copyOut(client: PoolClient, text: string): CopyOut {
  return begin(client, new CopyOut(text));
}

/** Signature, flags and the length of an extension that nobody has made. */
const FILE_HEAD = 19;
/** How many columns, and of the only one its length. */
const ROW_HEAD = 6;
const PIECE = 128 * 1024;

/** Of a binary COPY the only column, one row after the other. */
class ColumnOut extends CopyOut {
  private piece = Buffer.alloc(0);
  private used = 0;
  private head = FILE_HEAD;

  constructor(text: string) {
    // As they were made: bytes would be put together once more.
    super(text, { objectMode: true, highWaterMark: 4 });
  }

  /** Each row comes in a message of its own, the first behind the head. */
  override handleCopyData({ chunk }: { chunk: Buffer }): void {
    const value = chunk.subarray(this.head + ROW_HEAD);
    this.head = 0;
    if (this.used + value.length > this.piece.length) {
      this.flush();
      this.piece = Buffer.allocUnsafe(Math.max(PIECE, value.length));
    }
    this.used += value.copy(this.piece, this.used);
  }

  private flush(): void {
    if (this.used > 0) this.give(this.piece.subarray(0, this.used));
    this.used = 0;
  }

  override handleReadyForQuery(): void {
    this.flush();
    super.handleReadyForQuery();
  }
}

/**
 * The bytes of one column of text or bytea of a `query` that has no other, in
 * pieces, on a connection that does nothing else meanwhile.
 */
export function columnOut(client: PoolClient, query: string): CopyOut {
  const text = `COPY (${query}) TO STDOUT (FORMAT binary)`;
  return begin(client, new ColumnOut(text));
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
