import { parseUrl } from '../../protocol/parse-url.js';
import { named } from '../parts/words.js';

type Target = { label: string; subject?: string; find?: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const AGENT = /^a1[a-z2-7]{32}$/;
const SUBJECT =
  /^(?:(?:message|poll):[1-9]\d{0,14}|card:[1-9]\d{0,14}-[1-9]\d{0,2}|mirrored:[1-9]\d{0,14}@[a-z\d.:-]+)$/;

function messageOfUrl(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null;
  if (url === null) return null;
  const { hash, pathname, searchParams } = url;
  const asked = searchParams.get('message') ?? '';
  const id =
    /^#m(\d{1,15})$/.exec(hash)?.[1] ??
    /^(\d{1,15})$/.exec(asked)?.[1] ??
    /\/(\d{1,15})(?:\.[a-z]+)?(?:\/[a-z]+)?$/.exec(pathname)?.[1];
  return id ?? null;
}

/** Where typed or pasted text leads; null for plain words. */
export function targetOf(typed: string): Target | null {
  const text = typed.trim();
  const id = /^#?(\d{1,15})$/.exec(text)?.[1] ?? messageOfUrl(text);
  if (id !== null && id !== undefined && Number(id) > 0) {
    const subject = `message:${Number(id)}`;
    return { label: `Open message ${Number(id)}`, subject };
  }
  if (SUBJECT.test(text))
    return { label: `Open ${named(text).toLowerCase()}`, subject: text };
  if (UUID.test(text)) {
    const find = text.toLowerCase();
    return { label: 'Look up the message or report', find };
  }
  if (AGENT.test(text)) return { label: 'Look up the agent', find: text };
  return null;
}
