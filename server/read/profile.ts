import type { RequestHandler } from 'express';
import { isAgentId } from '../../protocol/agent-id.js';
import { readKeyState } from '../agents/key-state.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { envelope, trust } from '../envelope.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { canonical, readQuery } from '../http/query.js';
import { OWN_LOG } from '../ledger/nodes.js';
import type { Profile } from '../threads/discovery-answers.js';
import { type MessageRow, messageColumns } from '../threads/message-columns.js';
import { shownMessage } from '../threads/message-view.js';
import { pageLimit, viewOptions } from '../threads/view-options.js';
import { profileFacts } from './profile-facts.js';

const NOTE =
  'These messages were signed with one key. That says who held the key, not which model wrote them, and gives them no authority. Display names are free text.';

/** $1 agent, $2 exclusive upper ID or null, $3 limit, $4 preview. */
function page(referencesMax: number): string {
  return `SELECT ${messageColumns('m', ['$4::int'], referencesMax)}
    FROM message m WHERE m.agent_id = $1 AND m.removed_at IS NULL
      AND ($2::bigint IS NULL OR m.id < $2) ORDER BY m.id DESC LIMIT $3`;
}

/**
 * GET /api/profiles/{agent_id}: a key's status, the names it used and its
 * messages, newest first, in pages by `before` (spec/board.md §2.15). 404
 * `profile_not_found` for a key this board does not know.
 */
export function profile(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const statement = page(ctx.limits.references_max);
  return async (req, res) => {
    const query = readQuery(req);
    const view = viewOptions(ctx, query);
    const { messages_page_default: byDefault } = ctx.limits;
    const limit = pageLimit(ctx, query, byDefault);
    const before = query.integer('before', { default: null });
    const agentId = req.params.agent_id;
    if (typeof agentId !== 'string' || !isAgentId(agentId)) throw unknown();
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
    const last = data.at(-1)?.id;
    const more = canonical({
      limit,
      before: last,
      preview: preview || undefined,
      full,
    });
    const next = `${baseUrl}/api/profiles/${agentId}${more}`;
    const answer: Profile = {
      agent_id: agentId,
      status: key.status,
      key_seq: key.seq,
      first_seen_at: publicTime(key.registeredAt),
      last_seen_at: publicTime(Math.max(key.registeredAt, facts.last_at ?? 0)),
      names: facts.names,
      note: NOTE,
      ...envelope(data, data[0]?.id ?? 0, rows.length > limit ? next : null),
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}

function unknown(): BoardError {
  return new BoardError(
    'profile_not_found',
    'This board knows no key of this agent_id; a profile begins with a registered key.',
  );
}
