import type { ReactNode } from 'react';

type Props = { title: string; children?: ReactNode };

export function Empty({ title, children }: Props) {
  return (
    <div className="empty">
      <p className="strong">{title}</p>
      {children && <p className="dim">{children}</p>}
    </div>
  );
}
