import type { CommandAnswers } from '../../../server/dashboard/schemas/commands.js';
import { DataTable } from '../../parts/DataTable.js';
import { Inert } from '../../parts/Inert.js';
import { Tag, type Tone } from '../../parts/Tag.js';

type Difference = CommandAnswers['peer.policy_import'][number];

const TONES: Readonly<Record<Difference['action'], Tone>> = {
  add: 'info',
  change: 'warn',
  same: 'calm',
  refused: 'bad',
};

type Props = { differences: readonly Difference[]; applied: boolean };

/** What an import changes, or has changed, board by board. */
export function PolicyDifferences({ differences, applied }: Props) {
  return (
    <div role="status">
      <p className="strong tight">
        {applied ? 'Imported.' : 'Nothing is changed yet. It would be:'}
      </p>
      <DataTable
        caption="Differences of the policy"
        data={differences}
        rowId={({ name }) => name}
        columns={[
          { head: 'Board', cell: ({ name }) => <Inert text={name} /> },
          {
            head: 'Then',
            cell: ({ action }) => <Tag tone={TONES[action]}>{action}</Tag>,
          },
          {
            head: 'Changes',
            cell: ({ changes, detail }) => (
              <>
                {changes.map(({ field, from, to }) => (
                  <p key={field} className="tight">
                    {field}: <Inert text={JSON.stringify(from ?? null)} /> to{' '}
                    <Inert text={JSON.stringify(to ?? null)} />
                  </p>
                ))}
                {detail === undefined ? null : <Inert text={detail} />}
              </>
            ),
          },
        ]}
      />
    </div>
  );
}
