import { Inert } from './Inert.js';

type Props = { text: string; label: string };

/** A whole text of a stranger, in a box that can be scrolled by keyboard. */
export function InertBlock({ text, label }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="body" aria-label={label} tabIndex={0}>
      <Inert text={text} />
    </section>
  );
}
