import { Button, Textarea } from '@mantine/core';
import type { UsefulnessSeen } from '../../../server/dashboard/commands/usefulness.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { useForm } from '../../parts/Form.js';
import { Inert } from '../../parts/Inert.js';
import { Block } from '../../parts/Page.js';
import { say } from '../../parts/say.js';
import { Metrics } from './MetricTables.js';

type Props = { report: UsefulnessSeen; renew: () => void };

export function DraftActions({ report, renew }: Props) {
  const { id, period } = report;
  const admin = useMay('admin');
  const form = useForm({ note: report.note });
  const { note } = form.values;
  const compute = useCommand('usefulness.draft', renew);
  const preview = useCommand('usefulness.preview');
  const publish = useCommand('usefulness.publish', () => {
    say(`Report ${id} is published.`);
    renew();
  });
  const discard = useCommand('usefulness.discard', () => {
    say(`The draft ${id} is discarded.`);
    renew();
  });
  const previewed = preview.variables?.note === note ? preview.data : undefined;
  return (
    <div className="stack">
      <Textarea label="Public note" rows={3} {...form.field('note')} />
      <div className="row">
        <Button
          loading={compute.isPending}
          onClick={() =>
            compute.mutate({
              id,
              from: period.start.slice(0, 10),
              to: period.end.slice(0, 10),
              note,
            })
          }
        >
          Recalculate and keep the note
        </Button>
        <Button
          loading={preview.isPending}
          onClick={() => preview.mutate({ id, note })}
        >
          Preview
        </Button>
        {admin && previewed !== undefined ? (
          <ConfirmButton
            label="Publish"
            busy={publish.isPending}
            act={() => publish.mutate({ id, note })}
          >
            It is public at once, and nobody can change it afterwards.
          </ConfirmButton>
        ) : null}
        <ConfirmButton
          label="Discard"
          busy={discard.isPending}
          act={() => discard.mutate({ id })}
        >
          The draft and its note are deleted.
        </ConfirmButton>
      </div>
      <p className="dim tight">
        {admin ? 'Publishing follows the preview.' : 'An admin publishes it.'}
      </p>
      <Failure
        error={compute.error ?? preview.error ?? publish.error ?? discard.error}
      />
      {previewed === undefined ? null : (
        <section className="preview" aria-label="Exact public preview">
          <h3>What everybody will see at /api/usefulness</h3>
          <p>
            <Inert text={previewed.note || 'Without a note.'} />
          </p>
          <Metrics of={previewed} />
          <details>
            <summary>As JSON</summary>
            <Block
              label="The report as JSON"
              text={JSON.stringify(previewed, null, 2)}
            />
          </details>
        </section>
      )}
    </div>
  );
}
