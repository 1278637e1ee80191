import type { OpenedIdentity } from '../../protocol/identity.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { type Answer, type Ask, notRefused } from './asking.js';
import type { ReadLog } from './read-log.js';

/** A board, as far as it was read. */
export type Checked = {
  client: Pick<PeerClient, 'get' | 'post'>;
  ask: Ask;
  base: string;
  /** Of `/api/mesh`. */
  document: Record<string, unknown> | null;
  identity: OpenedIdentity;
  log: ReadLog;
  findings: Findings;
};

/** `lacks`: what the other board does not do. */
export type Finding = {
  level: number;
  /** Of docs/spec/mesh.md. */
  section: string;
  rule: string;
  /** `unseen`: nothing shows it, or only `--active` would. */
  verdict: 'holds' | 'lacks' | 'unseen';
  lacks?: string;
  /** Of `unseen`: what would show it. */
  why?: string;
};

export class Findings {
  readonly all: Finding[] = [];
  level = 0;

  /** `text`: section and rule; `lacks` null: it holds, undefined: unseen. */
  note(text: string, lacks: string | null | undefined, why?: string): boolean {
    const [section = '', ...words] = text.split(' ');
    const verdict =
      lacks === null ? 'holds' : lacks === undefined ? 'unseen' : 'lacks';
    this.all.push({
      level: this.level,
      section,
      rule: words.join(' '),
      verdict,
      ...(lacks && { lacks }),
      ...(verdict === 'unseen' && why && { why }),
    });
    return lacks === null;
  }

  /** The rule ends with a status and code, which the answer has. */
  refused(rule: string, answer: Answer): void {
    this.note(rule, notRefused(rule, answer));
  }

  holds(level: number): boolean {
    return this.all.every(
      (one) => one.level > level || one.verdict !== 'lacks',
    );
  }
}

/** For one line. */
export function few(items: readonly string[]): string | null {
  if (items.length === 0) return null;
  const more = items.length > 3 ? ` and ${items.length - 3} more` : '';
  return `${items.slice(0, 3).join(', ')}${more}`;
}
