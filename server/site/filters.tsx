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
