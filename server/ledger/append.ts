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
import type { LogEnd } from '../db/grown-note.js';
import type { Tx } from '../db/sql.js';
import { BoardError } from '../errors.js';
import {
  type Head,
  type LeafRow,
  lockHead,
  type ReceiptRow,
  writeHead,
} from './head.sql.js';
import type { HeadMemory } from './head-memory.js';

/** What a receipt takes from a signed head (spec/board.md §5.4, `log`). */
export type SignedHead = { origin: string; size: number; checkpoint: string };

/**
 * Work under the head lock. It decides and writes through `context`; the
 * function it returns is called after the commit and gives the caller's answer.
 * A job whose transaction failed runs again from the start, so it keeps no
 * state.
 */
export type Job<T> = (context: AppendContext) => Promise<Outcome<T>>;

type Outcome<T> = (() => T) | typeof LATER;

/** A refusal as a job gives it: a function that throws. */
export function refuse(error: BoardError): () => never {
  return () => {
    throw error;
  };
}

/** A job's wish to run again after this commit, whose rows it has to see. */
export const LATER = Symbol('later');

/**
 * Reads that many jobs of one kind need, made once for a batch of them. `read`
 * answers each question in its order, as the database was before the first job
 * of the batch: a later job has to allow for what earlier ones change.
 */
export type BatchReads<Question, Facts> = {
  read(
    tx: Tx,
    questions: readonly Question[],
    now: number,
  ): Promise<readonly Facts[]>;
  question: Question;
};

/**
 * A job and its reads. `facts` is absent when the batch holds jobs of another
 * kind; such a job writes through `batch.buffer` and MUST flush it before it
 * reads by itself.
 */
export type BatchJob<T, Facts = unknown> = {
  run(context: AppendContext, facts?: Facts): Promise<Outcome<T>>;
  reads?: BatchReads<unknown, Facts>;
};

/** Writes the rows that jobs of a batch put off, all in one statement. */
type RowsWriter<Row> = (tx: Tx, rows: readonly Row[]) => Promise<void>;

/** Rows of a batch that are written together. */
class WriteBuffer {
  private write: RowsWriter<unknown> | null = null;
  private rows: unknown[] = [];

  constructor(private readonly tx: Tx) {}

  async add<Row>(write: RowsWriter<Row>, row: Row): Promise<void> {
    if (this.write !== write) await this.flush();
    this.write = write as RowsWriter<unknown>;
    this.rows.push(row);
  }

  async flush(): Promise<void> {
    const { write, rows } = this;
    if (write === null) return;
    this.write = null;
    this.rows = [];
    await write(this.tx, rows);
  }
}

/** What the jobs of one batch share: their writes and what they have spent. */
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

  /**
   * Whether a limit that had this much room before the batch surely has some
   * still, or was not touched by it.
   */
  hasRoom({ scope, key }: BudgetCheck, room: number): boolean {
    const names = new Set(
      [key.today, key.yesterday].map((name) => counterName(scope, name)),
    );
    let spent = 0;
    for (const name of names) spent += this.spent.get(name) ?? 0;
    return spent === 0 || spent < room;
  }
}

/**
 * One job's view of the log under the head lock. `now` is the clock read after
 * the lock (windows, deadlines, midnights); `at` never goes back (log and
 * created_at).
 */
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

  /** The next message id; a transaction that fails gives it back. */
  takeMessageId(): number {
    this.head.lastMessageId += 1;
    return this.head.lastMessageId;
  }

  /** Appends a leaf and answers its index. */
  append(
    entry: Entry,
    about: Partial<Pick<LeafRow, 'messageId' | 'agentId' | 'messageHash'>> = {},
  ): number {
    const leaf = formatEntry(entry);
    const hash = leafHash(leaf);
    const index = this.head.frontier.size;
    const grown = appendLeaf(this.head.frontier, hash);
    this.head.frontier = grown.frontier;
    this.nodes.push(...grown.nodes);
    const none = { messageId: null, agentId: null, messageHash: null };
    const { type } = entry;
    this.leaves.push({ index, type, ...none, ...about, leaf, leafHash: hash });
    return index;
  }

  /** Says that this batch holds the message of a request_id. */
  claim(requestId: string): void {
    this.head.claimed.add(requestId);
  }

  /**
   * Whether this batch holds its message already. The receipt can be read only
   * after the commit: the job has to answer LATER.
   */
  isClaimed(requestId: string): boolean {
    return this.head.claimed.has(requestId);
  }

  /** A receipt that needs the checkpoint of the batch it commits with. */
  onSigned(write: (head: SignedHead) => ReceiptRow): void {
    this.receiptsDue.push(write);
  }
}

export type BatchResult = {
  answers: Outcome<unknown>[];
  /** The first leaf, to find out whether an unanswered COMMIT happened. */
  mark: { index: number; leafHash: Uint8Array } | null;
  /** The log's end after it; null when nothing was appended. */
  end: LogEnd | null;
};

type BatchOptions = {
  clock: Clock;
  logKey: Signer;
  /** Tag of this process among those on one database, where several write. */
  instance?: string;
  lockWaitMs?: number;
  /** What the locked log has to go on from. */
  memory?: HeadMemory;
};

/**
 * Runs jobs one after the other in one transaction and signs one checkpoint
 * over what they appended (group commit, spec/mesh.md §B4). The signature is
 * made inside: an aborted transaction never releases one.
 */
export async function runBatch(
  tx: Tx,
  jobs: readonly BatchJob<unknown>[],
  { clock, logKey, instance = '', lockWaitMs, memory }: BatchOptions,
): Promise<BatchResult> {
  // Later ones may be remembered while this waits for the lock.
  const end = memory?.end ?? null;
  const head = await lockHead(tx, lockWaitMs, end?.size);
  if (head.origin !== logKey.vkey.name) throw replaced(head.origin);
  const locked = { ...head, size: head.frontier.size };
  if (end !== null) await memory?.assertExtended(tx, end, locked);
  const batch = new BatchState(tx);
  const readAt = clock.now();
  const facts = await readTogether(tx, jobs, readAt);
  const contexts: AppendContext[] = [];
  const answers: BatchResult['answers'] = [];
  for (const [at, { run, reads }] of jobs.entries()) {
    if (reads === undefined) await batch.buffer.flush();
    const now = facts === null ? clock.now() : readAt;
    const context = new AppendContext(batch, head, now);
    answers.push(await run(context, facts?.[at]));
    contexts.push(context);
  }
  await batch.buffer.flush();
  const leaves = contexts.flatMap((context) => context.leaves);
  const [first] = leaves;
  if (first === undefined) return { answers, mark: null, end: null };
  const { size } = head.frontier;
  const root = frontierRoot(head.frontier);
  const note = signCheckpoint({ origin: head.origin, size, root }, logKey);
  const signed = { origin: head.origin, size, checkpoint: note };
  await writeHead(
    tx,
    head,
    { note, root },
    leaves,
    contexts.flatMap(({ nodes }) => nodes),
    contexts.flatMap((it) => it.receiptsDue.map((write) => write(signed))),
    instance,
  );
  return {
    answers,
    mark: { index: first.index, leafHash: first.leafHash },
    end: { origin: head.origin, size, root },
  };
}

/** The facts of all jobs, when all are of one kind. */
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

/** A process that was not restarted with a new generation signs nothing. */
function replaced(origin: string): BoardError {
  return new BoardError(
    'log_guard',
    `This board's log is now ${origin}, and this process was started with the one before; its operator has to start it again.`,
    { retry_after_seconds: 30 },
  );
}
