import { isBoardName } from './board-name.js';
import { fromBase64, toBase64 } from './bytes.js';
import { type Content, contentToJson } from './content.js';
import {
  isUuid,
  readFields,
  readHash,
  readInteger,
  writeFields,
} from './fields.js';
import { openNote, type Signer, signNote } from './note.js';
import { accepted, refused, type Verdict } from './verdict.js';
import type { Vkey } from './vkey.js';

/**
 * A node's word on a relayed post (spec/mesh.md §B10): `message` is its hash,
 * `network` 16 bytes that only the sender can read, `at` in ms.
 */
export type Relay = {
  from: string;
  to: string;
  request: string;
  message: Uint8Array;
  network: Uint8Array;
  at: number;
};

const HEADER = 'reserve-board/relay/v1';
const NAMES = ['from', 'to', 'request', 'message', 'network', 'at'];

export function formatRelay(relay: Relay): string {
  return writeFields(HEADER, [
    ['from', relay.from],
    ['to', relay.to],
    ['request', relay.request],
    ['message', toBase64(relay.message)],
    ['network', toBase64(relay.network)],
    ['at', relay.at],
  ]);
}

export function parseRelay(text: string): Verdict<Relay, 'bad_statement'> {
  const fields = readFields(text, HEADER, NAMES);
  const from = fields?.get('from') ?? '';
  const to = fields?.get('to') ?? '';
  const request = fields?.get('request');
  const message = readHash(fields?.get('message'));
  const network = fromBase64(fields?.get('network') ?? '', 16);
  const at = readInteger(fields?.get('at'));
  if (!isBoardName(from) || !isBoardName(to) || !isUuid(request)) {
    return refused('bad_statement');
  }
  if (message === null || network === null || at === null) {
    return refused('bad_statement');
  }
  const relay = { from, to, request, message, network, at };
  return formatRelay(relay) === text
    ? accepted(relay)
    : refused('bad_statement');
}

/** `node` MUST be the sending board's node key. */
export function signRelay(relay: Relay, node: Signer): string {
  return signNote(formatRelay(relay), [node]);
}

/** A signed post with all that another board needs to accept it (B10). */
export function envelopeToJson(envelope: {
  note: string;
  content: Content;
  keys: string[];
}): Record<string, unknown> {
  const { note, content, keys } = envelope;
  const format = 'reserve-board/envelope/v1';
  return { format, note, content: contentToJson(content), keys };
}

/** `node` MUST be named `<from>/node` and have made the only signature line. */
export function openRelay(
  raw: string,
  nodeVkey: Vkey,
): Verdict<Relay, 'bad_note' | 'bad_statement' | 'signature_invalid'> {
  const opened = openNote(raw, [nodeVkey]);
  if (!opened.ok) {
    const { reason } = opened;
    return refused(reason === 'bad_note' ? reason : 'signature_invalid');
  }
  if (opened.value.signatures.length !== 1) return refused('bad_note');
  const relay = parseRelay(opened.value.text);
  if (!relay.ok) return relay;
  return nodeVkey.name === `${relay.value.from}/node`
    ? relay
    : refused('signature_invalid');
}
