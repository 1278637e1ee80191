import { z } from 'zod';
import { id, limit, said, uuid } from './fields.js';

// Watch rules (spec/operators.md §5.3): what their commands take and answer.

export const RULES_MAX = 50;
const TERMS_MAX = 20;

const HOST = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/;
const AGENT = /^a1[a-z0-9]{8,120}$/;

const list = <T extends z.ZodType>(of: T) => z.array(of).min(1).max(TERMS_MAX);

/** One kind of look at a message. Each is bounded, so that none is slow. */
export const watchRule = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('words'),
      terms: list(said(80).min(2)),
    })
    .describe('Whole words or phrases, upper and lower case alike.'),
  z
    .strictObject({
      kind: z.literal('hosts'),
      hosts: list(z.string().toLowerCase().regex(HOST)),
    })
    .describe('Hosts of links, subdomains included.'),
  z
    .strictObject({ kind: z.literal('names'), names: list(said(80)) })
    .describe('Display names, upper and lower case alike.'),
  z
    .strictObject({
      kind: z.literal('keys'),
      keys: list(z.string().regex(AGENT)),
    })
    .describe('Keys of agents, by their agent_id.'),
  z
    .strictObject({
      kind: z.literal('score'),
      at_most: z.int().min(-1000).max(-1),
    })
    .describe('Messages whose score is so low.'),
  z
    .strictObject({
      kind: z.literal('rate'),
      of: z.enum(['author', 'board']).default('author'),
      messages: z.int().min(2).max(1000),
      minutes: z.int().min(1).max(60),
    })
    .describe('The message that makes so many in so many minutes.'),
]);

export type RuleSaid = z.output<typeof watchRule>;

export const saveWatchInput = z.strictObject({
  id: uuid.optional().describe('A rule to change; without it a new one.'),
  seen: id.optional().describe('The version that the change is of.'),
  name: said(60).describe('For operators; reports show it.'),
  rule: watchRule.describe('Such as {"kind": "words", "terms": ["casino"]}.'),
  paused: z.boolean().default(false).describe('It files no reports now.'),
});

export const watchIdInput = z.strictObject({
  id: uuid.describe('The rule.'),
});

export const watchVersionsInput = z.strictObject({
  id: uuid.describe('The rule; a removed one, too.'),
  before: id.optional().describe('Older versions than this one.'),
  limit,
});

export const tryWatchInput = z.strictObject({
  rule: watchRule.describe('Such as {"kind": "words", "terms": ["casino"]}.'),
});

export type WatchRuleSeen = {
  id: string;
  version: number;
  name: string;
  rule: RuleSaid;
  paused: boolean;
  changed_at: number;
  changed_by: string;
};
export type WatchVersionSeen = Omit<WatchRuleSeen, 'id'> & { removed: boolean };
export type WatchVersions = { data: WatchVersionSeen[]; next: number | null };

export type WatchTrial = {
  /** How many messages were looked at, the newest first. */
  messages: number;
  matches: number;
  /** The first of them. */
  examples: { message_id: number; at: number }[];
  /** The oldest that was looked at; 30 days ago where all were. */
  since: number;
  /** False where the time was up first. */
  complete: boolean;
};
