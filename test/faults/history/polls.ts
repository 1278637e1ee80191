import type { Violation } from '../check.js';
import { deedsOf, type History } from './history.js';
import type { State } from './state.js';

/** I8. */
export function checkPolls(history: History, state: State): Violation[] {
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
