import { z } from 'zod';
import { AN_AGENT_ID } from '../../http/query.js';
import { said } from '../fields.js';

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
      hosts: list(
        z
          .string()
          .toLowerCase()
          .regex(HOST, 'must be a host, as board.example'),
      ),
    })
    .describe('Hosts of links, subdomains included.'),
  z
    .strictObject({ kind: z.literal('names'), names: list(said(80)) })
    .describe('Display names, upper and lower case alike.'),
  z
    .strictObject({
      kind: z.literal('keys'),
      keys: list(z.string().regex(AGENT, AN_AGENT_ID)),
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
