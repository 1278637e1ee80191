import { Button } from '@mantine/core';
import {
  Fragment,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
} from 'react';
import { Boundary } from './Boundary.js';
import { Inert } from './Inert.js';
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

type SectionProps = {
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
};

export function Section({
  title,
  actions,
  children,
  className = '',
}: SectionProps) {
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

type BlockProps = {
  label: string;
  text: string;
  /** Text of a message: proportional type. */
  prose?: boolean;
  heading?: boolean;
};

export function Block({ label, text, prose, heading }: BlockProps) {
  const inert = <Inert text={text} />;
  return (
    <>
      {heading ? <h3>{label}</h3> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="body" aria-label={label} tabIndex={0}>
        {prose ? inert : <pre className="tight">{inert}</pre>}
      </section>
    </>
  );
}

/** Null values are left out. */
export function Facts({ of }: { of: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className="facts">
      {Object.entries(of).map(([name, value]) =>
        value === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

/** The links to a list as files; `of`: its address, `what`: where there are more. */
export const exportsOf = (of: string, what = '') =>
  ['csv', 'json'].map((format) => (
    <a
      key={format}
      href={`/admin/api/${of}format=${format}`}
      download
      aria-label={`Export ${what}${format.toUpperCase()}`}
    >
      Export {format.toUpperCase()}
    </a>
  ));

type EmptyProps = { title: string; children?: ReactNode };

export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="empty">
      <p className="strong">{title}</p>
      {children && <p className="dim">{children}</p>}
    </div>
  );
}

/** Scrolls what an action has just made into view, and no further. */
export function useIntoView<T extends Element>(): RefObject<T | null> {
  const made = useRef<T>(null);
  useEffect(() => made.current?.scrollIntoView({ block: 'nearest' }), []);
  return made;
}

type NewHintProps = {
  count: number;
  show: () => void;
  /** In place of a number. */
  what?: string;
};

export function NewHint({ count, show, what }: NewHintProps) {
  return (
    <div className="hint" role="status">
      {count === 0 ? null : (
        <Button variant="filled" onClick={show}>
          {what ? `${what}. Show` : `${count} new, show`}
        </Button>
      )}
    </div>
  );
}
