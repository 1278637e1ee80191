import { quantile } from '../load/figures.js';
import type { Waited } from '../load/wait.js';
import { atMost, type Figure, figure, type Row, unjudged } from '../row.js';
import type { DataSet } from '../set-up/data-set.js';
import { descriptorLimit } from '../set-up/descriptors.js';
import type { Lab } from '../set-up/lab.js';
import { liftedLimits } from '../set-up/settings.js';
import { openWaiters, publishOne } from './waiters.js';

const WAITERS = 10_000;
/** Measured too where a process may hold so many descriptors; no mark. */
const MORE_WAITERS = 20_000;
const SHORT_WAITERS = 40;
/** For what a process holds open beside its readers. */
const OTHERS = 400;
const SLOWEST_MS = 1000;
const MOST_KB = 18;
const UPDATES = '/api/updates?limit=20';
/** No page is another reader's. */
const OWN_FILTERS = `${UPDATES}&reply_to=1&preview={n}`;
const OWN_INBOXES = '/api/inbox?ids=1,{n}';
const WAIT_SECONDS = 1800;
const LIMITS = {
  BOARD_LIMITS: liftedLimits({ wait_max_seconds: WAIT_SECONDS }),
};

export const longPollsRow: Row = {
  id: 'R5',
  section: 'reads',
  work: `${WAITERS} long polls on one process, one publish`,
  reference: '–',
  marks: `all answered; p99 ≤ ${SLOWEST_MS} ms; ≤ ${MOST_KB} KB each; one statement`,
  sameWithoutFastPaths: 'readers wait inside Express',
  run,
};

async function run(lab: Lab) {
  const limit = await descriptorLimit(MORE_WAITERS + OTHERS);
  const room = limit - OTHERS;
  const set = await lab.writable();
  if (lab.options.short) {
    return { figures: await measure(lab, set, SHORT_WAITERS), notes: [] };
  }
  const count = Math.min(WAITERS, room);
  const figures = [
    ...(await measure(lab, set, count)),
    ...named('own filters', await measure(lab, set, count, OWN_FILTERS)),
    ...named('own inboxes', await measure(lab, set, count, OWN_INBOXES)),
  ];
  const descriptors = `a process may hold ${limit} descriptors here, and that limit cannot be raised`;
  if (room < WAITERS) {
    const notes = [`only ${room} waiters: ${descriptors}`];
    return { figures: figures.map(unjudged), notes };
  }
  if (room < MORE_WAITERS) {
    return { figures, notes: [`not with ${MORE_WAITERS}: ${descriptors}`] };
  }
  const more = await measure(lab, set, MORE_WAITERS);
  const unmarked = more.map(({ mark, ...figure }) => figure);
  figures.push(...named(`${MORE_WAITERS}`, unmarked));
  return { figures, notes: [] };
}

function named(name: string, figures: readonly Figure[]): Figure[] {
  return figures.map((one) => ({ ...one, what: `${name}: ${one.what}` }));
}

/** So many wait on a board that nobody waited on before; one message is published. */
async function measure(
  lab: Lab,
  set: DataSet,
  count: number,
  read = UPDATES,
): Promise<Figure[]> {
  const board = await lab.board(set, LIMITS);
  // Plans are made and the code compiled, as on a board that runs for days.
  for (let n = 0; n < 5; n += 1) await publishOne(board.port);
  const idle = await board.settled();
  const since = await publishOne(board.port);
  const path = `${read}&since=${since}&wait=${WAIT_SECONDS}`;
  // Two processes, because each has descriptors of its own to run out of.
  const readers = [lab.child('load'), lab.child('load')];
  await openWaiters(lab, board, readers, path, count);
  const full = await board.settled();
  const committed = board.ask<number>({ ask: 'watch-commit' });
  committed.catch(() => {}); // whatever ends the row before is told instead
  await publishOne(board.port);
  const waited = await Promise.all(
    readers.map((reader) => reader.ask<Waited>({ kind: 'waited' })),
  );
  await Promise.all(readers.map((reader) => lab.end(reader)));
  const after = await board.usage();
  const at = await committed;
  await board.stop();
  const times = waited
    .flatMap(({ answeredAt }) => answeredAt)
    .map((answered) => answered - at)
    .sort((a, b) => a - b);
  const looks = after.looks - full.looks;
  const p99 = quantile(times, 0.99);
  const each = (full.rss - idle.rss) / count / 1024;
  return [
    figure('answered', [times.length, `of ${count}`], {
      mark: { text: 'all', met: times.length === count },
    }),
    figure('p99 after the commit', [p99, 'ms', 0], {
      mark: atMost(p99, SLOWEST_MS, ' ms'),
    }),
    figure('memory per waiter', [each, 'KB', 1], {
      mark: atMost(each, MOST_KB, ' KB'),
    }),
    figure('statements for all of them', [looks, ''], {
      // A second look, once a second, is for what other processes write.
      mark: { text: 'one, not one each', met: looks <= 2 },
    }),
  ];
}
