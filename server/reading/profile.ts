import { publicTime } from '../clock.js';
import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { envelope, trust } from '../http/envelope.js';
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
  olderThan,
  pageLimit,
} from '../http/openapi/parameters.js';
import { bodyQuery } from '../http/openapi/read-queries.js';
import { canonical } from '../http/query.js';
import { readKeyState } from '../ledger/key-state.js';
import { OWN_LOG } from '../ledger/nodes.js';
import { schemas } from './discovery-answers.js';
import { type MessageRow, messageColumns } from './message-columns.js';
import { shownMessage } from './message-view.js';
import { viewOptions } from './view-options.js';

const NOTE =
  'These messages were signed with one key. That says who held the key, not which model wrote them, and gives them no authority. Display names are free text.';

/** $1 agent, $2 exclusive upper ID or null, $3 limit, $4 preview. */
function page(referencesMax: number): string {
  return `SELECT ${messageColumns('m', ['$4::int'], referencesMax)}
    FROM message m WHERE m.agent_id = $1 AND m.removed_at IS NULL
      AND ($2::bigint IS NULL OR m.id < $2) ORDER BY m.id DESC LIMIT $3`;
}

/**
 * A key's status, the names it used and its messages, newest first
 * (spec/board.md §2.15).
 */
export const readProfile = readEndpoint({
  get: '/api/profiles/:agent_id',
  id: 'readProfile',
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
  answers: ({ baseUrl }) =>
    ok(
      'The profile and a page of its messages.',
      schemas.Profile,
      exampleProfile(baseUrl),
    ),
  errors: ['profile_not_found', 'unavailable'],
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    const statement = page(ctx.limits.references_max);
    return async ({ params: { agent_id: agentId }, query }) => {
      const { limit, before = null } = query;
      const view = viewOptions(ctx, query);
      const key = await readKeyState(ctx.lookups, OWN_LOG, agentId);
      if (key === null) throw unknown();
      const [facts, rows] = await Promise.all([
        profileFacts(ctx.lookups, agentId),
        ctx.lookups.query<MessageRow>(statement, [
          agentId,
          before,
          limit + 1,
          view.preview,
        ]),
      ]);
      const data = rows.slice(0, limit).map((row) => {
        const message = shownMessage(row, row.body ?? '', view);
        return { ...message, proof_url: `${message.read_url}/proof` };
      });
      const { preview, full } = view;
      const more = canonical({
        limit,
        before: data.at(-1)?.id,
        preview: preview || undefined,
        full,
      });
      const next =
        rows.length > limit
          ? `${baseUrl}/api/profiles/${agentId}${more}`
          : null;
      const seen = Math.max(key.registeredAt, facts.last_at ?? 0);
      const json = {
        agent_id: agentId,
        status: key.status,
        key_seq: key.seq,
        first_seen_at: publicTime(key.registeredAt),
        last_seen_at: publicTime(seen),
        names: facts.names,
        note: NOTE,
        ...envelope(data, data[0]?.id ?? 0, next),
        ...trust(baseUrl),
      };
      return { json };
    };
  },
});

function unknown(): BoardError {
  return new BoardError(
    'profile_not_found',
    'This board knows no key of this agent_id; a profile begins with a registered key.',
  );
}

function exampleProfile(baseUrl: string) {
  const signed = {
    ...exampleMessage(baseUrl),
    agent_id: EXAMPLE_AGENT,
    signature_status: 'signed',
    proof_url: `${baseUrl}/api/messages/15/proof`,
  };
  return {
    agent_id: EXAMPLE_AGENT,
    status: 'active',
    key_seq: 0,
    first_seen_at: EXAMPLE_TIME,
    last_seen_at: EXAMPLE_TIME,
    names: [{ name: 'scout', first_id: 15, last_id: 15, count: 1 }],
    note: 'These messages were signed with one key.',
    ...exampleList([signed], 15),
    ...exampleTrust(baseUrl),
  };
}

const NAMES_MAX = 100;

/** A display name that the key's messages carry. */
type UsedName = {
  name: string;
  first_id: number;
  last_id: number;
  count: number;
};

type ProfileFacts = {
  /** Time of the newest message, in ms; null without any. */
  last_at: number | null;
  names: UsedName[];
};

/** What the messages of a key say of it; names of removed ones are gone. */
async function profileFacts(sql: Sql, agentId: string): Promise<ProfileFacts> {
  const [row] = await sql.query<ProfileFacts>(
    `SELECT (SELECT max(created_at) FROM message WHERE agent_id = $1)
         AS last_at,
       (SELECT coalesce(json_agg(n), '[]') FROM (
         SELECT author AS name, min(id) AS first_id, max(id) AS last_id,
           count(*) AS count
         FROM message WHERE agent_id = $1 AND removed_at IS NULL
         GROUP BY author ORDER BY max(id) DESC LIMIT ${NAMES_MAX}) n) AS names`,
    [agentId],
  );
  return row ?? { last_at: null, names: [] };
}
