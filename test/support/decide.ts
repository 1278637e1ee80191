import type { Context } from '../../server/context.js';
import type { AppendContext } from '../../server/ledger/append.js';
import type { PublicDecision } from '../../server/moderation/answers.js';
import {
  eraseMessage,
  hideTopic,
  reinstateMessage,
  removeMessage,
  restoreTopic,
} from '../../server/moderation/moderate-message.js';
import type {
  DecisionInput,
  RemovalInput,
} from '../../server/moderation/record-decision.js';
import type { TestBoard } from './board.js';

export const RULING = {
  reason: 'spam',
  explanation: 'It says nothing — and says it often.',
  operator: 'warden',
} as const;

type Decide = (
  turn: AppendContext,
  ruling: RemovalInput,
  ctx: Context,
) => Promise<() => PublicDecision>;

function decision(decide: Decide) {
  return (
    { board: { context } }: TestBoard,
    id: number,
    more: Partial<RemovalInput> = {},
  ): Promise<PublicDecision> =>
    context.ledger.append((turn) =>
      decide(turn, { ...RULING, id, ...more }, context),
    );
}

/** Decisions as operators record them, through the ledger. */
export const decideTo = {
  remove: decision(removeMessage),
  erase: decision(eraseMessage),
  reinstate: decision((turn, ruling: DecisionInput) =>
    reinstateMessage(turn, ruling),
  ),
  hide: decision(hideTopic),
  restore: decision(restoreTopic),
};
