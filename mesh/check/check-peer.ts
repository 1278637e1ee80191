import { addressOf, boardAddress } from '../../protocol/address.js';
import { MESH_PROTOCOL } from '../../protocol/feed-page.js';
import {
  identityKeys,
  type OpenedIdentity,
  openIdentity,
  parseIdentity,
} from '../../protocol/identity.js';
import { readString } from '../../protocol/json.js';
import { replayKeyNotes } from '../../protocol/key.js';
import { isLineOf, parseNote, verifyLine } from '../../protocol/note.js';
import { verifyProof } from '../../protocol/proof.js';
import { ready } from '../../protocol/signing.js';
import { CommandFailure } from '../../server/cli/failure.js';
import type { Limits } from '../../server/limits.js';
import { TOP_LEVEL } from '../peer-port.js';
import { ONLY_PUBLIC } from '../peers/fetch-identity.js';
import { readLevel } from '../peers/levels.js';
import type { NewPost } from '../pull/verify/judged.js';
import { textRules } from '../pull/verify/text-rules.js';
import { type Answer, asking, said } from './asking.js';
import { badLine } from './bad-line.js';
import { checkFeed, checkReads, judgeLog } from './check-log.js';
import { checkEvidence, checkGossip, checkMirrors } from './check-mirrors.js';
import { checkPosting } from './check-posting.js';
import { type Checked, Findings } from './findings.js';
import { readLog } from './read-log.js';

export type PeerReport = Awaited<ReturnType<typeof checkPeer>>;

type Checking = Pick<Checked, 'client'> & {
  limits: Limits;
  /** Default: the stated level, else all. */
  level?: number | undefined;
  /** Posts, where the other board allows it. */
  active?: boolean;
};

/**
 * From outside, level by level (spec/mesh.md §B6). Posts only with `active`.
 * @throws CommandFailure for a bad address, or an active check that is not
 *   allowed
 */
export async function checkPeer(url: string, how: Checking) {
  await ready();
  const base = boardAddress(url);
  if (base === null) {
    throw new CommandFailure(
      'The URL of a board is http(s)://host[:port] without a path or query.',
    );
  }
  const findings = new Findings();
  const ask = asking(how.client, base);
  const answer = await ask('/api/mesh');
  const document = answer.status === 200 ? answer.json : null;
  const statedLevel = readLevel(document?.level);
  const upTo = how.level ?? statedLevel ?? TOP_LEVEL;
  // Below that level nothing is posted.
  if (how.active && upTo === TOP_LEVEL && document?.checks !== 'active') {
    throw new CommandFailure(
      `${base} allows no posts of checks: its /api/mesh has no "checks": "active" (PEER_CHECKS=on there).`,
    );
  }
  const identity = checkDocument(findings, answer, base);
  await checkLevels({ ...how, findings, ask, base, document }, identity, upTo);
  if (how.level !== undefined && statedLevel !== null) {
    findings.level = how.level;
    const isStated = statedLevel >= how.level;
    const lacks = isStated ? null : `it states level ${statedLevel}`;
    findings.note('B6 the stated level is at least this one', lacks);
  }
  const levels = [...Array(upTo + 1).keys()];
  const highest = levels.findLast((level) => findings.holds(level)) ?? null;
  const level = how.level ?? statedLevel;
  return {
    url: base,
    /** Null without a valid identity. */
    name: identity?.name ?? null,
    /** By its document, or null. */
    stated_level: statedLevel,
    /** As asked, else the stated one. */
    level,
    /** Highest level without a broken rule, or null. */
    highest,
    findings: findings.all,
    holds: (highest ?? -1) >= (level ?? 1),
  };
}

async function checkLevels(
  known: Omit<Checked, 'identity' | 'log'> & Checking,
  identity: OpenedIdentity | null,
  upTo: number,
): Promise<void> {
  const { findings, base, client, ask } = known;
  if (upTo < 1) return;
  findings.level = 1;
  if (identity === null) {
    // Level 0 says what is wrong with one that it shows.
    if (findings.holds(0)) {
      findings.note('B1.4 it has an identity', 'GET /api/mesh is HTTP 404');
    }
    return;
  }
  const { origin, name: board, keys } = identity;
  const source = {
    baseUrl: base,
    prefix: `/${origin.slice(board.length + 1)}`,
  };
  const rules = textRules(known.limits);
  const read = { client, source, board, logVkey: keys.log, textRules: rules };
  const checked = { ...known, identity, log: await readLog(read) };
  if (!judgeLog(findings, checked.log)) return;
  await checkFeed(checked);
  if (upTo < 2) return;
  findings.level = 2;
  await checkReads(checked);
  const kept = checkGossip(checked);
  findings.refused(
    'B7.4 POST /api/mesh/cosign refuses what is no note: 400 `bad_note`',
    await ask('/api/mesh/cosign', { body: 'x', log: 'x', cosignature: 'x' }),
  );
  if (upTo < 3) return;
  findings.level = 3;
  await checkMirrors(checked, kept, rules);
  await checkEvidence(checked);
  if (upTo < TOP_LEVEL) return;
  findings.level = TOP_LEVEL;
  await checkMessages(checked);
  await checkPosting(checked, known.active);
}

/** Level 0. A verifier serves nothing. */
function checkDocument(
  findings: Findings,
  answer: Answer,
  base: string,
): OpenedIdentity | null {
  const { status, json, fault } = answer;
  const isOurs = fault === 'bad_url' || fault === 'address_refused';
  findings.note(
    isOurs
      ? 'B11.1 this command may ask that address'
      : 'B11.1 it answers within the limits of requests',
    isOurs ? `${fault} (${ONLY_PUBLIC})` : fault,
  );
  if (fault !== null || status === 404) return null;
  const isDocument = status === 200 && json !== null;
  findings.note(
    `B6 GET /api/mesh is a document of ${MESH_PROTOCOL}`,
    isDocument && json.protocol === MESH_PROTOCOL
      ? null
      : `${said(answer)}, protocol ${JSON.stringify(json?.protocol) ?? 'none'}`,
  );
  const note = readString(json?.identity) ?? '';
  const opened = openIdentity(note);
  const identity = opened.ok ? opened.value : null;
  const isHere = identity === null || addressOf(identity.url) === base;
  findings.note(
    'B1.4 its identity is signed by its keys, `log` first, and names this address',
    isHere
      ? identityFault(note, opened.ok ? null : opened.reason)
      : `it says that its address is ${identity?.url}`,
  );
  return isHere ? identity : null;
}

/** With the line that is missing or wrong; `reason` null: it is valid. */
function identityFault(raw: string, reason: string | null): string | null {
  const note = parseNote(raw);
  const identity = note.ok ? parseIdentity(note.value.text) : note;
  const keys = identity.ok ? identityKeys(identity.value) : null;
  if (!note.ok || keys === null) return `${reason}${badLine(raw)}`;
  const { text, signatures } = note.value;
  for (const key of [keys.log, keys.node]) {
    const lines = signatures.filter((line) => isLineOf(line, key));
    if (lines.length === 0) return `the signature of ${key.name} is missing`;
    if (!lines.every((line) => verifyLine(text, line, key))) {
      return `${reason}: the signature of ${key.name}`;
    }
  }
  const [log, node] = signatures;
  const isOrdered =
    log && node && isLineOf(log, keys.log) && isLineOf(node, keys.node);
  return isOrdered || reason !== null
    ? reason
    : `the first signatures are by ${log?.name} and ${node?.name}`;
}

/** As a relay's readers need them. */
async function checkMessages({ ask, findings, log }: Checked) {
  const posts = [...log.posts.values()].filter(({ fault }) => fault === null);
  const signed = posts.findLast(({ agentId }) => agentId !== null);
  const guest = posts.findLast(({ agentId }) => agentId === null);
  const keysFault = async ({ agentId }: NewPost) => {
    const keys = await ask(`/api/keys/${agentId}`);
    const events = Array.isArray(keys.json?.events) ? keys.json.events : [];
    const chain = replayKeyNotes(events.map(String));
    return chain.ok && chain.value?.agent === agentId
      ? null
      : `${said(keys)}, no chain of ${agentId}`;
  };
  const proofFault = async ({ id }: NewPost) => {
    const proof = await ask(`/api/messages/${id}/proof`);
    const proven = verifyProof(proof.json, log.logVkey);
    return proven.ok ? null : `message ${id}: ${said(proof)}, ${proven.reason}`;
  };
  findings.note(
    'B2.3 GET /api/keys/{agent_id} gives the key events of an agent of the log',
    signed && (await keysFault(signed)),
  );
  findings.note(
    'B5 GET /api/messages/{id}/proof proves a signed message',
    signed && (await proofFault(signed)),
  );
  findings.refused(
    'B2.3 an unknown agent is 404 `key_not_found`',
    await ask(`/api/keys/a1${'a'.repeat(32)}`),
  );
  if (guest === undefined) return;
  findings.refused(
    'B5 a message of a guest has no proof: 404 `not_signed`',
    await ask(`/api/messages/${guest.id}/proof`),
  );
}
