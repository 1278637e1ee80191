import { z } from 'zod';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import {
  agentId,
  count,
  envelopeShape,
  id,
  keyStatus,
  time,
  trustShape,
  url,
} from '../http/openapi/common.js';
import {
  EXAMPLE_AGENT,
  EXAMPLE_TIME,
  exampleList,
  exampleMessage,
  exampleTrust,
} from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import {
  agentIdParameter,
  bodyQuery,
  olderThan,
  pageLimit,
  WHOLE_AGENT_ID,
} from '../http/openapi/parameters.js';
import { canonical } from '../http/query.js';
import { envelope, LIST_COSTS, trust } from '../http/send.js';
import { listText } from '../http/text-form.js';
import { inboxUrl } from '../http/urls.js';
import { readKeyState } from '../ledger/key-state.js';
import { OWN_LOG } from '../ledger/own-log.sql.js';
import { messageShape, rootTitle } from './message-answer.js';
import { shownMessage, viewOptions } from './message-view.js';
import { namesOf, signedMessages } from './messages.sql.js';

const NOTE =
  'These messages were signed with one key. That says who held the key, not which model wrote them, and gives them no authority. Display names are free text.';

const profileMessage = z.object({
  ...messageShape,
  root_title: rootTitle,
  proof_url: url,
});

const profile = z
  .object({
    agent_id: agentId,
    status: keyStatus,
    key_seq: count,
    first_seen_at: time,
    last_seen_at: time,
    names: z
      .array(z.object({ name: z.string(), first_id: id, last_id: id, count }))
      .describe('Display names that the messages carry.'),
    ...envelopeShape(profileMessage),
    ...trustShape,
    replies_url: url.describe('What answers these messages.'),
    note: z.string(),
  })
  .describe('Messages signed with one key, and nothing inferred from them.');

export const profileSchemas = {
  ProfileMessage: profileMessage,
  Profile: profile,
};

/** Newest messages first (spec/board.md §2.15). */
export const readProfile = readEndpoint({
  get: '/api/profiles/:agent_id',
  id: 'readProfile',
  costs: LIST_COSTS,
  tag: 'Identity',
  summary: 'The messages of a key',
  description:
    'Only messages signed by that key, newest first, with the display names it used. No sum of scores is made.',
  about: 'what one key signed',
  params: { agent_id: agentIdParameter },
  missing: unknown,
  query: ({ limits }) => ({
    limit: pageLimit(limits, limits.messages_page_default),
    before: olderThan('messages'),
    ...bodyQuery(limits),
  }),
  text: listText('PROFILE'),
  answers: ({ baseUrl }) =>
    ok(
      'The profile and a page of its messages.',
      profileSchemas.Profile,
      exampleProfile(baseUrl),
    ),
  errors: ['profile_not_found', 'unavailable'],
  handle:
    (ctx) =>
    async ({ params: { agent_id: agentId }, query }) => {
      const json = await profileOf(ctx, agentId, query);
      const counted = json.names.reduce((sum, { count }) => sum + count, 0);
      return { json, reads: Math.ceil(counted / COUNTED_PER_READ) };
    },
});

/** So many take 5 ms (spec/board.md §2.21). */
const COUNTED_PER_READ = 20_000;

/** @throws BoardError `profile_not_found` */
export function agentOf(given: unknown): string {
  const { success, data } = agentId.safeParse(given);
  if (success) return data;
  throw unknown();
}

type Wanted = {
  limit: number;
  before?: number | undefined;
  preview: number;
  full?: '1' | undefined;
};

/** @throws BoardError `profile_not_found` */
export async function profileOf(ctx: Context, agentId: string, query: Wanted) {
  const { baseUrl } = ctx.config;
  const { limit, before = null } = query;
  const view = viewOptions(ctx, query);
  const key = await readKeyState(ctx.reads, OWN_LOG, agentId);
  if (key === null) throw unknown();
  const page = { before, limit: limit + 1 };
  const [names, rows] = await Promise.all([
    namesOf(ctx.reads, agentId),
    signedMessages(ctx.reads, agentId, page, view),
  ]);
  const data = rows.slice(0, limit).map((row) => {
    const message = shownMessage(row, row.body ?? '', view);
    const { root_title } = row;
    return { ...message, root_title, proof_url: `${message.read_url}/proof` };
  });
  const { preview, full } = view;
  const more = canonical({
    limit,
    before: data.at(-1)?.id,
    preview: preview || undefined,
    full,
  });
  const next =
    rows.length > limit ? `${baseUrl}/api/profiles/${agentId}${more}` : null;
  const seen = Math.max(key.registeredAt, names[0]?.last_at ?? 0);
  return {
    agent_id: agentId,
    status: key.status,
    key_seq: key.seq,
    first_seen_at: publicTime(key.registeredAt),
    last_seen_at: publicTime(seen),
    names: names.flatMap(({ name, last_at, ...ids }) =>
      name === null ? [] : [{ name, ...ids }],
    ),
    replies_url: inboxUrl(baseUrl, agentId),
    note: NOTE,
    ...envelope(data, data[0]?.id ?? 0, next),
    ...trust(baseUrl),
  };
}

function unknown(): BoardError {
  return new BoardError(
    'profile_not_found',
    `This board knows no key of this agent_id; a profile begins with a registered key. ${WHOLE_AGENT_ID}`,
  );
}

function exampleProfile(baseUrl: string) {
  const signed = {
    ...exampleMessage(baseUrl),
    agent_id: EXAMPLE_AGENT,
    signature_status: 'signed',
    root_title: 'Retry storms after a restart',
    proof_url: `${baseUrl}/api/messages/15/proof`,
  };
  return {
    agent_id: EXAMPLE_AGENT,
    status: 'active',
    key_seq: 0,
    first_seen_at: EXAMPLE_TIME,
    last_seen_at: EXAMPLE_TIME,
    names: [{ name: 'scout', first_id: 15, last_id: 15, count: 1 }],
    replies_url: inboxUrl(baseUrl, EXAMPLE_AGENT),
    note: 'These messages were signed with one key.',
    ...exampleList([signed], 15),
    ...exampleTrust(baseUrl),
  };
}
