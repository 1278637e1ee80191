// Statements written by hand stand in files named `*.sql.ts`; everything else
// goes through TypeORM's repositories and query builder.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['server', 'mesh'];
/** Their statements are the schema, or a server's that has no schema yet. */
const SCHEMA = /^server\/db\/(?:migrations|embedded)\//;
/** `run(client, text, …)` only passes on the text of its caller. */
const CALL = /\.query[<(]|\brun(?:<[^>]*>)?\(\s*client\b(?!, text)/g;

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
      else wrong.push(`${file} (${found})`);
    }
  }
  return { wrong, statements };
}
