import { useQuery } from '@tanstack/react-query';
import { Answered } from '../../parts/Answered.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Time } from '../../parts/Time.js';
import { EvidenceText } from './EvidenceText.js';
import { publicText } from './public-text.js';

type Evidence = { sha256: string; origin: string; kind: string; at: string };

/** Proofs that a log signed two histories: what was verified, word by word. */
export function EvidenceList() {
  const list = useQuery({
    queryKey: ['evidence'],
    queryFn: async () =>
      JSON.parse(await publicText('/api/mesh/evidence')) as {
        data: Evidence[];
      },
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
              {data.map(({ sha256, origin, kind, at }) => (
                <li key={sha256}>
                  <p className="tight">
                    <Inert text={kind} /> against <Inert text={origin} />,{' '}
                    <Time at={at} />
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
