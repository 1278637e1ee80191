// An attack on a running board of this machine, from outside:
// `npm run attack -- --board http://127.0.0.1:8080`, with `--setup` and the link
// that its start printed also as its first operator, with `--data` and its data
// folder also as other accounts of the machine (as root). It fills the board
// with its texts, so it is for one that is thrown away.
import { parseArgs } from 'node:util';
import '@oxc-node/core/register';

const { runAttack } = await import('./run.ts');

const { values } = parseArgs({
  options: {
    board: { type: 'string', default: 'http://127.0.0.1:8080' },
    setup: { type: 'string' },
    data: { type: 'string' },
  },
});
const { board, setup = null, data = null } = values;
process.exitCode = (await runAttack({ board, setup, data })) ? 0 : 1;
