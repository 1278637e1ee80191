import type { ReactNode } from 'react';
import type { Claim } from '../../server/dashboard/commands/claims.js';
import type { ModerationState } from '../../server/moderation/index.js';
import { STATES } from './words.js';

export type Tone = 'calm' | 'good' | 'warn' | 'bad' | 'info';

type Props = { children: ReactNode; tone?: Tone; busy?: boolean };

/** The word says everything; colour only helps. */
export function Tag({ children, tone = 'calm', busy = false }: Props) {
  return (
    <span className={`tag tag-${tone}`} aria-busy={busy}>
      {children}
    </span>
  );
}

export function StateTag({ state }: { state: ModerationState }) {
  const [words, tone] = STATES[state];
  return <Tag tone={tone}>{words}</Tag>;
}

export function ClaimTag({ claim: { mine, operator } }: { claim: Claim }) {
  return (
    <Tag tone={mine ? 'info' : 'warn'}>
      {mine ? 'Claimed by you' : `Claimed by ${operator}`}
    </Tag>
  );
}
