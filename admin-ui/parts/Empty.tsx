import type { ReactNode } from 'react';

type Props = { title: string; children?: ReactNode };

/** Nothing to show, and why that may be good. */
export function Empty({ title, children }: Props) {
  return (
    <div className="empty">
      <p className="strong">{title}</p>
      {children && <p className="dim">{children}</p>}
    </div>
  );
}
