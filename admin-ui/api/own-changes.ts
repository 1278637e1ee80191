/** Long enough for the note of a change to come back to the page that made it. */
const BACK_MS = 10_000;

const made = new Map<string, number>();

/** Remembers what this page is about to change itself. */
export function noteOwn(key: string): void {
  made.set(key, Date.now());
}

/** Whether a note is about what this page has just changed itself. */
export function isOwn(key: string): boolean {
  return Date.now() - (made.get(key) ?? 0) < BACK_MS;
}

type Input = Readonly<Record<string, unknown>>;

/** The thing that a command changes; null for one that only reads. */
export function changedBy(name: string, input: Input): string | null {
  if (name === 'decision.record') {
    const kind = input.action === 'poll_decision' ? 'poll' : 'message';
    return `${kind}:${input.id}`;
  }
  if (name.startsWith('subject.')) return String(input.subject);
  return name.startsWith('peer.') ? `peer:${input.board}` : null;
}
