import { Link } from '@tanstack/react-router';
import type { HiddenTopic } from '../../../server/dashboard/schemas/views.js';
import { useMay } from '../../access/use-access.js';
import { counted, signed } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { StateTag } from '../../parts/StateTag.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { VoteLine } from '../../parts/VoteLine.js';
import { HiddenThread } from './HiddenThread.js';
import { RestoreForm } from './RestoreForm.js';

/** One topic, and the one action that shows it again. */
export function HiddenTopicCard({ topic }: { topic: HiddenTopic }) {
  const may = useMay('moderator');
  const subject = `message:${topic.id}`;
  return (
    <article className="card stack">
      <div className="section-head">
        <h2>
          <Link to="/item/$subject" params={{ subject }}>
            <Inert text={topic.title ?? `Topic ${topic.id}`} />
          </Link>
        </h2>
        <span className="row">
          <StateTag state={topic.state} />
          <Tag tone="warn">Score {signed(topic.score)}</Tag>
        </span>
      </div>
      <p className="dim tight">
        {topic.id}, {topic.room}
        {topic.author === null ? null : (
          <>
            , <Inert text={topic.author} />
          </>
        )}
        , <Time at={topic.created_at} />,{' '}
        {counted(topic.replies, 'reply', 'replies')}
      </p>
      {topic.excerpt === null ? null : <Inert text={topic.excerpt} />}
      {topic.appeals.map((it) => (
        <div key={it.request_id} className="body">
          <p className="row tight">
            <Tag tone="warn">Appeal</Tag>
            <span className="dim">
              <Time at={it.created_at} />
            </span>
          </p>
          <Inert text={it.detail ?? 'Its text is for moderators.'} />
        </div>
      ))}
      <VoteLine votes={topic.votes} />
      <HiddenThread id={topic.id} />
      {may ? <RestoreForm topic={topic} /> : null}
    </article>
  );
}
