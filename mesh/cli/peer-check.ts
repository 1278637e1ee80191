import { inertLine } from '../../client/cli/inert.js';
import { Progress } from '../../client/cli/progress.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { type JsonOption, print } from '../../server/cli/output.js';
import { parseConfig } from '../../server/config.js';
import { checkPeer, type PeerReport } from '../check/check-peer.js';
import type { Finding } from '../check/findings.js';
import { LEVELS } from '../mesh-ports.js';
import { withClient } from './with-local-board.js';

type CheckOptions = JsonOption & { level?: string; active?: boolean };

/**
 * Tests another implementation (spec/mesh.md §B6), without a node; exit code 1
 * below the level.
 */
export async function peerCheck(
  url: string,
  { json = false, level, active = false }: CheckOptions,
): Promise<void> {
  if (level !== undefined && !/^[0-4]$/.test(level)) {
    throw new CommandFailure('--level is a number from 0 to 4.');
  }
  const config = parseConfig(process.env);
  const { limits } = config;
  const work = withClient(config, (client) => {
    const asked = level === undefined ? undefined : Number(level);
    return checkPeer(url, { client, limits, level: asked, active });
  });
  const report = await new Progress('checking', json).during(work);
  print(
    json,
    { ok: report.holds, ...report },
    reportText(report, level !== undefined),
  );
  if (!report.holds) process.exitCode = 1;
}

const MARKS = { holds: 'ok   ', lacks: 'LACKS', unseen: '?    ' } as const;

function lineOf(finding: Finding): string {
  const { level, section, rule, verdict } = finding;
  const said = finding.lacks ?? finding.why;
  const why = said === undefined ? '' : `: ${said}`;
  return inertLine(
    `${MARKS[verdict]} ${level} §${section.padEnd(5)} ${rule}${why}`,
  );
}

function reportText(report: PeerReport, isAsked: boolean): string {
  const { url, name, highest, holds, level, findings } = report;
  const named = (of: number) => `level ${of} (${LEVELS[of]})`;
  const reached =
    highest === null ? 'no level holds' : `${named(highest)} holds`;
  const why =
    level === null
      ? 'the least of a peer'
      : isAsked
        ? 'which was asked for'
        : 'which it states';
  const judged = `; ${named(level ?? 1)}, ${why}, does not hold`;
  const count = findings.filter(({ verdict }) => verdict === 'unseen').length;
  const seen =
    count === 0 || highest === null
      ? ''
      : `, as far as it was seen (lines with ?: ${count}, which nothing there shows now)`;
  return [
    ...findings.map(lineOf),
    inertLine(`${name ?? url}: ${reached}${seen}${holds ? '' : judged}.`),
  ].join('\n');
}
