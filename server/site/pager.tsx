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
