import { createHash } from 'node:crypto';
import type { Registration } from '../../../src/protocol/product/accounts.ts';
import { ageAt } from '../calendar.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { BONUS_RULES, PRICE_TIERS } from '../rules.ts';
import { createCheckCode } from './code-guard.ts';
import { contactIn } from './contacts.ts';
import { refuseWeak } from './weak-passwords.ts';
import type { SignIn } from './sign-in.ts';

type Needs = Pick<
  ProductParts,
  'accounts' | 'passwords' | 'contacts' | 'codes' | 'clock' | 'ids' | 'database' | 'ledger' | 'rateLimits'
>;

const ADULT_YEARS = 18;
const OLDEST_YEARS = 120;
const PURPOSE = 'register';

export function registrationHandlers(parts: Needs, signIn: SignIn): Handlers<'available' | 'register'> {
  const { accounts, passwords, contacts, codes, clock, ids, database, ledger } = parts;
  const checkCode = createCheckCode(parts);

  return {
    available: async ({ query: { nickname } }) => ({ nickname: await accounts.isNicknameFree(nickname) }),

    async register({ body, header: userAgent, address }) {
      const contact = contactIn(body.contact);
      const { nickname } = body;
      const now = clock.wallTime();
      refuseYoung(body.birthday, now);
      refuseWeak(body.password, [nickname, contact.value]);
      // Errors that the user can correct are reported before the code is used up.
      if (!(await accounts.isNicknameFree(nickname))) {
        throw new Refusal('taken', 'Another user has this nickname.', { field: 'nickname' });
      }
      await checkCode(contact, PURPOSE, body.code, address);
      const passwordHash = await passwords.hash(body.password);
      const uId = newUserId(ids.token());
      const genderType = body.gender_type;
      await database.transact(async (transaction) => {
        await codes.consume(transaction, contact, PURPOSE);
        const profile = { nickname, birthday: body.birthday, city: body.city, ...offerOf(body) };
        await accounts.open(transaction, { uId, genderType, passwordHash, now, profile });
        await contacts.give(transaction, uId, contact, now);
        if (genderType === 'man') {
          await ledger.post(transaction, {
            key: `welcome:${uId}`,
            kind: 'bonus',
            at: now,
            ref: {},
            lines: [
              { account: `coins:${uId}`, delta: BONUS_RULES.welcome },
              { account: 'house:bonus', delta: -BONUS_RULES.welcome },
            ],
          });
        }
      });
      return signIn({ uId, genderType }, userAgent);
    },
  };
}

/** @throws Refusal `too_young`. `invalid` when the birthday is too long ago. */
function refuseYoung(birthday: string, now: number): void {
  const age = ageAt(birthday, now);
  const isDay = new Date(`${birthday}T00:00:00Z`).toISOString().startsWith(birthday);
  if (!isDay || age < 0 || age > OLDEST_YEARS) {
    throw new Refusal('invalid', 'birthday is too long ago.', { field: 'birthday' });
  }
  if (age < ADULT_YEARS)
    throw new Refusal('too_young', 'Users must be at least 18 to register.', { field: 'birthday' });
}

/** Returns the offer of the service that others see. Men have none. */
function offerOf(body: Registration) {
  if (body.gender_type === 'man') return { price: 0, accepts_video: 1 };
  const { voice, video, tier, languages, intro } = body.service;
  return {
    price: PRICE_TIERS[tier].video,
    voice_price: PRICE_TIERS[tier].voice,
    accepts_voice: Number(voice),
    accepts_video: Number(video),
    languages: JSON.stringify([...new Set(languages)]),
    intro,
  };
}

/** Creates a user id of nine digits. It carries no information. The database refuses the rare id that is taken. */
function newUserId(secret: string): string {
  const number = createHash('sha256').update(secret).digest().readUIntBE(0, 6);
  return String(100_000_000 + (number % 900_000_000));
}
