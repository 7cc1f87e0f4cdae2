/**
 * The refusals with which the handler of each request can answer, besides those that its row of the table implies. Only
 * the server and the OpenAPI document import them. The app has a text for each code, and needs no list.
 */
import type { EndpointName } from './api.ts';
import type { RefusalCode } from './refusals.ts';

/** The refusals of a code that was sent to a contact. */
const CODE = ['code_wrong', 'code_expired', 'code_spent'] as const;
/** The refusals of a contact that must be old enough. */
const CONTACT = ['incomplete', 'cooling_off'] as const;
/** The refusals of a proof of ownership, which is a password or a code. */
const PROOF = ['wrong_credentials', 'locked', 'busy', ...CODE, ...CONTACT] as const;

export const HANDLER_REFUSALS: Readonly<Record<EndpointName, readonly RefusalCode[]>> = {
  sendCode: ['undeliverable'],
  checkCode: ['locked', ...CODE],
  available: [],
  register: ['too_young', 'weak_password', 'taken', 'locked', ...CODE, 'busy'],
  login: ['wrong_credentials', 'suspended', 'locked', ...CODE, 'busy'],
  logout: [],
  resetPassword: ['wrong_credentials', 'suspended', 'weak_password', 'locked', ...CODE, ...CONTACT, 'busy'],
  changePassword: ['weak_password', ...PROOF],
  sessions: [],
  endSession: ['not_found'],
  endOtherSessions: [],
  refreshToken: [],
  deleteMe: ['wrong_credentials', 'locked', 'busy'],
  demoUsers: ['not_found'],
  demoMailbox: ['not_found'],

  contacts: [],
  changeContact: ['undeliverable'],
  confirmContact: ['taken', ...PROOF],
  ownerProofs: [],
  sendOwnerCode: ['undeliverable', ...CONTACT],
  identity: [],
  putIdentityDocument: ['wrong_state', 'busy'],
  submitIdentity: ['incomplete', 'wrong_state', 'no_tries_left'],
  withdrawIdentity: [],

  discover: [],
  person: ['not_found'],
  favorites: [],
  addFavorite: ['not_found'],
  removeFavorite: [],
  notifyWhenOnline: ['not_found'],
  myProfile: [],
  changeProfile: ['too_young', 'taken', 'wrong_state'],
  mySettings: [],
  changeSettings: [],
  today: [],
  options: [],
  blocks: [],
  block: ['not_found'],
  unblock: [],
  report: ['not_found'],

  channels: [],
  unreadMessages: [],
  openChannel: ['not_found'],
  channel: ['not_found'],
  changeChannel: ['not_found'],
  messages: ['not_found'],
  sendMessage: ['insufficient_coins', 'blocked', 'not_found'],
  readMessages: ['not_found'],
  typing: ['blocked', 'not_found'],
  uploadMedia: ['too_large', 'wrong_file', 'busy'],
  deleteMedia: ['not_found'],
  pushPublicKey: [],
  savePushToken: [],
  forgetPushToken: [],

  gifts: [],
  sendGift: ['insufficient_coins', 'not_found', 'key_reused'],
  quoteCall: [],
  rateCall: ['not_found', 'wrong_state'],
  rules: [],
  wallet: [],
  setDepositLimit: [],
  depositPacks: [],
  deposit: ['limit_reached', 'not_found', 'key_reused'],
  deposits: [],
  depositOf: ['not_found'],
  paySandbox: ['not_found', 'wrong_state'],
  transactions: ['not_found'],
  chargeSessions: [],
  chargeSession: ['not_found'],
  points: [],
  income: [],
  payoutAccount: [],
  setPayoutAccount: [...PROOF],
  sendRedeemCode: ['undeliverable', ...CONTACT],
  redeem: ['insufficient_points', 'limit_reached', 'wrong_state', 'key_reused', ...CODE, ...CONTACT],
  redemptions: [],
  cancelRedemption: ['not_found', 'wrong_state'],
};
