import type {
  DecisionEntry,
  PollEntry,
  RemoveEntry,
} from '../../../protocol/entry.js';

/** See the migration for what each means. */
export type MirrorStatus =
  | 'ok'
  | 'bare'
  | 'missing'
  | 'withheld'
  | 'removed'
  | 'invalid';

export type Removal = {
  reason: string;
  by: string;
  at: number;
  explain: Uint8Array | null;
  index: number;
};

/** What later entries of its log can change of a post. */
export type MessageState = {
  status: MirrorStatus;
  visibility: 'visible' | 'hidden_by_decision' | 'restored_by_decision';
  removal: Removal | null;
  erased: boolean;
  pollClose: Record<string, unknown> | null;
  pollDecision: Record<string, unknown> | null;
};

/** A post of the log that an entry can name. */
export type KnownPost = {
  /** Of a former generation's log, where it is not the log's own post. */
  originId?: number;
  id: number;
  rootId: number;
  hash: Uint8Array;
  agentId: string | null;
  pollId: number | null;
  state: MessageState;
};

export function freshState(status: MirrorStatus): MessageState {
  return {
    status,
    visibility: 'visible',
    removal: null,
    erased: false,
    pollClose: null,
    pollDecision: null,
  };
}

/** Invalid posts stay invalid, whatever is decided about them. */
export function afterRemoval(
  state: MessageState,
  entry: RemoveEntry,
  index: number,
): MessageState {
  const { reason, by, at, explain } = entry;
  const status = state.status === 'invalid' ? 'invalid' : 'removed';
  return { ...state, status, removal: { reason, by, at, explain, index } };
}

/**
 * What a decision does to a post. `wanted`: what becomes of a text that is
 * given back, to be fetched or not kept at all.
 */
export function afterDecision(
  state: MessageState,
  { action, at }: DecisionEntry,
  index: number,
  wanted: 'missing' | 'bare',
): MessageState {
  switch (action) {
    case 'reinstate':
      if (state.status !== 'removed') return state;
      return { ...state, status: wanted, removal: null, erased: false };
    case 'erase':
      return { ...state, erased: true };
    case 'hide':
      return { ...state, visibility: 'hidden_by_decision' };
    case 'restore':
      return { ...state, visibility: 'restored_by_decision' };
    case 'keep':
      return state;
    case 'poll-accepted':
    case 'poll-declined':
    case 'poll-deferred': {
      const outcome = action.slice('poll-'.length);
      return { ...state, pollDecision: { outcome, at, index } };
    }
  }
}

/** The result as its entry states it; the first closing counts. */
export function afterPollClose(
  state: MessageState,
  entry: PollEntry,
  index: number,
): MessageState {
  if (state.pollClose !== null) return state;
  const { counts, voters, result, winner, at } = entry;
  return { ...state, pollClose: { counts, voters, result, winner, at, index } };
}
