// An attack on a running board of this machine, from outside:
// `npm run attack -- --board http://127.0.0.1:8080`, with `--data` and its data
// folder also as other accounts of the machine (as root).
import { parseArgs } from 'node:util';
import '@oxc-node/core/register';

const { runAttack } = await import('./run.ts');

const { values } = parseArgs({
  options: {
    board: { type: 'string', default: 'http://127.0.0.1:8080' },
    data: { type: 'string' },
  },
});
const { board, data = null } = values;
process.exitCode = (await runAttack({ board, data })) ? 0 : 1;
