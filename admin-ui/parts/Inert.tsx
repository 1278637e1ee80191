import { piecesOf } from './invisible.js';

/**
 * What a stranger wrote, as text and nothing else: no markup, no link, nothing
 * fetched. Letters that are invisible or turn the line around are named.
 * Nothing for null.
 */
export function Inert({ text }: { text: string | null }) {
  if (text === null) return null;
  let at = 0;
  return (
    <bdi className="inert">
      {piecesOf(text).map((piece) => {
        const key = at;
        at += piece.text.length;
        if (!piece.unseen) return <span key={key}>{piece.text}</span>;
        return (
          <span key={key} className="unseen" title="An invisible character">
            {piece.text}
          </span>
        );
      })}
    </bdi>
  );
}
