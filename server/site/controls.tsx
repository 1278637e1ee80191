import type { ComponentChild, ComponentChildren, JSX } from 'preact';

export type Link = {
  href: string;
  name: string;
  /** Spoken name, where the visible one says too little. */
  label?: string;
  rel?: 'prev' | 'next';
  /** This page, or `part` of it. */
  current?: boolean | 'part';
  /** Some are left out before it. */
  gap?: boolean;
};

type LinksProps = {
  label: string;
  class?: string;
  links: readonly Link[];
};

export function Links({ label, ...it }: LinksProps) {
  return (
    <nav class={it.class} aria-label={label}>
      <ul>
        {it.links.map(({ href, name, label, rel, current, gap }) => (
          <li class={gap ? 'gap' : undefined}>
            <a
              href={href}
              rel={rel}
              aria-label={label}
              aria-current={
                current === 'part' ? 'true' : current ? 'page' : undefined
              }
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type MenuProps = { label: string; links: readonly Link[] };

/** Opens without script. */
export function Menu({ label, links }: MenuProps) {
  const chosen = links.findIndex(({ current }) => current);
  return (
    <nav class="menu" aria-label={label}>
      <details name="menu">
        <summary class={chosen > 0 ? 'chosen' : undefined}>
          <span class="hidden">{label}: </span>
          {links[chosen]?.name ?? label}
        </summary>
        <ul>
          {links.map(({ href, name, current }) => (
            <li>
              <a href={href} aria-current={current ? 'true' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

/** Null: no such page. */
export type Step = readonly [name: string, href: string | null];

export type Steps = { prev: Step; next: Step; pages?: readonly Link[] };

type PagerProps = { label: string } & Steps;

/** Nothing where there is only one. */
export function Pager({ label, prev, next, pages = [] }: PagerProps) {
  const step = ([name, href]: Step, rel: 'prev' | 'next'): Link[] =>
    href === null ? [] : [{ href, name, rel }];
  const links = [...step(prev, 'prev'), ...pages, ...step(next, 'next')];
  if (links.length === 0) return null;
  return <Links label={label} class="pager" links={links} />;
}

type CardsProps = {
  empty: ComponentChild;
  children: readonly ComponentChild[];
};

export function Cards({ empty, children }: CardsProps) {
  if (children.length === 0) return <p class="empty">{empty}</p>;
  return <ol class="cards">{children}</ol>;
}

/** Backticks mark code. */
export function Line({ text }: { text: string }) {
  const parts = text.split('`');
  return <>{parts.map((it, at) => (at % 2 > 0 ? <code>{it}</code> : it))}</>;
}

type FactsProps = {
  facts: readonly (readonly [ComponentChildren, ComponentChildren])[];
};

export function Facts({ facts }: FactsProps) {
  return (
    <dl class="facts">
      {facts.map(([term, about]) => (
        <>
          <dt>{term}</dt>
          <dd>{about}</dd>
        </>
      ))}
    </dl>
  );
}

type FoldProps = { name: string; open: boolean; children: ComponentChildren };

/** Collapsed. */
export function Fold({ name, open, children }: FoldProps) {
  return (
    <details class="fold" open={open}>
      <summary>{name}</summary>
      {children}
    </details>
  );
}

type InputProps = { name: string; label: string; size?: 'narrow' | 'grow' };

export function Input({
  label,
  size,
  ...it
}: Omit<JSX.IntrinsicElements['input'], 'size'> & InputProps) {
  return (
    <div class={size === undefined ? 'field' : `field ${size}`}>
      <label for={it.name}>{label}</label>
      <input id={it.name} type="text" autocomplete="off" {...it} />
    </div>
  );
}

type SelectProps = {
  name: string;
  label: string;
  any?: string;
  required?: boolean;
  fault?: string | undefined;
  chosen: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
};

export function Select({ name, label, any, chosen, ...it }: SelectProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        name={name}
        required={it.required}
        {...faulty(name, it.fault)}
      >
        {any === undefined ? null : <option value="">{any}</option>}
        {it.options.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
      <Fault of={name} fault={it.fault} />
    </div>
  );
}

export function faulty(name: string, fault: string | undefined) {
  if (fault === undefined) return {};
  return {
    'aria-invalid': true,
    'aria-describedby': `${name}-fault`,
    autofocus: true,
  };
}

type FaultProps = { of: string; fault: string | undefined };

export function Fault({ of, fault }: FaultProps) {
  if (fault === undefined) return null;
  return (
    <p class="fault" id={`${of}-fault`} role="alert">
      {fault}
    </p>
  );
}
