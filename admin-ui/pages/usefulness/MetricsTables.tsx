import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { plain } from '../../parts/words.js';
import { errorsOf, leavesOf } from './metrics.js';

type Props = { metrics: unknown; id: number };

/** Every figure by its name, and the errors by operation. */
export function MetricsTables({ metrics, id }: Props) {
  const errors = errorsOf(metrics);
  return (
    <>
      <DataTable
        caption={`Figures of report ${id}`}
        data={leavesOf(metrics)}
        rowId={({ name }) => name}
        columns={[
          {
            head: 'Figure',
            cell: ({ name }) => plain(name.replaceAll('.', ': ')),
          },
          {
            head: 'Value',
            cell: ({ value }) => <Inert text={value} />,
            figure: true,
          },
        ]}
      />
      {errors.length === 0 ? null : (
        <details>
          <summary>Errors by operation ({errors.length})</summary>
          <DataTable
            caption={`Errors of report ${id}`}
            data={errors}
            rowId={(it) => `${it.operation} ${it.code}`}
            columns={[
              { head: 'Operation', cell: ({ operation }) => operation },
              { head: 'Code', cell: ({ code }) => code },
              {
                head: 'Requests',
                cell: (it) => count(it.count),
                figure: true,
              },
            ]}
          />
        </details>
      )}
    </>
  );
}
