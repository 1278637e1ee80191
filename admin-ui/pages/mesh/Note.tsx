import { Block } from '../../parts/Block.js';

/** A signed note under its heading. */
export function Note({ label, text }: { label: string; text: string }) {
  return (
    <>
      <h3>{label}</h3>
      <Block label={label} text={text} />
    </>
  );
}
