import { visibleParts } from './invisible-characters.js';

/**
 * A member's words as plain text: a page escapes them by itself, this shows
 * what cannot be seen and keeps their direction to themselves.
 */
export function SafeText({ text }: { text: string }) {
  return (
    <bdi>
      <VisibleText text={text} />
    </bdi>
  );
}

/** The same where an element around it has `dir="auto"` already. */
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
