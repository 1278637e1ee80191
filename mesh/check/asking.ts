import { fromUtf8 } from '../../protocol/bytes.js';
import { readObject, readString } from '../../protocol/json.js';
import { NOTE_BYTES } from '../../protocol/limits.js';
import { DOCUMENT_BYTES } from '../peers/fetch-identity.js';
import { jsonOf } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';

/** `fault` without an answer. */
export type Answer = {
  /** 0 without an answer. */
  status: number;
  body: Buffer;
  json: Record<string, unknown> | null;
  fault: string | null;
};

export type Ask = (path: string) => Promise<Answer>;

/** What a node reads of an answer (spec/mesh.md §B11.1); of a feed as ever. */
function bytesOf(path: string): number | undefined {
  if (path.includes('/feed?')) return undefined;
  return /\/checkpoint$|\/consistency\?|\/evidence\/./.test(path)
    ? NOTE_BYTES
    : DOCUMENT_BYTES;
}

/** With a node's rules for addresses, bytes and times. */
export function asking(client: Pick<PeerClient, 'get'>, base: string): Ask {
  return async (path) => {
    const maxBytes = bytesOf(path);
    const call = maxBytes === undefined ? {} : { maxBytes };
    const answer = await client.get(base, path, call);
    if (!answer.ok) {
      const body = Buffer.alloc(0);
      return { status: 0, body, json: null, fault: answer.reason };
    }
    const { status, body } = answer.value;
    return { status, body, json: readObject(jsonOf(body)), fault: null };
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
