// Fails where a folder has more lines than budget.json allows (docs/architecture.md).
// To raise a number takes a commit of its own that says why.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const LEFT_OUT = /(?:^|\/)(?:node_modules|dist)(?:\/|$)/;
const sums = JSON.parse(readFileSync('budget.json', 'utf8'));
let over = 0;
for (const [name, budget] of Object.entries(sums)) {
  let total = 0;
  for (const [folder, most] of Object.entries(budget.folders)) {
    const lines = linesOf(folder);
    total += lines;
    check(folder, lines, most);
  }
  check(`${name} in whole`, total, budget.most);
}
process.exit(over > 0 ? 1 : 0);

function check(what, lines, most) {
  const is = lines > most ? `, ${lines - most} too many` : '';
  if (lines > most) over += 1;
  console.log(`${what}: ${lines} lines of ${most}${is}`);
}

/** Lines of TypeScript in a folder, comments and all. */
function linesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !LEFT_OUT.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'latin1'))
    .reduce((lines, text) => lines + text.split('\n').length - 1, 0);
}
