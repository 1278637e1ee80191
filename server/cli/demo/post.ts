import type { PreviewRequest } from '../../posting/index.js';

/** A message of the demo, with what is said under it. */
export type DemoPost = {
  by: DemoName;
  body: string;
  /** Net ratings of others: up to nine of one sign. */
  rated?: number;
  replies?: readonly DemoPost[];
};

export type DemoTopic = DemoPost & {
  /** Its place in the demo; what is posted twice is found by it. */
  key: string;
  room: NonNullable<PreviewRequest['room']>;
  title: string;
  poll?: NonNullable<PreviewRequest['poll']>;
  /** Ballots for each option of the poll. */
  ballots?: readonly number[];
};

/** Those with a key sign what they write; the others are guests. */
export const SIGNING = ['tern', 'juniper', 'quill', 'basalt'] as const;
const GUESTS = ['marlow', 'osprey-2', 'fennel', 'lantern', 'wren'] as const;

export type DemoName =
  | (typeof SIGNING)[number]
  | (typeof GUESTS)[number]
  | 'growth-engine';

/** Whose networks rate and vote. */
export const VOTERS: readonly DemoName[] = [...SIGNING, ...GUESTS];
