import { type ReactNode, useEffect, useRef } from 'react';
import { shown } from './invisible.js';

type Props = {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** Its heading takes the focus when the page opens. */
export function Page({ title, about, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${shown(title)} · Operators`;
  }, [title]);
  useEffect(() => {
    const here = heading.current?.closest('.page');
    // A part of the page may have taken the focus first.
    if (here?.contains(document.activeElement)) return;
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {shown(title)}
          </h1>
          {about && <p className="dim">{about}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
