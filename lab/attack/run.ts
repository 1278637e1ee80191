import { edges, otherAccounts } from './edges.js';
import { Admin, floods, sessions, withoutSession } from './operators.js';
import { canary, outbound } from './outbound.js';
import { parsing } from './parsing.js';
import { mcp, readLimits } from './reading.js';
import { type AttackClass, Target } from './target.js';
import { costly, removal, scripts } from './texts.js';
import { crossSite, identity, tickets } from './writing.js';

export type AttackOptions = {
  /** The address of a running board of this machine. */
  board: string;
  /** The link of its first operator, for what needs a session. */
  setup: string | null;
  /** Its data folder, for what other accounts of the machine may try. */
  data: string | null;
};

type Outcome = { name: string; tried: number; notHeld: string[] };

/** One attack after the other, so that each finding has one cause. */
async function attacked({ name, tries }: AttackClass): Promise<Outcome> {
  const notHeld: string[] = [];
  for (const { what, run } of tries) {
    const wrong = await run().catch((error: Error) => error.message);
    if (wrong !== null) notHeld.push(`${what}: ${wrong}`);
  }
  return { name, tried: tries.length, notHeld };
}

/** Classes are made when it is their turn: some write what they attack. */
function* classesOf(
  target: Target,
  admin: Admin | null,
): Generator<() => Promise<AttackClass> | AttackClass> {
  yield () => parsing(target);
  yield () => identity(target);
  yield () => tickets(target);
  yield () => crossSite(target);
  yield () => mcp(target);
  yield () => edges(target);
  yield () => scripts(target);
  yield () => costly(target);
  if (target.dataDir !== null) yield () => otherAccounts(target.dataDir ?? '');
  yield () => readLimits(target);
  if (admin === null) return;
  yield () => withoutSession(target, admin.origin);
  yield () => removal(admin);
  yield () => sessions(admin);
  yield () => floods(admin);
}

/**
 * Attacks a running board from outside, as strangers and as an operator, and
 * says class by class what held.
 * @returns whether everything held
 */
export async function runAttack(options: AttackOptions): Promise<boolean> {
  const target = new Target(options.board, options.setup, options.data);
  const admin = target.setUpLink === null ? null : await Admin.enter(target);
  const outcomes: Outcome[] = [];
  const note = (outcome: Outcome) => {
    outcomes.push(outcome);
    const { name, tried, notHeld } = outcome;
    console.log(`| ${name} | ${tried} | ${tried - notHeld.length} |`);
    for (const one of notHeld) console.log(`not held: ${one}`);
  };
  console.log('| class | tried | held |\n| --- | --- | --- |');
  for (const make of classesOf(target, admin))
    note(await attacked(await make()));
  if (admin !== null) note(await attackedFromInside(admin));
  const tried = outcomes.reduce((sum, it) => sum + it.tried, 0);
  const wrong = outcomes.reduce((sum, it) => sum + it.notHeld.length, 0);
  console.log(`| all | ${tried} | ${tried - wrong} |`);
  return wrong === 0 && (await target.isWell());
}

async function attackedFromInside(admin: Admin): Promise<Outcome> {
  const canaries = [await canary('127.0.0.1'), await canary('::1')];
  const ports = canaries.map(({ port }) => port);
  const hits = () => canaries.reduce((sum, it) => sum + it.hits(), 0);
  try {
    return await attacked(outbound(admin, ports, hits));
  } finally {
    for (const { stop } of canaries) await stop();
  }
}
