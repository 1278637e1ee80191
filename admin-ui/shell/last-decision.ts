const NAME = 'operators-last-decision';

type Last = { subject: string; undo: string };

/** The last decision of this tab, which `u` takes back with a new one. */
export function rememberDecision(subject: string, id: number): void {
  const last: Last = { subject, undo: String(id) };
  sessionStorage.setItem(NAME, JSON.stringify(last));
}

export function undoSearch(): Last | null {
  const text = sessionStorage.getItem(NAME);
  return text === null ? null : (JSON.parse(text) as Last);
}
