import type { VoteSeen } from '../../server/dashboard/commands/item.js';
import { DataTable } from './DataTable.js';
import { counted, signed } from './figures.js';
import { span as lasting, relative, Time } from './Time.js';

const [WIDTH, HEIGHT, EDGE] = [600, 72, 6];

type Step = VoteSeen & { score: number; key: string };

function stepsOf(votes: readonly VoteSeen[]): Step[] {
  let score = 0;
  return [...votes]
    .sort((a, b) => a.at - b.at)
    .map((vote, n) => {
      score += vote.value;
      return { ...vote, score, key: String(n) };
    });
}

/** The table has the same figures. */
export function VoteLine({ votes }: { votes: readonly VoteSeen[] }) {
  const steps = stepsOf(votes);
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return null;
  const scores = [0, ...steps.map(({ score }) => score)];
  const low = Math.min(...scores);
  // A flat line needs a height too.
  const high = Math.max(...scores, low + 1);
  const span = Math.max(1, last.at - first.at);
  const x = (at: number) =>
    EDGE + ((at - first.at) / span) * (WIDTH - 2 * EDGE);
  const y = (score: number) =>
    HEIGHT - EDGE - ((score - low) / (high - low)) * (HEIGHT - 2 * EDGE);
  const path = steps.map(({ at, score }) => `H${x(at)}V${y(score)}`).join('');
  // The axis has no smaller unit.
  const atOnce = last.at - first.at < 1000;
  const when = atOnce
    ? `at once, ${relative(first.at)}`
    : `within ${lasting(last.at - first.at)}: the first ${relative(first.at)}, the last ${relative(last.at)}`;
  const lowest = low < last.score ? `, the lowest was ${signed(low)}` : '';
  const label = `${counted(steps.length, 'vote')} ${when}; the score is ${signed(last.score)}${lowest}`;
  return (
    <>
      <p className="dim tight">{label}.</p>
      {atOnce ? null : (
        <>
          <svg
            className="votes"
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
          >
            <title>{label}</title>
            <path
              d={`M0 ${y(0)}H${WIDTH}`}
              stroke="currentColor"
              strokeDasharray="3 4"
              opacity={0.5}
            />
            <path
              d={`M${EDGE} ${y(0)}${path}`}
              fill="none"
              stroke="currentColor"
              strokeWidth={2}
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          <p className="dim tight">
            From left to right: <Time at={first.at} exact /> to{' '}
            <Time at={last.at} exact />.
          </p>
        </>
      )}
      <details>
        <summary>Every vote</summary>
        <DataTable
          caption="Votes, oldest first"
          data={steps}
          rowId={({ key }) => key}
          columns={{
            Time: ({ at }) => <Time at={at} exact />,
            Vote: ({ value }) => (value > 0 ? '+1' : '−1'),
            Score: ({ score }) => signed(score),
          }}
          figures={['Score']}
        />
      </details>
    </>
  );
}
