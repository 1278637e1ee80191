import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LagChart as Lags } from '../../../server/dashboard/commands/charts.js';
import { ask } from '../../api/ask.js';
import { Answered } from '../../parts/Answered.js';
import { SPANS } from '../../parts/chart-scale.js';
import { counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { SpanChoice, useSpan } from '../../parts/SpanChoice.js';
import { TimeChart } from '../../parts/TimeChart.js';

const MINUTE_MS = 60_000;
/** More lines cannot be distinguished. */
const MOST = 6;

/** The boards furthest behind, or the chosen one. */
function linesOf({ at, boards }: Lags, board?: string): Lags['boards'] {
  const worst = (line: Lags['boards'][string] = []) =>
    Math.max(...line.map((it) => it ?? 0));
  const names =
    board === undefined
      ? Object.keys(boards)
          .sort((a, b) => worst(boards[b]) - worst(boards[a]))
          .slice(0, MOST)
      : [board];
  const unknown = at.map(() => null);
  return Object.fromEntries(
    names.map((name) => [name, boards[name] ?? unknown]),
  );
}

type Props = { board?: string | undefined };

export function LagLines({ board }: Props) {
  const span = useSpan();
  const lags = useQuery({
    queryKey: ['history.lag', { span }, board],
    queryFn: async () => {
      const read = await ask('history.lag', { span });
      const series = linesOf(read, board);
      return { at: read.at, series, all: Object.keys(read.boards).length };
    },
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
  });
  return (
    <Answered of={lags} what="the lag">
      {({ at, series, all }) =>
        all === 0 ? (
          <p className="dim tight">
            Nothing is noted yet. Every minute adds a figure for each linked
            board that is followed.
          </p>
        ) : (
          <>
            <TimeChart
              title={`Lag${board === undefined ? ' by board' : ` of ${board}`}`}
              at={at}
              series={series}
              scale={SPANS}
              small={
                <p className="dim tight">
                  Copies were hardly ever behind in this time.
                </p>
              }
            />
            {board !== undefined || all <= MOST ? null : (
              <p className="dim tight">
                The {MOST} that were furthest behind;{' '}
                {counted(all - MOST, 'other')} less far. Choose a board to see
                its own line.
              </p>
            )}
          </>
        )
      }
    </Answered>
  );
}

export function LagChart({ board }: Props) {
  return (
    <Section
      title={
        <>
          Lag{board === undefined ? '' : ' of '}
          <Inert text={board ?? null} />
        </>
      }
      actions={<SpanChoice />}
    >
      <LagLines board={board} />
    </Section>
  );
}
