import { Inert } from './Inert.js';

type Props = {
  label: string;
  text: string;
  /** Text of a message: proportional type. */
  prose?: boolean;
  heading?: boolean;
};

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
