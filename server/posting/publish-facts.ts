import { utcDay } from '../clock.js';
import type { Context } from '../context.js';
import {
  assertTaken,
  type BudgetCheck,
  type BudgetKey,
  boardKey,
  type CounterKeys,
  checkOf,
  checksOf,
  fixedKey,
  networkKey,
  type Spend,
} from '../db/budgets.js';
import { type Attempt, groupedAttempts } from '../db/grouped.js';
import type { Tx } from '../db/sql.js';
import type { KeyState } from '../ledger/key-state.js';
import type { Limits } from '../limits.js';
import { type Ticket, ticketOf } from '../tickets/index.js';
import type { Draft } from './draft.js';
import {
  lookUpTickets,
  type PublishRow,
  readForPublish,
  type TicketAsked,
} from './posting.sql.js';

export type StoredReceipt = { contentHash: Buffer; receipt: string };
export type WriteTicket = Ticket<Draft> & { requestId: string };

/** Stands for a ticket that was never issued. */
export function unissued(
  post: Pick<WriteTicket, 'requestId' | 'contentHash' | 'draft'>,
  counters: CounterKeys,
  now: number,
): WriteTicket {
  return {
    ...post,
    hash: Buffer.alloc(32),
    networkSalt: Buffer.alloc(16),
    networkHash: Buffer.alloc(32),
    counters,
    answerHash: Buffer.alloc(32),
    expiresAt: now,
  };
}

export type FindTicket = ReturnType<typeof findTicket>;

/**
 * Counts the attempt and finds a ticket with all that is decided before the
 * lock, grouped with simultaneous ones.
 * @throws BoardError `rate_limited`
 */
export function findTicket({
  writes,
  limits,
  keys,
}: Pick<Context, 'writes' | 'limits' | 'keys'>) {
  const lookUp = groupedAttempts((group: readonly (Attempt & TicketAsked)[]) =>
    lookUpTickets(writes, group),
  );
  return async (
    counters: CounterKeys,
    reported: readonly BudgetCheck[],
    hash: Buffer,
    now: number,
  ) => {
    const { row, taken } = await lookUp({
      check: checkOf(
        'publish_attempts_per_network_minute',
        networkKey(counters),
      ),
      reported,
      limits,
      now,
      hash,
    });
    const spent = assertTaken(taken);
    const { requestId, accepted_hash: contentHash, receipt } = row;
    // Tickets of messages always have one: nothing was found.
    if (requestId === null) return null;
    return {
      ticket: { ...ticketOf(hash, row, keys.server), requestId },
      accepted: contentHash === null ? null : { contentHash, receipt },
      lock: { wrong: row.wrong ?? 0, until: row.locked_until ?? 0 },
      // Its request_id is of a message for another board (spec/mesh.md §B10).
      elsewhere: row.elsewhere ?? false,
      spent,
    };
  };
}

export type PublishQuestion = {
  ticket: WriteTicket;
  checks: (now: number) => BudgetCheck[];
  limits: Limits;
};

type Standing = {
  blocked: number | null;
  /** Surely free, possibly more. */
  room: number;
};

export type PublishFacts = {
  accepted: StoredReceipt | null;
  lockedUntil: number;
  target: { removed: boolean; voteSecret: Buffer } | null;
  /** Of the signing agent; null for a guest. */
  key: Pick<KeyState, 'status' | 'seq'> | null;
  standings: Standing[];
};

/** For a batch under the head lock, in one statement. */
export async function publishFacts(
  tx: Tx,
  questions: readonly PublishQuestion[],
  now: number,
): Promise<PublishFacts[]> {
  const [limits] = questions.map((question) => question.limits);
  if (limits === undefined) return [];
  const asked = questions.map((question) => question.checks(now).map(named));
  const distinct = new Map(asked.flat());
  const checks = [...distinct.values()];
  const tickets = questions.map(({ ticket }) => ticket);
  const rows = await readForPublish(tx, tickets, checks, limits, now);
  const { blocked, room } = rows[0] ?? {};
  const places = new Map([...distinct.keys()].map((name, at) => [name, at]));
  return rows.map((row, at) => {
    const standings = (asked[at] ?? []).map(([name]) => {
      const place = places.get(name) ?? -1;
      return { blocked: blocked?.[place] ?? null, room: room?.[place] ?? 0 };
    });
    return factsOf(row, standings);
  });
}

/** Checks of equal meaning share the name. */
function named(check: BudgetCheck): [string, BudgetCheck] {
  const { today, yesterday } = check.key;
  const key = Buffer.concat([today, yesterday]).toString('latin1');
  return [`${check.limit} ${key}`, check];
}

function factsOf(row: PublishRow, standings: Standing[]): PublishFacts {
  return {
    accepted:
      row.content_hash === null
        ? null
        : { contentHash: row.content_hash, receipt: row.receipt },
    lockedUntil: row.locked_until ?? 0,
    target:
      row.target_id === null
        ? null
        : { removed: row.removed_at !== null, voteSecret: row.vote_secret },
    key:
      row.key_status === null
        ? null
        : { status: row.key_status, seq: row.key_seq },
    standings,
  };
}

/** Each has budgets of its own. */
type Payer = { kind: 'network' | 'key'; key: BudgetKey };

/** Publishing and previewing network, and key (spec/board.md §5.2, §5.7). */
export function payers(
  publishing: CounterKeys,
  preview: CounterKeys,
  agentId: string | null,
  now: number,
): Payer[] {
  const day = utcDay(now);
  const networks = [keyOn(day, publishing)];
  const previewer = keyOn(day, preview);
  if (!networks[0]?.today.equals(previewer.today)) networks.push(previewer);
  const all: Payer[] = networks.map((key) => ({ kind: 'network', key }));
  if (agentId !== null) all.push({ kind: 'key', key: fixedKey(agentId) });
  return all;
}

/** Also when the counters were named the day before. */
function keyOn(day: string, keys: CounterKeys): BudgetKey {
  return keys.day >= day
    ? networkKey(keys)
    : { today: keys.tomorrow, yesterday: keys.today };
}

/** Limits of a new publication; none if free. */
export function writeChecks(
  paying: readonly Payer[] | null,
  isTopic: boolean,
): BudgetCheck[] {
  if (paying === null) return [];
  const checks = checksOf(boardKey, 'writes_per_board_minute');
  for (const { kind, key } of paying) {
    const writes = [
      `writes_per_${kind}_minute`,
      `writes_per_${kind}_hour`,
    ] as const;
    const topics = ['topics_per_source_hour', 'topics_per_source_day'] as const;
    checks.push(...checksOf(key, ...writes, ...(isTopic ? topics : [])));
  }
  return checks;
}

/** For a post that another board publishes and counts. */
export function relayChecks(
  paying: readonly Payer[],
  isTopic: boolean,
): BudgetCheck[] {
  return writeChecks(paying, isTopic).filter(
    ({ limit }) => limit !== 'writes_per_board_minute',
  );
}

export function writeSpends(
  paying: readonly Payer[] | null,
  isTopic: boolean,
): Spend[] {
  if (paying === null) return [];
  const spends: Spend[] = [{ scope: 'write', key: boardKey.today }];
  for (const { key } of paying) {
    spends.push({ scope: 'write', key: key.today });
    if (isTopic) spends.push({ scope: 'topic', key: key.today });
  }
  return spends;
}
