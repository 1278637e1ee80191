import { POLL_COLUMNS, POLLS, type PollRow } from '../../polls/poll-row.js';
import { pollViewOf } from '../../polls/poll-view.js';
import type { PollsInput } from '../schemas/read-commands.js';
import type { PollPage } from '../schemas/views.js';
import type { Desk } from './action-context.js';
import { AWAITING } from './queue.js';

const PAGE = `SELECT ${POLL_COLUMNS}, (SELECT max(d.id) FROM decision d
    WHERE d.message_id = poll.root_id) AS last_decision_id
  FROM ${POLLS}
  WHERE ($2::bigint IS NULL OR poll.id < $2) AND CASE $3::text
    WHEN 'awaiting' THEN ${AWAITING}
    WHEN 'open' THEN poll.closed_at IS NULL AND poll.closes_at > $1
      AND topic.removed_at IS NULL
    WHEN 'decided' THEN poll.decision IS NOT NULL
    ELSE $1::bigint IS NOT NULL END
  ORDER BY poll.id DESC LIMIT $4`;

type Row = PollRow & { last_decision_id: number | null };

/** Polls, newest first: proposals that await a decision unless asked else. */
export async function listPolls(
  desk: Pick<Desk, 'reads' | 'clock' | 'limits' | 'config'>,
  { state, before, limit }: PollsInput,
): Promise<PollPage> {
  const now = desk.clock.now();
  const values = [now, before ?? null, state, limit + 1];
  const rows = await desk.reads.query<Row>(PAGE, values);
  const data = rows.slice(0, limit).map(({ last_decision_id, ...row }) => ({
    poll: pollViewOf(desk, row),
    last_decision_id,
  }));
  const more = rows.length > limit;
  return { data, next: more ? (rows[limit - 1]?.id ?? null) : null };
}
