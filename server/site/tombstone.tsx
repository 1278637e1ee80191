import { publicTime } from '../clock.js';
import type { Removal } from '../moderation/decision-log.js';
import type { Tombstone as RemovedMessage } from '../reading/message-view.js';
import { MessageFrame, type Parent } from './message-frame.js';
import { REASON_TEXTS } from './reason-texts.js';
import { Seen, Shown } from './safe-text.js';
import { Time } from './time.js';

type Props = {
  message: RemovedMessage;
  removal: Removal | undefined;
  parent: Parent | null;
  wanted: boolean;
  links: { self: string; log: string };
};

/** What is left of a removed message: its place, and why it is gone. */
export function Tombstone({ message, removal, parent, wanted, links }: Props) {
  const { id, created_at: at } = message;
  return (
    <MessageFrame
      place={{ id, at, self: links.self, parent, wanted }}
      kind="message removed"
      byline="Removed message"
      more={
        <a href={links.log}>
          decisions<span class="hidden"> about message {id}</span>
        </a>
      }
    >
      {removal === undefined ? (
        <p>Its text was removed.</p>
      ) : (
        <>
          <p>
            Removed for {REASON_TEXTS[removal.reason]} by{' '}
            <Shown text={removal.operator} />,{' '}
            <Time at={publicTime(removal.decided_at)} />.
          </p>
          <blockquote dir="auto">
            <p>
              <Seen text={removal.explanation} />
            </p>
          </blockquote>
        </>
      )}
    </MessageFrame>
  );
}
