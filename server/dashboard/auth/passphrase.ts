import { randomBytes } from 'node:crypto';
import { LessThan } from 'typeorm';
import { PASSPHRASE_MIN as MIN } from '../../../protocol/moderation.js';
import type { Context } from '../../context.js';
import { OperatorPassphrase } from '../../db/entities/operator.js';
import type { Tx } from '../../db/sql.js';
import { invalid } from '../../errors.js';
import type { AdminContext } from '../command.js';
import type { Proven } from './attempts.js';
import { seal, unseal } from './challenge.js';
import type { PassphraseHash, Place } from './scrypt-queue.js';
import { offeredTotp, totpStep } from './totp.js';

type NewPassphrase = PassphraseHash & { secret: Buffer; step: number };

type ProposedPassphrase = {
  passphrase: string;
  /** Of the TOTP offer, which a code has to confirm. */
  totp_token: string;
  totp: string;
};

/**
 * Also hashes it.
 * @throws BoardError `invalid_input` with the field
 */
export async function preparePassphrase(
  ctx: AdminContext,
  about: string,
  proposed: ProposedPassphrase,
  names: readonly string[],
): Promise<NewPassphrase> {
  checkNewPassphrase(proposed.passphrase, names);
  const secret = offeredTotp(ctx, about, proposed.totp_token);
  if (secret === null) {
    throw invalid(
      'totp_token',
      'The secret is older than 10 minutes or not of this page; ask for another.',
    );
  }
  const step = totpStep(secret, proposed.totp, ctx.clock.now());
  if (step === null) {
    throw invalid(
      'totp',
      'This is not the code that the app shows now; check the clock of the device.',
    );
  }
  const salt = randomBytes(16);
  const place = { network: about, nth: 0 };
  const hash = await ctx.scrypt.hash(proposed.passphrase, salt, place);
  return { salt, hash, secret, step };
}

export async function savePassphrase(
  { manager }: Tx,
  ctx: Context,
  operatorId: string,
  { salt, hash, secret, step }: NewPassphrase,
): Promise<void> {
  const totp = seal(ctx, `totp of ${operatorId}`, secret);
  const createdAt = ctx.clock.now();
  const row = { operatorId, salt, hash, totp, totpStep: step, createdAt };
  await manager.upsert(OperatorPassphrase, row, ['operatorId']);
}

/** Used for accounts that do not exist. */
const NOBODY: Buffer = randomBytes(20);

/**
 * A wrong code costs no hash: floods of guesses delay nobody. Unknown accounts
 * cost the same work; `refuseLate` equalises the time.
 */
export async function provePassphrase(
  ctx: AdminContext,
  given: { name: string; passphrase: string; totp: string },
  place: Place,
): Promise<Proven | null> {
  const { name, passphrase } = given;
  const row = await ctx.writes.manager
    .createQueryBuilder(OperatorPassphrase, 'p')
    .innerJoin('p.operator', 'o')
    .where("o.name = :name AND o.state = 'active'", { name })
    .getOne();
  const about = `totp of ${row?.operatorId ?? ''}`;
  const secret = unseal(ctx, about, row?.totp ?? Buffer.alloc(48));
  const step = totpStep(secret ?? NOBODY, given.totp, ctx.clock.now());
  if (row === null || secret === null || step === null) return null;
  if (!(await ctx.scrypt.matches(passphrase, row, place))) return null;
  const { operatorId } = row;
  const take = async ({ manager }: Tx) => {
    // Each TOTP step is used once, in order.
    const untaken = { operatorId, totpStep: LessThan(step) };
    const to = { totpStep: step };
    const taken = await manager.update(OperatorPassphrase, untaken, to);
    return taken.affected === 1;
  };
  return { operatorId, method: 'passphrase', take };
}

const DISTINCT_MIN = 5;
const RUN_MIN = 6;

/** Lower case letters and digits only. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Strips common words from both ends. */
function withoutCommon(text: string): string {
  const rest = text.replace(/^\p{N}+|\p{N}+$/gu, '');
  if (COMMON.has(text) || COMMON.has(rest)) return '';
  for (let cut = rest.length - 1; cut >= 4; cut -= 1) {
    if (COMMON.has(rest.slice(0, cut))) return rest.slice(cut);
  }
  return rest;
}

/** `abcdefgh`, `87654321` */
function isRun(text: string): boolean {
  const points = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const steps = new Set(
    points.slice(1).map((point, n) => point - (points[n] ?? 0)),
  );
  const [step = 9] = steps;
  return text.length >= RUN_MIN && steps.size === 1 && Math.abs(step) <= 1;
}

/**
 * spec/operators.md §1.1
 * @throws BoardError `invalid_input`
 */
function checkNewPassphrase(
  passphrase: string,
  names: readonly string[],
): void {
  const refused = (detail: string) => invalid('passphrase', detail);
  if ([...passphrase.normalize('NFKC')].length < MIN) {
    throw refused(`The passphrase must have at least ${MIN} characters.`);
  }
  const text = folded(passphrase);
  const left = names
    .map(folded)
    .filter((name) => name.length > 2)
    .reduce((rest, name) => rest.replaceAll(name, ''), text);
  const weak =
    new Set(text).size < DISTINCT_MIN ||
    withoutCommon(left).length < 4 ||
    isRun(text) ||
    /^(.{1,6}?)\1{2,}.{0,5}$/su.test(text); // `abcabcabc`
  if (!weak) return;
  throw refused(
    'This passphrase is among those that are guessed first; choose one that others would not, such as five words that do not belong together.',
  );
}

/** Common ones and parts of longer ones, as `folded` gives them. */
const COMMON: ReadonlySet<string> = new Set(
  `
  123456789 1234567890 0123456789 987654321 9876543210 123123123 111222333
  112233445566 121212121212 123321123321 123412341234 147258369 159753 789456123
  1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1qaz2wsx 1qaz2wsx3edc
  1qaz2wsx3edc4rfv zaq12wsx zaq12wsxcde3 qazwsxedc qazwsxedcrfv qazwsxedcrfvtgb
  qwerty qwertz azerty qwertyuiop qwertyuiopasdf qwertyuiopasdfghjkl
  qwertyuiopasdfghjklzxcvbnm asdfgh asdfghjkl zxcvbn zxcvbnm qwertyqwerty
  qwertyasdfgh qwerasdfzxcv asdfasdf qweasdzxc qweqweqwe abcdef abcdefg
  abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijkl abcabcabc a1b2c3d4
  a1b2c3d4e5f6 abc123abc123 abcd1234abcd password passwort passphrase motdepasse
  contrasena contrasenia senha parola wachtwoord haslo salasana passw0rd p4ssword
  p4ssw0rd pa55word pa55w0rd passwordpassword mypassword thepassword mypassphrase
  newpassword oldpassword yourpassword nopassword defaultpassword adminpassword
  rootpassword userpassword testpassword passwordadmin passwordtest secret
  secretsecret mysecret topsecret letmein letmeinnow letmeinplease letmeinletmein
  pleaseletmein openup opensesame changeme changemenow changemeplease changeit
  pleasechangeme admin adminadmin administrator administrators administrador
  rootroot rootadmin sysadmin superuser superadmin operator operatoroperator
  moderator moderatormoderator webmaster testtest testtesttest testing
  testingtesting test user useruser guest guestguest default temporary welcome
  welcomewelcome welcomeback welcomehome hello helloworld hellohello
  hellothere iloveyou iloveyouso iloveyoubaby iloveyoumore iloveme ilovemyself
  iloveyouiloveyou sunshine princess football baseball basketball monkey dragon
  master shadow superman batman spiderman starwars pokemon michael jennifer
  jessica charlie liverpool arsenal chelsea manchester manchesterunited
  barcelona realmadrid juventus freedom whatever nothing trustno1 trustnoone
  computer internet samsung google facebook microsoft linkedin
  correcthorsebatterystaple horsebatterystaple batterystaple
  thequickbrownfox thequickbrownfoxjumps quickbrownfox loremipsum loremipsumdolor
  tobeornottobe maytheforcebewithyou mothersmaidenname iamthebest idontknow
  iforgot iforgotmypassword forgotpassword cheesecheese bananabanana
  blahblahblah summer winter spring autumn summertime wintertime
  january february march april june july august september october november
  december monday tuesday wednesday thursday friday saturday sunday
  reserveboard reserve board messageboard noticeboard agents
  `
    .trim()
    .split(/\s+/),
);
