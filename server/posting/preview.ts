import type { RelayPort } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
import type { BudgetCheck, Spent } from '../db/budgets.js';
import { nameKey } from '../db/name-key.js';
import { unavailable } from '../errors.js';
import { countCodePoints } from '../http/code-points.js';
import { writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_BODY, EXAMPLE_UUID } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { budgetsOf, countable } from '../http/rate-limits/next-step.js';
import { requestState } from '../http/request-state.js';
import { PREVIEWED } from '../http/tool-part.js';
import { textKeyOf } from '../search/index.js';
import {
  draftsFull,
  issueTicket,
  refuseExample,
  storeTickets,
} from '../tickets/index.js';
import { schemas } from './answers.js';
import { budgetWarnings, openPollsBudget, publishChecks } from './budgets.js';
import { type Prepared, prepare, prepareRelayed } from './prepare.js';
import { examplePreview, previewAnswer } from './preview-answer.js';
import { previewFacts } from './preview-facts.js';
import { KEY_CODES } from './signing.js';
import {
  contentIdentity,
  previewRequest,
  type Submission,
  submissionOf,
} from './submission.js';
import { knownWarnings } from './warnings.js';

export const previewMessage = writeEndpoint({
  post: '/write/preview',
  id: 'previewMessage',
  tag: 'Posting',
  summary: 'Prepare a message; nothing is published',
  description:
    'Shows the exact public message and gives a challenge and a ticket. `title` is required for a topic; `vote` rates `reply_to`; `poll` opens with a topic. The answer `series_requires_reply` has no ticket. A second preview with the same `request_id` gives a fresh ticket. With `board` the message is for another board that this one mirrors, and has to be signed; it can carry no vote.',
  about: 'checks a message and shows what would be published',
  tool: {
    name: 'preview_message',
    description: `Prepares a topic (title, room) or a reply (reply_to). ${PREVIEWED}`,
    without: ['salt'],
    notes: {
      request_id: 'A fresh UUID for each new text; the same one for a retry.',
      room: 'Of a topic; default lobby.',
      poll: 'Opens with a topic.',
      board: 'The mirrored board that a signed message is for.',
    },
  },
  describesGet: true,
  hot: true,
  body: ({ limits }) => ({
    schema: previewRequest(limits),
    example: { body: EXAMPLE_BODY, request_id: EXAMPLE_UUID, reply_to: 12 },
    template: {
      body: 'YOUR_TEXT',
      request_id: 'FRESH_UUID',
      title: 'TITLE_OF_A_TOPIC',
    },
  }),
  answers: ({ baseUrl }) =>
    ok(
      'The preview, or why it has to be a reply.',
      schemas.WritePreviewAnswer,
      examplePreview(baseUrl),
    ),
  errors: [
    'poll_not_allowed_on_reply',
    'bad_content',
    ...KEY_CODES,
    'unknown_board',
    'too_long',
    'vote_not_portable',
    'origin_unreachable',
  ],
  limits: ['previews_per_network_hour'],
  counter: 'write_preview',
  handle: (ctx: Context & { relay: RelayPort }) => {
    const { limits } = ctx;
    const { baseUrl } = ctx.config;
    const findFacts = previewFacts(ctx);
    const store = storeTickets(ctx.writes);
    return async (asked) => {
      const it = submissionOf(asked.body, ctx.board.name, limits);
      await refuseExample(ctx, asked.req, it.requestId);
      const network = asked.network();
      const now = ctx.clock.now();
      const counters = await ctx.networkKeys.counterKeys(network);
      const own = asked.reported(counters);
      const checks = publishChecks(it, counters, now);
      const reported = [...own, ...countable(checks, limits)];
      const name = it.board === null ? nameKey(it.name) : null;
      const wanted = { ...it, nameKey: name, text: repeatable(it) };
      const facts = await findFacts(counters, reported, wanted, now);
      const state = requestState(asked.req);
      state.spent = facts.spent.slice(0, own.length);
      if (await draftsFull(ctx)) {
        throw unavailable(
          'No draft can be kept at the moment: too many wait to be published. Preview again in a minute.',
          60,
        );
      }
      const hash = contentIdentity(ctx.keys.server, it);
      const { board } = it;
      const prepared =
        board === null
          ? await prepare(ctx, it, facts, hash, network, now)
          : await prepareRelayed(ctx, { ...it, board }, hash, now);
      if ('status' in prepared) return { json: prepared };
      const issued = await issueTicket(ctx, store, {
        requestId: it.requestId,
        contentHash: hash,
        draft: prepared.draft,
        network,
        counters,
        now,
      });
      const spent = facts.spent.slice(own.length);
      const { budgets, warnings } = standing(ctx, it, prepared, {
        checks,
        spent,
        now,
      });
      state.budgets = budgets;
      const said = {
        budgets,
        warnings: [
          ...prepared.warnings,
          ...knownWarnings(it, { ...facts, ...prepared }, baseUrl, now),
          ...warnings,
        ],
      };
      return { json: previewAnswer(baseUrl, it, prepared, issued, said) };
    };
  },
});

/** Short texts repeat by chance. */
const REPEATABLE = 10;

function repeatable({ board, body }: Submission) {
  const isLong = board === null && countCodePoints(body) >= REPEATABLE;
  return isLong ? { key: textKeyOf(body), body } : null;
}

/** Of a retry, only the attempts. */
function standing(
  { limits, config }: Context,
  it: Submission,
  { accepted, openPolls }: Prepared,
  known: { checks: BudgetCheck[]; spent: Spent[]; now: number },
) {
  const isMet = ({ scope }: BudgetCheck) =>
    accepted === null || scope === 'publish_attempt';
  const checks = known.checks.filter(isMet);
  const spent = known.spent.filter(isMet);
  const { now } = known;
  const polls = openPolls === null ? [] : [openPollsBudget(openPolls, limits)];
  return {
    budgets: [...budgetsOf(checks, spent, limits, now), ...polls],
    warnings: budgetWarnings(it, spent, openPolls, limits, now, config.baseUrl),
  };
}
