import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Item } from '../../../server/dashboard/commands/item.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';
import { renewItem } from './ClaimBar.js';
import { isOpen, openReports } from './draft.js';
import { ReporterAnswer } from './ReporterAnswer.js';

export function ReportEvidence({ item }: { item: Item }) {
  const { reports } = item;
  const reads = useMay('moderator');
  return (
    <Section title={`Reports (${reports.length})`}>
      {reports.length === 0 ? <p className="dim">None.</p> : null}
      <ol className="plain">
        {reports.map((it) => (
          <li key={it.request_id}>
            <p className="row tight">
              <Tag tone={it.kind === 'appeal' ? 'warn' : 'calm'}>
                {plain(it.kind)}
              </Tag>
              <span className="strong">{plain(it.reason)}</span>
              <Tag tone={isOpen(it) ? 'info' : 'calm'}>{plain(it.status)}</Tag>
              {it.repeats === null ? null : (
                <Tag tone="calm">Sent after decision {it.repeats}</Tag>
              )}
              {it.author_verified ? (
                <Tag tone="warn">
                  Removal request signed by the author: verified
                </Tag>
              ) : null}
              <span className="dim">
                <Time at={it.created_at} />
                {it.claimed_by === null ? '' : `, ${it.claimed_by}`}
              </span>
            </p>
            {it.detail === null ? (
              <p className="dim tight">
                {reads ? 'No text.' : 'Texts of reports are for moderators.'}
              </p>
            ) : (
              <Inert text={it.detail} />
            )}
            <p className="dim tight">
              <code className="break">{it.request_id}</code>
            </p>
          </li>
        ))}
      </ol>
      <Settle item={item} />
    </Section>
  );
}

/** Ends open reports under the number of the last decision. */
function Settle({ item }: { item: Item }) {
  const may = useMay('moderator');
  const settle = useCommand('report.settle', renewItem);
  const [answer, setAnswer] = useState('');
  const open = openReports(item.reports);
  if (!may || open.length === 0) return null;
  const decision = item.last_decision_id;
  const end = (as: 'resolved' | 'dismissed') =>
    settle.mutate({
      report_ids: open,
      as,
      ...(answer.trim() === '' ? {} : { answer }),
      decision_id: as === 'dismissed' ? undefined : (decision ?? undefined),
    });
  return (
    <div className="stack">
      <p className="dim tight">
        {item.board === null
          ? 'Recording a decision closes these reports. To close them without one:'
          : 'To close these reports, whether you pass them on or not:'}
      </p>
      <ReporterAnswer text={answer} change={setAnswer} />
      <div className="row">
        {decision === null ? null : (
          <Button loading={settle.isPending} onClick={() => end('resolved')}>
            Close with decision {decision}
          </Button>
        )}
        <Button loading={settle.isPending} onClick={() => end('dismissed')}>
          Dismiss {counted(open.length, 'report')}
        </Button>
      </div>
      <Failure error={settle.error} />
    </div>
  );
}
