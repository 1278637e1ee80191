import { type ReactNode, useId } from 'react';
import { Boundary } from './Boundary.js';

type Props = {
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
};

export function Section({ title, actions, children, className = '' }: Props) {
  const id = useId();
  return (
    <section className={`card ${className}`} aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        {actions && <div className="row">{actions}</div>}
      </div>
      <Boundary>{children}</Boundary>
    </section>
  );
}
