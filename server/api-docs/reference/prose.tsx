/** One paragraph; what stands between backticks is code. */
export function Line({ text }: { text: string }) {
  const parts = text.split('`').map((part, at) => ({ part, code: at % 2 > 0 }));
  return (
    <>{parts.map(({ part, code }) => (code ? <code>{part}</code> : part))}</>
  );
}

/** The board's own words: paragraphs and code, no other markup. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split(/\n\n+/).map((paragraph) => (
        <p>
          <Line text={paragraph} />
        </p>
      ))}
    </>
  );
}

/** A value or a text as it is sent; it can be scrolled by keyboard. */
export function Sample({ value, name }: { value: unknown; name: string }) {
  const text =
    typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <details>
      <summary>{name}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </details>
  );
}
