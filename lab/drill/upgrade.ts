// Two processes are brought from the former release to this one, and then
// restarted, under load: `npm run drill:upgrade -- --publishes 10000 --seed 7`.
import { formerMain, formerRelease } from '../../test/faults/former-release.js';
import { compiledMain } from '../../test/support/compiled.js';
import { findPrograms } from '../../test/support/programs.js';
import { drill, options } from './drill.js';
import { circumstances, findings, seconds, writeReport } from './report.js';
import { type Process, Stage } from './stage.js';

const WRITERS = 16;

const { publishes, seed } = options('publishes', 10_000);

/** Ends a process as an upgrade does, and starts it with the present release. */
async function replace({ node }: Process, main: string): Promise<number> {
  const code = await node.end('SIGTERM');
  if (code !== 0) throw new Error(`a process ended with ${code}`);
  node.main = main;
  const at = performance.now();
  await node.start();
  await node.ready();
  return performance.now() - at;
}

const programs = findPrograms(['patroni', 'etcd', 'haproxy']);
await drill(async () => {
  const former = await formerRelease();
  const main = await compiledMain();
  const setting = { programs, seed, writers: WRITERS };
  await Stage.use({ ...setting, main: await formerMain() }, async (stage) => {
    const { writers, audience, processes } = stage;
    const startMs: number[] = [];
    await stage.begin();
    const began = performance.now();
    // Each process twice: to the present release, and to the same again.
    const restarts = [...processes, ...processes];
    const share = Math.ceil(publishes / (restarts.length + 1));
    for (const [n, one] of restarts.entries()) {
      if (n === processes.length) audience.startToFollow();
      await writers.progress(share);
      startMs.push(await replace(one, main));
      console.log(`${writers.acked} acknowledged`);
    }
    await writers.progress(Math.max(share, publishes - writers.acked));
    await writers.stop();
    const took = (performance.now() - began) / 1000;
    const outcome = await stage.check();
    const facts = { seed, programs, outcome, audience, writers };
    const missed = outcome.violations.map(
      (one) => `- ${one.invariant} ${one.what}`,
    );
    if (writers.acked < publishes)
      missed.push(`- only ${writers.acked} publishes`);
    await writeReport(
      'upgrade.md',
      `# A rolling upgrade

Written by \`npm run drill:upgrade\`: two processes of a board behind HAProxy by
[deploy/cluster](../deploy/cluster) were ended by SIGTERM one after the other and started again, first
from release ${former.version} (\`${former.commit}\`) to the present one, then from that to itself, while ${WRITERS} writers
published and ${audience.size} readers and long polls read. Long polls began, from the first message on, when
both ran the present release: in those before it a poll can skip messages
(\`test/server/reading/updates-wait.test.ts\`).

${circumstances(facts)}

The board took ${writers.acked} publications in ${took.toFixed(0)} s. A process was ready again ${startMs.map(seconds).join(', ')} after its start.

Marks: ${publishes} publications, none lost, no request failed but those that a client sends again by the
documented rules. ${missed.length === 0 ? 'All are met.' : 'Missed:'}
${missed.map((one) => `\n${one}`).join('')}
${findings(facts)}
`,
    );
    process.exitCode = missed.length === 0 ? 0 : 1;
  });
});
