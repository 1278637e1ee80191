import type { WatchRuleSeen } from '../../../server/dashboard/commands/watch-rules.js';
import type { RuleSaid } from '../../../server/dashboard/watch-rules/watch-rule.js';

export type RuleKind = RuleSaid['kind'];

export const RULE_WORDS: Readonly<Record<RuleKind, string>> = {
  words: 'Words',
  hosts: 'Link hosts',
  names: 'Names',
  keys: 'Keys',
  score: 'Score',
  rate: 'Rate',
};
export const RULE_KINDS = Object.keys(RULE_WORDS) as RuleKind[];

export type RuleTexts = {
  name: string;
  list: string;
  at_most: string;
  messages: string;
  minutes: string;
  of: string;
};

export function textsOf(rule: WatchRuleSeen | null): RuleTexts {
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

function listOf(rule: RuleSaid): string[] {
  switch (rule.kind) {
    case 'words':
      return rule.terms;
    case 'hosts':
      return rule.hosts;
    case 'names':
      return rule.names;
    case 'keys':
      return rule.keys;
    default:
      return [];
  }
}

export function ruleOf(kind: RuleKind, texts: RuleTexts): RuleSaid {
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
