import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import { Choice } from '../../parts/Choice.js';
import { Filters } from '../../parts/Filters.js';
import { useAddress } from '../../shell/use-address.js';

export function DecisionFilterBar() {
  const { search, change } = useAddress();
  const filter = (name: string) => ({
    value: search[name],
    change: (value: string | undefined) => change({ [name]: value }),
  });
  return (
    <Filters>
      <Choice
        label="Action"
        none="All"
        options={MODERATION_ACTIONS}
        {...filter('action')}
      />
      <Choice
        label="Reason"
        none="All"
        options={MODERATION_REASONS}
        {...filter('reason')}
      />
      <Choice label="Room" none="All" options={ROOMS} {...filter('room')} />
      <Typed label="Operator’s alias" {...filter('operator')} />
      <Typed label="Message" {...filter('message_id')} />
      <Typed label="From (UTC day)" type="date" {...filter('from')} />
      <Typed label="To (UTC day)" type="date" {...filter('to')} />
    </Filters>
  );
}

type Props = {
  label: string;
  type?: 'text' | 'date';
  value: string | undefined;
  change: (value: string | undefined) => void;
};

/** A filter that counts when the field is left, or on Enter. */
export function Typed({ label, type = 'text', value = '', change }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const take = () => {
    if (text !== value) change(text.trim() === '' ? undefined : text.trim());
  };
  return (
    <TextInput
      label={label}
      type={type}
      size="xs"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => {
        if (key === 'Enter') take();
      }}
    />
  );
}
