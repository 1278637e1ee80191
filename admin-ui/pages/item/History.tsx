import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Alike } from '../../../server/dashboard/commands/alike.js';
import type { Relation } from '../../../server/dashboard/commands/history.js';
import { useAsk, useRead } from '../../api/ask.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { StateTag, Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { past, todo } from '../../parts/words.js';

const SAME: Readonly<Record<Alike, string>> = {
  text: 'The same text',
  name: 'The same name',
  key: 'The same key',
  link: 'A link to the same host',
};

export function History({ subject }: { subject: string }) {
  const history = useAsk('item.history', { subject });
  return (
    <Section title="History">
      <Answered of={history} what="the history">
        {({ relations }) =>
          relations.every(({ total }) => total === 0) ? (
            <p className="dim tight">
              No other message has its text, name, key or link.
            </p>
          ) : (
            relations
              .filter(({ total }) => total > 0)
              .map((it) => (
                <OneRelation key={it.by} subject={subject} relation={it} />
              ))
          )
        }
      </Answered>
    </Section>
  );
}

type Props = { subject: string; relation: Relation };

function OneRelation({ subject, relation }: Props) {
  const { by, value, total, capped, data, next } = relation;
  const [more, setMore] = useState<{
    data: Relation['data'];
    next: number | null;
  }>({ data: [], next });
  const load = useRead('item.history', ({ relations: [page] }) =>
    setMore((before) => ({
      data: [...before.data, ...(page?.data ?? [])],
      next: page?.next ?? null,
    })),
  );
  return (
    <details>
      <summary>
        {SAME[by]}
        {value === null ? '' : ': '}
        <Inert text={value} /> ({count(total)}
        {capped ? ' or more' : ''})
      </summary>
      <p className="dim tight">{outcomes(relation)}</p>
      <ul className="plain">
        {[...data, ...more.data].map((it) => (
          <li key={it.message_id}>
            <OneRelated of={it} />
          </li>
        ))}
      </ul>
      {more.next === null ? null : (
        <Button
          loading={load.isPending}
          onClick={() =>
            load.mutate({ subject, by, before: more.next ?? undefined })
          }
        >
          Show more
        </Button>
      )}
      <Failure error={load.error} />
    </details>
  );
}

/** “3 reports open, 2 resolved, 1 dismissed; 2 removed, 1 kept.” */
function outcomes({ reports, decisions }: Relation): string {
  const open = reports.received + reports.in_review;
  const told = [
    ...(open === 0 ? [] : [`${counted(open, 'report')} open`]),
    ...(['resolved', 'dismissed'] as const).flatMap((status) =>
      reports[status] === 0
        ? []
        : [`${counted(reports[status], 'report')} ${status}`],
    ),
    ...(Object.keys(decisions) as (keyof typeof decisions)[]).map(
      (action) => `${count(decisions[action] ?? 0)} ${past(action)}`,
    ),
  ];
  return told.length === 0
    ? 'None of it was reported or decided about.'
    : `${told.join(', ')}.`;
}

function OneRelated({ of: it }: { of: Relation['data'][number] }) {
  const { message_id: id, title, excerpt, last_decision: last } = it;
  return (
    <>
      <p className="row tight">
        <Link to="/item/$subject" params={{ subject: `message:${id}` }}>
          {title === null ? `Message ${id}` : <Inert text={title} />}
        </Link>
        <StateTag state={it.state} />
        {it.open_reports === 0 ? null : (
          <Tag tone="warn">{counted(it.open_reports, 'open report')}</Tag>
        )}
        <span className="dim">
          <Inert text={it.author} /> <Time at={it.created_at} />
        </span>
      </p>
      <span className="one-line dim">
        <Inert text={excerpt?.replaceAll('\n', ' ') ?? null} />
      </span>
      {last === null ? null : (
        <p className="dim tight">
          {todo(last.action, last.stays_hidden)} by{' '}
          <Inert text={last.operator} />, <Time at={last.decided_at} />
        </p>
      )}
    </>
  );
}
