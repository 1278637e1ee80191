import { Events } from '../../db/events.js';
import { Turn } from '../../ledger/append-context.js';
import { lockHead } from '../../ledger/head.js';
import { BatchState } from '../../ledger/joint.js';
import {
  moderationState,
  type StateRow,
} from '../../moderation/decision-state.js';
import type { DecisionPreview } from '../schemas/answers.js';
import type { DecideInput } from '../schemas/decide-command.js';
import type { Desk, Operator } from './action-context.js';
import { decideIn, mayDecide } from './decide.js';

/** Ends the transaction of a preview, which leaves nothing behind. */
class Undone extends Error {
  constructor(readonly shown: DecisionPreview) {
    super('a preview is rolled back');
  }
}

/**
 * Exactly what recording would publish if nothing comes between: the decision
 * is made under the head lock and rolled back. Refused as recording is.
 */
export async function previewDecision(
  desk: Desk,
  operator: Operator,
  input: DecideInput,
): Promise<DecisionPreview> {
  mayDecide(operator, input);
  try {
    return await desk.writes.transaction(async (tx) => {
      const head = await lockHead(tx);
      const turn = new Turn(new BatchState(tx), head, desk.clock.now());
      const nobody = { ...desk, events: new Events() };
      const decided = (await decideIn(turn, nobody, operator, input))();
      const [row] = await tx.query<StateRow>(
        `SELECT removed_by, erased_by, visibility FROM message WHERE id = $1`,
        [decided.message_id],
      );
      if (row === undefined) throw new Error('the subject is gone');
      const leaf = turn.leaves.at(-1)?.leaf ?? '';
      throw new Undone({
        ...decided,
        state: moderationState(row),
        log_entry: leaf,
      });
    });
  } catch (thrown) {
    if (thrown instanceof Undone) return thrown.shown;
    throw thrown;
  }
}
