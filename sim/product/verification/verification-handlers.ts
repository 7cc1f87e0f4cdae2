import type { ContactStatus } from '../../../src/protocol/product/verification.ts';
import { maskContact } from '../../../src/protocol/product/contact.ts';
import { contactIn } from '../accounts/contacts.ts';
import { keepAccount } from '../accounts/hold-account.ts';
import type { Owners } from '../accounts/owners.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import type { Identities } from './identities.ts';
import { stripPicture } from './strip-picture.ts';

type Needs = Pick<ProductParts, 'contacts' | 'codes' | 'letters' | 'clock' | 'database'>;

type ContactNames = 'contacts' | 'changeContact' | 'confirmContact';
type OwnerNames = 'ownerProofs' | 'sendOwnerCode';
type IdentityNames = 'identity' | 'putIdentityDocument' | 'submitIdentity' | 'withdrawIdentity';

const KINDS = ['email', 'phone'] as const;

export const verificationHandlers = (
  parts: Needs,
  identities: Identities,
  owners: Owners,
): Handlers<ContactNames | OwnerNames | IdentityNames> => ({
  ...contactHandlers(parts, owners),
  ...ownerHandlers(owners),
  ...identityHandlers(identities),
});

function contactHandlers(parts: Needs, owners: Owners): Handlers<ContactNames> {
  const { contacts, codes, letters, clock, database } = parts;

  async function statusOf(uId: string): Promise<{ contacts: ContactStatus[] }> {
    const own = await contacts.of(uId);
    return {
      contacts: KINDS.map((kind) => {
        const contact = own.find((one) => one.kind === kind);
        return {
          kind,
          masked: contact ? maskContact(contact) : null,
          verified_at: contact?.verifiedAt ?? null,
          confirms_from: contact?.confirmsFrom ?? null,
        };
      }),
    };
  }

  return {
    contacts: ({ me }) => statusOf(me.uId),

    async changeContact({ me, body }) {
      const contact = contactIn(body.contact);
      const owner = await contacts.ownerOf(contact);
      const isOthers = owner !== undefined && owner !== me.uId;
      // The answer is the same for all. Only the letter says that another account has the contact.
      return codes.send(contact, `contact:${me.uId}`, me.uId, isOthers ? 'account_exists' : 'code');
    },

    async confirmContact({ me, body }) {
      const contact = contactIn(body.contact);
      const purpose = `contact:${me.uId}` as const;
      await codes.check(contact, purpose, body.code, me.uId);
      const proven = await owners.check(me.uId, 'contact', body.proof);
      await database.transact(async (transaction) => {
        await keepAccount(database, transaction, me.uId);
        // Of two parallel changes, the second notifies the contact of the first.
        await database.lock(transaction, `contacts:${me.uId}`);
        await proven.use(transaction);
        await codes.consume(transaction, contact, purpose);
        const before = await contacts.of(me.uId, transaction);
        const isOther = await contacts.give(transaction, me.uId, contact, clock.wallTime());
        if (isOther) await letters.keep(transaction, before, 'contact_changed');
      });
      letters.deliver();
      return statusOf(me.uId);
    },
  };
}

const ownerHandlers = (owners: Owners): Handlers<OwnerNames> => ({
  ownerProofs: ({ me }) => owners.proofs(me.uId),
  sendOwnerCode: ({ me, body }) => owners.sendCode(me.uId, body.change),
});

function identityHandlers(identities: Identities): Handlers<IdentityNames> {
  return {
    identity: ({ me }) => identities.statusOf(me.uId),

    async putIdentityDocument({ me, body: { document_kind, step, picture } }) {
      await identities.put(me.uId, document_kind, step, () => stripPicture(picture));
      return identities.statusOf(me.uId);
    },

    async submitIdentity({ me, body: { note } }) {
      await identities.submit(me.uId, note);
      return identities.statusOf(me.uId);
    },

    async withdrawIdentity({ me }) {
      await identities.withdraw(me.uId);
      return {};
    },
  };
}
