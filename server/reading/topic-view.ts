import { publicTime } from '../clock.js';
import { publicMessage, type ViewOptions } from './message-view.js';
import type { TopicRow } from './threads-page.js';
import { visibilityState } from './visibility.js';

/** A removed root is its tombstone and nothing else. */
export function topicView(row: TopicRow, options: ViewOptions) {
  const message = publicMessage(row, options);
  if ('removed' in message) return message;
  return {
    ...message,
    reply_count: row.reply_count,
    last_reply_id: row.last_reply_id,
    last_activity_at: publicTime(row.activity_at),
    visibility: visibilityState(row.visibility),
  };
}
