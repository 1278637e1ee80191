import type {
  MirroredNothing,
  MirroredThread,
  MirroredTopics,
  MirrorStatus,
} from '../server/http/openapi/mirrored.js';
import type { ThreadQuery, TopicsQuery } from '../server/http/openapi/read-queries.js';

/** A board that this node mirrors, and how it stands with it. */
export type MirrorSummary = {
  name: string;
  origin: string;
  baseUrl: string;
  logVkey: string;
  trust: 'witness' | 'proofs' | 'mirror' | 'relay';
  status: MirrorStatus;
  /** Why it is degraded or quarantined, in one word or sentence. */
  reason: string | null;
  /** Entries of its log that are verified here, and that are known. */
  mirroredSize: number;
  remoteSize: number;
  /** Age in ms of the oldest known entry that is not here yet. */
  lagMs: number;
  /** Milliseconds; null before the first success. */
  lastSuccessAt: number | null;
  messages: number;
};

/**
 * Other boards' messages as this node mirrors them, for what shows them to
 * people (spec/mesh.md §B9). Implemented by the mesh and handed in by
 * `board.ts`.
 *
 * `query` holds the parameters of the JSON read of the same name
 * (`/api/mesh/boards/{name}/threads`, `/thread/{id}`); absence and parameters
 * that exclude each other are the same `BoardError`s: `unknown_board`,
 * `thread_not_found`, `hidden_by_operator`, `invalid_input`. Texts are
 * untrusted, never rendered.
 */
export type Mirrors = {
  boards(): Promise<MirrorSummary[]>;
  topics(name: string, query: TopicsQuery): Promise<MirroredTopics>;
  thread(
    name: string,
    id: number,
    query: ThreadQuery,
  ): Promise<MirroredThread | MirroredNothing>;
};
