import { messageText } from '../corpus/message.js';
import type { LoadFigures } from '../load/figures.js';
import type { DataSet } from '../set-up/data-set.js';
import type { Lab } from '../set-up/lab.js';

const TEXTS = 500;
const TABLE =
  'CREATE TABLE IF NOT EXISTS bare_insert (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), body text NOT NULL)';

/** The least that storing a message can cost: its row, committed. */
export async function bareInserts(lab: Lab, set: DataSet) {
  await lab.cluster.query(set.database, TABLE);
  const values = Array.from({ length: TEXTS }, (_, n) => [
    messageText(set.seed, n + 1).body,
  ]);
  return (connections: number): Promise<LoadFigures> =>
    lab.load({
      kind: 'sql',
      url: set.url,
      statement: 'INSERT INTO bare_insert (body) VALUES ($1)',
      values,
      connections,
      seconds: lab.slice.seconds,
    });
}

export const bareReference = (found: readonly LoadFigures[]) => ({
  what: 'bare INSERT, committed',
  unit: 'inserts/s',
  found,
});
