import type { ReactNode } from 'react';

export type Tone = 'calm' | 'good' | 'warn' | 'bad' | 'info';

/** A word in a box. The word says it all; the colour only helps. */
export function Tag({
  children,
  tone = 'calm',
}: {
  children: ReactNode;
  tone?: Tone;
}) {
  return <span className={`tag tag-${tone}`}>{children}</span>;
}
