import type { Violation } from '../check.js';
import { deedsOf, type History } from './history.js';
import type { State } from './state.js';

/** I6 and I7. */
export function checkVotes(history: History, state: State): Violation[] {
  const votes = new Map(state.votes.map((one) => [one.message_id, one]));
  const told = toldOf(history);
  const counted = countedReplies(state);
  const rated = ratersOf(history);
  return state.messages.flatMap(({ id, score }) => {
    const { votes: rows = 0, voters = 0, sum = 0 } = votes.get(id) ?? {};
    const found: Violation[] = [];
    const six = (what: string) =>
      found.push({ invariant: 'I6', what: `${id}: ${what}` });
    if (score !== sum) six(`score ${score}, votes ${sum}`);
    if (rows !== voters) six(`${rows} votes of ${voters} networks`);
    const acked = told.get(id)?.size ?? 0;
    if (acked > rows) six(`${acked} networks were told, ${rows} count`);
    const replies = counted.get(id) ?? 0;
    const others = rated.get(id)?.size ?? 0;
    if (rows < replies || rows > replies + others) {
      const what = `${id}: ${rows} votes of ${replies} replies, ${others} raters`;
      found.push({ invariant: 'I7', what });
    }
    return found;
  });
}

type Networks = Map<number, Set<string>>;

function add(to: Networks, id: number, network: string): void {
  to.set(id, (to.get(id) ?? new Set()).add(network));
}

function toldOf(history: History): Networks {
  const told: Networks = new Map();
  for (const { req, res } of deedsOf(history, 'rate')) {
    if (res.kind === 'ok') add(told, req.messageId, req.network);
  }
  for (const { req, res } of deedsOf(history, 'publish')) {
    if (res.kind !== 'ok' || req.replyTo === null || req.vote === 0) continue;
    add(told, req.replyTo, req.network);
  }
  return told;
}

function ratersOf(history: History): Networks {
  const raters: Networks = new Map();
  for (const { req } of deedsOf(history, 'rate')) {
    add(raters, req.messageId, req.network);
  }
  return raters;
}

function countedReplies({ receipts }: State): Map<number, number> {
  const counted = new Map<number, number>();
  for (const { receipt } of receipts) {
    const { vote } = JSON.parse(receipt) as {
      vote?: { message_id: number; status: string };
    };
    if (vote?.status !== 'published') continue;
    counted.set(vote.message_id, (counted.get(vote.message_id) ?? 0) + 1);
  }
  return counted;
}
