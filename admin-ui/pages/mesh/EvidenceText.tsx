import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Answered } from '../../parts/Answered.js';
import { Note } from './Note.js';
import { publicText } from './public-text.js';

/** What each part of a piece of evidence says, in its order. */
const PARTS = [
  ['log_vkey', 'The key that signed both'],
  ['first', 'One head that it signed'],
  ['second', 'And another that cannot follow from it'],
  ['prefix_root', 'The root that the second implies at the first’s size'],
  ['consistency', 'The hashes that show it'],
] as const;

type Part = { label: string; text: string };

/** The notes of the evidence as they were signed, line by line. */
function partsOf(text: string): Part[] {
  let json: Record<string, unknown> = {};
  try {
    json = Object(JSON.parse(text));
  } catch {
    // Whatever it is, its bytes are shown.
  }
  return PARTS.flatMap(([name, label]) => {
    const value = json[name];
    if (value === undefined) return [];
    const text = Array.isArray(value) ? value.join('\n') : String(value);
    return [{ label, text }];
  });
}

/** One piece of evidence, read when it is opened. */
export function EvidenceText({ sha256 }: { sha256: string }) {
  const [open, setOpen] = useState(false);
  const body = useQuery({
    queryKey: ['evidence', sha256],
    queryFn: () => publicText(`/api/mesh/evidence/${sha256}`),
    enabled: open,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="break">{sha256}</summary>
      {open ? (
        <Answered of={body} what="the evidence">
          {(text) => (
            <>
              {partsOf(text).map((part) => (
                <Note key={part.label} {...part} />
              ))}
              <Note label="All of it, byte by byte as hashed" text={text} />
            </>
          )}
        </Answered>
      ) : null}
    </details>
  );
}
