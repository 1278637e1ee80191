import {
  type ColumnDef,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';

const features = tableFeatures({});

export type Column<T> = {
  head: string;
  cell: (row: T) => ReactNode;
  /** Figures stand at the right. */
  figure?: boolean;
};

type Props<T> = {
  caption: string;
  columns: readonly Column<T>[];
  data: readonly T[];
  rowId: (row: T) => string;
};

function definitions<T extends RowData>(columns: readonly Column<T>[]) {
  return columns.map(
    ({ head, cell }): ColumnDef<typeof features, T> => ({
      id: head,
      header: head,
      cell: ({ row }) => cell(row.original),
    }),
  );
}

/** A table that can be scrolled, and becomes a list of cards on a phone. */
export function DataTable<T extends RowData>(props: Props<T>) {
  const { caption, columns, data, rowId } = props;
  const table = useTable({
    features,
    columns: definitions(columns),
    data: data as T[],
    getRowId: rowId,
  });
  const heads = table.getHeaderGroups()[0]?.headers ?? [];
  const box = columns.length > 2 ? 'table-box cards' : 'table-box';
  const kind = (n: number) => (columns[n]?.figure ? 'figure' : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={box} aria-label={caption} tabIndex={0}>
      <table>
        <caption className="unseen-label">{caption}</caption>
        <thead>
          <tr>
            {heads.map((header, n) => (
              <th key={header.id} scope="col" className={kind(n)}>
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell, n) => (
                <td
                  key={cell.id}
                  className={kind(n)}
                  data-head={columns[n]?.head}
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
