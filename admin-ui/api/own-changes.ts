/** For a change's event to come back. */
const BACK_MS = 10_000;

const made = new Map<string, number>();

export function noteOwn(key: string): void {
  made.set(key, Date.now());
}

/** The page has just changed it itself. */
export function isOwn(key: string): boolean {
  return Date.now() - (made.get(key) ?? 0) < BACK_MS;
}

type Input = Readonly<Record<string, unknown>>;

/** What a command changes; null for reads. */
export function changedBy(name: string, input: Input): string | null {
  if (name === 'decision.record') {
    const kind = input.action === 'poll_decision' ? 'poll' : 'message';
    return `${kind}:${input.id}`;
  }
  if (name.startsWith('subject.')) return String(input.subject);
  return name.startsWith('peer.') ? `peer:${input.board}` : null;
}
