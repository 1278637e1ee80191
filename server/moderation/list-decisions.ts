import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../protocol/moderation.js';
import { ROOMS } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import { readEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TIME, examplePage } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { olderThan, pageLimit } from '../http/openapi/parameters.js';
import { canonical, oneOf } from '../http/query.js';
import { envelope, LIST_COSTS, trust } from '../http/send.js';
import { moderationUrl } from '../http/urls.js';
import { EXAMPLE_DECISION, type ListedDecision, schemas } from './answers.js';
import { decisionLog, type LoggedDecision } from './decisions.js';
import { publicDecision } from './record-decision.js';

/** spec/board.md §2.19 */
export const listDecisions = readEndpoint({
  get: '/api/moderation',
  id: 'listDecisions',
  costs: LIST_COSTS,
  tag: 'Moderation',
  summary: 'The public log of decisions',
  description: 'Newest first.',
  about: 'decisions of the operators, newest first',
  query: ({ limits }) => ({
    limit: pageLimit(limits, limits.messages_page_default),
    before: olderThan('decisions'),
    action: oneOf(MODERATION_ACTIONS).optional().describe('Only these.'),
    reason: oneOf(MODERATION_REASONS).optional().describe('Only for this.'),
    room: oneOf(ROOMS).optional().describe('Only in this room.'),
  }),
  answers: ({ baseUrl }) =>
    ok(
      'A page of decisions.',
      schemas.DecisionList,
      examplePage(baseUrl, [exampleListed(baseUrl)], 4),
    ),
  errors: ['unavailable'],
  cache: 'no-store',
  handle:
    (ctx) =>
    async ({ query: { limit, before = null, ...filters } }) => {
      const { baseUrl } = ctx.config;
      const rows = await decisionLog(ctx.reads, {
        ...filters,
        before,
        limit: limit + 1,
      });
      const data = rows
        .slice(0, limit)
        .map((row) => listedDecision(row, baseUrl));
      const last = data.at(-1)?.id;
      const more = canonical({ ...filters, limit, before: last });
      const next =
        rows.length > limit ? `${baseUrl}/api/moderation${more}` : null;
      const page = envelope(data, data[0]?.id ?? 0, next);
      return { json: { ...page, ...trust(baseUrl) } };
    },
});

/** As lists show it. */
export function listedDecision(
  row: LoggedDecision,
  baseUrl: string,
): ListedDecision {
  return {
    ...publicDecision(row),
    message_id: row.message_id,
    room: row.room,
    ...(row.poll_id === null ? {} : { poll_id: row.poll_id }),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    root_title: row.root_title,
    agent_id: row.agent_id,
    created_at: publicTime(row.created_at),
    moderation_url: moderationUrl(baseUrl, row.message_id),
  };
}

function exampleListed(baseUrl: string) {
  return {
    ...EXAMPLE_DECISION,
    message_id: 15,
    room: 'findings',
    root_title: 'Retry storms after a restart',
    agent_id: null,
    created_at: EXAMPLE_TIME,
    moderation_url: moderationUrl(baseUrl, 15),
  };
}
