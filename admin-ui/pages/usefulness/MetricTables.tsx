import type { UsefulnessSeen } from '../../../server/dashboard/commands/usefulness.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { span } from '../../parts/Time.js';
import { memberOf, plain } from '../../parts/words.js';

export function Metrics({ of: { id, metrics } }: { of: UsefulnessSeen }) {
  const errors = errorsOf(metrics);
  return (
    <>
      <DataTable
        caption={`Figures of report ${id}`}
        data={leavesOf(metrics)}
        rowId={({ name }) => name}
        columns={{
          Figure: ({ name }) => figureName(name),
          Value: ({ name, value }) => (
            <Inert
              text={
                name.endsWith('_ms') && Number(value)
                  ? span(Number(value))
                  : value
              }
            />
          ),
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
              Operation: ({ operation }) => memberOf(operation),
              Code: ({ code }) => plain(code),
              Requests: (it) => count(it.count),
            }}
            figures={['Requests']}
          />
        </details>
      )}
    </>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  reports: 'filed in the period',
  claimed: 'of these claimed since',
  settled: 'of these closed since',
  open_by_age: 'all open at its end',
  to_first_claim: 'time to first claim',
  to_decision: 'time to decision',
  median_ms: 'median',
  p90_ms: 'nine of ten within',
  hour: 'under an hour',
  day: 'under a day',
  week: 'under a week',
};
/** As stored they are in the order of their lengths. */
const AGES = ['hour', 'day', 'week', 'older'];

/** `Response: to decision: median` of `response.to_decision.median_ms`. */
function figureName(name: string): string {
  const parts = name.split('.').map((it) => WORDS[it] ?? it);
  return plain(parts.join(': '));
}

type Leaf = { name: string; value: string };

/** Lists are left to tables. */
function leavesOf(value: unknown, name = ''): Leaf[] {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) {
    return [{ name, value: String(value ?? '–') }];
  }
  return Object.entries(value)
    .sort(([a], [b]) => AGES.indexOf(a) - AGES.indexOf(b))
    .flatMap(([key, inner]) =>
      leavesOf(inner, name === '' ? key : `${name}.${key}`),
    );
}

type ErrorRow = { operation: string; code: string; count: number };

function errorsOf(metrics: unknown): ErrorRow[] {
  const { errors } = (metrics ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? (errors as ErrorRow[]) : [];
}

/** 0 where there is none. */
export function numberOf(metrics: unknown, name: string): number {
  const leaf = leavesOf(metrics).find((it) => it.name.endsWith(name));
  return Number(leaf?.value) || 0;
}
