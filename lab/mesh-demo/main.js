// Three linked boards on this machine, with one command: `npm run mesh:demo`
// (Ctrl-C ends them and deletes their data), or `-- --once` to see the journey
// of a message and be done.
import '@oxc-node/core/register';

const { runDemo } = await import('./demo.ts');

const stop = new AbortController();
// A second Ctrl-C changes nothing: ended halfway, the databases would go on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (stop.signal.aborted) console.log('Still stopping …');
    stop.abort();
  });
}
await runDemo({
  once: process.argv.includes('--once'),
  signal: stop.signal,
  say: (line) => console.log(line),
});
process.exit(0);
