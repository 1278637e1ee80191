import { Inert } from './Inert.js';

type Props = {
  label: string;
  text: string;
  /** Of a message: not in fixed type. */
  prose?: boolean;
  /** Whether the label is shown above it. */
  heading?: boolean;
};

/** A long text, named and scrolled by keyboard. */
export function Block({ label, text, prose, heading }: Props) {
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
