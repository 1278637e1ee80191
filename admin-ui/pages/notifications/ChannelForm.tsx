import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ChannelSeen } from '../../../server/dashboard/commands/notifications.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { CommandLine } from '../../parts/CopyButton.js';
import { SaveForm, useForm } from '../../parts/Form.js';
import { Section } from '../../parts/Page.js';
import { Select } from '../../parts/Select.js';
import { say } from '../../parts/say.js';
import { KIND_WORDS, KINDS, WAY_WORDS, type Way } from './words.js';

type Props = {
  /** Null: a new one. */
  channel: ChannelSeen | null;
  email: boolean;
  close: () => void;
};

const OF_WORDS = { me: 'Me', board: 'The board' };

/** A new secret is shown only once. */
export function ChannelForm({ channel, email, close }: Props) {
  const admin = useMay('admin');
  const [of, setOf] = useState(channel?.of ?? 'me');
  const ways: Way[] = [
    ...(email ? (['email'] as const) : []),
    ...(admin ? (['webhook'] as const) : []),
    ...(of === 'me' ? (['browser'] as const) : []),
  ];
  const [chosen, setWay] = useState(channel?.way ?? ways[0] ?? 'browser');
  const way = channel === null && !ways.includes(chosen) ? ways[0] : chosen;
  const [kinds, setKinds] = useState<readonly string[]>(
    channel?.kinds ?? KINDS,
  );
  const [newSecret, setNewSecret] = useState(false);
  const form = useForm({
    url: channel?.url ?? '',
    address: channel?.address ?? '',
  });
  const { values, field } = form;
  const save = useCommand('notification.save', ({ secret }) => {
    reread('notification.list');
    if (secret !== null) return;
    say('The channel is saved.');
    close();
  });
  const { secret = null } = save.data ?? {};
  if (secret !== null) return <NewSecret secret={secret} close={close} />;
  const send = () => {
    if (way === 'browser') void Notification.requestPermission();
    save.mutate({
      ...(channel && { id: channel.id, seen: channel.changed_at }),
      of,
      way: way ?? 'browser',
      new_secret: newSecret,
      kinds: KINDS.filter((kind) => kinds.includes(kind)),
      ...(way === 'webhook' ? { url: values.url } : {}),
      ...(way === 'email' ? { address: values.address } : {}),
    });
  };
  return (
    <SaveForm
      title={channel === null ? 'New channel' : 'Change the channel'}
      send={send}
      work={save}
      form={form}
      close={close}
    >
      <div className="filters">
        {admin ? (
          <Select
            label="For"
            options={['me', 'board'] as const}
            words={(it) => OF_WORDS[it]}
            value={of}
            choose={setOf}
            disabled={channel !== null}
          />
        ) : null}
        <Select
          label="Channel"
          options={channel === null ? ways : [channel.way]}
          words={(it) => WAY_WORDS[it]}
          value={way ?? 'browser'}
          choose={setWay}
          disabled={channel !== null}
        />
        {way === 'webhook' ? (
          <TextInput
            label="Address of the receiver"
            type="url"
            required
            maxLength={2000}
            {...field('url')}
          />
        ) : null}
        {way === 'email' ? (
          <TextInput
            label="E-mail address"
            type="email"
            required
            maxLength={254}
            {...field('address')}
          />
        ) : null}
      </div>
      <Checkbox.Group label="Events" value={[...kinds]} onChange={setKinds}>
        <div className="row">
          {KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={KIND_WORDS[kind]} />
          ))}
        </div>
      </Checkbox.Group>
      {way === 'webhook' && channel !== null ? (
        <Checkbox
          label="Make a new secret; the old one ends at once"
          checked={newSecret}
          onChange={(event) => setNewSecret(event.currentTarget.checked)}
        />
      ) : null}
      {way === 'browser' ? (
        <p className="dim tight">
          While a dashboard is open in your browser, it shows a notification.
        </p>
      ) : null}
    </SaveForm>
  );
}

type SecretProps = Pick<Props, 'close'> & { secret: string };

function NewSecret({ secret, close }: SecretProps) {
  return (
    <Section title="The secret of the webhook">
      <p className="tight">
        The receiver checks signatures with it, by the Standard Webhooks
        specification. It is shown only now:
      </p>
      <CommandLine text={secret} what="secret" />
      <Button size="sm" onClick={close}>
        I have saved it
      </Button>
    </Section>
  );
}
