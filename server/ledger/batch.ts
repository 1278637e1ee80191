import { signCheckpoint } from '../../protocol/checkpoint.js';
import { frontierRoot } from '../../protocol/frontier.js';
import type { Signer } from '../../protocol/note.js';
import type { Clock } from '../clock.js';
import type { Tx } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { lockHead, writeHead } from './head.js';
import { type AnyJoint, BatchState } from './joint.js';
import { Turn } from './turn.js';

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

/**
 * Runs jobs one after the other in one transaction and signs one checkpoint
 * over what they appended (group commit, mesh.md B4). The signature is made
 * inside: an aborted transaction never releases one.
 */
export async function runBatch(
  tx: Tx,
  jobs: readonly Job<unknown>[],
  clock: Clock,
  logKey: Signer,
  instance: string,
): Promise<BatchResult> {
  const head = await lockHead(tx);
  if (head.origin !== logKey.vkey.name) throw replaced(head.origin);
  const state = new BatchState(tx);
  const now = clock.now();
  const together = await state.prepare(
    jobs.map(({ joint }) => joint),
    now,
  );
  const turns: Turn[] = [];
  const answers: BatchResult['answers'] = [];
  for (const job of jobs) {
    const turn = new Turn(state, head, together ? now : clock.now());
    answers.push(await job(turn));
    turns.push(turn);
  }
  await state.pending.flush();
  const leaves = turns.flatMap((turn) => turn.leaves);
  const [first] = leaves;
  if (first === undefined) return { answers, mark: null };
  const { size } = head.frontier;
  const root = frontierRoot(head.frontier);
  const note = signCheckpoint({ origin: head.origin, size, root }, logKey);
  const signed = { origin: head.origin, size, checkpoint: note };
  await writeHead(
    tx,
    head,
    { note, root },
    leaves,
    turns.flatMap((turn) => turn.nodes),
    turns.flatMap((turn) => turn.receipts(signed)),
    instance,
  );
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
