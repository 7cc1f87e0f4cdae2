import type { Lifetime } from '../../src/common/lifetime.ts';
import type { PushPayload } from '../../src/protocol/product/push.ts';
import { accountHandlers, demoHandlers } from './accounts/account-handlers.ts';
import type { OpenSockets } from './accounts/open-sockets.ts';
import { Departures } from './accounts/departures.ts';
import { Owners } from './accounts/owners.ts';
import { registrationHandlers } from './accounts/registration.ts';
import { securityHandlers } from './accounts/security-handlers.ts';
import { SessionReview } from './accounts/session-review.ts';
import { createSignIn } from './accounts/sign-in.ts';
import type { SignedOut } from './accounts/sign-ins.ts';
import type { NodeLink } from '../cluster/node-link.ts';
import type { Log } from '../exchange/logging/log.ts';
import { Billing } from './billing/billing.ts';
import { CallBooks } from './billing/call-books.ts';
import { callHandlers } from './billing/call-handlers.ts';
import { Quotes } from './billing/quotes.ts';
import { Reservations } from './billing/reservations.ts';
import { CallNotes } from './chat/call-notes.ts';
import { chatHandlers } from './chat/chat-handlers.ts';
import { KeyedWork } from './events/keyed-work.ts';
import { giftHandlers } from './gifts/gift-handlers.ts';
import type { Handlers } from './handlers.ts';
import { mediaHandlers } from './media/media-handlers.ts';
import type { ProductParts } from './parts.ts';
import { peopleHandlers } from './people/people-handlers.ts';
import { PresenceNotifier } from './people/presence-notifier.ts';
import { Watches } from './people/watches.ts';
import { PayoutAccounts } from './points/payout-accounts.ts';
import { simulatedPayoutDesk } from './points/payout-desk.ts';
import { pointHandlers } from './points/point-handlers.ts';
import { RedeemRequirements } from './points/redeem-requirements.ts';
import { Redemptions } from './points/redemptions.ts';
import type { ProductOptions } from './product-options.ts';
import { profileHandlers } from './profiles/profile-handlers.ts';
import { pushHandlers } from './push/push-handlers.ts';
import { Retention } from './retention.ts';
import { safetyHandlers } from './safety/safety-handlers.ts';
import { Identities } from './verification/identities.ts';
import { simulatedReviewer } from './verification/reviewer.ts';
import { verificationHandlers } from './verification/verification-handlers.ts';
import { Deposits } from './wallet/deposits.ts';
import { PaymentsUnderWay } from './wallet/payments-under-way.ts';
import { walletHandlers } from './wallet/wallet-handlers.ts';

interface Dependencies {
  readonly options: Pick<ProductOptions, 'guestToken' | 'isBilled' | 'link' | 'ports'>;
  readonly sockets: OpenSockets;
  /** Called for each session that has ended. */
  readonly onSignedOut: (ended: SignedOut) => void;
  /** Notifies a user in the app or on their devices. */
  readonly notify: (uId: string, payload: PushPayload) => Promise<void>;
  /** Stops all that is started here. */
  readonly lifetime: Lifetime;
}

/** The parts of the areas that run, or that several handlers share. */
interface Areas {
  readonly identities: Identities;
  readonly owners: Owners;
  readonly quotes: Quotes | null;
  readonly payoutAccounts: PayoutAccounts;
  readonly requirements: RedeemRequirements;
  readonly redemptions: Redemptions;
  readonly deposits: Deposits;
  readonly callNotes: CallNotes;
  readonly watches: Watches;
  readonly review: SessionReview;
  readonly departures: Departures;
}

/** Starts the areas of the product. Returns the handlers of all requests, and the quotes. Null without billing. */
export async function openAreas(
  parts: ProductParts,
  dependencies: Dependencies,
): Promise<{ readonly handlers: Handlers; readonly quotes: Quotes | null }> {
  const areas = await startAreas(parts, dependencies);
  return { handlers: handlersOf(parts, areas), quotes: areas.quotes };
}

/** Adds each part to the lifetime before it starts, so that the part stops when its start fails. */
async function startAreas(parts: ProductParts, dependencies: Dependencies): Promise<Areas> {
  const { options, sockets, onSignedOut, notify, lifetime } = dependencies;
  const { ports = {} } = options;
  lifetime.add(parts.letters);
  // Also sends letters that a server left behind when it died.
  parts.letters.deliver();
  const identities = lifetime.add(new Identities(parts, ports.reviewer ?? simulatedReviewer));
  await identities.resume();
  const { billing, quotes } = await startBilling(parts, dependencies);
  const payoutAccounts = new PayoutAccounts(parts);
  const requirements = new RedeemRequirements(parts, payoutAccounts);
  const redemptions = lifetime.add(
    new Redemptions(parts, payoutAccounts, requirements, ports.payoutDesk ?? simulatedPayoutDesk),
  );
  await redemptions.resume();
  if (options.link) lifetime.add(resumeAfterDeaths(options.link, parts.log, [identities, redemptions]));
  const deposits = new Deposits(parts);
  lifetime.add(new PaymentsUnderWay(parts, deposits)).start();
  const callNotes = lifetime.add(new CallNotes(parts, parts.calling, options.link !== undefined));
  const watches = lifetime.add(new Watches(parts, notify));
  const { guestToken, link } = options;
  const review = lifetime.add(new SessionReview({ ...parts, sockets, onSignedOut, guestToken, link }));
  const written = async () => {
    await parts.calling.kept();
    await billing?.settled();
    await callNotes.settled();
  };
  const departures = lifetime.add(new Departures({ log: parts.log, link, written }));
  lifetime.add(new PresenceNotifier(parts));
  lifetime.add(new Retention(parts)).start();
  const money = { quotes, payoutAccounts, requirements, redemptions, deposits };
  return { ...money, identities, owners: new Owners(parts), callNotes, watches, review, departures };
}

/** Resumes the work that a node has begun when that node dies. Each step runs once, whichever nodes resume it. */
function resumeAfterDeaths(
  link: Pick<NodeLink, 'onNode'>,
  log: Pick<Log, 'error'>,
  parts: readonly { resume(): Promise<void> }[],
): { settled(): Promise<void>; dispose(): void } {
  const work = new KeyedWork((error) => log.error('the work of a node that died was not resumed', { error }));
  const stop = link.onNode((_node, isAlive) => {
    if (!isAlive) for (const [at, part] of parts.entries()) work.add(String(at), () => part.resume());
  });
  return { settled: () => work.settled(), dispose: stop };
}

/** Starts to bill calls. Returns null for both when calls cost nothing. */
async function startBilling(
  parts: ProductParts,
  { options: { isBilled = false, link }, lifetime }: Dependencies,
): Promise<{ readonly billing: Billing | null; readonly quotes: Quotes | null }> {
  if (!isBilled) return { billing: null, quotes: null };
  const isLive = (id: string) => parts.calling.liveCalls.some(({ callId }) => callId === id);
  const reservations = new Reservations({ ...parts, isLive });
  const books = new CallBooks({ ...parts, reservations, owner: link?.node ?? null });
  const billing = lifetime.add(new Billing({ ...parts, books, reservations, isInCluster: link !== undefined }));
  await billing.start();
  return { billing, quotes: new Quotes({ ...parts, billing, reservations }) };
}

function handlersOf(parts: ProductParts, areas: Areas): Handlers {
  const { identities, owners, quotes, payoutAccounts, requirements, redemptions } = areas;
  const signIn = createSignIn(parts);
  return {
    ...accountHandlers(parts, signIn, owners, {
      leave: async (uId) => {
        parts.accounts.leave(uId);
        await areas.departures.written(uId);
      },
      settle: (transaction, uId) => redemptions.close(transaction, uId),
    }),
    ...registrationHandlers(parts, signIn),
    ...securityHandlers(parts, owners, areas.review),
    ...verificationHandlers(parts, identities, owners),
    ...demoHandlers(parts),
    ...peopleHandlers(parts, areas.watches),
    ...chatHandlers(parts),
    ...mediaHandlers(parts),
    ...pushHandlers(parts),
    ...profileHandlers(parts),
    ...safetyHandlers(parts),
    ...giftHandlers(parts),
    ...callHandlers(parts, quotes),
    ...walletHandlers(parts, areas.deposits),
    ...pointHandlers(parts, owners, payoutAccounts, requirements, redemptions),
  };
}
