import type { LimitName } from '../../server/limits.js';
import { checkBudgets } from './history/budgets.js';
import { deedsOf, type History } from './history/history.js';
import { checkMessages } from './history/messages.js';
import type { State } from './history/state.js';
import { checkVotes } from './history/votes.js';

/** I4 and I12. */
function checkReads(history: History, state: State): Violation[] {
  return [...followed(history, state), ...removed(history, state)];
}

/** Each reader read to the end: what it saw is what is there, in order. */
function followed(history: History, { messages }: State): Violation[] {
  const due = messages.map(({ id }) => id);
  return deedsOf(history, 'follow').flatMap(({ req, res }) => {
    if (res.kind !== 'ok') return [];
    const { ids } = res.value;
    const seen = new Set(ids);
    const missed = due.filter((id) => !seen.has(id));
    const say = (what: string): Violation => ({
      invariant: 'I4',
      what: `${req.path} ${what}`,
    });
    const out = ids.findIndex((id, at) => id <= (ids[at - 1] ?? 0));
    return [
      ...(missed.length > 0 ? [say(`missed ${missed.join()}`)] : []),
      ...(out === -1 ? [] : [say(`saw ${ids[out]} again or late`)]),
    ];
  });
}

function removed(history: History, state: State): Violation[] {
  const gone = new Map<number, string>();
  for (const deed of history) {
    if (deed.op === 'remove') gone.set(deed.req.id, deed.req.text);
    if (deed.op === 'reinstate') gone.delete(deed.req.id);
  }
  return [...gone].flatMap(([id, text]) =>
    state.pages
      .filter((page) => page.text.includes(text))
      .map(({ path }) => ({ invariant: 'I12', what: `${id} at ${path}` })),
  );
}

/** I8. */
function checkPolls(history: History, state: State): Violation[] {
  const cast = deedsOf(history, 'ballot');
  const found = state.polls.flatMap((poll) => {
    const say = (what: string): Violation => ({
      invariant: 'I8',
      what: `poll ${poll.id}: ${what}`,
    });
    const ballots = state.ballots.filter((one) => one.poll_id === poll.id);
    const kinds = state.events
      .filter((event) => event.poll_id === poll.id)
      .map(({ kind }) => kind);
    const many = (kind: string) => kinds.filter((it) => it === kind).length;
    const counts = poll.counts.map(
      (_, at) => ballots.filter(({ choice }) => choice === at).length,
    );
    const told = new Set(
      cast
        .filter(({ req, res }) => req.pollId === poll.id && res.kind === 'ok')
        .map(({ req }) => req.network),
    );
    return [
      ...(counts.join() === poll.counts.join()
        ? []
        : [say(`counts ${poll.counts}, ballots ${counts}`)]),
      ...(poll.voters === ballots.length ? [] : [say('voters')]),
      ...(told.size > ballots.length ? [say('a ballot was lost')] : []),
      ...(ballots.some(({ at }) => at >= poll.closes_at)
        ? [say('a ballot after the deadline')]
        : []),
      ...(many('vote_accepted') === ballots.length ? [] : [say('events')]),
      ...(many('closed') > 1 ? [say('closed twice')] : []),
      ...(many('opened') === 1 ? [] : [say('opened')]),
    ];
  });
  const gap = state.events.find(({ id }, at) => {
    const before = state.events[at - 1]?.id ?? id - 1;
    return id !== before + 1;
  });
  if (gap !== undefined) {
    found.push({ invariant: 'I8', what: `a gap before event ${gap.id}` });
  }
  return found;
}

export type Invariant = `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12}`;

export type Violation = { invariant: Invariant; what: string };

export type Limits = Partial<Record<LimitName, number>>;

/**
 * Holds a history of requests against what is there in the end:
 *
 * - I1 acknowledged means there, with the same id, text and title
 * - I2 one row per request_id · I3 ids gapless, in the order of commits
 * - I4 a reader along a cursor saw every row once · I5 times never go back
 * - I6 score = sum of votes, one per message and network
 * - I7 a reply and its vote both or neither
 * - I8 counts = ballots, none after the deadline, one closing event
 * - I9 no more accepted than any budget in any window
 * - I10 receipts are the same for ever but for `status`
 * - I11 what was previewed is what is stored and logged
 * - I12 what is removed is in no read path
 *
 * @param limits the budgets in force; those not named are not looked at
 */
export function check(
  history: History,
  state: State,
  limits: Limits = {},
): Violation[] {
  return [
    ...checkMessages(history, state),
    ...checkReads(history, state),
    ...checkVotes(history, state),
    ...checkPolls(history, state),
    ...checkBudgets(history, state, limits),
  ];
}
