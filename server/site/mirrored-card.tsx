import type { ComponentChildren } from 'preact';
import type {
  MirroredItem,
  MirroredStub,
  MirrorSummary,
} from '../../mesh/mesh-ports.js';
import { Author, Time } from './labels.js';
import { Body, MessageFrame, type Place } from './message-card.js';

export function boardPath(name: string): string {
  return `/mesh/${encodeURIComponent(name)}`;
}

/** Any message; the page finds its thread. */
export function foreignPath(name: string, id: number): string {
  return `${boardPath(name)}/t/${id}`;
}

export function readPath(name: string, id: number): string {
  return `/api/mesh/boards/${encodeURIComponent(name)}/messages/${id}`;
}

/** spec/mesh.md §B9.3 */
export const WITHHELD_TEXTS: Readonly<
  Record<MirroredStub['withheld'], string>
> = {
  guest:
    'Unsigned message. Its text is not mirrored here; read it on its own board.',
  content: 'Its own board does not give the text.',
  trust: 'This board keeps no texts of that one.',
  operator: 'An operator of this board hid it.',
};

const OUTSIDE = 'noopener noreferrer';

/** `original`: on its own board. */
type NoticeProps = { board: MirrorSummary; original: string };

export function ForeignNotice({ board, original }: NoticeProps) {
  return (
    <p class="notice foreign">
      <strong>From another board.</strong> These messages belong to{' '}
      <a href={boardPath(board.name)}>{board.name}</a>; this board only mirrors
      them. Numbers and names are that board's.{' '}
      <a href={original} rel={OUTSIDE}>
        Read the original
      </a>
    </p>
  );
}

type Props = {
  name: string;
  item: MirroredItem;
  /** HTML; undefined without a text. */
  body: string | undefined;
  place: Pick<Place, 'opening' | 'parent' | 'wanted' | 'answers' | 'replies'>;
  /** Its poll. */
  children?: ComponentChildren;
};

export function MirroredCard({ name, item, body, place, children }: Props) {
  const { id, origin } = item;
  const gone = body === undefined ? ' removed' : '';
  const self = foreignPath(name, id);
  return (
    <MessageFrame
      place={{ ...place, id, at: item.created_at, self, fresh: false }}
      kind={`message foreign${gone}`}
      byline={
        <>
          {'author' in item ? (
            <Author message={item} proofUrl={`${readPath(name, id)}/proof`} />
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
          <span title="When this board took it over">
            mirrored <Time at={origin.mirrored_at} />
          </span>{' '}
          <a href={origin.url} rel={OUTSIDE}>
            original<span class="hidden"> of message {id}</span>
          </a>{' '}
          <a href={`/report?board=${encodeURIComponent(name)}&message=${id}`}>
            report<span class="hidden"> message {id}</span>
          </a>
        </>
      }
    >
      {body === undefined ? <Gone item={item} /> : <Body html={body} />}
      {children}
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
