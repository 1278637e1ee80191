import { BoardError } from '../errors.js';
import { community } from '../http/community.js';
import { readEndpoint } from '../http/endpoint.js';
import { ok } from '../http/openapi/operation.js';
import { anyId } from '../http/openapi/parameters.js';
import {
  EXAMPLE_DECISION,
  type ModerationOfMessage,
  schemas,
} from './answers.js';
import { moderationState, type StateRow } from './decision-state.js';
import {
  DECISION_COLUMNS,
  type DecisionRow,
  publicDecision,
} from './record-decision.js';

type Row = StateRow & { id: number; decided: DecisionRow | { id: null } };

const STATEMENT = `SELECT m.id, m.removed_by, m.erased_by, m.visibility,
    row_to_json(d) AS decided
  FROM message m LEFT JOIN LATERAL (
    SELECT ${DECISION_COLUMNS} FROM decision d WHERE d.message_id = m.id) d
    ON true
  WHERE m.id = $1 ORDER BY d.id`;

/**
 * The state of a message and every decision about it, oldest first
 * (spec/board.md §2.19).
 */
export const readDecisions = readEndpoint({
  get: '/api/moderation/:message_id',
  id: 'readDecisions',
  tag: 'Moderation',
  summary: 'What was decided about a message',
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
      const rows = await ctx.reads.query<Row>(STATEMENT, [id]);
      const [first] = rows;
      if (first === undefined) throw unknown();
      const decisions = rows.flatMap(({ decided }) =>
        decided === null || decided.id === null ? [] : publicDecision(decided),
      );
      const json: ModerationOfMessage = {
        message_id: first.id,
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
