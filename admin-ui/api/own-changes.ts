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

/** What a command changes, in the words of events (`about` of `NOTED`). */
export function changedBy(name: string, input: Input): string {
  const { action, board, id, subject } = input;
  const [noun = name] = name.split('.');
  if (noun === 'decision') {
    return `${action === 'poll_decision' ? 'poll' : 'message'}:${id}`;
  }
  return String(subject ?? (board === undefined ? noun : `${noun}:${board}`));
}
