/**
 * The cost limits of each request to the product server. `sim/budgets/table.ts` adds the sender, which the contract
 * names already.
 */
import type { EndpointName } from '../../src/protocol/product/api.ts';
import { PHOTO_BYTES } from '../../src/protocol/product/media.ts';
import { IDENTITY_PICTURE_CHARS } from '../../src/protocol/product/verification.ts';
import type { InputBudget, Kept, RateLimit } from './input-budget.ts';

export type ProductBudget = Omit<InputBudget, 'sender'>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const KIB = 1024;

/** The size of a message of 1 000 characters, also when each of them is escaped. */
const SMALL_BODY = 16 * KIB;
const ENVELOPE = 4 * KIB;

const CLOSED = 'until the account is closed';
const PERMANENT = 'permanently';

/** Returns a limit of `points` for each account in a window. */
const account = (points: number, seconds: number): RateLimit => ({ by: 'account', points, seconds });
const address = (points: number, seconds: number): RateLimit => ({ by: 'address', points, seconds });

/** A request that changes nothing and needs a session. */
const read: ProductBudget = { maxBytes: 0, limits: [account(600, MINUTE)], keeps: [] };
/** A request that changes nothing and needs no session. */
const openRead: ProductBudget = { maxBytes: 0, limits: [address(600, MINUTE)], keeps: [] };

/** Returns the budget of a request that changes something: 120 a minute for each account, and the given limits. */
const write = (keeps: readonly Kept[], ...limits: readonly RateLimit[]): ProductBudget => ({
  maxBytes: SMALL_BODY,
  limits: [account(120, MINUTE), ...limits],
  keeps,
});

/** Returns the budget of a request without a body that changes something. Its limits are those of {@link write}. */
const act = (keeps: readonly Kept[], ...limits: readonly RateLimit[]): ProductBudget => ({
  ...write(keeps, ...limits),
  maxBytes: 0,
});

const CODE: Kept = { what: 'codes', most: null, for: { seconds: 30 * MINUTE } };
const SESSION: Kept = { what: 'sessions', most: 200, for: { seconds: 7 * DAY } };

export const PRODUCT_BUDGETS = {
  sendCode: { maxBytes: SMALL_BODY, limits: [address(20, 10 * MINUTE), address(100, DAY)], keeps: [CODE] },
  checkCode: {
    maxBytes: SMALL_BODY,
    limits: [address(60, 10 * MINUTE)],
    keeps: [],
  },
  available: { ...openRead, limits: [address(120, MINUTE), address(2_000, DAY)] },
  register: {
    maxBytes: SMALL_BODY,
    limits: [address(30, HOUR)],
    keeps: [{ what: 'accounts of one contact', most: 1, for: CLOSED }, SESSION],
  },
  login: {
    maxBytes: SMALL_BODY,
    limits: [address(60, MINUTE)],
    keeps: [SESSION],
  },
  logout: act([]),
  resetPassword: {
    maxBytes: SMALL_BODY,
    limits: [address(30, HOUR)],
    keeps: [SESSION],
  },
  changePassword: write([], account(20, HOUR)),
  sessions: read,
  endSession: act([]),
  endOtherSessions: act([]),
  refreshToken: read,
  deleteMe: write([], account(20, HOUR)),
  demoUsers: openRead,
  demoMailbox: openRead,

  contacts: read,
  changeContact: write([CODE], account(10, HOUR), account(20, DAY)),
  confirmContact: write([{ what: 'contacts', most: 2, for: CLOSED }], account(30, HOUR)),
  ownerProofs: read,
  sendOwnerCode: write([CODE], account(10, HOUR), account(20, DAY)),
  identity: read,
  putIdentityDocument: {
    maxBytes: IDENTITY_PICTURE_CHARS + ENVELOPE,
    limits: [account(20, 10 * MINUTE), account(100, DAY)],
    keeps: [{ what: 'pictures of an identity document', most: 3, for: 'until deletion' }],
  },
  submitIdentity: write([{ what: 'reviews', most: 3, for: { seconds: 30 * DAY } }]),
  withdrawIdentity: act([]),

  discover: { ...read, limits: [account(120, MINUTE), account(2_000, DAY)] },
  person: { ...read, limits: [account(240, MINUTE), account(5_000, DAY)] },
  favorites: read,
  addFavorite: write([{ what: 'favourites', most: 1_000, for: CLOSED }]),
  removeFavorite: act([]),
  notifyWhenOnline: act([{ what: 'watches', most: 200, for: CLOSED }]),

  myProfile: read,
  changeProfile: write([{ what: 'profiles', most: 1, for: CLOSED }]),
  mySettings: read,
  changeSettings: write([{ what: 'settings', most: 1, for: CLOSED }]),
  today: read,
  options: openRead,

  blocks: read,
  block: write([{ what: 'blocks', most: 2_000, for: CLOSED }]),
  unblock: act([]),
  report: write(
    [{ what: 'reports', most: null, for: 'for two years, or until the account is closed' }],
    account(10, HOUR),
    account(50, DAY),
  ),

  channels: read,
  unreadMessages: read,
  openChannel: write([{ what: 'chats', most: null, for: CLOSED }], account(500, DAY)),
  channel: read,
  changeChannel: write([]),
  messages: read,
  sendMessage: write([{ what: 'messages', most: null, for: CLOSED }]),
  readMessages: { ...write([]), limits: [account(600, MINUTE)] },
  typing: { ...write([]), limits: [account(10, 10)] },

  uploadMedia: {
    maxBytes: PHOTO_BYTES,
    limits: [account(30, MINUTE), account(500, DAY)],
    keeps: [{ what: 'files', most: 1_000, for: 'until deletion' }],
  },
  deleteMedia: act([]),

  pushPublicKey: read,
  savePushToken: write([{ what: 'push tokens', most: 20, for: { seconds: 60 * DAY } }]),
  forgetPushToken: write([]),

  gifts: read,
  sendGift: write([{ what: 'gifts', most: null, for: PERMANENT }]),
  quoteCall: { ...write([]), limits: [account(240, MINUTE)] },
  rateCall: write([{ what: 'ratings of one call', most: 1, for: CLOSED }]),
  rules: openRead,

  wallet: read,
  setDepositLimit: write([{ what: 'deposit limits', most: 1, for: CLOSED }]),
  depositPacks: read,
  deposit: write([{ what: 'deposits', most: null, for: PERMANENT }]),
  deposits: read,
  depositOf: read,
  paySandbox: write([]),
  transactions: read,
  chargeSessions: read,
  chargeSession: read,

  points: read,
  income: read,
  payoutAccount: read,
  setPayoutAccount: write([{ what: 'payout accounts', most: 1, for: CLOSED }], account(30, HOUR)),
  sendRedeemCode: act([CODE], account(20, HOUR), account(50, DAY)),
  redeem: write([{ what: 'open redemptions', most: 1, for: PERMANENT }]),
  redemptions: read,
  cancelRedemption: act([]),
} as const satisfies Record<EndpointName, ProductBudget>;

/** The requests that the product serves outside its contract. */
export const SERVED_BUDGETS = {
  media: { ...openRead, sender: 'anybody', limits: [address(1_200, MINUTE)] },
  portrait: {
    ...openRead,
    sender: 'anybody',
    limits: [address(1_200, MINUTE), { by: 'address', points: 60, seconds: HOUR, of: 'failures' }],
  },
  openApi: { ...openRead, sender: 'anybody' },
  /** Bounded by the limits of any request. */
  scripts: { ...openRead, sender: 'anybody', limits: [] },
  /** The server answers from memory, and queries the database once a second at most. */
  healthz: { ...openRead, sender: 'anybody', limits: [] },
  readyz: { ...openRead, sender: 'anybody', limits: [] },
  /** Allowed for clients on the same machine, and with the operator's token. */
  metrics: { ...openRead, sender: 'anybody', limits: [] },
  /** Allowed for clients on the same machine alone. An answer has at most 1000 rows. */
  admin: { ...openRead, sender: 'anybody', limits: [] },
  /** The page at `/` of `ringback sim`: a fixed text. */
  front: { ...openRead, sender: 'anybody', limits: [] },
} as const satisfies Record<string, InputBudget>;

/**
 * The limit of wrong guesses by one address, which may have many users. Limits for a target are low for one address and
 * higher for all addresses together. So an attacker cannot lock a user out.
 */
const FROM_ONE_ADDRESS: RateLimit = { by: 'address', points: 300, seconds: HOUR, of: 'failures' };

/** The counters that several requests share. */
export const SHARED_BUDGETS = {
  /** A password at a login. The target is a user. */
  passwordGuess: {
    sender: 'anybody',
    maxBytes: 0,
    limits: [
      { by: 'target and address', points: 5, seconds: 5 * MINUTE, of: 'failures' },
      { by: 'target and address', points: 50, seconds: DAY, of: 'failures' },
      FROM_ONE_ADDRESS,
      { by: 'target', points: 100, seconds: HOUR, of: 'failures' },
    ],
    target: 'user_id',
    keeps: [],
  },
  /** A code for registration, login or a new password. The target is a contact, counted separately for each purpose. */
  codeGuess: {
    sender: 'anybody',
    maxBytes: 0,
    limits: [
      { by: 'target and address', points: 10, seconds: 15 * MINUTE, of: 'failures' },
      FROM_ONE_ADDRESS,
      { by: 'target', points: 30, seconds: DAY, of: 'failures' },
    ],
    target: 'to',
    keeps: [],
  },
  /** A guess of one code that was sent. */
  codeTry: {
    sender: 'anybody',
    maxBytes: 0,
    limits: [{ by: 'target and address', points: 5, seconds: 30 * MINUTE, of: 'failures' }],
    target: 'to',
    keeps: [],
  },
  /** Another code for the same contact and purpose. */
  sameLetter: {
    sender: 'anybody',
    maxBytes: 0,
    limits: [{ by: 'target and address', points: 1, seconds: MINUTE }],
    target: 'to',
    keeps: [],
  },
  /** A password or code that proves to the server that the signed-in user owns the account. */
  ownerProof: {
    sender: 'user',
    maxBytes: 0,
    limits: [
      { by: 'account', points: 5, seconds: 15 * MINUTE, of: 'failures' },
      { by: 'account', points: 20, seconds: DAY, of: 'failures' },
    ],
    keeps: [],
  },
  /** A new message in a chat. A repeated send of the same message does not count. */
  message: { sender: 'user', maxBytes: 0, limits: [account(20, MINUTE)], keeps: [] },
  /** An SMS or e-mail with a code, for any purpose. Each costs money, and the contact may belong to another person. */
  letter: {
    sender: 'anybody',
    maxBytes: 0,
    target: 'to',
    limits: [
      { by: 'target and address', points: 3, seconds: 10 * MINUTE },
      { by: 'target', points: 10, seconds: HOUR },
      { by: 'server', points: 2_000, seconds: HOUR },
    ],
    keeps: [CODE],
  },
} as const satisfies Record<string, InputBudget>;
