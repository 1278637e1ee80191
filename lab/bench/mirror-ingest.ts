// Row M1 by itself. `npm run bench:ingest -- 100000`
import os from 'node:os';
import { measureIngest } from './ingest.js';
import { Progress } from './set-up/progress.js';

const progress = new Progress(process.stderr);
const us = (value: number) => `${Math.round(value)} µs`;
const found = await measureIngest({
  messages: Number(process.argv[2] ?? 100_000),
  runs: Number(process.env.BENCH_RUNS ?? 3),
  onProgress: (done, size) => progress.at('entries', done, size),
  onRun: ({ one, all, ingest, ratioOfOne, ratioOfAll }, number) => {
    progress.note(
      `run ${number}: verify ${us(one.wall)} on one core (CPU ${us(one.cpu)}), ${us(all.wall)} on all; ingest ${us(ingest.wall)} (CPU node ${us(ingest.cpu)}, database ${us(ingest.database)}); ratio ${ratioOfOne.toFixed(2)} of one core, ${ratioOfAll.toFixed(2)} of all; load ${os.loadavg()[0]?.toFixed(1)}`,
    );
  },
});
console.log(
  `${found.messages} messages: median ${found.ratioOfOne.toFixed(2)} of one core, ${found.ratioOfAll.toFixed(2)} of ${found.cores}`,
);
