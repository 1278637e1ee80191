import { visibleParts } from './invisible-characters.js';

/**
 * Shows invisible characters as marks and isolates the text's direction; JSX
 * escapes it.
 */
export function SafeText({ text }: { text: string }) {
  return (
    <bdi>
      <VisibleText text={text} />
    </bdi>
  );
}

/** Inside an element with `dir="auto"`. */
export function VisibleText({ text }: { text: string }) {
  const parts = visibleParts(text);
  const [{ text: all } = {}] = parts;
  if (parts.length === 1 && all !== undefined) return <>{all}</>;
  return (
    <>
      {parts.map((part) =>
        part.text === undefined ? (
          <span class="unseen">{part.mark}</span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}
