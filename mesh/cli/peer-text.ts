import { inertLine } from '../../client/cli/inert.js';
import { fingerprintOf } from '../../protocol/vkey.js';
import { levelText, OPTION_NAMES, type PeerDetail } from '../mesh-ports.js';
import { faultText, serves } from '../peer-port.js';
import { movedText, waitingIdentity } from '../peers/adopt-identity.js';
import { BARRED, isBarred } from '../peers/standstill.js';

function pinnedOf(peer: PeerDetail) {
  const { name, base_url: baseUrl, pending_identity: pendingIdentity } = peer;
  return { name, baseUrl, pendingIdentity };
}

export function peerTable(peers: readonly PeerDetail[]): string {
  if (peers.length === 0) return 'No peers; "peer add <url>" adds one.';
  const rows = peers.map(({ last_error: error, ...peer }) => [
    // A later generation is shown with its number.
    peer.origin === `${peer.name}/log` ? peer.name : peer.origin,
    peer.standstill?.reason ?? peer.status,
    peer.trust,
    levelText(peer.level),
    `${peer.mirrored_size}/${peer.remote_size}`,
    String(peer.acked_size),
    error === null ? (peer.status_reason ?? '-') : faultText(error.code),
  ]);
  const head = 'board,status,trust,level,mirrored,acked,last error'.split(',');
  const all = [head, ...rows.map((row) => row.map(inertLine))];
  const widths = head.map((_, at) =>
    Math.max(...all.map((row) => row[at]?.length ?? 0)),
  );
  const table = all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const waiting = peers.flatMap((peer) => {
    const { standstill } = peer;
    if (isBarred(peer.last_error?.code)) return `${peer.name}: ${BARRED}.`;
    return standstill?.isAlert
      ? `${standstill.detail}: ${standstill.next}.`
      : (movedText(pinnedOf(peer)) ?? []);
  });
  return [...table, ...waiting.map(inertLine)].join('\n');
}

export function peerCard(peer: PeerDetail): string {
  const lines = [
    `${peer.name} (${peer.base_url}) is ${peer.status}, ${OPTION_NAMES.map((name) => `${name} ${peer[name]}`).join(', ')}, level ${levelText(peer.level)}`,
    `log key: ${peer.log_vkey}`,
    `fingerprint: ${fingerprintOf(peer.log_vkey)} (a first look; only the whole key confirms)`,
  ];
  if (peer.status === 'pending') {
    lines.push(
      `Compare that key with the board's operator, then: reserve-board peer confirm ${peer.name} '${peer.log_vkey}'`,
    );
  }
  const moved = movedText(pinnedOf(peer));
  if (moved !== null) lines.push(moved);
  if (peer.pending_identity !== null) {
    lines.push(
      peer.pending_identity_signed === true
        ? 'It shows another identity, signed by the key you confirmed:'
        : 'It shows another identity, NOT signed by the key you confirmed: compare the new key with its operators:',
      peer.pending_identity,
    );
    const key = waitingIdentity(pinnedOf(peer))?.log;
    if (moved === null && key !== undefined) {
      lines.push(
        `To accept it: reserve-board peer confirm ${peer.name} '${key}'`,
        `fingerprint: ${fingerprintOf(key)} (a first look; only the whole key confirms)`,
      );
    }
  }
  return lines
    .map((line) => line.split('\n').map(inertLine).join('\n'))
    .join('\n');
}

/**
 * How many texts each choice keeps, where the board says it, and whether it has
 * confirmed this board (spec/board.md §16.10).
 */
export function linkText(peer: PeerDetail): string {
  const { messages, name, base_url: address } = peer;
  const count = (guests: number) =>
    messages === null ? '' : `: ${messages.signed + guests} now`;
  const lines = [
    `--content signed keeps the texts of authors with a key${count(0)}.`,
    `--content all keeps those of guests too${count(messages?.guest ?? 0)}; needed to restore ${name} completely from here.`,
    confirmedText(peer),
  ];
  if (address.startsWith('http:')) {
    lines.push(
      'The node needs MESH_ALLOW_HTTP=on in its own environment, too (and MESH_ALLOW_PRIVATE=on for an address that is not public): without it, it never asks this address.',
    );
  }
  return lines.map(inertLine).join('\n');
}

function confirmedText({ confirmed_us: us, level }: PeerDetail): string {
  if (us === true) return 'It has confirmed this board.';
  if (level !== null && !serves({ level }, 'witness')) {
    return `It states level ${level}: such a board confirms nobody.`;
  }
  const has = us === null ? 'It is not known yet whether it has' : 'It has not';
  return `${has} confirmed this board under its present log key: its operators run "peer add" with this board's address.`;
}
