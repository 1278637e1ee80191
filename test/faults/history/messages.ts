import type { Violation } from '../check.js';
import { bareReceipt, deedsOf, type History, type Publish } from './history.js';
import type { State } from './state.js';

/** I1, I2, I3, I5, I10 and I11. */
export function checkMessages(history: History, state: State): Violation[] {
  const published = deedsOf(history, 'publish');
  return [
    ...there(published, state),
    ...oncePerRequest(published, state),
    ...inOrder(published, state),
    ...sameReceipts(published, state),
    ...sameBytes(published, state),
  ];
}

type Acked = Publish & { res: { kind: 'ok' } };

const acked = (deeds: Publish[]): Acked[] =>
  deeds.filter((deed): deed is Acked => deed.res.kind === 'ok');

function there(deeds: Publish[], { messages }: State): Violation[] {
  const rows = new Map(messages.map((row) => [row.id, row]));
  return acked(deeds).flatMap(({ req, res }) => {
    const row = rows.get(res.value.id);
    const lost = (what: string): Violation[] => [
      { invariant: 'I1', what: `${req.requestId} as ${res.value.id}: ${what}` },
    ];
    if (row === undefined) return lost('is not there');
    if (row.request_id !== req.requestId) return lost('is another message');
    if (row.body === null) return []; // removed since
    if (row.body !== req.body) return lost('has another body');
    if (row.title !== req.title) return lost('has another title');
    return row.reply_to === req.replyTo ? [] : lost('answers another');
  });
}

function oncePerRequest(deeds: Publish[], state: State): Violation[] {
  const ids = new Map<string, Set<number>>();
  const note = (request: string, id: number) =>
    ids.set(request, (ids.get(request) ?? new Set()).add(id));
  for (const row of state.messages) note(row.request_id, row.id);
  for (const row of state.receipts) note(row.request_id, row.message_id);
  for (const one of state.logged) note(one.requestId, one.id);
  for (const { req, res } of acked(deeds)) note(req.requestId, res.value.id);
  return [...ids]
    .filter(([, { size }]) => size > 1)
    .map(([request, all]) => ({
      invariant: 'I2',
      what: `${request} is ${[...all].join(' and ')}`,
    }));
}

function inOrder(deeds: Publish[], { messages }: State): Violation[] {
  const found: Violation[] = [];
  messages.forEach((row, at) => {
    const before = messages[at - 1];
    if (before === undefined) return;
    if (row.id !== before.id + 1) {
      found.push({ invariant: 'I3', what: `${before.id}, then ${row.id}` });
    }
    if (row.log_index <= before.log_index) {
      found.push({ invariant: 'I3', what: `${row.id} was logged earlier` });
    }
    if (row.created_at < before.created_at) {
      found.push({ invariant: 'I5', what: `${row.id} is older` });
    }
  });
  return [...found, ...afterTheAnswered(deeds)];
}

function afterTheAnswered(deeds: Publish[]): Violation[] {
  const fresh = acked(deeds).filter(({ res }) => res.value.fresh);
  const byEnd = [...fresh].sort((a, b) => a.end - b.end);
  const byStart = [...fresh].sort((a, b) => a.t - b.t);
  let highest = 0;
  let at = 0;
  return byStart.flatMap(({ t, res }) => {
    for (; (byEnd[at]?.end ?? t) < t; at += 1) {
      highest = Math.max(highest, byEnd[at]?.res.value.id ?? 0);
    }
    const { id } = res.value;
    if (id > highest) return [];
    return [{ invariant: 'I3', what: `${id} came after ${highest}` } as const];
  });
}

function sameReceipts(deeds: Publish[], state: State): Violation[] {
  const first = new Map(
    state.receipts.map(({ request_id, receipt }) => [
      request_id,
      bareReceipt(JSON.parse(receipt) as Record<string, unknown>),
    ]),
  );
  return acked(deeds)
    .filter(({ req, res }) => first.get(req.requestId) !== res.value.receipt)
    .map(({ req }) => ({ invariant: 'I10', what: req.requestId }));
}

/** The hash that was answered, the row's, and the leaf's, over one text. */
function sameBytes(deeds: Publish[], state: State): Violation[] {
  const found: Violation[] = [];
  if (state.logFault !== null) {
    found.push({ invariant: 'I11', what: state.logFault });
  }
  const rows = new Map(state.messages.map((row) => [row.id, row]));
  for (const { id, messageHash } of state.logged) {
    if (rows.get(id)?.message_hash === messageHash) continue;
    found.push({ invariant: 'I11', what: `${id} was logged as another` });
  }
  if (state.logFault === null && state.logged.length !== rows.size) {
    found.push({ invariant: 'I11', what: 'rows and log differ in number' });
  }
  for (const { res } of acked(deeds)) {
    const { id, messageHash } = res.value;
    if (rows.get(id)?.message_hash === messageHash) continue;
    found.push({ invariant: 'I11', what: `${id} was answered as another` });
  }
  return found;
}
