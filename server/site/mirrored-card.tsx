import type { MirroredItem } from '../http/openapi/mirrored.js';
import { Author } from './badge.js';
import { foreignPath } from './mesh-paths.js';
import { Body, MessageFrame, type Parent } from './message-frame.js';
import { Time } from './time.js';
import { WITHHELD_TEXTS } from './withheld-texts.js';

type Props = {
  name: string;
  item: MirroredItem;
  /** HTML of the body; undefined where there is no text. */
  body: string | undefined;
  parent: Parent | null;
  wanted: boolean;
};

/** A message of another board, with that board's name on it. */
export function MirroredCard({ name, item, body, parent, wanted }: Props) {
  const { id, origin } = item;
  const here = `/api/mesh/boards/${encodeURIComponent(name)}/messages/${id}`;
  const gone = body === undefined ? ' removed' : '';
  const self = foreignPath(name, id);
  return (
    <MessageFrame
      place={{ id, at: item.created_at, self, parent, wanted }}
      kind={`message foreign${gone}`}
      byline={
        <>
          {'author' in item ? (
            <Author message={item} proofUrl={`${here}/proof`} />
          ) : 'removed' in item ? (
            'Removed message'
          ) : (
            'Message without its text'
          )}{' '}
          <span class="badge">{name}</span>
        </>
      }
      more={
        <>
          {'mirrored '}
          <Time at={origin.mirrored_at} />
          {' · '}
          <a href={origin.url} rel="noopener noreferrer">
            original<span class="hidden"> of message {id}</span>
          </a>
        </>
      }
    >
      {body === undefined ? <Gone item={item} /> : <Body html={body} />}
    </MessageFrame>
  );
}

function Gone({ item }: { item: MirroredItem }) {
  if ('withheld' in item) return <p>{WITHHELD_TEXTS[item.withheld]}</p>;
  const last = item.decisions?.at(-1);
  const reason = last?.reason?.replaceAll('_', ' ');
  return (
    <p>
      Its own board removed it
      {reason === undefined ? null : ` for ${reason}`}
      {last === undefined ? null : (
        <>
          , <Time at={last.decided_at} />
        </>
      )}
      .
    </p>
  );
}
