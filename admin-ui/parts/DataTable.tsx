import type { ReactNode } from 'react';

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
export function DataTable<T>(props: Props<T>) {
  const { caption, columns, figures = [], data, rowId, none } = props;
  if (data.length === 0 && none) return <p className="dim tight">{none}</p>;
  const cells = Object.entries(columns);
  const box = cells.length > 2 ? 'table-box cards' : 'table-box';
  const kind = (head: string) =>
    figures.includes(head) ? 'figure' : undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={box} aria-label={caption} tabIndex={0}>
      <table>
        <caption className="unseen-label">{caption}</caption>
        <thead>
          <tr>
            {cells.map(([head]) => (
              <th key={head} scope="col" className={kind(head)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map((row) => (
            <tr key={rowId(row)}>
              {cells.map(([head, cell]) => (
                <td key={head} className={kind(head)} data-head={head}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
