import {
  type ColumnDef,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';

const features = tableFeatures({});

export type Columns<T> = Readonly<Record<string, (row: T) => ReactNode>>;

type Props<T> = {
  caption: string;
  columns: Columns<T>;
  figures?: readonly string[];
  data: readonly T[];
  rowId: (row: T) => string;
  none?: string;
};

/** On a phone a list of cards. */
export function DataTable<T extends RowData>(props: Props<T>) {
  const { caption, columns, figures = [], data, rowId, none } = props;
  const table = useTable({
    features,
    columns: Object.entries(columns).map(
      ([head, cell]): ColumnDef<typeof features, T> => ({
        id: head,
        header: head,
        cell: ({ row }) => cell(row.original),
      }),
    ),
    data: data as T[],
    getRowId: rowId,
  });
  if (data.length === 0 && none) return <p className="dim tight">{none}</p>;
  const heads = table.getHeaderGroups()[0]?.headers ?? [];
  const box = heads.length > 2 ? 'table-box cards' : 'table-box';
  const kind = (head: string) =>
    figures.includes(head) ? 'figure' : undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={box} aria-label={caption} tabIndex={0}>
      <table>
        <caption className="unseen-label">{caption}</caption>
        <thead>
          <tr>
            {heads.map((header) => (
              <th key={header.id} scope="col" className={kind(header.id)}>
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell) => (
                <td
                  key={cell.id}
                  className={kind(cell.column.id)}
                  data-head={cell.column.id}
                >
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
