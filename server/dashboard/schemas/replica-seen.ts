/** A replica as this process sees it (docs/operate.md, Replicas). */
export type ReplicaSeen = {
  /** Its place in DATABASE_REPLICA_URLS. */
  number: number;
  state: string;
  behind_bytes: number | null;
  /** Statements that it answered for this process. */
  reads: number;
  /** What its state means, and what to do. */
  sentence: string;
};
