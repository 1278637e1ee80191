// The fault plan: `npm run faults -- --profile full`, or one row again with
// `-- --only A1,B3 --seed 7`; `-- --render` only writes the reports anew;
// `-- --shared` gives time limits room where others use the machine;
// `-- --resume` goes on where a run of the same commit and profile ended.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import '@oxc-node/core/register';

const { renderReports, runFaults } = await import('./run.ts');

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({
  options: {
    profile: { type: 'string', default: 'ci' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    render: { type: 'boolean', default: false },
    shared: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
  },
});
const { profile, only, seed, render, shared, resume } = values;
if (profile !== 'ci' && profile !== 'full') {
  throw new Error('--profile is ci or full');
}
if (!/^\d{1,9}$/.test(seed)) throw new Error('--seed is a number');
if (render) {
  await renderReports(root);
} else {
  const rows = only.split(',').filter((id) => id !== '');
  const done = await runFaults({
    profile,
    only: rows,
    seed: Number(seed),
    shared,
    resume,
    root,
  });
  process.exitCode = done ? 0 : 1;
}
