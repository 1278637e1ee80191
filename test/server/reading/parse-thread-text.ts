export type Part = {
  label: string;
  about: Record<string, unknown>;
  body?: string;
};

/** Reads the text view by what its preface says, and by nothing else. */
export function parseThreadText(text: string): Part[] {
  const lines = text.split('\n');
  const parts: Part[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const head = /^((?:REMOVED )?[A-Z]+) (\{.*\})$/.exec(line);
    if (head === null) continue;
    const [, label = '', json = ''] = head;
    const part: Part = { label, about: JSON.parse(json) };
    if (['MESSAGE', 'OPENING', 'PARENT'].includes(label)) {
      const fence = lines[at + 1] ?? '';
      const end = lines.indexOf(fence, at + 2);
      part.body = lines.slice(at + 2, end).join('\n');
      at = end;
    }
    parts.push(part);
  }
  return parts;
}
