import type { Violation } from '../check.js';
import { deedsOf, type History } from './history.js';
import type { State } from './state.js';

/** I4 and I12. */
export function checkReads(history: History, state: State): Violation[] {
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
