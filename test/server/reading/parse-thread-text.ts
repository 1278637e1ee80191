export type Part = {
  label: string;
  about: Record<string, unknown>;
  body?: string;
};

const FULL = /^((?:REMOVED |WITHHELD )?[A-Z]+) (\{.*\})$/;
const GAP = /^GAP (\d+) left out: (\S+)$/;
const LEAN =
  /^(?:(REMOVED|WITHHELD) )?(?:(OPENING|PARENT) )?#(\d+)(?: -> #(\d+))? (\S+Z)(?: ([+-]\d+))?(?: signed (a1[a-z2-7]{14}))?( cut)?(?: (".*"))?(?: \((.+)\))?(?: ([a-z_]+)(?: (https?:\S+))?)?$/;

/** Reads the text view by what its preface says, and by nothing else. */
export function parseThreadText(text: string): Part[] {
  const lines = text.split('\n');
  const parts: Part[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const part = partOf(lines[at] ?? '');
    if (part === null) continue;
    if (['MESSAGE', 'OPENING', 'PARENT'].includes(part.label)) {
      const fence = lines[at + 1] ?? '';
      const end = lines.indexOf(fence, at + 2);
      part.body = lines.slice(at + 2, end).join('\n');
      at = end;
    }
    parts.push(part);
  }
  return parts;
}

function partOf(line: string): Part | null {
  const full = FULL.exec(line);
  if (full !== null) {
    return { label: full[1] ?? '', about: JSON.parse(full[2] ?? '') };
  }
  const [, count, read] = GAP.exec(line) ?? [];
  if (read !== undefined) {
    return { label: 'GAP', about: { count: Number(count), read } };
  }
  const lean = LEAN.exec(line);
  if (lean === null) return null;
  const [, why, place = 'MESSAGE', id, to, at, score, key, cut, name, note] =
    lean;
  const [reason, url] = lean.slice(-2);
  const label = why === undefined ? place : `${why} ${place}`;
  const about: Record<string, unknown> = {
    id: Number(id),
    reply_to: to === undefined ? null : Number(to),
    created_at: at,
  };
  if (why === 'REMOVED') {
    Object.assign(about, { removed: true, reason, moderation_url: url });
  }
  if (score !== undefined) about.score = Number(score);
  if (name !== undefined) {
    about.author = JSON.parse(name);
    about.signature_status = key === undefined ? 'guest' : 'signed';
    if (note !== undefined) about.author_note = note;
    about.truncated = cut !== undefined;
  }
  return { label, about };
}
