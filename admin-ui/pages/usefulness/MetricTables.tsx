import type { UsefulnessSeen } from '../../../server/dashboard/commands/usefulness.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { plain } from '../../parts/words.js';
import { errorsOf, leavesOf } from './metrics.js';

export function Metrics({ of: { id, metrics } }: { of: UsefulnessSeen }) {
  const errors = errorsOf(metrics);
  return (
    <>
      <DataTable
        caption={`Figures of report ${id}`}
        data={leavesOf(metrics)}
        rowId={({ name }) => name}
        columns={{
          Figure: ({ name }) => plain(name.replaceAll('.', ': ')),
          Value: ({ value }) => <Inert text={value} />,
        }}
        figures={['Value']}
      />
      {errors.length === 0 ? null : (
        <details>
          <summary>Errors by operation ({errors.length})</summary>
          <DataTable
            caption={`Errors of report ${id}`}
            data={errors}
            rowId={(it) => `${it.operation} ${it.code}`}
            columns={{
              Operation: ({ operation }) => operation,
              Code: ({ code }) => code,
              Requests: (it) => count(it.count),
            }}
            figures={['Requests']}
          />
        </details>
      )}
    </>
  );
}
