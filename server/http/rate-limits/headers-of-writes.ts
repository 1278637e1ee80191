import type { Request, RequestHandler, Response } from 'express';
import { DAY_MS, utcDayStart } from '../../clock.js';
import type { Context } from '../../context.js';
import { windows } from '../../db/budgets.js';
import type { LimitName } from '../../limits.js';
import { requestNetwork } from '../request-network.js';
import {
  isPolicy,
  POLICIES,
  type PolicyName,
  type Standing,
  tellPolicies,
  tellStandings,
} from './headers.js';

/** Above it a count costs more than the answer is worth. */
const COUNTED_UP_TO = 240;
/** Rows dated later count in no window (spec/board.md §1.3). */
const FUTURE_MS = 120_000;

const COUNT = `SELECT c.used, c.oldest
  FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bigint[])
      WITH ORDINALITY AS a (scope, today, old, since, ord)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS used, min(s.at) AS oldest FROM budget_spend s
      WHERE s.scope = a.scope AND (s.key = a.today OR s.key = a.old)
        AND s.at > a.since AND s.at <= $5) c
  ORDER BY a.ord`;

/**
 * `RateLimit-Policy` and `RateLimit` on writes that were not refused: what is
 * left to the network once the answer's own spending is counted. A database
 * that cannot tell, or limits too wide to count, leave the policy alone.
 */
export function rateLimitsOfWrites(
  ctx: Context,
  names: readonly LimitName[],
): RequestHandler[] {
  const limits = names.filter(isCounted);
  if (limits.length === 0) return [];
  const telling: RequestHandler = (req, res, next) => {
    const end = res.end.bind(res) as (...args: unknown[]) => Response;
    const ended = (...args: unknown[]) => {
      const over = res.headersSent || res.statusCode >= 300;
      const told = over ? Promise.resolve() : tell(ctx, req, res, limits);
      void told.catch(() => {}).finally(() => end(...args));
      return res;
    };
    res.end = ended as typeof res.end;
    next();
  };
  return [telling];
}

/** Limits of the network that the database counts. */
function isCounted(name: LimitName): name is PolicyName {
  return isPolicy(name) && POLICIES[name].scope !== null;
}

async function tell(
  ctx: Context,
  req: Request,
  res: Response,
  names: readonly PolicyName[],
): Promise<void> {
  tellPolicies(res, names, ctx.limits);
  const few = names.filter((name) => ctx.limits[name] <= COUNTED_UP_TO);
  if (few.length === 0) return;
  const standings = await standingsOf(ctx, req, few);
  if (!res.headersSent) tellStandings(res, standings);
}

async function standingsOf(
  { networkKeys, trustedProxies, reads, clock, limits }: Context,
  req: Request,
  names: readonly PolicyName[],
): Promise<Standing[]> {
  const network = requestNetwork(req, trustedProxies);
  const { today, yesterday } = await networkKeys.counterKeys(network);
  const now = clock.now();
  type Row = { used: number; oldest: number | null };
  // Never in the way of a write; a hint may be a moment old.
  const rows = await reads.query<Row>(COUNT, [
    names.map((name) => POLICIES[name].scope),
    names.map(() => today),
    // A calendar day starts with a new key: yesterday's never counts in it.
    names.map((name) => (isDay(name) ? today : yesterday)),
    names.map((name) => sinceOf(name, now)),
    now + FUTURE_MS,
  ]);
  return names.map((limit, at) => {
    const { used = 0, oldest = null } = rows[at] ?? {};
    const free = oldest === null ? null : freeAt(limit, oldest, now);
    return {
      limit,
      remaining: limits[limit] - used,
      seconds:
        free === null ? null : Math.max(1, Math.ceil((free - now) / 1000)),
    };
  });
}

function isDay(name: PolicyName): boolean {
  return POLICIES[name].window === windows.day;
}

/** Exclusive lower end of the window. */
function sinceOf(name: PolicyName, now: number): number {
  const { window } = POLICIES[name];
  return window === 'day' ? utcDayStart(now) - 1 : now - window;
}

function freeAt(name: PolicyName, oldest: number, now: number): number {
  const { window } = POLICIES[name];
  return window === 'day' ? utcDayStart(now) + DAY_MS : oldest + window;
}
