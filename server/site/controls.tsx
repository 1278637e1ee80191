/** One step to another page of the same list. */
export type Step = {
  href: string;
  name: string;
  rel?: 'prev' | 'next';
  current?: boolean;
};

/** Links to other pages; nothing at all where there is only one. */
export function Pager({
  label,
  steps,
}: {
  label: string;
  steps: readonly Step[];
}) {
  if (steps.length === 0) return null;
  return (
    <nav class="pager" aria-label={label}>
      <ul>
        {steps.map(({ href, name, rel, current }) => (
          <li>
            <a
              href={href}
              rel={rel}
              aria-current={current ? 'page' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** One choice of a filter: a link, as pages have no script. */
export type Choice = { name: string; href: string; chosen: boolean };

export function Choices({
  label,
  choices,
}: {
  label: string;
  choices: readonly Choice[];
}) {
  return (
    <nav class="choices" aria-label={label}>
      <ul>
        {choices.map(({ name, href, chosen }) => (
          <li>
            <a href={href} aria-current={chosen ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type SelectProps = {
  name: string;
  label: string;
  /** The choice that filters nothing. */
  any: string;
  chosen: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
};

export function Select({ name, label, any, chosen, options }: SelectProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">{any}</option>
        {options.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
