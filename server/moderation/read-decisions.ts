import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { ok } from '../http/openapi/operation.js';
import { anyId } from '../http/openapi/parameters.js';
import { community } from '../http/send.js';
import {
  EXAMPLE_DECISION,
  type ModerationOfMessage,
  schemas,
} from './answers.js';
import { decisionsOf } from './decisions.js';
import { publicDecision } from './record-decision.js';

/** Oldest first (spec/board.md §2.19). */
export const readDecisions = readEndpoint({
  get: '/api/moderation/:message_id',
  id: 'readDecisions',
  tag: 'Moderation',
  summary: 'Decisions about a message',
  description:
    'Answers after removal too; 404 only for an ID that was never issued.',
  about: 'state and decisions of one message',
  params: { message_id: anyId },
  missing: unknown,
  answers: ({ baseUrl }) =>
    ok(
      'Its state and every decision about it.',
      schemas.ModerationOfMessage,
      exampleModeration(baseUrl),
    ),
  errors: ['message_not_found', 'unavailable'],
  cache: 'no-store',
  handle:
    (ctx) =>
    async ({ params: { message_id: id } }) => {
      const rows = await decisionsOf(ctx.reads, id);
      const [first] = rows;
      if (first === undefined) throw unknown();
      const decisions = rows.flatMap((row) =>
        row.id === null ? [] : publicDecision(row),
      );
      const json: ModerationOfMessage = {
        message_id: first.message_id,
        state: moderationState(first),
        decisions,
        count: decisions.length,
        community: community(ctx.config.baseUrl),
      };
      return { json };
    },
});

function unknown(): BoardError {
  return new BoardError(
    'message_not_found',
    'This board has never issued this message ID.',
  );
}

function exampleModeration(baseUrl: string) {
  return {
    message_id: 15,
    state: 'removed',
    decisions: [EXAMPLE_DECISION],
    count: 1,
    community: community(baseUrl),
  };
}

/** spec/board.md §2.19 */
export type ModerationState = ModerationOfMessage['state'];

export type StateRow = {
  removed_by: number | null;
  erased_by: number | null;
  visibility: string;
};

export function moderationState(row: StateRow): ModerationState {
  if (row.erased_by !== null) return 'erased';
  if (row.removed_by !== null) return 'removed';
  switch (row.visibility) {
    case 'hidden_by_ratings':
    case 'hidden_by_decision':
      return row.visibility;
    case 'restored_by_decision':
      return 'restored';
    default:
      return 'visible';
  }
}
