import { otherAccounts } from './accounts.js';
import { Admin } from './admin.js';
import { paths } from './paths.js';
import { readLimits } from './reading.js';
import { removal } from './removal.js';
import { type AttackClass, Target } from './target.js';

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

/**
 * Attacks a running board from outside, as strangers and as an operator, and
 * says class by class what held.
 * @returns whether everything held
 */
export async function runAttack(options: AttackOptions): Promise<boolean> {
  const target = new Target(options.board);
  const outcomes: Outcome[] = [];
  const note = (outcome: Outcome) => {
    outcomes.push(outcome);
    const { name, tried, notHeld } = outcome;
    console.log(`| ${name} | ${tried} | ${tried - notHeld.length} |`);
    for (const one of notHeld) console.log(`not held: ${one}`);
  };
  console.log('| class | tried | held |\n| --- | --- | --- |');
  note(await attacked(paths(target)));
  if (options.data !== null) note(await attacked(otherAccounts(options.data)));
  note(await attacked(readLimits(target)));
  if (options.setup !== null) {
    const admin = await Admin.enter(target, options.setup);
    note(await attacked(await removal(admin)));
  }
  const tried = outcomes.reduce((sum, it) => sum + it.tried, 0);
  const wrong = outcomes.reduce((sum, it) => sum + it.notHeld.length, 0);
  console.log(`| all | ${tried} | ${tried - wrong} |`);
  return wrong === 0 && (await target.isWell());
}
