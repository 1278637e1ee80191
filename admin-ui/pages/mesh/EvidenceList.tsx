import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lostRefusal } from '../../api/request.js';
import { Answered } from '../../parts/Answered.js';
import { Inert } from '../../parts/Inert.js';
import { Block, Section } from '../../parts/Page.js';
import { Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';

type Evidence = { sha256: string; origin: string; kind: string; at: string };

async function evidenceAt(path: string): Promise<string> {
  const response = await fetch(`/api/mesh/evidence${path}`, {
    cache: 'no-store',
  });
  if (!response.ok) throw lostRefusal('The evidence could not be read.');
  return await response.text();
}

export function EvidenceList() {
  const list = useQuery({
    queryKey: ['evidence'],
    queryFn: async () =>
      JSON.parse(await evidenceAt('')) as { data: Evidence[] },
  });
  return (
    <Section title="Evidence">
      <Answered of={list} what="the evidence">
        {({ data }) =>
          data.length === 0 ? (
            <p className="dim tight">No conflicting logs detected.</p>
          ) : (
            <ul className="plain">
              {data.map(({ sha256, origin, kind, at }) => (
                <li key={sha256}>
                  <p className="tight">
                    {kind === 'equivocation' ? (
                      'Two histories signed by '
                    ) : (
                      <>
                        <Inert text={plain(kind)} />:{' '}
                      </>
                    )}
                    <Inert text={origin} />, found <Time at={at} />
                  </p>
                  <EvidenceText sha256={sha256} />
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Section>
  );
}

const PARTS = [
  ['log_vkey', 'The key that signed both'],
  ['first', 'One head that it signed'],
  ['second', 'And another that cannot follow from it'],
  ['prefix_root', 'The root that the second implies at the first’s size'],
  ['consistency', 'The hashes that show it'],
] as const;

/** From the second line of the signed head. */
function sizeOf(json: Record<string, unknown>, name: string): string {
  return /^\S+\n(\d{1,15})\n/.exec(String(json[name]))?.[1] ?? 'unknown';
}

function InWords({ text }: { text: string }) {
  const json = objectOf(text);
  const [first, second] = [sizeOf(json, 'first'), sizeOf(json, 'second')];
  return (
    <p>
      One key signed a log of {first} entries, and also one of {second} entries
      that does not continue it. One of the two histories is false, so nothing
      more is taken from this log. Ask its operators what happened; a mistake of
      this board is ruled out, because anybody can check the notes.
    </p>
  );
}

type Part = { label: string; text: string };

function objectOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    // No JSON: its bytes are shown.
    return {};
  }
}

function partsOf(text: string): Part[] {
  const json = objectOf(text);
  return PARTS.flatMap(([name, label]) => {
    const value = json[name];
    if (value === undefined) return [];
    const text = Array.isArray(value) ? value.join('\n') : String(value);
    return [{ label, text }];
  });
}

function EvidenceText({ sha256 }: { sha256: string }) {
  const [open, setOpen] = useState(false);
  const body = useQuery({
    queryKey: ['evidence', sha256],
    queryFn: () => evidenceAt(`/${sha256}`),
    enabled: open,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What was signed</summary>
      <p className="dim tight break">SHA-256 {sha256}</p>
      {open ? (
        <Answered of={body} what="the evidence">
          {(text) => (
            <>
              <InWords text={text} />
              {partsOf(text).map((part) => (
                <Block heading key={part.label} {...part} />
              ))}
              <Block
                heading
                label="All of it, byte by byte as hashed"
                text={text}
              />
            </>
          )}
        </Answered>
      ) : null}
    </details>
  );
}
