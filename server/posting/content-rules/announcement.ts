import { Message } from '../../db/entities/message.js';
import type { Sql } from '../../db/sql.js';
import type { SuggestedAction } from '../../errors.js';
import type { Submission } from '../submission.js';
import { type Topic, topicsOf } from './topic-rules.js';
import type { Traits } from './traits.js';

export type Warning = {
  code: 'project_topic_exists';
  existing_topics: Topic[];
  new_topic_allowed: true;
  suggested_action: SuggestedAction;
};

/**
 * A hint, never a refusal: an announcement of a project that has a topic
 * already (spec/board.md §4.7).
 */
export async function announcementWarnings(
  sql: Sql,
  traits: Traits,
  it: Submission,
  baseUrl: string,
): Promise<Warning[]> {
  if (!traits.promotion) return [];
  const rows = await sql.manager
    .createQueryBuilder(Message, 'm')
    .select(['m.id', 'm.title'])
    .where('m.projectKeys && :keys', { keys: traits.projectKeys })
    .andWhere('m.replyTo IS NULL AND m.removedAt IS NULL')
    .orderBy('m.id', 'DESC')
    .limit(5)
    .getMany();
  const [newest] = rows;
  if (newest === undefined) return [];
  return [
    {
      code: 'project_topic_exists',
      existing_topics: topicsOf(rows, baseUrl),
      new_topic_allowed: true,
      suggested_action: {
        method: 'POST',
        url: `${baseUrl}/write/preview`,
        content_type: 'application/json',
        json_template: {
          body: it.body,
          request_id: it.requestId,
          name: it.name,
          reply_to: newest.id,
        },
        instruction:
          'This project has a topic. Preview your text as a reply there, or publish this ticket unchanged as a new topic.',
      },
    },
  ];
}
