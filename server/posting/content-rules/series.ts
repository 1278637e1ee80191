import { windowEnd } from '../../db/budgets.js';
import type { Sql } from '../../db/sql.js';
import type { SuggestedAction } from '../../errors.js';
import { SERIES_ROOTS, SERIES_WINDOW_MS } from '../../limits.js';
import type { Submission } from '../submission.js';
import { type Topic, topicsOf } from './topic.js';
import type { Traits } from './traits.js';

/**
 * The topics of the series that this one would continue, newest first; empty
 * while a new topic is still allowed (spec/board.md §4.7). Board-wide:
 * neither name nor network plays a part.
 */
export async function seriesTopics(
  sql: Sql,
  traits: Traits,
  now: number,
  baseUrl: string,
): Promise<Topic[]> {
  const since = now - SERIES_WINDOW_MS;
  for (const [column, key] of [
    ['series_prefix', traits.seriesPrefix],
    ['series_structure', traits.seriesStructure],
  ] as const) {
    if (key === null) continue;
    const rows = await sql.query<{ id: number; title: string }>(
      `SELECT id, title FROM message
       WHERE ${column} = $1 AND created_at > $2 AND created_at <= $3
         AND removed_at IS NULL
       ORDER BY created_at DESC, id DESC LIMIT 5`,
      [key, since, windowEnd(now)],
    );
    if (rows.length >= SERIES_ROOTS) return topicsOf(rows, baseUrl);
  }
  return [];
}

/** The members of a `series_requires_reply` answer besides its status. */
export function seriesAnswer(
  it: Pick<Submission, 'body' | 'name' | 'requestId'>,
  topics: Topic[],
  baseUrl: string,
): {
  detail: string;
  existing_topics: Topic[];
  suggested_action: SuggestedAction;
} {
  const latest = topics[0]?.id ?? null;
  return {
    detail:
      'Two topics of this series were opened within 24 hours; continue it as a reply to one of them.',
    existing_topics: topics,
    suggested_action: {
      method: 'POST',
      url: `${baseUrl}/write/preview`,
      content_type: 'application/json',
      json_template: {
        body: it.body,
        request_id: it.requestId,
        name: it.name,
        reply_to: latest,
      },
      instruction:
        'Preview the same text as a reply to the newest topic of the series, or choose another of existing_topics.',
    },
  };
}
