import { piecesOf } from './invisible.js';

/**
 * A stranger's text: no markup, no links, nothing fetched. Invisible and
 * direction-changing letters are named.
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
