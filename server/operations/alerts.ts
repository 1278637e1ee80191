import { type FindOptionsWhere, IsNull, Not } from 'typeorm';
import type { Context } from '../context.js';
import { Alarm } from '../db/entities/operations.js';
import type { Sql } from '../db/sql.js';
import type { AlertKind } from './alert-kinds.js';
import { clearAlert, raiseAlert, settleAlert } from './operations.sql.js';

export { clearAlert, raiseAlert, settleAlert };

export type Alert = { kind: AlertKind; subject: string; detail: string };

export type OpenAlert = Alert & Pick<Alarm, 'raisedAt' | 'lastAt' | 'times'>;

/** Newest first; times in ms. */
export async function openAlerts(sql: Sql): Promise<OpenAlert[]> {
  return await find(sql, [{ clearedAt: IsNull() }]);
}

/** With settled ones, whose cause may remain. */
export async function standingAlerts(sql: Sql): Promise<OpenAlert[]> {
  const settled = { settledDetail: Not(IsNull()) };
  return await find(sql, [{ clearedAt: IsNull() }, settled]);
}

async function find(
  sql: Sql,
  where: FindOptionsWhere<Alarm>[],
): Promise<OpenAlert[]> {
  const found = await sql.manager.find(Alarm, {
    where,
    order: { lastAt: 'DESC', kind: 'ASC', subject: 'ASC' },
    take: 200,
  });
  return found as (Alarm & { kind: AlertKind })[];
}

const HOUR_MS = 3_600_000;
/** Raised hourly while it lasts. */
const OVER_MS = 2 * HOUR_MS;

/** Names no address: none is stored or logged. */
const ALERT: Alert = {
  kind: 'proxy_without_client',
  subject: 'board',
  detail:
    "A machine of TRUST_PROXY that is not this one sends requests without X-Forwarded-For, and they are refused (400). Let that proxy set the header to the client's address (nginx: proxy_set_header X-Forwarded-For $remote_addr), or take its address out of TRUST_PROXY.",
};

type Parts = Pick<Context, 'writes' | 'clock' | 'log'>;

export function proxyAlert({ writes, clock, log }: Parts): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.now();
    // A clock set back must not silence it.
    if (Math.abs(now - last) < HOUR_MS) return;
    last = now;
    log.warn({ alert: ALERT.kind }, ALERT.detail);
    raiseAlert(writes, ALERT, now).catch((error: unknown) => {
      log.warn({ err: error }, 'an alert could not be raised');
    });
  };
}

export async function endProxyAlert({
  writes,
  clock,
}: Omit<Parts, 'log'>): Promise<void> {
  const now = clock.now();
  await clearAlert(writes, ALERT, now, now - OVER_MS);
}
