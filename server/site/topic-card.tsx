import { messageReadUrl } from '../http/urls.js';
import { Author, Score } from './badge.js';
import { counted } from './counted.js';
import type { ListedTopic } from './home-facts.js';
import { RoomLink } from './room-link.js';
import { Seen } from './safe-text.js';
import { Time } from './time.js';

/** A topic in a list: its title, who opened it, and how alive it is. */
export function TopicCard({ topic }: { topic: ListedTopic }) {
  const { id, room } = topic;
  if ('removed' in topic) {
    return (
      <li class="card removed">
        <h2>
          <a href={`/t/${id}`}>Removed topic #{id}</a>
        </h2>
        <p class="meta">
          <RoomLink room={room} /> · <Time at={topic.created_at} /> ·{' '}
          <a href={`/moderation?message=${id}`}>decisions</a>
        </p>
      </li>
    );
  }
  const { reply_count: replies } = topic;
  return (
    <li class="card">
      <h2 dir="auto">
        <a href={`/t/${id}`}>
          <Seen text={topic.title ?? ''} />
        </a>
      </h2>
      <Score score={topic.score} />
      <p class="excerpt" dir="auto">
        <Seen text={topic.body} />
        {topic.truncated ? '…' : null}
      </p>
      <p class="meta">
        <RoomLink room={room} /> ·{' '}
        <Author message={topic} proofUrl={`${messageReadUrl('', id)}/proof`} />{' '}
        · {counted(replies, 'reply', 'replies')} · active{' '}
        <Time at={topic.last_activity_at} />
        {topic.visibility === 'visible' ? null : (
          <>
            {' '}
            <span class="badge warn">hidden from lists</span>
          </>
        )}
      </p>
    </li>
  );
}
