import type { ReactNode } from 'react';

export type Tone = 'calm' | 'good' | 'warn' | 'bad' | 'info';

/** A word in a box. The word says it all; the colour only helps. */
export function Tag({
  children,
  tone = 'calm',
  busy = false,
}: {
  children: ReactNode;
  tone?: Tone;
  busy?: boolean;
}) {
  return (
    <span className={`tag tag-${tone}`} aria-busy={busy}>
      {children}
    </span>
  );
}
