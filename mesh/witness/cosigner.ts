import { cosign, openCheckpoint } from '../../protocol/checkpoint.js';
import {
  isLineOf,
  type NoteSignature,
  type Signer,
  signatureLine,
} from '../../protocol/note.js';
import { formatVkey, parseVkey } from '../../protocol/vkey.js';
import { LogCheckpoint, LogCosignature } from '../../server/db/entities/log.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Sql } from '../../server/db/sql.js';
import type { DurablePage } from '../pull/hooks.js';
import type { WitnessParts } from './known-logs.js';
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

type Parts = Pick<
  WitnessParts,
  'writes' | 'keys' | 'clock' | 'log' | 'client' | 'stopping'
>;

/**
 * Cosigns our peers' logs: at most once a second and log, and always the last
 * state (spec/mesh.md §B7 step 7, B13). What a peer refuses is sent again with
 * the next one, or by the gossip round that sees it missing there.
 */
export class Cosigner {
  private readonly logs = new Map<number, Waiting>();

  constructor(private readonly parts: Parts) {}

  /** Called after the commit of a page that reached a signed head. */
  durable(page: DurablePage): void {
    const waiting = this.waitingOf(page.originId);
    waiting.page = page;
    if (waiting.timer !== null) return;
    const rest = waiting.last + EVERY_MS - performance.now();
    waiting.timer = setTimeout(
      () => {
        waiting.timer = null;
        waiting.working = waiting.working.then(() => this.sign(waiting));
      },
      Math.max(0, rest),
    );
  }

  /** Signs what waits, so that the last state is never left out. */
  async stop(): Promise<void> {
    for (const waiting of this.logs.values()) {
      if (waiting.timer !== null) clearTimeout(waiting.timer);
      waiting.timer = null;
      waiting.working = waiting.working.then(() => this.sign(waiting));
    }
    await Promise.all([...this.logs.values()].map(({ working }) => working));
  }

  /** Sends the newest cosignature again. */
  async send(
    originId: number,
    lines: { body: string; log: string; cosignature: string },
  ): Promise<void> {
    const { writes, client, log, stopping } = this.parts;
    const peer = await writes.manager.findOne(Peer, {
      select: { originId: true, baseUrl: true },
      where: { originId, status: 'active' },
    });
    if (peer === null) return;
    const { baseUrl } = peer;
    const sent = await client.post(baseUrl, '/api/mesh/cosign', lines, {
      signal: AbortSignal.any([stopping, AbortSignal.timeout(SEND_MS)]),
      maxWireBytes: 65_536,
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
    const made: Waiting = {
      page: null,
      last: Number.NEGATIVE_INFINITY,
      timer: null,
      working: Promise.resolve(),
    };
    this.logs.set(originId, made);
    return made;
  }
}

/** The log's own line of a checkpoint note, null where it has none. */
export function logLineOf(
  checkpoint: string,
  logVkey: string,
): { body: string; line: NoteSignature } | null {
  const vkey = parseVkey(logVkey);
  if (!vkey.ok) return null;
  const opened = openCheckpoint(checkpoint, vkey.value);
  if (!opened.ok) return null;
  const { text, signatures } = opened.value.note;
  const line = signatures.find((one) => isLineOf(one, vkey.value));
  return line === undefined ? null : { body: text, line };
}

/**
 * Signs that a peer's log is durable here up to a size (spec/mesh.md §A1, §B7):
 * the state is committed before the line exists, and the size never shrinks.
 * Null when a larger or another state was signed, or the peer is not active.
 */
export async function cosignPage(
  sql: Sql,
  page: DurablePage,
  mirror: Signer,
  now: number,
): Promise<{ body: string; log: string; cosignature: string } | null> {
  const signed = logLineOf(page.checkpoint, page.logVkey);
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
  return {
    body: signed.body,
    log: signatureLine(signed.line),
    cosignature: line,
  };
}

/** Our newest cosignature of a log, with the head that it is of. */
export async function newestCosigned(
  { manager }: Sql,
  originId: number,
  cosigner: string,
): Promise<{ size: number; line: string; note: string } | null> {
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
  return newest ?? null;
}
