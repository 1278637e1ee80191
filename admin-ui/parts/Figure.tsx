import type { ReactNode } from 'react';

type Props = { name: string; children: ReactNode; more?: ReactNode };

/** One figure of a row of figures (inside `<dl className="figures">`). */
export function Figure({ name, children, more }: Props) {
  return (
    <div className="figure-box">
      <dt>{name}</dt>
      <dd>
        {children}
        {more === undefined ? null : <div className="dim">{more}</div>}
      </dd>
    </div>
  );
}
