import { z } from 'zod';
import { boardAddress } from '../../protocol/address.js';
import { meshTime } from '../../server/clock.js';
import { BoardError } from '../../server/errors.js';
import { parseBody } from '../../server/http/body/validate.js';
import {
  OPTION_NAMES,
  optionChanges,
  optionsOf,
  PEER_LIMITS,
  type PeerAdmin,
  type PeerPolicy,
  type PolicyDifference,
  type PolicyPeer,
  peerLimits,
} from '../mesh-ports.js';
import { type PeerAdminParts, type PeerRow, readPeers } from './peers.sql.js';

const FORMAT = 'reserve-board/peer-policy/v1';
const quota = z.int().min(0).nullable().default(null);

const policyPeer = z.strictObject({
  name: z.string().min(1).max(110),
  origin: z.string().min(1).max(130),
  base_url: z
    .string()
    .min(1)
    .max(300)
    .transform((url) => boardAddress(url) ?? url),
  log_vkey: z.string().min(1).max(300),
  state: z.enum(['pending', 'active', 'paused', 'blocked']).default('active'),
  ...optionChanges,
  ...peerLimits(() => quota),
});
const withOptions = policyPeer.transform((peer) => ({
  ...peer,
  ...optionsOf(peer),
}));

const policySchema = z.strictObject({
  format: z.literal(FORMAT),
  board: z.string().optional(),
  exported_at: z.string().optional(),
  peers: z.array(withOptions).max(1000),
});

/** Members that a policy may set. */
const SETTINGS = [
  'base_url',
  'state',
  ...OPTION_NAMES,
  ...PEER_LIMITS.map(({ name }) => name),
] as const;

/** Operators' decisions about peers. */
export async function exportPolicy(
  parts: Pick<PeerAdminParts, 'db' | 'keys' | 'board' | 'clock'>,
): Promise<PeerPolicy> {
  const rows = await readPeers(parts.db, parts.keys);
  return {
    format: FORMAT,
    board: parts.board.name,
    exported_at: meshTime(parts.clock.now()),
    peers: rows.map(policyOf),
  };
}

function policyOf(row: PeerRow): PolicyPeer {
  return {
    name: row.name,
    origin: row.origin,
    base_url: row.baseUrl,
    log_vkey: row.logVkey,
    // Quarantine is found, not decided.
    state: row.status === 'quarantined' ? 'active' : row.status,
    ...optionsOf(row),
    ...peerLimits(({ column }) => row[column]),
  };
}

/**
 * By peer; `apply` makes each change, and a failure stops no other. Unnamed
 * peers stay.
 * @throws BoardError `invalid_input` for what is no policy
 */
export async function importPolicy(
  parts: PeerAdminParts,
  admin: PeerAdmin,
  policy: unknown,
  { apply = false }: { apply?: boolean } = {},
): Promise<PolicyDifference[]> {
  const wanted = parseBody(policySchema, policy).peers;
  const rows = await readPeers(parts.db, parts.keys);
  const differences: PolicyDifference[] = [];
  for (const peer of wanted) {
    const row = rows.find(({ name }) => name === peer.name);
    const difference = differenceOf(parts, peer, row);
    const change =
      difference.action === 'add' || difference.action === 'change';
    if (apply && change) await applyTo(admin, peer, row, difference);
    differences.push(difference);
  }
  return differences;
}

function differenceOf(
  { board }: PeerAdminParts,
  peer: PolicyPeer,
  row: PeerRow | undefined,
): PolicyDifference {
  const { name } = peer;
  const refuse = (detail: string): PolicyDifference => ({
    name,
    action: 'refused',
    changes: [],
    detail,
  });
  if (name === board.name) return refuse('this is the board itself');
  const before: Partial<PolicyPeer> = row === undefined ? {} : policyOf(row);
  const changes = SETTINGS.filter((field) => before[field] !== peer[field]).map(
    (field) => ({ field, from: before[field] ?? null, to: peer[field] }),
  );
  if (row === undefined) return { name, action: 'add', changes };
  if (row.origin !== peer.origin || row.logVkey !== peer.log_vkey) {
    return refuse(
      `another log key is pinned here (${row.logVkey}); keys change by "peer confirm" alone`,
    );
  }
  const moved = changes.some(({ field }) => field === 'base_url');
  if (moved) {
    return refuse(
      `its address here is ${row.baseUrl}; an address changes by the peer's own signed identity`,
    );
  }
  return { name, action: changes.length === 0 ? 'same' : 'change', changes };
}

async function applyTo(
  admin: PeerAdmin,
  peer: PolicyPeer,
  row: PeerRow | undefined,
  difference: PolicyDifference,
): Promise<void> {
  try {
    const { name, base_url: url, log_vkey: confirm, trust, content } = peer;
    if (row === undefined) {
      const pinned = peer.state === 'pending' ? {} : { confirm };
      await admin.add(url, { ...pinned, trust, content });
    }
    await admin.trust(name, peer);
    await admin.limits(name, peer);
    await moveTo(admin, peer, row?.status ?? null);
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    difference.action = 'refused';
    difference.detail = error.detail;
  }
}

async function moveTo(
  admin: PeerAdmin,
  { name, state, log_vkey: key }: PolicyPeer,
  status: PeerRow['status'] | null,
): Promise<void> {
  if (status === state || (status === null && state === 'active')) return;
  if (state === 'blocked') await admin.block(name);
  else if (state === 'paused') {
    if (status === 'pending') await admin.confirm(name, key);
    if (status === 'blocked') await admin.resume(name);
    await admin.pause(name);
  } else if (state === 'active') {
    if (status === 'pending') await admin.confirm(name, key);
    else if (status !== 'quarantined') await admin.resume(name);
  }
}
