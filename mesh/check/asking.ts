import { fromUtf8 } from '../../protocol/bytes.js';
import { readObject, readString } from '../../protocol/json.js';
import { NOTE_BYTES } from '../../protocol/limits.js';
import { DOCUMENT_BYTES } from '../peers/fetch-identity.js';
import { jsonOf } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';

/** With a body it is a POST. */
export type Ask = ReturnType<typeof asking>;
export type Answer = Awaited<ReturnType<Ask>>;

/** What a node reads of an answer (spec/mesh.md §B11.1); of a feed as ever. */
function bytesOf(path: string): { maxBytes?: number } {
  if (path.includes('/feed?')) return {};
  const isNote = /\/checkpoint$|\/consistency\?|\/evidence\/./.test(path);
  return { maxBytes: isNote ? NOTE_BYTES : DOCUMENT_BYTES };
}

/** With a node's rules for addresses, bytes and times. */
export function asking(client: Pick<PeerClient, 'get' | 'post'>, base: string) {
  return async (path: string, sent?: object) => {
    const answer = await (sent === undefined
      ? client.get(base, path, bytesOf(path))
      : client.post(base, path, sent));
    const { status, body } = answer.ok
      ? answer.value
      : { status: 0, body: Buffer.alloc(0) };
    const json = readObject(jsonOf(body));
    /** Without an answer. */
    const fault = answer.ok ? null : answer.reason;
    return { status, body, json, fault };
  };
}

export function textOf({ body }: Answer): string {
  return fromUtf8(body) ?? '';
}

/** Expected: the status and code that the rule names. */
export function notRefused(rule: string, answer: Answer): string | null {
  const [, status = '', error] = /(\d{3}) `(\w+)`/.exec(rule) ?? [];
  if (answer.status !== Number(status)) {
    return `${said(answer)} in place of ${status} ${error}`;
  }
  const code = readString(answer.json?.error);
  return code === error ? null : `${status} with "${code}", not "${error}"`;
}

export function said({ status, fault }: Answer): string {
  return fault ?? `HTTP ${status}`;
}
