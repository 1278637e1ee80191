import type { Context } from '../../server/context.js';
import type { Turn } from '../../server/ledger/append-context.js';
import type {
  PublicDecision,
  RemovalRuling,
  Ruling,
} from '../../server/moderation/record-decision.js';
import {
  eraseMessage,
  reinstateMessage,
  removeMessage,
} from '../../server/moderation/tombstone.js';
import {
  hideTopic,
  restoreTopic,
} from '../../server/moderation/topic-visibility.js';
import type { TestBoard } from './board.js';

export const RULING = {
  reason: 'spam',
  explanation: 'It says nothing — and says it often.',
  operator: 'warden',
} as const;

type Decide = (
  turn: Turn,
  ruling: RemovalRuling,
  ctx: Context,
) => Promise<() => PublicDecision>;

function decision(decide: Decide) {
  return (
    { board: { context } }: TestBoard,
    id: number,
    more: Partial<RemovalRuling> = {},
  ): Promise<PublicDecision> =>
    context.ledger.append((turn) =>
      decide(turn, { ...RULING, id, ...more }, context),
    );
}

/** Decisions as operators record them, through the ledger. */
export const decideTo = {
  remove: decision(removeMessage),
  erase: decision(eraseMessage),
  reinstate: decision((turn, ruling: Ruling) => reinstateMessage(turn, ruling)),
  hide: decision(hideTopic),
  restore: decision(restoreTopic),
};
