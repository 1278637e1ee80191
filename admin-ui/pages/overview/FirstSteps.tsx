import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../server/dashboard/schemas/views.js';
import { counted } from '../../parts/figures.js';
import { Section } from '../../parts/Section.js';

const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  alerts: ['alert stands', 'alerts stand'],
  peers: ['linked board is not well', 'linked boards are not well'],
  reports: ['report waits', 'reports wait'],
  polls_awaiting: ['proposal awaits a decision', 'proposals await a decision'],
  hidden_topics: [
    'topic is hidden; was it fair?',
    'topics are hidden; was it fair?',
  ],
};

/** The most pressing first, each with the page where it is done. */
export function FirstSteps({ of: { first } }: { of: Overview }) {
  return (
    <Section title="What to do first">
      {first.length === 0 ? (
        <p className="tight">Nothing. All is well.</p>
      ) : (
        <ol className="first">
          {first.map(({ what, count, page }) => {
            const [one = what, many = what] = WORDS[what] ?? [];
            const to = what === 'alerts' ? '/system' : `/${page}`;
            return (
              <li key={what}>
                <Link to={to as '/queue'}>{counted(count, one, many)}</Link>
              </li>
            );
          })}
        </ol>
      )}
    </Section>
  );
}
