// Statements written by hand stand in files named `*.sql.ts`; everything else
// goes through TypeORM's repositories and query builder.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['server', 'mesh'];
/** Their statements are the schema, or a server's that has no schema yet. */
const SCHEMA = /^server\/db\/(?:migrations|embedded)\//;
/** Connections themselves: sessions, locks of a session, streams of rows. */
const CONNECTIONS = new Set([
  'mesh/worker-locks.ts',
  'server/db/notifications.ts',
  'server/db/requirements.ts',
  'server/db/session.ts',
  'server/db/sql.ts',
  'server/operations/backup/load-backup.ts',
  'server/operations/backup/write-backup.ts',
  'server/operations/jobs/jobs.ts',
]);
const CALL = /\.query[<(]|\brun(?:<[^>]*>)?\(\s*client\b/g;

/** Where a statement is written by hand that should not be, and how many are. */
export function handWritten() {
  const wrong = [];
  let statements = 0;
  for (const folder of FOLDERS) {
    for (const name of readdirSync(folder, { recursive: true })) {
      const file = path.posix.join(folder, name.replaceAll(path.sep, '/'));
      if (!/\.tsx?$/.test(file) || SCHEMA.test(file)) continue;
      const text = readFileSync(file, 'utf8');
      const found = text.match(CALL)?.length ?? 0;
      if (found === 0) continue;
      if (file.endsWith('.sql.ts')) statements += found;
      else if (!CONNECTIONS.has(file)) wrong.push(`${file} (${found})`);
    }
  }
  return { wrong, statements };
}
