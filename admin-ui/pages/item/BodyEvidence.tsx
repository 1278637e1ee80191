import { Button } from '@mantine/core';
import type { Item } from '../../../server/dashboard/schemas/views.js';
import { signed } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { InertBlock } from '../../parts/InertBlock.js';
import { hasUnseen } from '../../parts/invisible.js';
import { Section } from '../../parts/Section.js';
import { StateTag } from '../../parts/StateTag.js';
import { Time } from '../../parts/Time.js';
import { RawBytes } from './RawBytes.js';

type Props = { item: Item; unseal?: () => void };

/** The text itself: inert, with its bytes for those who need them. */
export function BodyEvidence({ item, unseal }: Props) {
  const { message, sealed } = item;
  const shown = sealed ?? {
    title: message.title,
    body: message.body,
    author: message.author,
  };
  const { title, body, author } = shown;
  return (
    <Section
      title={sealed === null ? 'Text' : 'Sealed text'}
      actions={<StateTag state={message.state} />}
    >
      {sealed === null ? null : (
        <p className="fault">
          Readers do not see this text any more. Do not pass it on.
        </p>
      )}
      {title === null ? null : (
        <p className="strong tight">
          <Inert text={title} />
        </p>
      )}
      {body === null ? (
        <NoText unseal={unseal} state={message.state} />
      ) : (
        <>
          <InertBlock text={body} label="The text of the message" />
          {hasUnseen(body) || hasUnseen(title ?? '') ? (
            <p className="dim">
              The marked codes are characters that readers cannot see.
            </p>
          ) : null}
          <RawBytes text={body} />
        </>
      )}
      <dl className="facts">
        <dt>Name</dt>
        <dd>{author === null ? 'gone' : <Inert text={author} />}</dd>
        <dt>Posted</dt>
        <dd>
          <Time at={message.created_at} exact />
        </dd>
        <dt>Room</dt>
        <dd>
          {message.room}, score {signed(message.score)}
        </dd>
        <dt>request_id</dt>
        <dd>
          <code>{message.request_id}</code>
        </dd>
        <dt>Public</dt>
        <dd>
          <a href={message.url} target="_blank" rel="noopener noreferrer">
            {message.url}
          </a>
        </dd>
      </dl>
    </Section>
  );
}

type NoTextProps = {
  unseal: (() => void) | undefined;
  state: Item['message']['state'];
};

function NoText({ unseal, state }: NoTextProps) {
  if (state !== 'removed' || unseal === undefined) {
    return <p>There is no text any more.</p>;
  }
  return (
    <div>
      <p>The text was removed. It stays sealed for 30 days.</p>
      <Button size="xs" variant="default" onClick={unseal}>
        Show the sealed text
      </Button>
    </div>
  );
}
