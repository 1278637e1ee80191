import { addressOf } from './address.js';
import { isBoardName, parseLogOrigin } from './board-name.js';
import { equalBytes } from './bytes.js';
import { readFields, readInteger, writeFields } from './fields.js';
import {
  type NoteRefusal,
  openNote,
  parseNote,
  type Signer,
  signNote,
} from './note.js';
import { isAcceptableKey } from './signing.js';
import { accepted, refused, type Verdict } from './verdict.js';
import {
  COSIGNATURE,
  ED25519,
  type KeyType,
  parseVkey,
  type Vkey,
} from './vkey.js';

/**
 * spec/mesh.md §B1. Three vkeys of different keys; `url` has no path; `at` is
 * in ms. A change MUST have a higher `seq`.
 */
export type Identity = {
  name: string;
  url: string;
  origin: string;
  log: string;
  mirror: string;
  node: string;
  seq: number;
  at: number;
};
export type IdentityKeys = { log: Vkey; mirror: Vkey; node: Vkey };
export type OpenedIdentity = Identity & { text: string; keys: IdentityKeys };
export type IdentityRefusal =
  | NoteRefusal
  | 'bad_statement'
  | 'weak_key'
  | 'pin_mismatch';

const HEADER = 'reserve-board/identity/v1';
const NAMES = 'name url origin log mirror node seq at'.split(' ');

export function formatIdentity(identity: Identity): string {
  return writeFields(HEADER, [
    ['name', identity.name],
    ['url', identity.url],
    ['origin', identity.origin],
    ['log', identity.log],
    ['mirror', identity.mirror],
    ['node', identity.node],
    ['seq', identity.seq],
    ['at', identity.at],
  ]);
}

function readKey(text: string, name: string, type: KeyType): Vkey | null {
  const vkey = parseVkey(text);
  if (!vkey.ok || vkey.value.name !== name) return null;
  return vkey.value.type === type ? vkey.value : null;
}

/** Null unless named, typed and different as they must be. */
export function identityKeys(identity: Identity): IdentityKeys | null {
  const { name, origin } = identity;
  const log = readKey(identity.log, origin, ED25519);
  const mirror = readKey(identity.mirror, `${name}/mirror`, COSIGNATURE);
  const node = readKey(identity.node, `${name}/node`, ED25519);
  if (log === null || mirror === null || node === null) return null;
  const same =
    equalBytes(log.publicKey, mirror.publicKey) ||
    equalBytes(log.publicKey, node.publicKey) ||
    equalBytes(mirror.publicKey, node.publicKey);
  return same ? null : { log, mirror, node };
}

export function parseIdentity(
  text: string,
): Verdict<Identity, 'bad_statement'> {
  const fields = readFields(text, HEADER, NAMES);
  const seq = readInteger(fields?.get('seq'));
  const at = readInteger(fields?.get('at'));
  if (fields === null || seq === null || at === null) {
    return refused('bad_statement');
  }
  const field = (name: string) => fields.get(name) ?? '';
  const identity: Identity = {
    name: field('name'),
    url: field('url'),
    origin: field('origin'),
    log: field('log'),
    mirror: field('mirror'),
    node: field('node'),
    seq,
    at,
  };
  const { name, url, origin } = identity;
  const valid =
    isBoardName(name) &&
    addressOf(url) !== null &&
    parseLogOrigin(origin)?.name === name &&
    identityKeys(identity) !== null &&
    formatIdentity(identity) === text;
  return valid ? accepted(identity) : refused('bad_statement');
}

/**
 * Signed by `log`, then `node`. A new generation adds former log keys for peers
 * that pinned them; those lines are cut before logging.
 */
export function signIdentity(
  identity: Identity,
  log: Signer,
  node: Signer,
  ...formerLogs: readonly Signer[]
): string {
  return signNote(formatIdentity(identity), [log, node, ...formerLogs]);
}

/**
 * Its own log and node keys MUST have signed it, and `pinnedLog` where given
 * (spec/mesh.md §B1). The caller compares `seq` and address.
 */
export function openIdentity(
  raw: string,
  pinnedLog?: Vkey,
): Verdict<OpenedIdentity, IdentityRefusal> {
  const note = parseNote(raw);
  if (!note.ok) return note;
  const { text } = note.value;
  const identity = parseIdentity(text);
  if (!identity.ok) return identity;
  const keys = identityKeys(identity.value);
  if (keys === null) return refused('bad_statement');
  const own = [keys.log, keys.mirror, keys.node];
  if (!own.every((key) => isAcceptableKey(key.publicKey))) {
    return refused('weak_key');
  }
  const pins = pinnedLog === undefined ? [] : [pinnedLog];
  const opened = openNote(raw, [keys.log, keys.node, ...pins]);
  if (!opened.ok) return opened;
  const { verified } = opened.value;
  if (!verified.includes(keys.log) || !verified.includes(keys.node)) {
    return refused('no_known_signature');
  }
  if (pinnedLog !== undefined && !verified.includes(pinnedLog)) {
    return refused('pin_mismatch');
  }
  return accepted({ ...identity.value, text, keys });
}
