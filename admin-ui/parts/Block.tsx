import { Inert } from './Inert.js';

/** A long text in fixed type, named and scrolled by keyboard. */
export function Block({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="body" aria-label={label} tabIndex={0}>
      <pre className="tight">
        <Inert text={text} />
      </pre>
    </section>
  );
}
