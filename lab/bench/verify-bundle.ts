// How much longer checking a bundle takes than its bare signatures and hashes.
// `npm run bench:verify -- 100000`
import { measureBundle } from './bundle-check.js';

const found = await measureBundle({
  messages: Number(process.argv[2] ?? 100_000),
  runs: Number(process.env.BENCH_RUNS ?? 3),
  onRun: ({ bare, check }, number) => {
    const ratio = (check.wall / bare.wall).toFixed(2);
    const cpuRatio = (check.cpu / bare.cpu).toFixed(2);
    console.log(
      `run ${number}: bare ${bare.wall.toFixed(2)} s, check ${check.wall.toFixed(2)} s, ratio ${ratio}; CPU ${bare.cpu.toFixed(2)} s, ${check.cpu.toFixed(2)} s, ratio ${cpuRatio}`,
    );
  },
});
console.log(found.line);
console.log(
  `${found.messages} messages, ${found.threads} threads: median ratio ${found.wallRatio.toFixed(2)}, of CPU ${found.cpuRatio.toFixed(2)}`,
);
