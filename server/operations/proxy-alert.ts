import type { Context } from '../context.js';
import { type Alarm, raiseAlarm } from './alerts.js';

const HOUR_MS = 3_600_000;
/** One that is not raised for so long has ended: the next was due within one. */
const OVER_MS = 2 * HOUR_MS;

/** It names no address: none is stored or logged. */
const ALARM: Alarm = {
  kind: 'proxy_without_client',
  subject: 'board',
  detail:
    "A machine of TRUST_PROXY that is not this one sends requests without X-Forwarded-For, and they are refused (400). Let that proxy set the header to the client's address (nginx: proxy_set_header X-Forwarded-For $remote_addr), or take its address out of TRUST_PROXY.",
};

type Parts = Pick<Context, 'writes' | 'clock' | 'log'>;

/** Tells operators of such a request, once an hour. */
export function proxyAlarm({ writes, clock, log }: Parts): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.now();
    // A clock that was set back must not silence it.
    if (Math.abs(now - last) < HOUR_MS) return;
    last = now;
    log.warn({ alarm: ALARM.kind }, ALARM.detail);
    raiseAlarm(writes, ALARM, now).catch((error: unknown) => {
      log.warn({ err: error }, 'an alarm could not be raised');
    });
  };
}

/** Ends it once no such request has come for a while. */
export async function endProxyAlarm({
  writes,
  clock,
}: Omit<Parts, 'log'>): Promise<void> {
  const now = clock.now();
  await writes.query(
    `UPDATE alarm SET cleared_at = $2
     WHERE kind = $1 AND cleared_at IS NULL AND last_at <= $3`,
    [ALARM.kind, now, now - OVER_MS],
  );
}
