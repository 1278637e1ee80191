import { signCheckpoint } from '../../protocol/checkpoint.js';
import { frontierRoot } from '../../protocol/frontier.js';
import type { Signer } from '../../protocol/note.js';
import type { Clock } from '../clock.js';
import { type Tx, together } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { Turn } from './append-context.js';
import { lockHead, writeHead } from './head.js';
import { type AnyJoint, BatchState } from './joint.js';

/**
 * Work under the head lock. It decides and writes through `turn`; the function
 * it returns is called after the commit and gives the caller's answer. A job
 * whose transaction failed is run again from the start, so it keeps no state.
 */
export type Job<T> = {
  (turn: Turn): Promise<(() => T) | typeof LATER>;
  /** What is read for a whole batch of its kind at once. */
  joint?: AnyJoint;
};

/** A job's wish to run again after this commit, whose rows it has to see. */
export const LATER = Symbol('later');

export type BatchResult = {
  answers: ((() => unknown) | typeof LATER)[];
  /** The first leaf, to find out whether an unanswered COMMIT happened. */
  mark: { index: number; leafHash: Uint8Array } | null;
};

/** A clock read this long before the lock was there is still good, in ms. */
const FRESH_MS = 20;

/**
 * Runs jobs one after the other in one transaction and signs one checkpoint
 * over what they appended (group commit, spec/mesh.md §B4). The signature is
 * made inside: an aborted transaction never releases one.
 *
 * What all jobs need is asked for together with the lock and so read after it;
 * if the lock had to be waited for, it is asked for again by the clock of then.
 */
export async function runBatch(
  tx: Tx,
  jobs: readonly Job<unknown>[],
  clock: Clock,
  logKey: Signer,
  instance: string,
): Promise<BatchResult> {
  const state = new BatchState(tx);
  const joints = jobs.map(({ joint }) => joint);
  let now = clock.now();
  const [head, isJoint] = await together([
    lockHead(tx),
    state.prepare(joints, now),
  ]);
  if (head.origin !== logKey.vkey.name) throw replaced(head.origin);
  if (isJoint && Math.abs(clock.now() - now) > FRESH_MS) {
    now = clock.now();
    await state.prepare(joints, now);
  }
  const turns: Turn[] = [];
  const answers: BatchResult['answers'] = [];
  for (const job of jobs) {
    const turn = new Turn(state, head, isJoint ? now : clock.now());
    answers.push(await job(turn));
    turns.push(turn);
  }
  const flushed = state.pending.flush();
  flushed.catch(() => {}); // it is awaited below, unless something throws here
  const leaves = turns.flatMap((turn) => turn.leaves);
  const [first] = leaves;
  if (first === undefined) {
    await flushed;
    return { answers, mark: null };
  }
  const { size } = head.frontier;
  const root = frontierRoot(head.frontier);
  const note = signCheckpoint({ origin: head.origin, size, root }, logKey);
  const signed = { origin: head.origin, size, checkpoint: note };
  const written = writeHead(
    tx,
    head,
    { note, root },
    leaves,
    turns.flatMap((turn) => turn.nodes),
    turns.flatMap((turn) => turn.receipts(signed)),
    instance,
  );
  await together([flushed, written]);
  return { answers, mark: { index: first.index, leafHash: first.leafHash } };
}

/** A process that was not started anew with a new generation signs nothing. */
function replaced(origin: string): BoardError {
  return new BoardError(
    'log_guard',
    `This board's log is now ${origin}, and this process was started with the one before; its operator has to start it again.`,
    { retry_after_seconds: 30 },
  );
}
