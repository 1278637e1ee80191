import type { Tx } from '../db/sql.js';

/** A poll's erasable texts, for the seal of its topic's content. */
export type PollText = {
  question: string;
  options: string[];
  summary: string | null;
};

/**
 * Takes the texts out of a removed topic's poll and answers them; null when
 * there is no poll or they are gone (spec/mesh.md §B4, Removal).
 */
export async function takePollText(
  tx: Tx,
  rootId: number,
): Promise<PollText | null> {
  const [text] = await tx.query<PollText>(
    `WITH known AS (
       SELECT id, question, options, summary FROM poll
       WHERE root_id = $1 AND question IS NOT NULL FOR UPDATE
     ), emptied AS (
       UPDATE poll SET question = NULL, options = NULL, summary = NULL
       FROM known WHERE poll.id = known.id
     )
     SELECT question, options, summary FROM known`,
    [rootId],
  );
  return text ?? null;
}

/** Puts the texts of a reinstated topic's poll back; it stays closed. */
export async function putPollText(
  tx: Tx,
  rootId: number,
  { question, options, summary }: PollText,
): Promise<void> {
  await tx.query(
    `UPDATE poll SET question = $2, options = $3, summary = $4
     WHERE root_id = $1`,
    [rootId, question, options, summary],
  );
}
