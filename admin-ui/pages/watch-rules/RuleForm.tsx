import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  WatchRuleSeen,
  WatchTrial,
} from '../../../server/dashboard/commands/watch-rules.js';
import type { RuleSaid } from '../../../server/dashboard/watch-rules/watch-rule.js';
import { useCommand, useRead } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { Failure } from '../../parts/Answered.js';
import { SaveForm, useForm } from '../../parts/Form.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Select } from '../../parts/Select.js';
import { say } from '../../parts/say.js';
import { Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';

type Props = {
  rule: WatchRuleSeen | null;
  close: () => void;
};

const LISTS: Readonly<Partial<Record<RuleKind, string>>> = {
  words: 'Words or phrases, one on each line',
  hosts: 'Hosts, one on each line; their subdomains count',
  names: 'Display names, one on each line',
  keys: 'Agent IDs, one on each line',
};
const OF_WORDS: Readonly<Record<string, string>> = {
  author: 'One author',
  board: 'The whole board',
};

const RATES = [
  ['messages', 2, 1000],
  ['minutes', 1, 60],
] as const;

/** A trial on the last 30 days comes first. */
export function RuleForm({ rule, close }: Props) {
  const [kind, setKind] = useState<RuleKind>(rule?.rule.kind ?? 'words');
  const [paused, setPaused] = useState(rule?.paused ?? false);
  const form = useForm(textsOf(rule));
  const { values, field, set } = form;
  const said = () => ruleOf(kind, values);
  const trial = useRead('watch.try');
  const save = useCommand('watch.save', () => {
    reread('watch.list');
    reread('watch.versions');
    say('The rule is saved.');
    close();
  });
  const send = () =>
    save.mutate({
      ...(rule === null ? {} : { id: rule.id, seen: rule.version }),
      name: values.name,
      rule: said(),
      paused,
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
            {RATES.map(([name, min, max]) => (
              <TextInput
                key={name}
                label={plain(name)}
                type="number"
                min={min}
                max={max}
                required
                {...field(name)}
              />
            ))}
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
  const { matches, looked_at: looked, removed, since, complete, examples } = of;
  return (
    <div className="preview">
      <p className="tight">
        {counted(matches, 'match', 'matches')} in {counted(looked, 'text')}{' '}
        since <Time at={since} />
        {removed === 0
          ? ''
          : `; ${count(removed)} removed ones were not looked at`}
        .{complete ? null : ' The time was up before older ones were read.'}
      </p>
      <ul className="plain">
        {examples.map(({ message_id: id, at, author, title, excerpt }) => (
          <li key={id}>
            <Link to="/item/$subject" params={{ subject: `message:${id}` }}>
              {title === null ? `Message ${id}` : <Inert text={title} />}
            </Link>{' '}
            <span className="dim">
              <Inert text={author} />, <Time at={at} />
            </span>
            <span className="one-line dim">
              <Inert text={excerpt?.replaceAll('\n', ' ') ?? null} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type RuleKind = RuleSaid['kind'];

export const RULE_WORDS: Readonly<Record<RuleKind, string>> = {
  words: 'Words',
  hosts: 'Link hosts',
  names: 'Names',
  keys: 'Keys',
  score: 'Score',
  rate: 'Rate',
};
const RULE_KINDS = Object.keys(RULE_WORDS) as RuleKind[];

type RuleTexts = ReturnType<typeof textsOf>;

function textsOf(rule: WatchRuleSeen | null) {
  const said = rule?.rule;
  return {
    name: rule?.name ?? '',
    list: said === undefined ? '' : listOf(said).join('\n'),
    at_most: said?.kind === 'score' ? String(said.at_most) : '-2',
    messages: said?.kind === 'rate' ? String(said.messages) : '10',
    minutes: said?.kind === 'rate' ? String(said.minutes) : '10',
    of: said?.kind === 'rate' ? said.of : 'author',
  };
}

/** A rule has at most one. */
const listOf = (rule: RuleSaid): string[] =>
  Object.values(rule).find(Array.isArray) ?? [];

function ruleOf(kind: RuleKind, texts: RuleTexts): RuleSaid {
  const lines = texts.list
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  switch (kind) {
    case 'words':
      return { kind, terms: lines };
    case 'hosts':
      return { kind, hosts: lines };
    case 'names':
      return { kind, names: lines };
    case 'keys':
      return { kind, keys: lines };
    case 'score':
      return { kind, at_most: Number(texts.at_most) };
    case 'rate':
      return {
        kind,
        of: texts.of === 'board' ? 'board' : 'author',
        messages: Number(texts.messages),
        minutes: Number(texts.minutes),
      };
  }
}

export function saidOf(rule: RuleSaid): string {
  if (rule.kind === 'score') return `${rule.at_most} or lower`;
  if (rule.kind === 'rate') {
    const whose = rule.of === 'author' ? 'by one author' : 'on the board';
    return `${rule.messages} messages ${whose} in ${rule.minutes} minutes`;
  }
  return listOf(rule).join(', ');
}
