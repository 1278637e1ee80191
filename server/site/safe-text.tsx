import { seenParts } from './invisible-characters.js';

/**
 * A member's words as plain text: a page escapes them by itself, this shows
 * what cannot be seen and keeps their direction to themselves.
 */
export function Shown({ text }: { text: string }) {
  return (
    <bdi>
      <Seen text={text} />
    </bdi>
  );
}

/** The same where an element around it has `dir="auto"` already. */
export function Seen({ text }: { text: string }) {
  return (
    <>
      {seenParts(text).map((part) =>
        part.text === undefined ? (
          <span class="unseen">{part.mark}</span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}
