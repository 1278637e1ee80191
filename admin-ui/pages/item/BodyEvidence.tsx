import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Item } from '../../../server/dashboard/commands/item.js';
import { CopyButton } from '../../parts/CopyButton.js';
import { signed } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { hasUnseen } from '../../parts/invisible.js';
import { Block, Facts, Section } from '../../parts/Page.js';
import { StateTag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

const WIDTH = 16;
const MOST = 8192;

type Props = { item: Item; unseal: (() => void) | null };

export function BodyEvidence({ item: { message, sealed }, unseal }: Props) {
  const { title, body, author } = sealed ?? message;
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
        <NoText unseal={message.state === 'removed' ? unseal : null} />
      ) : (
        <>
          <Block prose text={body} label="The text of the message" />
          {hasUnseen(body) || hasUnseen(title ?? '') ? (
            <p className="dim">
              The marked codes are characters that readers cannot see.
            </p>
          ) : null}
          <RawBytes text={body} />
        </>
      )}
      <Facts
        of={{
          Name: author === null ? 'removed' : <Inert text={author} />,
          Posted: <Time at={message.created_at} exact />,
          Room: message.room,
          Score: signed(message.score),
          'Request ID': <code>{message.request_id}</code>,
          Public: (
            <a href={message.url} target="_blank" rel="noopener noreferrer">
              {message.url}
            </a>
          ),
        }}
      />
    </Section>
  );
}

function NoText({ unseal }: Pick<Props, 'unseal'>) {
  if (unseal === null) return <p>There is no text any more.</p>;
  return (
    <div className="stack below">
      <p className="tight">
        Removed. The text can be reinstated for 30 days, then it is deleted.
      </p>
      <div>
        <Button onClick={unseal}>Show the sealed text</Button>
      </div>
    </div>
  );
}

function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const part = [...bytes.subarray(at, at + WIDTH)];
    const hex = part.map((it) => it.toString(16).padStart(2, '0')).join(' ');
    const letters = String.fromCharCode(...part).replace(/[^!-~]/g, '.');
    const offset = at.toString(16).padStart(6, '0');
    lines.push(`${offset}  ${hex.padEnd(WIDTH * 3)} ${letters}`);
  }
  return lines.join('\n');
}

/** Made only on request. */
function RawBytes({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const bytes = open ? new TextEncoder().encode(text) : null;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Raw bytes (UTF-8)</summary>
      {bytes === null ? null : (
        <>
          <Block label="Raw bytes" text={hexDump(bytes.subarray(0, MOST))} />
          <p className="row dim">
            {bytes.length} bytes
            {bytes.length > MOST ? `, the first ${MOST} shown` : ''}
            <CopyButton text={text} what="text" />
          </p>
        </>
      )}
    </details>
  );
}
