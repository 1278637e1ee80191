// Reads a page again and again, in a thread that does nothing else, until it
// is told to stop; then tells how many milliseconds each read took. It rests
// `pauseMs` between two, and is another of the networks `froms` each time.
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

let reading = true;
parentPort?.once('message', () => {
  reading = false;
});
const times = [];
while (reading) {
  const began = performance.now();
  const { url, headers, froms = [] } = workerData;
  const from = froms[times.length % froms.length];
  const network = from === undefined ? {} : { 'X-Forwarded-For': from };
  const answer = await fetch(url, { headers: { ...headers, ...network } });
  await answer.text();
  times.push(performance.now() - began);
  if (workerData.pauseMs !== undefined) await pause(workerData.pauseMs);
  if (answer.status !== 200) throw new Error(`a read: ${answer.status}`);
}
parentPort?.postMessage(times);
