import {
  moderationState,
  type StateRow,
} from '../../moderation/decision-state.js';
import type { HiddenInput } from '../schemas/read-commands.js';
import type { ReportSeen } from '../schemas/report-commands.js';
import type { HiddenPage, HiddenTopic, VoteSeen } from '../schemas/views.js';
import type { Desk, Operator } from './action-context.js';
import { REPORT_SEEN, readsPrivateTexts } from './list-reports.js';

const VOTES_MAX = 500;

/** Times and signs of a message's votes; the networks stay behind. */
export function votesOf(id: string, max: number): string {
  return `(SELECT coalesce(json_agg(json_build_object('at', v.at,
      'value', v.value) ORDER BY v.at), '[]')
    FROM (SELECT at, value FROM vote WHERE message_id = ${id}
      ORDER BY at LIMIT ${max}) v)`;
}

const PAGE = `SELECT t.id, t.room, t.removed_by, t.erased_by, t.visibility,
    t.score, t.author, t.title, left(t.body, 400) AS excerpt,
    t.reply_count AS replies, t.created_at, ${votesOf('t.id', VOTES_MAX)} AS votes,
    (SELECT coalesce(json_agg(a), '[]') FROM (SELECT ${REPORT_SEEN}
      FROM report p WHERE p.message_id = t.id AND p.kind = 'appeal'
      ORDER BY p.created_at LIMIT 50) a) AS appeals,
    (SELECT max(d.id) FROM decision d WHERE d.message_id = t.id)
      AS last_decision_id
  FROM message t
  WHERE t.reply_to IS NULL
    AND t.visibility IN ('hidden_by_ratings', 'hidden_by_decision')
    AND t.removed_at IS NULL AND ($2::bigint IS NULL OR t.id < $2)
    AND ($3::text IS NULL OR t.room = $3)
  ORDER BY t.id DESC LIMIT $4`;

type Row = Omit<HiddenTopic, 'state'> &
  StateRow & { votes: VoteSeen[]; appeals: ReportSeen[] };

/**
 * Topics at −3 or lower, or hidden by a decision, newest first, each with its
 * votes over time and the appeals (spec/operators.md §2.2).
 */
export async function hiddenTopics(
  { reads }: Pick<Desk, 'reads'>,
  operator: Operator,
  { room, before, limit }: HiddenInput,
): Promise<HiddenPage> {
  const rows = await reads.query<Row>(PAGE, [
    readsPrivateTexts(operator),
    before ?? null,
    room ?? null,
    limit + 1,
  ]);
  const data = rows.slice(0, limit).map((row): HiddenTopic => {
    const { removed_by, erased_by, visibility, ...rest } = row;
    const state = moderationState({ removed_by, erased_by, visibility });
    return { ...rest, state };
  });
  const more = rows.length > limit;
  return { data, next: more ? (data.at(-1)?.id ?? null) : null };
}
