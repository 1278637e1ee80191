import { In } from 'typeorm';
import { MirrorMessage } from '../../server/db/entities/mirror-message.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Sql } from '../../server/db/sql.js';
import type { PeerHoldings } from '../mesh-ports.js';
import { logsOfBoard } from '../pull/store/mirror-log.js';
import { mirrorsBut } from './levels.js';
import { peersIn } from './listed-peers.js';
import type { PeerAdminParts, PeerRow } from './peers.sql.js';

const HOUR_MS = 3_600_000;
/** Trust levels that store texts. */
const KEEPING = ['mirror', 'relay'];

type Known = Pick<PeerRow, 'originId' | 'name' | 'origin' | 'lastSuccessAt'>;

/**
 * Kept texts, and those known nowhere else: none while the peer answers, else
 * by the lists of answering peers.
 */
export async function holdingsOf(
  { db, clock }: Pick<PeerAdminParts, 'db' | 'clock'>,
  peer: Known,
): Promise<PeerHoldings> {
  const now = clock.now();
  const { name } = peer;
  const elsewhere = await knownElsewhere(db, peer, now);
  const counts = await textsOf(db, peer, elsewhere);
  if (answers(peer, now)) return { name, ...counts, only_here: 0 };
  return { name, ...counts };
}

/** Of all generations; guests' texts always count as only here. */
async function textsOf(
  sql: Sql,
  { originId }: Known,
  elsewhere: number,
): Promise<Omit<PeerHoldings, 'name'>> {
  const counts = await sql.manager
    .createQueryBuilder(MirrorMessage, 'm')
    .select([
      'count(*) AS texts',
      'count(*) FILTER (WHERE m.agentId IS NULL) AS guests',
      `count(*) FILTER (WHERE m.agentId IS NULL OR m.originId <> :originId
         OR m.logIndex >= :elsewhere) AS only_here`,
    ])
    .where({ status: 'ok', originId: In(await logsOfBoard(sql, originId)) })
    .setParameters({ originId, elsewhere })
    .getRawOne<Omit<PeerHoldings, 'name'>>();
  return counts ?? { texts: 0, guests: 0, only_here: 0 };
}

function answers({ lastSuccessAt }: Pick<Known, 'lastSuccessAt'>, now: number) {
  return (lastSuccessAt ?? 0) > now - HOUR_MS;
}

/** By answering peers' own word. */
async function knownElsewhere(
  { manager }: Sql,
  { originId, origin }: Known,
  now: number,
): Promise<number> {
  const others = await manager.find(Peer, {
    select: { originId: true, document: true, lastSuccessAt: true },
    where: mirrorsBut(originId),
  });
  const sizes = others
    .filter((other) => answers(other, now))
    .flatMap(({ document }) => peersIn(document))
    .filter((it) => it.origin === origin && KEEPING.includes(it.trust))
    .map((it) => it.mirrored_size);
  return Math.max(0, ...sizes);
}
