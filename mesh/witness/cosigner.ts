import { cosign, openCheckpoint } from '../../protocol/checkpoint.js';
import { isLineOf, type Signer, signatureLine } from '../../protocol/note.js';
import { formatVkey, parseVkey } from '../../protocol/vkey.js';
import { LogCheckpoint, LogCosignature } from '../../server/db/entities/log.js';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import type { Sql } from '../../server/db/sql.js';
import { serving } from '../peers/levels.js';
import type { DurablePage } from '../pull/hooks.js';
import type { WitnessParts } from './known-logs.js';
import type { CosignRequest } from './take-cosignature.js';
import { recordDurable } from './witness.sql.js';

const EVERY_MS = 1000;
const SEND_MS = 20_000;

type Waiting = {
  page: DurablePage | null;
  /** `performance.now()` of the last cosignature. */
  last: number;
  timer: NodeJS.Timeout | null;
  working: Promise<void>;
};

/** At most once a second and log, always the last state (§B7). */
export class Cosigner {
  private readonly logs = new Map<number, Waiting>();

  constructor(private readonly parts: WitnessParts) {}

  /** Called after the commit of a page up to a signed head. */
  durable(page: DurablePage): void {
    const waiting = this.waitingOf(page.originId);
    waiting.page = page;
    if (waiting.timer !== null) return;
    const rest = waiting.last + EVERY_MS - performance.now();
    waiting.timer = setTimeout(() => this.wake(waiting), Math.max(0, rest));
  }

  /** Signs what waits, so that the last state is included. */
  async stop(): Promise<void> {
    for (const waiting of this.logs.values()) {
      if (waiting.timer !== null) clearTimeout(waiting.timer);
      this.wake(waiting);
    }
    await Promise.all([...this.logs.values()].map(({ working }) => working));
  }

  private wake(waiting: Waiting): void {
    waiting.timer = null;
    waiting.working = waiting.working.then(() => this.sign(waiting));
  }

  /** Sends a cosignature to the board of the log, if it is an active peer that takes them. */
  async send(originId: number, lines: CosignRequest): Promise<void> {
    const { writes, client, log, stopping } = this.parts;
    const peer = await writes.manager.findOne(Peer, {
      select: { originId: true, baseUrl: true },
      where: { originId, ...PULLABLE, level: serving('witness') },
    });
    if (peer === null) return;
    const { baseUrl } = peer;
    const sent = await client.post(baseUrl, '/api/mesh/cosign', lines, {
      signal: AbortSignal.any([stopping, AbortSignal.timeout(SEND_MS)]),
      maxBytes: 65_536,
    });
    const status = sent.ok ? sent.value.status : sent.reason;
    if (status !== 204) {
      log.debug({ peer: baseUrl, status }, 'a cosignature was not taken');
    }
  }

  private async sign(waiting: Waiting): Promise<void> {
    const { page } = waiting;
    if (page === null) return;
    waiting.page = null;
    waiting.last = performance.now();
    const { writes, keys, clock, log } = this.parts;
    try {
      const now = clock.now();
      const lines = await cosignPage(writes, page, keys.mirror, now);
      if (lines !== null) await this.send(page.originId, lines);
    } catch (error) {
      log.warn({ err: error, origin: page.origin }, 'cosigning failed');
    }
  }

  private waitingOf(originId: number): Waiting {
    const known = this.logs.get(originId);
    if (known !== undefined) return known;
    const working = Promise.resolve();
    const made = { page: null, last: -Infinity, timer: null, working };
    this.logs.set(originId, made);
    return made;
  }
}

/** Null without the log's own line. */
function signedBy(checkpoint: string, logVkey: string) {
  const vkey = parseVkey(logVkey);
  if (!vkey.ok) return null;
  const opened = openCheckpoint(checkpoint, vkey.value);
  if (!opened.ok) return null;
  const { text: body, signatures } = opened.value.note;
  const line = signatures.find((one) => isLineOf(one, vkey.value));
  return line === undefined ? null : { body, log: signatureLine(line) };
}

/**
 * The state is committed before the line exists; sizes never shrink
 * (spec/mesh.md §A1, §B7). Null when another state was signed or the peer is
 * not active.
 */
export async function cosignPage(
  sql: Sql,
  page: DurablePage,
  mirror: Signer,
  now: number,
): Promise<CosignRequest | null> {
  const signed = signedBy(page.checkpoint, page.logVkey);
  if (signed === null || !(await recordDurable(sql, page, now))) return null;
  const { originId, size } = page;
  const time = Math.floor(now / 1000);
  const line = signatureLine(cosign(signed.body, time, mirror));
  const cosigner = mirror.vkey.name;
  const vkey = formatVkey(mirror.vkey);
  await sql.manager.upsert(
    LogCosignature,
    { originId, size, cosigner, vkey, line, at: now },
    ['originId', 'size', 'cosigner'],
  );
  return { ...signed, cosignature: line };
}

export async function newestCosigned(
  { manager }: Sql,
  { originId, logVkey }: Pick<Peer, 'originId' | 'logVkey'>,
  cosigner: string,
): Promise<{ size: number; lines: CosignRequest } | null> {
  const newest = await manager
    .createQueryBuilder(LogCosignature, 'c')
    .innerJoin(
      LogCheckpoint,
      'k',
      'k.originId = c.originId AND k.size = c.size',
    )
    .select('c.size', 'size')
    .addSelect('c.line', 'line')
    .addSelect('k.note', 'note')
    .where('c.originId = :originId', { originId })
    .andWhere('c.cosigner = :cosigner', { cosigner })
    .orderBy('c.size', 'DESC')
    .limit(1)
    .getRawOne<{ size: number; line: string; note: string }>();
  const head = newest && signedBy(newest.note, logVkey);
  if (!newest || !head) return null;
  return { size: newest.size, lines: { ...head, cosignature: newest.line } };
}
