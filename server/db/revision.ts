/** Writes to what finished answers are made of (`http/hot-reads.ts`). */
const SHOWN =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(?:message|poll|log_state)\b/;

const changing = new Map<string, boolean>();
const open = new WeakSet<object>();
let revision = 0;

/**
 * Grows with every commit of this process that public reads of messages and
 * polls can show, before the caller hears of it. It is told by the statements
 * themselves, so no writer can forget it, and once too often costs one read.
 */
export function boardRevision(): number {
  return revision;
}

/** For what another process, or nobody knows who, has changed. */
export function raiseRevision(): void {
  revision += 1;
}

/** Looks at a statement that has run; `client` may be in a transaction. */
export function noteStatement(client: object, text: string): void {
  let changes = changing.get(text);
  if (changes === undefined) {
    changes = SHOWN.test(text);
    changing.set(text, changes);
  }
  if (!changes) return;
  revision += 1;
  open.add(client);
}

/** A transaction is over, or nobody knows whether it is. */
export function noteCommit(client: object): void {
  if (open.delete(client)) revision += 1;
}
