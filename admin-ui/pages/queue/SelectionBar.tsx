import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { CommandInput } from '../../../server/dashboard/all-commands.js';
import type { QueueRow } from '../../../server/dashboard/commands/queue.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { count, counted } from '../../parts/figures.js';
import { useKeys } from '../../shell/use-keys.js';
import { MOST, select, selectAlso, useSelection } from './use-selection.js';

const SAME = { text: 'text', name: 'name', key: 'key', link: 'link' } as const;
type By = CommandInput<'queue.select'>['by'];

type Props = {
  /** The row with the keyboard focus. */
  here: QueueRow | undefined;
  rows: readonly QueueRow[];
};

export function SelectionBar({ here, rows }: Props) {
  const may = useMay('moderator');
  const chosen = useSelection();
  const go = useNavigate();
  const same = useCommand('queue.select', ({ data }) =>
    selectAlso(
      data.map(({ subject, last_decision_id: seen }) => ({ subject, seen })),
    ),
  );
  const ask = (by: By) =>
    here !== undefined && same.mutate({ subject: here.subject, by });
  const decide = () => void go({ to: '/bulk' });
  useKeys({ s: () => ask('text') });
  if (!may) return null;
  const n = chosen.size;
  return (
    <div className="selection" role="toolbar" aria-label="Selection">
      <div className="row selection-now">
        <span className="strong" role="status">
          {n === 0 ? 'Nothing selected' : `${count(n)} selected`}
          {same.data?.more ? `, the most at once (${count(MOST)})` : ''}
        </span>
        <Button variant="filled" disabled={n === 0} onClick={decide}>
          Decide for {n === 1 ? 'it' : 'all'}
        </Button>
        <Button disabled={n === 0} onClick={() => select([])}>
          Clear
        </Button>
      </div>
      <Button
        disabled={rows.length === 0}
        onClick={() =>
          selectAlso(
            rows.map(({ subject, last_decision_id: seen }) => ({
              ...{ subject, seen },
            })),
          )
        }
      >
        Select {counted(rows.length, 'loaded row')}
      </Button>
      <fieldset className="same">
        <legend className="dim">All with the same</legend>
        {Object.entries(SAME).map(([by, word]) => (
          <Button
            key={by}
            disabled={here === undefined || here.kind === 'poll'}
            loading={same.isPending && same.variables.by === by}
            onClick={() => ask(by as By)}
          >
            {word}
          </Button>
        ))}
      </fieldset>
      <Failure error={same.error} />
    </div>
  );
}
