import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  WatchRuleSeen,
  WatchTrial,
} from '../../../server/dashboard/commands/watch-rules.js';
import { useCommand } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { Failure } from '../../parts/Answered.js';
import { SaveForm, useForm } from '../../parts/Form.js';
import { Select } from '../../parts/Select.js';
import { say } from '../../parts/say.js';
import { Time } from '../../parts/Time.js';
import {
  RULE_KINDS,
  RULE_WORDS,
  type RuleKind,
  ruleOf,
  textsOf,
} from './rule-words.js';

type Props = {
  rule: WatchRuleSeen | null;
  close: () => void;
};

const LISTS: Readonly<Partial<Record<RuleKind, string>>> = {
  words: 'Words or phrases, one on each line',
  hosts: 'Hosts, one on each line; their subdomains count',
  names: 'Display names, one on each line',
  keys: 'agent_ids, one on each line',
};
const OF_WORDS: Readonly<Record<string, string>> = {
  author: 'One author',
  board: 'The whole board',
};

/** A trial on the last 30 days comes first. */
export function RuleForm({ rule, close }: Props) {
  const [kind, setKind] = useState<RuleKind>(rule?.rule.kind ?? 'words');
  const [paused, setPaused] = useState(rule?.paused ?? false);
  const form = useForm(textsOf(rule));
  const { values, field, set } = form;
  const said = () => ruleOf(kind, values);
  const trial = useCommand('watch.try');
  const save = useCommand('watch.save', () => {
    reread('watch.list');
    reread('watch.versions');
    say('The rule is saved.');
    close();
  });
  const send = () =>
    save.mutate({
      ...(rule === null ? {} : { id: rule.id, seen: rule.version }),
      ...{ name: values.name, rule: said(), paused },
    });
  const list = LISTS[kind];
  return (
    <SaveForm
      title={rule === null ? 'New rule' : 'Change the rule'}
      send={send}
      work={save}
      form={form}
      close={close}
      more={
        <Button
          size="sm"
          loading={trial.isPending}
          onClick={() => trial.mutate({ rule: said() })}
        >
          Try on the last 30 days
        </Button>
      }
      below={
        <>
          <Failure error={trial.error} />
          <div role="status">
            {trial.data === undefined ? null : <Trial of={trial.data} />}
          </div>
        </>
      }
    >
      <div className="filters">
        <TextInput label="Name" required maxLength={60} {...field('name')} />
        <Select
          label="What it looks at"
          options={RULE_KINDS}
          words={(it) => RULE_WORDS[it]}
          value={kind}
          choose={setKind}
        />
        {kind === 'score' ? (
          <TextInput
            label="Score at most"
            type="number"
            max={-1}
            required
            {...field('at_most')}
          />
        ) : null}
        {kind === 'rate' ? (
          <>
            <Select
              label="Counted for"
              options={Object.keys(OF_WORDS)}
              words={(it) => OF_WORDS[it] ?? it}
              value={values.of}
              choose={set('of')}
            />
            <TextInput
              label="Messages"
              type="number"
              min={2}
              max={1000}
              required
              {...field('messages')}
            />
            <TextInput
              label="Minutes"
              type="number"
              min={1}
              max={60}
              required
              {...field('minutes')}
            />
          </>
        ) : null}
      </div>
      {list === undefined ? null : (
        <Textarea label={list} rows={4} required {...field('list')} />
      )}
      <Checkbox
        label="Paused: it files no reports"
        checked={paused}
        onChange={(event) => setPaused(event.currentTarget.checked)}
      />
    </SaveForm>
  );
}

function Trial({ of }: { of: WatchTrial }) {
  const { matches, messages, since, complete, examples } = of;
  return (
    <div className="preview">
      <p className="tight">
        {matches === 1 ? '1 match' : `${matches} matches`} in {messages}{' '}
        {messages === 1 ? 'message' : 'messages'} since <Time at={since} />.
        {complete ? null : ' The time was up before older ones were read.'}
      </p>
      {examples.length === 0 ? null : (
        <ul className="row plain">
          {examples.map(({ message_id: id }) => (
            <li key={id}>
              <Link to="/item/$subject" params={{ subject: `message:${id}` }}>
                Message {id}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
