import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ChannelSeen } from '../../../server/dashboard/commands/notifications.js';
import { useAsk, useCommand } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { showHere } from '../../live/browser-notifications.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { DataTable } from '../../parts/DataTable.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Inert } from '../../parts/Inert.js';
import { Page, Section } from '../../parts/Page.js';
import { say } from '../../parts/say.js';
import { ChannelForm } from './ChannelForm.js';
import { Deliveries } from './Deliveries.js';
import { KIND_WORDS, WAY_WORDS } from './words.js';

export function NotificationsPage() {
  const channels = useAsk('notification.list', {});
  const [edited, edit] = useState<ChannelSeen | 'new' | null>(null);
  return (
    <Page
      title="Notifications"
      about="They say what happened and where, and never what somebody wrote."
      actions={
        <Button
          size="sm"
          variant="filled"
          disabled={edited !== null}
          onClick={() => edit('new')}
        >
          Add a channel
        </Button>
      }
    >
      <Answered of={channels} what="the channels">
        {({ data, email }) => (
          <>
            {edited === null ? null : (
              <ChannelForm
                key={edited === 'new' ? edited : edited.id}
                channel={edited === 'new' ? null : edited}
                email={email}
                close={() => edit(null)}
              />
            )}
            <Section title="Channels">
              <Channels channels={data} edit={edit} />
              {email ? null : (
                <p className="dim">
                  This node sends no e-mail: SMTP_URL is not set.
                </p>
              )}
            </Section>
          </>
        )}
      </Answered>
      <Deliveries />
    </Page>
  );
}

type ListProps = {
  channels: readonly ChannelSeen[];
  edit: (channel: ChannelSeen) => void;
};

function Channels({ channels, edit }: ListProps) {
  const remove = useCommand('notification.remove', () => {
    reread('notification.list');
    reread('notification.deliveries');
    say('The channel is removed.');
  });
  const test = useCommand('notification.test', () => {
    reread('notification.deliveries');
    say('A test is on its way; see the deliveries.');
  });
  const tryOut = ({ id, way }: ChannelSeen) => {
    if (way === 'browser') void showHere('Test', '/settings/notifications');
    else test.mutate({ id });
  };
  return (
    <>
      <DataTable
        caption="List of channels"
        none="Nobody is notified yet. Add a channel."
        data={channels}
        rowId={({ id }) => id}
        columns={{
          For: ({ of }) => (of === 'me' ? 'You' : 'The board'),
          Channel: (it) => (
            <>
              {WAY_WORDS[it.way]}{' '}
              <span className="break">
                <Inert text={it.address ?? it.url ?? ''} />
              </span>
            </>
          ),
          Events: ({ kinds }) =>
            kinds.map((kind) => KIND_WORDS[kind]).join(', '),
          '–': (it) => (
            <span className="row">
              <Button size="compact-xs" onClick={() => tryOut(it)}>
                Send a test
              </Button>
              <Button size="compact-xs" onClick={() => edit(it)}>
                Change
              </Button>
              <ConfirmButton
                label="Remove"
                ariaLabel="Remove the channel"
                act={() => remove.mutate({ id: it.id, seen: it.changed_at })}
              >
                Nothing is sent there any more, and its deliveries are deleted.
              </ConfirmButton>
            </span>
          ),
        }}
      />
      <Failure error={test.error ?? remove.error} />
    </>
  );
}
