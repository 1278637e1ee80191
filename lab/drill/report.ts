import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Outcome, Writers } from '../../test/faults/writers.js';
import type { Programs } from '../../test/support/programs.js';
import { runFolder } from '../../test/support/run-folder.js';
import type { Audience, Gap } from './audience.js';
import { FAULTS, type Fault } from './host.js';
import type { LostTail } from './lost-tail.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WRITES_MS = 30_000;
const READS_MS = 5_000;

export type Failover = { fault: Fault; writesMs: number; gap: Gap };

type Facts = {
  seed: number;
  programs: Programs;
  outcome: Outcome;
  audience: Audience;
  writers: Writers;
};

export type FailoverFacts = Omit<Facts, 'outcome'> & {
  failovers: Failover[];
  /** Null where the drill did not come so far. */
  outcome: Outcome | null;
  tail: LostTail | null;
  /** What ended it before its end. */
  broken: string | null;
};

const WHAT: Record<Fault, string> = {
  killed: 'PostgreSQL killed by SIGKILL, all its processes',
  'host killed': 'PostgreSQL and Patroni killed by SIGKILL',
  stopped: 'PostgreSQL and Patroni stopped by SIGSTOP, and continued later',
  cut: 'the host cut off: clients, standby, etcd and HAProxy hear nothing',
};

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const greatest = (values: readonly number[]) => Math.max(0, ...values);

export function missedMarks(facts: FailoverFacts): string[] {
  const { failovers, outcome, tail, broken } = facts;
  const writes = greatest(failovers.map(({ writesMs }) => writesMs));
  const reads = greatest(failovers.map(({ gap }) => gap.ms));
  const missed = (outcome?.violations ?? []).map(
    (one) => `${one.invariant} ${one.what}`,
  );
  if (broken !== null) missed.push(`The drill ended early: ${broken}`);
  if (writes > WRITES_MS)
    missed.push(`Writes came back after ${seconds(writes)}.`);
  if (reads > READS_MS) missed.push(`Reads failed for ${seconds(reads)}.`);
  if (tail?.lost === 0) missed.push('The asynchronous failover lost nothing.');
  if (tail !== null && tail.back < tail.lost)
    missed.push(`${tail.lost - tail.back} did not come back.`);
  return missed;
}

export function failoverReport(facts: FailoverFacts): string {
  const { failovers, outcome, tail } = facts;
  const rows = FAULTS.map((fault) => {
    const mine = failovers.filter((one) => one.fault === fault);
    const writes = greatest(mine.map(({ writesMs }) => writesMs));
    const reads = greatest(mine.map(({ gap }) => gap.ms));
    return `| ${WHAT[fault]} | ${mine.length} | ${seconds(writes)} | ${seconds(reads)} |`;
  });
  const each = failovers.map(
    ({ fault, writesMs, gap }, n) =>
      `${n + 1}. ${fault}: ${seconds(writesMs)}, ${seconds(gap.ms)}`,
  );
  const missed = missedMarks(facts);
  return `# Failover

Written by \`npm run drill:failover\`: ${failovers.length} times the primary of a cluster by
[deploy/cluster](../deploy/cluster) failed, while ${facts.audience.size} readers and long polls and
several writers used two processes of a board through HAProxy.

${circumstances(facts)}

| what happened to the primary | times | writes again, at the latest | longest time that reads failed |
| --- | --- | --- | --- |
${rows.join('\n')}

Marks: writes again within ${seconds(WRITES_MS)}, reads fail for no reader longer than
${seconds(READS_MS)}, nothing lost. ${missed.length === 0 ? 'All are met.' : 'Missed:'}
${missed.map((one) => `\n- ${one}`).join('')}
${outcome === null ? 'What was written was not checked.' : findings({ ...facts, outcome })}
${tail === null ? '' : tailReport(tail)}
## Each time

What happened, after how long writes were answered, how long reads failed for one reader:

${each.join('\n')}
`;
}

function tailReport(tail: LostTail): string {
  return `
## A failover that lost the tail

With \`synchronous_mode: false\`, and a standby that no longer heard its primary, the primary was
killed. ${tail.lost} acknowledged messages were missing on the new one. Every process refused writes as
\`log_guard\` ${seconds(tail.closedMs)} after the kill, and reads went on. \`log restore --from\` a linked
board brought ${tail.back} of ${tail.lost} back with their texts; ${seconds(tail.openMs)} after it was
begun writes were open. The log verified as one history, and the former primary followed again.
`;
}

export function circumstances({
  seed,
  programs,
}: Pick<Facts, 'seed' | 'programs'>): string {
  const [cpu] = os.cpus();
  const commit = git('describe', '--always', '--dirty', '--exclude', '*');
  const day = new Date().toISOString().slice(0, 10);
  const inMemory = runFolder().startsWith('/dev/shm');
  const machine = `${cpu?.model ?? 'unknown'}, ${os.availableParallelism()} cores, Linux ${os.release()}`;
  return [
    `- Commit ${commit}, ${day}, seed ${seed}`,
    ...programs.versions.map((version) => `- ${version}`),
    `- ${machine}; all on this one machine, files in ${inMemory ? 'memory' : 'a folder of its disk'}`,
  ].join('\n');
}

/** What the invariants say, and how often requests were sent again. */
export function findings({ outcome, writers, audience }: Facts): string {
  const { acked, unknown, violations } = outcome;
  const { unanswered, unavailable } = writers.again;
  const answers = [...audience.answers].map(([told, n]) => `${told} ${n}`);
  const lost = violations.filter(({ invariant }) => invariant === 'I1').length;
  return `${acked} writes were acknowledged, ${lost} of them lost; ${violations.length} violations of the twelve
invariants (\`test/faults/check.ts\`), which also say that no reader's cursor went back, that each
follower saw every message once, and that a message was shown 250 ms after its writer's answer.
Writers sent ${unavailable} requests again after a 503 and ${unanswered} without an answer, with the same
ticket; the fate of ${unknown} writes was unknown for a while. Readers were answered: ${answers.join(', ')}.`;
}

export async function writeReport(name: string, text: string): Promise<void> {
  const file = `${ROOT}lab/reports/${name}`;
  await writeFile(file, `${text.trim()}\n`);
  console.log(`written: lab/reports/${name}`);
}

function git(...line: string[]): string {
  return execFileSync('git', ['-C', ROOT, ...line], {
    encoding: 'utf8',
  }).trim();
}
