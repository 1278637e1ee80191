import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lostRefusal } from '../../api/refusal.js';
import { Answered } from '../../parts/Answered.js';
import { Section } from '../../parts/Section.js';
import { Time } from '../../parts/Time.js';
import { Note } from './Note.js';

type Evidence = { sha256: string; origin: string; kind: string; at: string };

/** A public read of this board as text. */
async function text(path: string): Promise<string> {
  const response = await fetch(path, { cache: 'no-store' });
  if (!response.ok) throw lostRefusal('The evidence could not be read.');
  return await response.text();
}

/** Proofs that a log signed two histories: what was verified, word by word. */
export function EvidenceList() {
  const list = useQuery({
    queryKey: ['evidence'],
    queryFn: async () =>
      JSON.parse(await text('/api/mesh/evidence')) as { data: Evidence[] },
  });
  return (
    <Section title="Evidence">
      <Answered of={list} what="the evidence">
        {({ data }) =>
          data.length === 0 ? (
            <p className="dim tight">
              No log is known to have signed two histories.
            </p>
          ) : (
            <ul className="plain">
              {data.map((it) => (
                <li key={it.sha256}>
                  <p className="tight">
                    {it.kind} against {it.origin}, <Time at={it.at} />
                  </p>
                  <EvidenceText sha256={it.sha256} />
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Section>
  );
}

function EvidenceText({ sha256 }: { sha256: string }) {
  const [open, setOpen] = useState(false);
  const body = useQuery({
    queryKey: ['evidence', sha256],
    queryFn: () => text(`/api/mesh/evidence/${sha256}`),
    enabled: open,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="break">{sha256}</summary>
      {open ? (
        <Answered of={body} what="the evidence">
          {(it) => <Note label="The evidence, word by word" text={it} />}
        </Answered>
      ) : null}
    </details>
  );
}
