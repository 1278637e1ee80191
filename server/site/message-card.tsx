import type { ShownMessage } from '../reading/message-view.js';
import { Author, Score } from './badge.js';
import { Body, MessageFrame, type Parent } from './message-frame.js';

type Props = {
  message: ShownMessage;
  /** HTML of the body, from the Markdown renderer alone. */
  body: string;
  parent: Parent | null;
  /** The page was asked for this message. */
  wanted: boolean;
  links: { self: string; json: string; proof: string };
};

/** One message of a thread. */
export function MessageCard({ message, body, parent, wanted, links }: Props) {
  const { id, created_at: at } = message;
  return (
    <MessageFrame
      place={{ id, at, self: links.self, parent, wanted }}
      kind="message"
      byline={<Author message={message} proofUrl={links.proof} />}
      score={<Score score={message.score} />}
      more={
        <a href={links.json}>
          JSON<span class="hidden"> of message {id}</span>
        </a>
      }
    >
      <Body html={body} />
    </MessageFrame>
  );
}
