import { In } from 'typeorm';
import { MirrorMessage } from '../../server/db/entities/mirror-message.js';
import { Peer } from '../../server/db/entities/peer.js';
import { retryTransient } from '../../server/db/sql.js';
import { BoardError, invalid } from '../../server/errors.js';
import {
  type LimitsChange,
  OPTION_NAMES,
  optionSchemas,
  PEER_LIMITS,
  type TrustChange,
} from '../mesh-ports.js';
import { logsOfBoard } from '../pull/store/mirror-log.js';
import {
  conflict,
  dropMirrors,
  openMirror,
  type PeerAdminParts,
  requirePeer,
} from './peers.sql.js';
import { updatePeers } from './update-peers.js';

/** spec/mesh.md §B8 */
export async function trustPeer(
  parts: PeerAdminParts,
  board: string,
  wanted: TrustChange,
): Promise<void> {
  const { originId } = await requirePeer(parts, board);
  const given = OPTION_NAMES.filter((name) => wanted[name] !== undefined);
  for (const name of given) {
    const { success } = optionSchemas[name].safeParse(wanted[name]);
    if (!success) throw invalid(name, `${name} has no such value.`);
  }
  if (given.length === 0) return;
  const change = Object.fromEntries(given.map((name) => [name, wanted[name]]));
  await parts.db.transaction((tx) => updatePeers(tx, { originId }, change));
}

type Quota = (typeof PEER_LIMITS)[number]['column'];

/** Or ends probation; a waiting pull is tried at once (spec/mesh.md §B11). */
export async function limitPeer(
  parts: PeerAdminParts,
  board: string,
  change: LimitsChange,
): Promise<void> {
  const { originId } = await requirePeer(parts, board);
  const values: Partial<Record<Quota, number | null>> = {};
  for (const { name, column } of PEER_LIMITS) {
    const value = change[name];
    if (value === undefined) continue;
    if (value !== null && (!Number.isSafeInteger(value) || value < 0)) {
      throw invalid(name, `${name} is a number of 0 or more, or default.`);
    }
    values[column] = value;
  }
  await parts.db.manager.update(
    Peer,
    { originId },
    {
      ...values,
      ...(change.probation === false ? { probationUntil: null } : {}),
      retryAt: () =>
        "CASE WHEN last_error_code = 'quota' THEN NULL ELSE retry_at END",
    },
  );
}

/** Keeps data; a quarantined peer stays so when it is resumed. */
export async function pausePeer(
  parts: PeerAdminParts,
  board: string,
): Promise<void> {
  const { originId, name, status } = await requirePeer(parts, board);
  const paused = await parts.db.transaction((tx) =>
    updatePeers(
      tx,
      { originId, status: In(['active', 'quarantined']) },
      {
        status: 'paused',
        statusAt: parts.clock.now(),
        statusReason: () =>
          "CASE WHEN status = 'quarantined' THEN status_reason END",
      },
    ),
  );
  if (paused.length === 0) {
    throw conflict(`${name} is ${status}; there is nothing to pause.`);
  }
}

/**
 * After pause, quarantine, degradation or block. Evidence is final
 * (spec/mesh.md §B8): the peer is quarantined again.
 */
export async function resumePeer(
  parts: PeerAdminParts,
  board: string,
): Promise<void> {
  const peer = await requirePeer(parts, board);
  const { originId } = peer;
  if (peer.confirmedAt === null) {
    throw conflict(
      `${peer.name} is not confirmed yet; "peer confirm" does that.`,
    );
  }
  const final = peer.evidence.length > 0;
  if (final && peer.status === 'quarantined') {
    throw conflict(
      `${peer.name} signed two histories of ${peer.origin}; that is final for this log, and only a new generation of it can be confirmed.`,
    );
  }
  await parts.db.transaction(async (tx) => {
    await updatePeers(
      tx,
      { originId },
      {
        status: final ? 'quarantined' : 'active',
        statusReason: final ? 'equivocation' : null,
        statusAt: parts.clock.now(),
        degradedUntil: null,
        degradedReason: null,
        rolledBackSince: null,
        unresolvedSince: null,
        failures: 0,
        retryAt: null,
      },
    );
    await openMirror(tx, originId);
  });
}

/** Erases its mirror (spec/mesh.md §B8). */
export async function blockPeer(
  parts: PeerAdminParts,
  board: string,
  reason?: string,
): Promise<void> {
  const { originId, name } = await requirePeer(parts, board);
  await retryTransient(parts.db, async (tx) => {
    await updatePeers(
      tx,
      { originId },
      {
        status: 'blocked',
        statusAt: parts.clock.now(),
        statusReason: reason?.slice(0, 300) ?? null,
        document: null,
        remoteCheckpoint: null,
        pendingIdentity: null,
        remoteSize: null,
        invalidEntries: 0,
        withheldContents: 0,
        applyMs: [],
      },
    );
    await dropMirrors(tx, { originId, name }, parts.clock.now());
  });
}

/** 451 here, in any generation of its log. */
export async function hideMirrored(
  parts: PeerAdminParts,
  board: string,
  id: number,
  { reason, undo = false }: { reason?: string; undo?: boolean } = {},
): Promise<{ board: string; id: number; hidden: boolean }> {
  const peer = await requirePeer(parts, board);
  if (!Number.isSafeInteger(id) || id < 1) {
    throw invalid('id', 'The ID of a message is a number from 1.');
  }
  const logs = await logsOfBoard(parts.db, peer.originId);
  const { affected } = await parts.db.manager.update(
    MirrorMessage,
    { originId: In(logs), id },
    undo
      ? { hiddenAt: null, hiddenReason: null }
      : { hiddenAt: parts.clock.now(), hiddenReason: reason ?? null },
  );
  if (affected !== 0) return { board: peer.name, id, hidden: !undo };
  throw new BoardError(
    'message_not_found',
    `No message ${id} of ${peer.name} is mirrored here.`,
  );
}
