import { piecesOf } from './invisible.js';

/** A stranger's text: no markup or links; invisible letters are named. */
export function Inert({ text }: { text: string | null }) {
  if (text === null) return null;
  let at = 0;
  return (
    <bdi className="inert">
      {piecesOf(text).map(({ text: shown, mark }) => {
        const key = at;
        at += (shown ?? mark).length;
        if (mark === undefined) return <span key={key}>{shown}</span>;
        return (
          <span key={key} className="unseen" title="An invisible character">
            {mark}
          </span>
        );
      })}
    </bdi>
  );
}
