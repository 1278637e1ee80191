import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { reasonsOf } from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import type { HiddenTopic } from '../../../server/dashboard/commands/queue.js';
import { useMay } from '../../access/use-access.js';
import { ask, useAsk } from '../../api/ask.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { Choice } from '../../parts/Filters.js';
import { counted, signed } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Block, Empty, NewHint, Page } from '../../parts/Page.js';
import { PagedList, usePages } from '../../parts/PagedList.js';
import { Select } from '../../parts/Select.js';
import { StateTag, Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { VoteLine } from '../../parts/VoteLine.js';
import { named, past, todo } from '../../parts/words.js';
import { oneOf, useAddress } from '../../shell/use-address.js';
import { openReports } from '../item/draft.js';
import { ShortDecision } from '../item/ShortDecision.js';
import { ThreadEvidence } from '../item/ThreadEvidence.js';

export function HiddenPage() {
  const room = oneOf(useAddress().search.room, ROOMS);
  const list = usePages(['hidden.list', { room }], (before?: number) =>
    ask('hidden.list', { room, before }),
  );
  const hints = useHints(['hidden'], list.refresh, {
    readAt: list.query.dataUpdatedAt,
  });
  return (
    <Page
      title="Hidden topics"
      about="Topics that ratings, or a decision, took out of the lists."
    >
      <search className="filters">
        <Choice label="Room" name="room" options={ROOMS} />
      </search>
      <NewHint {...hints} />
      <PagedList
        list={list}
        what="the hidden topics"
        empty={<Empty title="No topic is hidden." />}
      >
        {(rows) =>
          rows.map((topic) => (
            <HiddenTopicCard
              key={topic.id}
              topic={topic}
              settled={list.refresh}
            />
          ))
        }
      </PagedList>
    </Page>
  );
}

type CardProps = {
  topic: HiddenTopic;
  /** Reads the list again: the topic may have left it. */
  settled: () => void;
};

function HiddenTopicCard({ topic, settled }: CardProps) {
  const may = useMay('moderator');
  const subject = `message:${topic.id}`;
  return (
    <article className="card stack">
      <div className="section-head">
        <h2>
          <Link to="/item/$subject" params={{ subject }}>
            <Inert text={topic.title ?? named(subject)} />
          </Link>
        </h2>
        <span className="row">
          <StateTag state={topic.state} />
          {topic.last_decision_id === null ? <Tag>To review</Tag> : null}
          <Tag tone="warn">Score {signed(topic.score)}</Tag>
        </span>
      </div>
      <p className="dim tight">
        {named(subject)}, {topic.room}
        {topic.author === null ? '' : ', '}
        <Inert text={topic.author} />, <Time at={topic.created_at} />,{' '}
        {counted(topic.replies, 'reply', 'replies')}
      </p>
      <Inert text={topic.excerpt} />
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
      <Thread id={topic.id} />
      {may ? <Answer topic={topic} settled={settled} /> : null}
    </article>
  );
}

function Thread({ id }: { id: number }) {
  const [enabled, setOpen] = useState(false);
  const item = useAsk('item.read', { subject: `message:${id}` }, { enabled });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The thread</summary>
      {enabled ? (
        <Answered of={item} what="the thread">
          {(it) => (
            <div className="stack">
              <Block
                prose
                text={it.message.body ?? 'There is no text any more.'}
                label={`The text of message ${id}`}
              />
              <ThreadEvidence item={it} />
            </div>
          )}
        </Answered>
      ) : null}
    </details>
  );
}

const ANSWERS = ['restore_visibility', 'hide'] as const;

/** Leaving a topic hidden is a decision, too: then nobody looks at it again. */
function Answer({ topic, settled }: CardProps) {
  const { id, appeals, state, last_decision_id: seen } = topic;
  const actions = state === 'hidden_by_ratings' ? ANSWERS : ANSWERS.slice(0, 1);
  const [wanted, setAction] = useState<(typeof ANSWERS)[number]>(ANSWERS[0]);
  const action = actions.includes(wanted) ? wanted : ANSWERS[0];
  const reasons = reasonsOf(action);
  const [chosen, setReason] = useState(reasons[0] ?? 'other');
  const reason = reasons.includes(chosen) ? chosen : (reasons[0] ?? 'other');
  const open = openReports(appeals);
  return (
    <ShortDecision
      subject={`message:${id}`}
      decision={{
        action,
        id,
        reason,
        seen,
        report_ids: open.length === 0 ? undefined : open,
      }}
      label={todo(action, true)}
      isHidden
      done={(number) =>
        `Message ${id} ${past(action, true)} (decision ${number}).`
      }
      settled={settled}
    >
      <Select
        label="What to do"
        options={actions}
        words={(it) => todo(it, true)}
        value={action}
        choose={setAction}
      />
      <Select
        label="Reason"
        options={reasons}
        value={reason}
        choose={setReason}
      />
    </ShortDecision>
  );
}
