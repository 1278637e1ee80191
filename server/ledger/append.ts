import { signCheckpoint } from '../../protocol/checkpoint.js';
import { type Entry, formatEntry } from '../../protocol/entry.js';
import type { Signer } from '../../protocol/note.js';
import {
  appendLeaf,
  frontierRoot,
  leafHash,
  type TreeNode,
} from '../../protocol/tree.js';
import type { Clock } from '../clock.js';
import { type BudgetCheck, counterName, type Spend } from '../db/budgets.js';
import type { LogEnd } from '../db/notifications.js';
import type { Tx } from '../db/sql.js';
import { BoardError } from '../errors.js';
import {
  type Head,
  type LeafRow,
  lockHead,
  type ReceiptRow,
  writeHead,
  writeInOne,
} from './head.sql.js';
import type { HeadMemory } from './rollback-guard.js';

/** spec/board.md §5.4, `log`. */
export type SignedHead = { origin: string; size: number; checkpoint: string };

/**
 * Runs under the head lock; the returned function runs after the commit and
 * gives the answer. A job keeps no state: it runs again when its transaction
 * failed.
 */
export type Job<T> = (context: AppendContext) => Promise<Outcome<T>>;

type Outcome<T> = (() => T) | typeof LATER;

export function refuse(error: BoardError): () => never {
  return () => {
    throw error;
  };
}

/** The job runs again after this commit, whose rows it has to see. */
export const LATER = Symbol('later');

/** Reads of a batch, as of before it: jobs allow for earlier jobs' changes. */
export type BatchReads<Question, Facts> = {
  read(
    tx: Tx,
    questions: readonly Question[],
    now: number,
  ): Promise<readonly Facts[]>;
  question: Question;
};

/** Without `facts` it MUST flush `batch.buffer` before it reads. */
export type BatchJob<T, Facts = unknown> = {
  run(context: AppendContext, facts?: Facts): Promise<Outcome<T>>;
  reads?: BatchReads<unknown, Facts>;
};

type RowsWriter<Row> = (tx: Tx, rows: readonly Row[]) => Promise<void>;

class WriteBuffer {
  private write: RowsWriter<unknown> | null = null;
  private rows: unknown[] = [];
  private isWritten = false;

  constructor(private readonly tx: Tx) {}

  async add<Row>(write: RowsWriter<Row>, row: Row): Promise<void> {
    if (this.write !== null && this.write !== write) await this.flush();
    this.write = write as RowsWriter<unknown>;
    this.rows.push(row);
  }

  async flush(): Promise<void> {
    this.isWritten = true;
    const { write, rows } = this;
    if (write === null) return;
    this.write = null;
    this.rows = [];
    await write(this.tx, rows);
  }

  /** Null where the batch may have written already. */
  take(): ((tx: Tx) => Promise<void>) | null {
    const { write, rows, isWritten } = this;
    if (write === null || isWritten) return null;
    this.write = null;
    return (tx) => write(tx, rows);
  }
}

export class BatchState {
  readonly buffer: WriteBuffer;
  private readonly spent = new Map<string, number>();

  constructor(readonly tx: Tx) {
    this.buffer = new WriteBuffer(tx);
  }

  countSpend({ scope, key }: Spend): void {
    const name = counterName(scope, key);
    this.spent.set(name, (this.spent.get(name) ?? 0) + 1);
  }

  /** False where the batch may have used up the limit. */
  hasRoom({ scope, key }: BudgetCheck, room: number): boolean {
    const names = new Set(
      [key.today, key.yesterday].map((name) => counterName(scope, name)),
    );
    let spent = 0;
    for (const name of names) spent += this.spent.get(name) ?? 0;
    return spent === 0 || spent < room;
  }
}

const NOTHING = {
  messageId: null,
  agentId: null,
  messageHash: null,
  rootId: null,
};

/** `now` is for windows; `at` never goes back. */
export class AppendContext {
  readonly tx: Tx;
  readonly leaves: LeafRow[] = [];
  readonly nodes: TreeNode[] = [];
  readonly receiptsDue: ((head: SignedHead) => ReceiptRow)[] = [];

  constructor(
    readonly batch: BatchState,
    readonly head: Head,
    readonly now: number,
  ) {
    this.tx = batch.tx;
    head.lastAt = Math.max(now, head.lastAt);
  }

  get at(): number {
    return this.head.lastAt;
  }

  takeMessageId(): number {
    this.head.lastMessageId += 1;
    return this.head.lastMessageId;
  }

  append(
    entry: Entry,
    about: Partial<Pick<LeafRow, keyof typeof NOTHING>> = {},
  ): number {
    const leaf = formatEntry(entry);
    const hash = leafHash(leaf);
    const index = this.head.frontier.size;
    const grown = appendLeaf(this.head.frontier, hash);
    this.head.frontier = grown.frontier;
    this.nodes.push(...grown.nodes);
    const { type } = entry;
    const row = { index, type, ...NOTHING, ...about, leaf, leafHash: hash };
    this.leaves.push(row);
    return index;
  }

  claim(requestId: string): void {
    this.head.claimed.add(requestId);
  }

  /** The receipt can be read only after the commit: answer LATER. */
  isClaimed(requestId: string): boolean {
    return this.head.claimed.has(requestId);
  }

  onSigned(write: (head: SignedHead) => ReceiptRow): void {
    this.receiptsDue.push(write);
  }
}

export type BatchResult = {
  answers: Outcome<unknown>[];
  /** The first leaf, to find out whether an unanswered COMMIT happened. */
  mark: { index: number; leafHash: Uint8Array } | null;
  end: LogEnd | null;
  /** Of the threads that show all of it, besides lists; null: more does. */
  roots: number[] | null;
};

type BatchOptions = {
  clock: Clock;
  logKey: Signer;
  /** Distinguishes processes that share a database. */
  instance?: string;
  lockWaitMs?: number;
  memory?: HeadMemory;
};

/**
 * Runs jobs in one transaction and signs one checkpoint (group commit,
 * spec/mesh.md §B4). Signed inside: an aborted transaction never releases a
 * signature.
 */
export async function runBatch(
  tx: Tx,
  jobs: readonly BatchJob<unknown>[],
  options: BatchOptions,
): Promise<BatchResult> {
  const { clock, logKey, instance = '', lockWaitMs, memory } = options;
  // Before the lock: a later end may be noted while this waits.
  const end = memory?.end ?? null;
  const readAt = clock.now();
  // In one trip: the second begins when the first has the lock.
  const [head, facts] = await Promise.all([
    lockHead(tx, lockWaitMs, end?.size),
    readTogether(tx, jobs, readAt),
    tx.begun,
  ]);
  if (head.origin !== logKey.vkey.name) throw replaced(head.origin);
  const locked = { ...head, size: head.frontier.size };
  if (end !== null) await memory?.assertExtended(tx, end, locked);
  const batch = new BatchState(tx);
  const contexts: AppendContext[] = [];
  const answers: BatchResult['answers'] = [];
  for (const [at, { run, reads }] of jobs.entries()) {
    if (reads === undefined) await batch.buffer.flush();
    const now = facts === null ? clock.now() : readAt;
    const context = new AppendContext(batch, head, now);
    answers.push(await run(context, facts?.[at]));
    contexts.push(context);
  }
  const insert = tx.withCommit === null ? null : batch.buffer.take();
  if (insert === null) await batch.buffer.flush();
  const leaves = contexts.flatMap((context) => context.leaves);
  const [first] = leaves;
  if (first === undefined) {
    await insert?.(tx);
    return { answers, mark: null, end: null, roots: null };
  }
  const { size } = head.frontier;
  const root = frontierRoot(head.frontier);
  const note = signCheckpoint({ origin: head.origin, size, root }, logKey);
  const signed = { origin: head.origin, size, checkpoint: note };
  const changed = new Set(leaves.map(({ rootId }) => rootId));
  const roots = changed.has(null) ? null : ([...changed] as number[]);
  const receipts = contexts.flatMap((it) =>
    it.receiptsDue.map((write) => write(signed)),
  );
  const write = (by: Tx) =>
    writeHead(
      by,
      head,
      { note, root },
      leaves,
      contexts.flatMap(({ nodes }) => nodes),
      receipts,
      instance,
      roots,
    );
  if (insert === null) await write(tx);
  else await writeInOne(tx, insert, write);
  return {
    roots,
    answers,
    mark: { index: first.index, leafHash: first.leafHash },
    end: { origin: head.origin, size, root },
  };
}

async function readTogether(
  tx: Tx,
  jobs: readonly BatchJob<unknown>[],
  now: number,
): Promise<readonly unknown[] | null> {
  const read = jobs[0]?.reads?.read;
  if (read === undefined) return null;
  if (jobs.some(({ reads }) => reads?.read !== read)) return null;
  const questions = jobs.map(({ reads }) => reads?.question);
  return await read(tx, questions, now);
}

/** A process from before the new generation must not sign. */
function replaced(origin: string): BoardError {
  return new BoardError(
    'log_guard',
    `This board's log is now ${origin}, and this process was started with the one before; its operator has to start it again.`,
    { retry_after_seconds: 30 },
  );
}
